import numpy
import pytest
import spacy
from numpy.testing import assert_allclose
from spacy.ml.models.tok2vec import MaxoutWindowEncoder
from spacy.util import fix_random_seed
from spacy.vectors import Vectors
from thinc.api import Model

from spacy_pii.models import encoder
from spacy_pii.models.encoder import PiiEmbed, WindowedEncoder
from spacy_pii.models.features import COLUMNS, UNKNOWN_WORD, DocFeatures
from spacy_pii.models.lists import pack_lists, read_word_lists, unpack_lists

LISTS = {
    "names": ["olivia", "nguyen", "anne"],
    "public": ["Euclid", "Simon Singh"],
    "places": ["Lima", "New York City"],
}


@pytest.fixture(autouse=True)
def seed():
    # Finite differences meet a kink of the activation with some initial weights.
    fix_random_seed(0)


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy.blank("en")
    words = ("hey", "teacher", "will", "the")
    data = numpy.arange(16, dtype="float32").reshape(4, 4)
    nlp.vocab.vectors = Vectors(strings=nlp.vocab.strings, data=data, keys=words, attr="LOWER")
    return nlp


def get_lists():
    return LISTS


def column(features, name):
    return features[:, COLUMNS.index(name)]


@pytest.fixture
def features():
    return DocFeatures(unpack_lists(pack_lists(LISTS)))


def test_listed_names_are_told_from_other_words_in_any_case_and_with_diacritics(nlp, features):
    matrix, _ = features(nlp.make_doc("olivia Olivia NGUYỄN zorbuk Anne-Marie"))
    evidence = column(matrix, "NAMES") // 16
    words = [token.text for token in nlp.make_doc("olivia Olivia NGUYỄN zorbuk Anne-Marie")]
    by_word = dict(zip(words, evidence.tolist()))
    assert by_word["olivia"] == by_word["Olivia"] == by_word["NGUYỄN"] > by_word["zorbuk"] == 0


def test_phrases_of_the_lists_are_told_from_their_words(nlp, features):
    doc = nlp.make_doc("Simon Singh in new york city, Simon in York and Euclid")
    matrix, _ = features(doc)
    bits = (column(matrix, "LISTS") // 8).tolist()
    assert bits[0] == bits[1] > 0
    assert bits[3] == bits[4] == bits[5] > 0
    assert bits[0] != bits[3]
    assert [bits[7], bits[9]] == [0, 0]
    assert bits[11] > 0


def test_the_lists_of_the_package():
    lists = read_word_lists()
    packed = unpack_lists(pack_lists(lists))
    assert set(packed) == {"names", "public", "places", "peoples", "foreign", "words"}
    assert all(len(entries.entries) > 100 for entries in packed.values())


def test_words_without_a_vector_are_one_word(nlp, features):
    matrix, rows = features(nlp.make_doc("Zorbuk met the Quillon"))
    assert column(matrix, "LOWER")[0] == column(matrix, "LOWER")[3] == UNKNOWN_WORD
    assert column(matrix, "LOWER")[2] != UNKNOWN_WORD
    assert (rows >= 0).tolist() == [False, False, True, False]


def test_casing_speaks_of_the_whole_document(nlp, features):
    once, _ = features(nlp.make_doc("Will came."))
    often, _ = features(nlp.make_doc("Will came. I will go and you will go."))
    assert column(once, "CASING")[0] != column(often, "CASING")[0]


def test_the_place_in_the_line_counts(nlp, features):
    doc = nlp.make_doc("Olivia said hey.\nOlivia left. So Olivia")
    matrix, _ = features(doc)
    lines = column(matrix, "LINE")
    places = [i for i, token in enumerate(doc) if token.text == "Olivia"]
    assert lines[places[0]] != lines[places[2]]


@pytest.mark.parametrize("text", ["", "\n", " ", "🙂", "a" * 20000, "\n\n\n.\n"])
def test_odd_documents_have_a_row_for_each_token(nlp, features, text):
    doc = nlp.make_doc(text)
    matrix, rows = features(doc)
    assert matrix.shape == (len(doc), len(COLUMNS))
    assert rows.shape == (len(doc),)


def test_training_hides_what_a_word_is(nlp, features):
    doc = nlp.make_doc("hey Olivia the teacher")
    shown, _ = features(doc)
    hidden, rows = features(doc, hide_names=1.0, hide_words=1.0)
    assert (rows == -1).all()
    assert (column(hidden, "LOWER") == UNKNOWN_WORD).all()
    assert (column(hidden, "SHAPE") == column(shown, "SHAPE")).all()


def test_the_embedding_is_the_same_after_serialization(nlp):
    docs = [nlp.make_doc("hey Olivia"), nlp.make_doc(""), nlp.make_doc("the teacher")]
    model = PiiEmbed(8, lexical_width=4, context_width=2, include_static_vectors=True, lists=get_lists)
    model.initialize(X=docs)
    other = PiiEmbed(8, lexical_width=4, context_width=2, include_static_vectors=True)
    other.from_bytes(model.to_bytes())
    for left, right in zip(model.predict(docs), other.predict(docs)):
        assert_allclose(left, right)


@pytest.mark.parametrize("part", [1, 4, 100])
def test_a_prediction_in_parts_is_that_of_the_whole(nlp, monkeypatch, part):
    docs = [nlp.make_doc("hey Olivia, will the teacher come"), nlp.make_doc(""), nlp.make_doc("the teacher")]
    model = PiiEmbed(8, lexical_width=4, context_width=2, include_static_vectors=True, hide_names=0.0, hide_words=0.0)
    model.initialize(X=docs)
    whole, _ = model(docs, True)
    monkeypatch.setattr(encoder, "_PART", part)
    parts = model.predict(docs)
    assert [len(x) for x in parts] == [len(doc) for doc in docs]
    for left, right in zip(whole, parts):
        assert_allclose(left, right, atol=1e-6)
    _, backprop = model(docs, False)
    with pytest.raises(ValueError, match="prediction"):
        backprop(parts)


def test_static_vectors_that_are_not_there_are_an_error():
    docs = [spacy.blank("en").make_doc("hey")]
    with pytest.raises(ValueError, match="initialize.vectors"):
        PiiEmbed(8, include_static_vectors=True).initialize(X=docs)


def check_gradient(model: Model, X, seed=0):
    """Compare the gradient of the first input with finite differences."""
    rng = numpy.random.RandomState(seed)
    output, backprop = model(X, True)
    d_output = [rng.normal(size=y.shape).astype("float32") for y in output]
    d_X = backprop(d_output)
    for i, j in ((0, 0), (len(X[0]) // 2, 1), (len(X[0]) - 1, 2)):
        losses = []
        for step in (1e-2, -1e-2):
            moved = [x.copy() for x in X]
            moved[0][i, j] += step
            losses.append(sum(float((y * d).sum()) for y, d in zip(model.predict(moved), d_output)))
        assert_allclose((losses[0] - losses[1]) / 2e-2, d_X[0][i, j], rtol=0.05, atol=0.05)


@pytest.mark.parametrize("window", [3, 7, 50])
def test_windows_give_what_the_whole_document_gives(window):
    encode = MaxoutWindowEncoder(width=4, window_size=1, maxout_pieces=2, depth=2)
    X = [numpy.random.RandomState(i).normal(size=(n, 4)).astype("float32") for i, n in enumerate((23, 0, 1, 50))]
    model = WindowedEncoder(encode, window=window, overlap=2)
    model.initialize(X=X)
    for whole, windowed, trained in zip(encode.predict(X), model.predict(X), model(X, True)[0]):
        assert_allclose(whole, windowed, atol=1e-5)
        assert_allclose(whole, trained, atol=1e-5)


def test_the_gradient_goes_through_the_windows():
    encode = MaxoutWindowEncoder(width=4, window_size=1, maxout_pieces=2, depth=1)
    X = [numpy.random.RandomState(1).normal(size=(11, 4)).astype("float32")]
    model = WindowedEncoder(encode, window=4, overlap=1)
    model.initialize(X=X)
    check_gradient(model, X)


def test_a_window_needs_a_size():
    encode = MaxoutWindowEncoder(width=4, window_size=1, maxout_pieces=2, depth=1)
    with pytest.raises(ValueError, match="at least one token"):
        WindowedEncoder(encode, window=0)
