import json
import subprocess
import sys

import pytest
import spacy
import srsly
from spacy.training import Example

from spacy_pii.cli.benchmark import THREADS, find_size, make_peer
from spacy_pii.corpora import docbin
from spacy_pii.corpora.record import Record
from spacy_pii.spans import Found, write_group

TEXT = "Mira Quell: my mail is mira.quell@gmail.com\nTutor: thanks, call 415-555-0132\nMira Quell: ok 3/4\n"
RULES = ["pii_turns", "pii_ruler", "pii_merger", "hips_replacer"]
SMALL = {
    "@architectures": "spacy-pii.PiiTagger.v1",
    "tok2vec": {
        "@architectures": "spacy.Tok2Vec.v2",
        "embed": {
            "@architectures": "spacy-pii.PiiEmbed.v1",
            "width": 32,
            "lexical_width": 16,
            "context_width": 8,
            "lists": None,
        },
        "encode": {
            "@architectures": "spacy-pii.WindowedEncoder.v1",
            "encode": {
                "@architectures": "spacy.MaxoutWindowEncoder.v2",
                "width": 32,
                "window_size": 1,
                "maxout_pieces": 2,
                "depth": 2,
            },
            "window": 64,
            "overlap": 4,
        },
    },
}


@pytest.fixture
def one_thread(monkeypatch):
    """Measure in this process: what matters here is not the time."""
    for name in THREADS:
        monkeypatch.setenv(name, "1")


@pytest.fixture
def tagger_model(tmp_path):
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_turns")
    nlp.add_pipe("pii_tagger", config={"model": SMALL})
    nlp.add_pipe("pii_merger", config={"groups": ["pii_tagger"]})
    reference = nlp.make_doc("hi Maria")
    write_group(reference, "pii", [Found(1, 2, "PERSON", 1.0)])
    nlp.initialize(lambda: [Example(nlp.make_doc("hi Maria"), reference)])
    nlp.to_disk(tmp_path / "tagger")
    return str(tmp_path / "tagger")


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.jsonl"
    records = [{"text": TEXT}, {"text": ""}, {"messages": [{"role": "tutor", "text": TEXT}]}]
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf8")
    return path


def check(results, components, *, width, depth, repeat):
    model, peer = results["model"], results["peer"]
    assert list(model["components"]) == ["tokenizer", *components]
    assert sum(part["share"] for part in model["components"].values()) == pytest.approx(1.0)
    assert (peer["width"], peer["depth"]) == (width, depth)
    for run in (model, peer):
        assert len(run["seconds"]) == repeat
        # The seconds are rounded where they are written, which shows in runs of less than a millisecond.
        assert results["words"] / max(run["seconds"]) <= run["words_per_second"] * (1 + 1e-5)
        assert run["words_per_second"] <= results["words"] / min(run["seconds"]) * (1 + 1e-5)
    assert results["ratio"] == pytest.approx(model["words_per_second"] / peer["words_per_second"])


def read_row(output, name):
    (line,) = [line for line in output.splitlines() if line.startswith(name)]
    return line.removeprefix(name).split()


def test_the_speeds_of_the_model_its_components_and_the_peer_are_given(run, one_thread, model, texts, tmp_path):
    result = run("benchmark", texts, "--model", model, "--repeat", 2, "--json", tmp_path / "out.json")
    assert result.exit_code == 0, result.stderr
    results = srsly.read_json(tmp_path / "out.json")
    check(results, RULES, width=96, depth=4, repeat=2)
    nlp = spacy.blank("en")
    assert results["words"] == len(nlp(TEXT)) + len(nlp(f"tutor: {TEXT}"))
    assert results["documents"] == 3
    for name in ["tokenizer", *RULES]:
        assert len(read_row(result.stdout, name)) == 4
    of_model, of_peer = (
        float(read_row(result.stdout, name)[-1]) for name in ("en_pipeline  ", "spacy.HashEmbedCNN.v2")
    )
    # The speeds are printed as whole numbers, the ratio with two decimals.
    assert float(read_row(result.stdout, "ratio")[0]) == pytest.approx(of_model / of_peer, abs=0.01)
    assert "Quell" not in result.output


def test_the_peer_has_the_size_of_the_models_own_encoder(run, one_thread, tagger_model, texts, tmp_path):
    result = run("benchmark", texts, "-m", tagger_model, "-r", 1, "-j", tmp_path / "out.json")
    assert result.exit_code == 0, result.stderr
    results = srsly.read_json(tmp_path / "out.json")
    check(results, ["pii_turns", "pii_tagger", "pii_merger"], width=32, depth=2, repeat=1)
    assert "width 32 and depth 2" in result.stdout


def test_a_tagger_that_listens_to_another_component_has_no_size_of_its_own():
    nlp = spacy.blank("en")
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 32, "upstream": "*"}
    nlp.add_pipe("pii_tagger", config={"model": {**SMALL, "tok2vec": listener}})
    assert find_size(nlp) == (96, 4)


def test_the_peer_tags():
    peer = make_peer("en", width=32, depth=1)
    assert len(peer.get_pipe("tagger").labels) == 17
    assert all(token.tag_ in peer.get_pipe("tagger").labels for token in peer("my name is Maria"))


def test_the_child_process_has_one_thread_and_gives_its_exit_code(model, texts, tmp_path):
    command = [sys.executable, "-m", "spacy", "pii", "benchmark", str(texts), "-m", model, "-r", "1"]
    result = subprocess.run(
        [*command, "--json", str(tmp_path / "out.json")], capture_output=True, text=True, check=False, encoding="utf8"
    )
    assert result.returncode == 0, result.stderr
    assert read_row(result.stdout, "ratio")
    check(srsly.read_json(tmp_path / "out.json"), RULES, width=96, depth=4, repeat=1)
    texts.write_text("{}\n", encoding="utf8")
    result = subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf8")
    assert (result.returncode, result.stdout) == (2, "")
    assert "no word" in result.stderr


def test_texts_are_taken_until_there_are_enough_words(run, one_thread, model, tmp_path):
    texts = tmp_path / "texts.csv"
    texts.write_text("id,said\n" + "1,one two three\n" * 10, encoding="utf8")
    options = ("-m", model, "-r", 1, "-j", tmp_path / "out.json", "--columns", "said")
    assert run("benchmark", texts, *options, "--words", 7).exit_code == 0
    assert srsly.read_json(tmp_path / "out.json")["words"] == 9
    assert run("benchmark", texts, *options).exit_code == 0
    assert srsly.read_json(tmp_path / "out.json")["words"] == 30


def test_documents_of_spacy_are_read(run, one_thread, model, tmp_path):
    docbin.write([Record("a", TEXT, [], []), Record("b", "", [], [])], tmp_path / "gold.spacy")
    result = run("benchmark", tmp_path / "gold.spacy", "-m", model, "-r", 1, "-j", tmp_path / "out.json")
    assert result.exit_code == 0, result.stderr
    assert srsly.read_json(tmp_path / "out.json")["documents"] == 2


def test_records_that_cannot_be_read_are_named_and_the_rest_is_measured(run, one_thread, model, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "one two"}\n{"text"\n', encoding="utf8")
    result = run("benchmark", tmp_path / "a.jsonl", "-m", model, "-r", 1)
    assert result.exit_code == 1
    assert "record 2" in result.stderr
    assert "1 documents, 2 words" in result.stdout


@pytest.mark.parametrize(
    "name, content, sentence",
    [
        ("a.txt", "", "no word"),
        ("a.spacy", "not a DocBin", "is not a file of spaCy documents"),
        ("a.csv", "id,said\n1,x\n", "--columns"),
        ("missing.spacy", None, "missing.spacy"),
        ("missing.txt", None, "There is no file"),
    ],
)
def test_what_cannot_be_measured_is_one_sentence(run, one_thread, model, tmp_path, name, content, sentence):
    if content is not None:
        (tmp_path / name).write_text(content, encoding="utf8")
    result = run("benchmark", tmp_path / name, "-m", model)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1 and sentence in result.stderr


def test_when_a_component_fails_then_no_text_is_printed(run, one_thread, make_model, tmp_path):
    (tmp_path / "a.txt").write_text("The kaboom of Mira Quell", encoding="utf8")
    result = run("benchmark", tmp_path / "a.txt", "-m", make_model(before_replacer="test_fail_on_word"))
    assert result.exit_code == 2
    assert "RuntimeError" in result.stderr and "Quell" not in result.output
