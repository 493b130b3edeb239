import json

import numpy
import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin
from spacy.vectors import Vectors

from spacy_pii.mathematics import SubjectVocabulary, load_vocabulary, phrase_variants, variants
from spacy_pii.pipeline.math_segmenter import MathSegmenter, find_units, grow_segments, share_around
from spacy_pii.tables import load_table
from spacy_pii.transcripts import make_doc

MATH, CHAT = ("equation", "slope", "fraction", "triangle"), ("bus", "dinner", "dog", "rain")


class FirstWord:
    """Mathematics points one way, everything else another, and the word 'half' between them."""

    name = "first-word"

    def __call__(self, texts, vocab):
        rows = [(1.0, 0.0) if "so" in text.split() else (0.0, 1.0) for text in texts]
        return numpy.array(rows, dtype="float32").reshape(len(texts), 2)


@pytest.fixture(scope="module")
def nlp():
    """A pipeline with word vectors: two groups of words apart."""
    nlp = spacy.blank("en")
    words = ("the", *MATH, *CHAT)
    data = numpy.zeros((len(words), 3), dtype="float32")
    data[0, 2] = 1
    data[1 : len(MATH) + 1, 0] = 1
    data[len(MATH) + 1 :, 1] = 1
    nlp.vocab.vectors = Vectors(strings=nlp.vocab.strings, data=data, keys=words, attr="LOWER")
    nlp.add_pipe("math_segmenter")
    return nlp


def inside(doc):
    """Numbers of the turns that lie in a segment."""
    return [turn for first, last in doc.spans["math"].attrs["turns"] for turn in range(first, last + 1)]


def talk(nlp, *texts):
    return nlp(make_doc(nlp, [{"speaker": "ana", "text": text} for text in texts]))


@pytest.mark.parametrize(
    "text",
    [
        "3x = 12",
        "so x < 5 then",
        "what is 3/4 + 1/8",
        "the hypotenuse is longest",
        "three x plus five equals twenty",
        r"\frac{1}{2} of it",
        "find the common denominator",
        "√50 is about 7.07",
        "A'(1,-2)",
        "2³ × 2⁴",  # superscripts
        "f(x) goes up",
        "12 cm by 4 cm",
        "factorise it",  # British spelling
        "how many square metres",
        "|−8| is 8",  # a minus sign that is no hyphen
    ],
)
def test_when_message_is_mathematics_then_it_opens_a_segment(nlp, text):
    assert inside(talk(nlp, text)) == [0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hi! thanks so much",
        "my id is 20458817",
        "call me at 617-555-0143",
        "is the test on 3/14",
        "we meet March 3, 2021",
        "do question 4b on page 31",
        "i am in MATH 1205",  # a course, not a product
        "she is 13 years old",
        "write to ana.p+maths@school.example",
        "24",  # alone it may be anything
        "the point is, it means a lot",
        "see https://example.com/a=b?x=3&y=4",
        "😂😂",
    ],
)
def test_when_message_is_no_mathematics_then_there_is_no_segment(nlp, text):
    assert inside(talk(nlp, text)) == []


def test_when_number_stands_among_mathematics_then_it_is_taken_in(nlp):
    doc = talk(nlp, "what is 3x = 12", "24", "now 5x = 10", "24 and 6", "solve 2x = 4")
    assert inside(doc) == [0, 1, 2, 3, 4]
    assert len(doc.spans["math"]) == 1


def test_when_name_stands_in_mathematics_then_the_span_covers_the_whole_message(nlp):
    doc = talk(nlp, "hello", "ok so 3x = 12 thanks devonte x=4", "bye")
    (span,) = doc.spans["math"]
    assert span.text == "ok so 3x = 12 thanks devonte x=4"
    assert span.label_ == "MATH"


def test_neighbours_join_while_they_are_similar():
    nlp = spacy.blank("en")
    segmenter = MathSegmenter(FirstWord(), min_anchors=1)
    texts = ["bring bread so", "watch birds so", "3x = 12 so", "letters written so", "dinner is ready", "dogs bark so"]
    doc = segmenter(make_doc(nlp, [{"text": text} for text in texts]))
    assert inside(doc) == [0, 1, 2, 3]
    attrs = doc.spans["math"].attrs
    assert attrs["similarity"] == [1.0, 1.0, None, 1.0, 0.0, None]
    assert attrs["embedder"] == "first-word"


def test_a_lone_anchor_takes_in_no_other_turn():
    nlp = spacy.blank("en")
    texts = ["bring bread so", "3x = 12 so", "watch birds so"]
    doc = MathSegmenter(FirstWord())(make_doc(nlp, [{"text": text} for text in texts]))
    assert inside(doc) == [1]
    doc = MathSegmenter(FirstWord())(make_doc(nlp, [{"text": text} for text in [texts[0], texts[1], *texts[1:]]]))
    assert inside(doc) == [0, 1, 2, 3]


def test_filler_is_not_compared():
    nlp = spacy.blank("en")
    # "so" makes it similar, but it says nothing.
    doc = MathSegmenter(FirstWord(), min_anchors=1)(make_doc(nlp, [{"text": "3x = 12 so"}, {"text": "Yes, so good"}]))
    assert inside(doc) == [0]
    assert doc.spans["math"].attrs["similarity"] == [None, None]


def test_without_vectors_the_first_document_says_what_to_do():
    nlp = spacy.blank("en")
    nlp.add_pipe("math_segmenter")
    for text in ("hello", "3x = 12", ""):
        with pytest.raises(ValueError, match="init vectors"):
            nlp(text)


def test_attributes_are_json_and_survive(nlp):
    doc = talk(nlp, "hi", "the slope of 3x = 12", "fraction", "dinner")
    attrs = doc.spans["math"].attrs
    assert json.loads(json.dumps(attrs)) == attrs
    assert len(attrs["density"]) == len(attrs["similarity"]) == len(attrs["offsets"]) == 4
    again = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    (stored,) = DocBin(docs=[doc], store_user_data=True).get_docs(nlp.vocab)
    for copy in (again, stored):
        assert copy.spans["math"].attrs == attrs
        assert [(span.start, span.end) for span in copy.spans["math"]] == [
            (span.start, span.end) for span in doc.spans["math"]
        ]


@pytest.mark.parametrize("n_process", [1, 2])
def test_pipe_gives_what_single_calls_give(nlp, n_process):
    texts = ["3x = 12\nslope\ndinner", "", "no mathematics", "a triangle has 180 degrees"] * 2
    single = [nlp(text).spans["math"].attrs for text in texts]
    assert [doc.spans["math"].attrs for doc in nlp.pipe(texts, n_process=n_process, batch_size=3)] == single


def test_when_an_embedder_fails_for_one_document_then_the_others_pass():
    class Fussy(FirstWord):
        def __call__(self, texts, vocab):
            if any("boom" in text for text in texts):
                raise ValueError("cannot")
            return super().__call__(texts, vocab)

    nlp = spacy.blank("en")
    segmenter = MathSegmenter(Fussy())
    failed = []

    def handle(name, component, docs, error):
        failed.extend(docs)

    segmenter.set_error_handler(handle)
    docs = [nlp.make_doc(text) for text in ("3x = 12", "boom 3x = 12", "4x = 8")]
    assert [doc.text for doc in segmenter.pipe(docs)] == ["3x = 12", "4x = 8"]
    assert [doc.text for doc in failed] == ["boom 3x = 12"]


def test_survives_to_disk_and_to_bytes(nlp, tmp_path):
    nlp.to_disk(tmp_path)
    text = "solve 3x = 12\nfraction\ndinner on 3/14"
    expected = nlp(text).spans["math"].attrs
    assert spacy.load(tmp_path)(text).spans["math"].attrs == expected


def test_text_without_turns_is_looked_at_by_lines_and_long_lines_by_sentences(nlp):
    long_line = (
        "We had dinner with the dog in the rain. " * 10 + "The slope of y = 3x is 3. " + "The bus was late. " * 10
    )
    text = f"A title\n\n  {long_line}\n\nThe triangle is isosceles."
    doc = nlp(text)
    said = [text[start:end] for start, end in doc.spans["math"].attrs["offsets"]]
    assert said[0] == "A title"
    assert "The slope of y = 3x is 3." in said
    assert said[-1] == "The triangle is isosceles."
    assert [span.text for span in doc.spans["math"]] == ["The slope of y = 3x is 3.", "The triangle is isosceles."]


@pytest.mark.parametrize(
    "text", ["x" * 50_000, "1" * 50_000, "( " * 20_000, "3x = 12 " * 5_000, "= " * 20_000, "a." * 20_000]
)
def test_one_huge_line(nlp, text):
    units = find_units(nlp.make_doc(text), text)
    assert all(0 < end - start <= 1000 for start, end in units)
    assert "".join(text[start:end] for start, end in units).replace(" ", "") == text.replace(" ", "")
    nlp.get_pipe("math_segmenter")(nlp.make_doc(text))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["3x = 12", "slope", "dinner", "24", "", " ", "ok", "🙂 x²", "ана 3/4", "二分之一"])))
def test_segments_are_in_order_inside_the_turns_and_apart(nlp, texts):
    doc = talk(nlp, *texts)
    group = doc.spans["math"]
    ranges = group.attrs["turns"]
    assert len(group) == len(ranges)
    for (first, last), span in zip(ranges, group):
        assert 0 <= first <= last < len(texts)
        assert span.start_char >= group.attrs["offsets"][first][0]
        assert span.end_char <= group.attrs["offsets"][last][1]
    for before, after in zip(ranges, ranges[1:]):
        assert before[1] + 1 < after[0]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 7)), max_size=40), st.floats(-0.5, 0.99))
def test_grown_segments_hold_every_anchor_and_what_joined_was_similar(turns, threshold):
    anchors = [anchor for anchor, _ in turns]
    angles = numpy.array([number * numpy.pi / 8 for _, number in turns])
    vectors = numpy.stack([numpy.cos(angles), numpy.sin(angles)], axis=1).astype("float32").reshape(len(turns), 2)
    ranges, similarity = grow_segments(anchors, vectors, similarity_threshold=threshold)
    taken = [turn for first, last in ranges for turn in range(first, last + 1)]
    assert taken == sorted(set(taken))
    assert {turn for turn, anchor in enumerate(anchors) if anchor} <= set(taken)
    for before, after in zip(ranges, ranges[1:]):
        assert before[1] + 1 < after[0]
    for turn in taken:
        assert anchors[turn] or similarity[turn] > threshold
    for turn, value in enumerate(similarity):
        assert value is None or not anchors[turn]


def test_segments_that_meet_become_one():
    vectors = numpy.array([[1, 0], [1, 0], [1, 0], [0, 1], [1, 0]], dtype="float32")
    ranges, _ = grow_segments([True, False, True, False, True], vectors, similarity_threshold=0.3)
    assert ranges == [(0, 2), (4, 4)]


def test_the_centroid_follows_the_segment():
    # Each turn is like the one before it, but the last is not like the segment as a whole any more.
    angles = numpy.radians([0, 40, 80, 120, 160])
    vectors = numpy.stack([numpy.cos(angles), numpy.sin(angles)], axis=1).astype("float32")
    ranges, similarity = grow_segments([True] + [False] * 4, vectors, similarity_threshold=0.3)
    assert ranges == [(0, 2)]
    assert similarity[3] == pytest.approx(numpy.cos(numpy.radians(80)), abs=1e-4)
    assert similarity[4] is None


@pytest.mark.parametrize(
    "flags, reach, shares",
    [
        ([], 3, []),
        ([True], 3, [0.0]),  # the turn itself does not count
        ([True, False, False], 1, [0.0, 0.5, 0.0]),
        ([True, True, False, True], 2, [0.5, 2 / 3, 1.0, 0.5]),
    ],
)
def test_share_around(flags, reach, shares):
    assert share_around(flags, reach=reach) == pytest.approx(shares)


def test_every_example_of_a_pattern_is_matched_by_it():
    vocabulary = load_vocabulary(["math"])
    for name, content in load_table("math_vocabulary")["patterns"].items():
        assert content["examples"], name
        for example in content["examples"]:
            alone = SubjectVocabulary([{"patterns": {name: content}}])
            assert [match[3] for match in alone.find_patterns(example, 0, len(example))][:1] == [name], (name, example)
            # In the company of the others some pattern takes it.
            assert list(vocabulary.find_patterns(example, 0, len(example))), (name, example)


def test_the_vocabulary_is_as_large_as_promised():
    topics = load_table("math_vocabulary")["topics"]
    assert len({term for topic in topics.values() for term in topic["terms"]}) >= 650
    assert len({phrase for topic in topics.values() for phrase, weight in topic["phrases"].items() if weight}) >= 420


@pytest.mark.parametrize(
    "word, forms",
    [
        ("fraction", {"fractions"}),
        ("center", {"centre", "centers", "centres"}),
        ("factorize", {"factorise"}),
        ("vertex", {"vertices"}),
        ("inch", {"inches"}),
        ("probability", {"probabilities"}),
        ("calculus", set()),
    ],
)
def test_variants(word, forms):
    found = variants(word)
    assert found[0] == word
    assert forms <= set(found)


def test_phrases_have_the_plural_of_their_last_word_and_need_their_words_side_by_side():
    assert "square metres" in phrase_variants("square meter")
    vocabulary = SubjectVocabulary([{"topics": {"t": {"terms": {}, "phrases": {"common denominator": 1}}}}])
    assert vocabulary.weigh("common\u2011denominator").plain == 1
    assert vocabulary.weigh("That is common. Denominator?").plain == 0


def test_another_subject_is_added_by_its_file(nlp, tmp_path):
    table = {
        "topics": {"acids": {"terms": {"titration": 1.0}, "phrases": {"molar mass": 1.0}}},
        "patterns": {"formula": {"weight": 1.0, "regex": r"\b(?:H2O|NaCl)\b", "examples": ["NaCl"]}},
    }
    path = tmp_path / "chemistry.json"
    path.write_text(json.dumps(table), encoding="utf8")
    embedder = nlp.get_pipe("math_segmenter").embedder
    segmenter = MathSegmenter(embedder, vocabularies=["math", str(path)])
    texts = ["the titration failed", "NaCl", "3x = 12", "dinner"]
    assert inside(segmenter(make_doc(nlp, [{"text": text} for text in texts]))) == [0, 1, 2]
    assert inside(talk(nlp, *texts)) == [2]


@pytest.mark.parametrize(
    "table, message",
    [
        ({"topics": {"t": {"terms": {"a": 2}}}}, "topic 't'"),
        ({"topics": {"t": {"phrases": {"a b": "high"}}}}, "topic 't'"),
        ({"patterns": {"p": {"weight": 1}}}, "'p'"),
        ({"patterns": {"p": {"weight": 1, "regex": "(a)"}}}, "capturing"),
        ({"patterns": {"p": {"weight": 1, "regex": "a*"}}}, "empty"),
        ({"patterns": {"p": {"weight": 1, "regex": "["}}}, "'p'"),
        ({"patterns": {"p": {"regex": "a"}}}, "'p'"),
    ],
)
def test_when_a_vocabulary_is_broken_then_the_error_names_the_place(table, message):
    with pytest.raises(ValueError, match=message):
        SubjectVocabulary([table])


def test_when_there_is_no_such_vocabulary_then_the_component_is_not_made():
    with pytest.raises(ValueError, match="no vocabulary"):
        MathSegmenter(FirstWord(), vocabularies=["alchemy"])
