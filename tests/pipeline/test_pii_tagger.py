import numpy
import pytest
import spacy
from numpy.testing import assert_allclose
from spacy.tokens import DocBin
from spacy.training import Example

from spacy_pii.spans import Found, read_group, write_group

SMALL = {
    "@architectures": "spacy-pii.PiiTagger.v1",
    "tok2vec": {
        "@architectures": "spacy.Tok2Vec.v2",
        "embed": {
            "@architectures": "spacy-pii.PiiEmbed.v1",
            "width": 32,
            "lexical_width": 16,
            "context_width": 8,
            "hide_names": 0.0,
            "hide_words": 0.0,
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
TRAIN = [
    ("hi olivia how are you", [(1, 2, "PERSON")]),
    ("my name is Maria Lopez .", [(3, 5, "PERSON")]),
    ("I live in Lima .", [(3, 4, "LOCATION")]),
    ("the answer is 42 .", []),
    ("thanks Maria Lopez , see you in Lima", [(1, 3, "PERSON"), (7, 8, "LOCATION")]),
]


def make_examples(nlp, data=TRAIN):
    examples = []
    for text, spans in data:
        reference = nlp.make_doc(text)
        write_group(reference, "pii", [Found(*span, 1.0) for span in spans])
        examples.append(Example(nlp.make_doc(text), reference))
    return examples


@pytest.fixture(scope="module")
def trained():
    spacy.util.fix_random_seed(0)
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_tagger", config={"model": SMALL, "threshold": 0.5})
    examples = make_examples(nlp)
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(60):
        losses = nlp.update(make_examples(nlp), sgd=optimizer)
    assert losses["pii_tagger"] < 0.1
    return nlp


def found(doc):
    return [(doc[item.start : item.end].text, item.label) for item in read_group(doc, "pii_tagger")]


def test_it_learns_spans_of_several_tokens_and_labels(trained):
    assert found(trained("thanks Maria Lopez , see you in Lima")) == [("Maria Lopez", "PERSON"), ("Lima", "LOCATION")]
    assert found(trained("the answer is 42 .")) == []
    scores = trained.evaluate(make_examples(trained))
    assert scores["pii_tagger_f5"] == 1.0
    assert set(scores["pii_tagger_per_type"]) == {"PERSON", "LOCATION"}


def test_a_higher_threshold_finds_no_less(trained, tmp_path):
    trained.to_disk(tmp_path)
    nlp = spacy.load(tmp_path)
    tagger, text = nlp.get_pipe("pii_tagger"), "we saw Teo and Lima at noon , hi Maria"
    covered = []
    for threshold in (0.0, 0.1, 0.5, 0.9, 0.999, 1.0):
        tagger.set_threshold(threshold)
        doc = nlp(text)
        covered.append({token.i for span in doc.spans["pii_tagger"] for token in span})
    assert covered[0] == set()
    assert all(less <= more for less, more in zip(covered, covered[1:]))
    assert len(covered[-1]) > len(covered[2])


def test_a_label_can_have_a_threshold_of_its_own_that_is_saved(trained, tmp_path):
    trained.to_disk(tmp_path)
    nlp = spacy.load(tmp_path)
    nlp.get_pipe("pii_tagger").set_threshold(0.0, label="LOCATION")
    nlp.to_disk(tmp_path / "again")
    again = spacy.load(tmp_path / "again")
    assert found(again("hi olivia , I live in Lima .")) == [("olivia", "PERSON")]


@pytest.mark.parametrize("threshold,label", [(1.2, None), (-0.1, None), (0.5, "URL")])
def test_wrong_thresholds_are_errors(trained, threshold, label):
    with pytest.raises(ValueError):
        trained.get_pipe("pii_tagger").set_threshold(threshold, label=label)


def test_the_o_threshold_lets_the_best_other_label_win(trained):
    tagger = trained.get_pipe("pii_tagger")
    # O, B-LOCATION, I-LOCATION, B-PERSON, I-PERSON: O is most likely, and still under the threshold.
    rows = [[0.80, 0.05, 0.0, 0.15, 0.0], [0.80, 0.05, 0.0, 0.0, 0.15], [0.90, 0.0, 0.0, 0.1, 0.0]]
    doc = trained.make_doc("Maria Lopez said")
    tagger.cfg["threshold"] = 0.85
    try:
        tagger.set_annotations([doc], [numpy.array(rows, dtype="float32")])
    finally:
        tagger.cfg["threshold"] = 0.5
    (item,) = read_group(doc, "pii_tagger")
    assert (item.start, item.end, item.label) == (0, 2, "PERSON")
    assert item.score == pytest.approx(0.2, abs=1e-3)


def test_two_names_in_a_row_stay_two(trained):
    tagger = trained.get_pipe("pii_tagger")
    rows = [[0.1, 0.0, 0.0, 0.9, 0.0], [0.1, 0.0, 0.0, 0.9, 0.0]]
    doc = trained.make_doc("Maria Teo")
    tagger.set_annotations([doc], [numpy.array(rows, dtype="float32")])
    assert found(doc) == [("Maria", "PERSON"), ("Teo", "PERSON")]


def test_white_space_is_no_part_of_a_span(trained):
    tagger = trained.get_pipe("pii_tagger")
    doc = trained.make_doc("\nMaria\n \n")
    rows = [[0.1, 0.0, 0.0, 0.9, 0.0]] + [[0.1, 0.0, 0.0, 0.0, 0.9]] * (len(doc) - 1)
    tagger.set_annotations([doc], [numpy.array(rows, dtype="float32")])
    assert found(doc) == [("Maria", "PERSON")]


def test_results_are_the_same_however_it_is_run(trained, tmp_path):
    texts = [text for text, _ in TRAIN] + ["", " \n ", "hi olivia " * 200, "🙂 María\u0301"]
    expected = [found(trained(text)) for text in texts]
    trained.to_disk(tmp_path)
    from_bytes = spacy.blank("en")
    from_bytes.add_pipe("pii_tagger", config={"model": SMALL})
    from_bytes.from_bytes(trained.to_bytes())
    for docs in (
        trained.pipe(texts),
        trained.pipe(texts, batch_size=2),
        trained.pipe(texts, n_process=2),
        spacy.load(tmp_path).pipe(texts),
        from_bytes.pipe(texts),
        DocBin(docs=list(trained.pipe(texts))).get_docs(trained.vocab),
    ):
        assert [found(doc) for doc in docs] == expected


def test_a_long_document_is_the_same_in_windows(trained):
    text = "we said hi olivia and went on . " * 40
    whole = SMALL["tok2vec"]["encode"]["window"]
    encoder = next(node for node in trained.get_pipe("pii_tagger").model.walk() if node.name == "windowed_encoder")
    windowed = trained.get_pipe("pii_tagger").predict([trained.make_doc(text)])[0]
    encoder.attrs["window"] = 100_000
    try:
        at_once = trained.get_pipe("pii_tagger").predict([trained.make_doc(text)])[0]
    finally:
        encoder.attrs["window"] = whole
    assert_allclose(windowed, at_once, atol=1e-5)


def test_gold_that_is_missing_teaches_nothing_and_gold_that_straddles_expands(trained):
    tagger = trained.get_pipe("pii_tagger")
    bare = Example(trained.make_doc("hi olivia"), trained.make_doc("hi olivia"))
    scores = tagger.predict([bare.predicted])
    loss, (gradient,) = tagger.get_loss([bare], scores)
    assert loss == 0.0 and not gradient.any()
    # The reference splits a token that the predicted document keeps whole.
    reference = spacy.tokens.Doc(trained.vocab, words=["see", "f", "(x)=Ana"], spaces=[True, False, False])
    write_group(reference, "pii", [Found(2, 3, "PERSON", 1.0)])
    example = Example(trained.make_doc("see f(x)=Ana"), reference)
    tags, _ = tagger._gold(example)
    assert tags.tolist()[0] == 0 and tags.any()


def test_hard_negatives_weigh_what_the_config_says():
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_tagger", config={"model": SMALL, "negative_weight": 3.0, "outside_weight": 0.5})
    examples = make_examples(nlp)
    nlp.initialize(lambda: examples)
    write_group(examples[3].reference, "negatives", [Found(3, 4, "number", 1.0)])
    _, weights = nlp.get_pipe("pii_tagger")._gold(examples[3])
    assert weights.tolist() == [0.5, 0.5, 0.5, 3.0, 0.5]


def test_without_labels_there_is_one_clear_error():
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_tagger", config={"model": SMALL})
    examples = [Example(nlp.make_doc("hi"), nlp.make_doc("hi"))]
    with pytest.raises(ValueError, match="found no labels.*'pii'"):
        nlp.initialize(lambda: examples)


def test_it_listens_to_a_shared_tok2vec_and_takes_an_lstm_head():
    nlp = spacy.blank("en")
    nlp.add_pipe("tok2vec", config={"model": {"width": 32, "depth": 1, "embed_size": 100}})
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 32}
    model = {"@architectures": "spacy-pii.PiiTagger.v1", "tok2vec": listener, "lstm_width": 8}
    nlp.add_pipe("pii_tagger", config={"model": model})
    examples = make_examples(nlp)
    optimizer = nlp.initialize(lambda: examples)
    first = nlp.update(make_examples(nlp), sgd=optimizer)["pii_tagger"]
    for _ in range(30):
        last = nlp.update(make_examples(nlp), sgd=optimizer)["pii_tagger"]
    assert last < first
    assert "pii_tagger" in nlp("hi olivia").spans


def test_an_lstm_of_odd_width_is_refused():
    nlp = spacy.blank("en")
    with pytest.raises(Exception, match="even width"):
        nlp.add_pipe("pii_tagger", config={"model": {**SMALL, "lstm_width": 7}})
