import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin

from spacy_pii.spans import Found, expand_span, get_provenance, read_group, resolve_overlaps, write_group


@pytest.fixture(scope="module")
def nlp():
    return spacy.blank("en")


def test_provenance_survives_bytes_and_docbin(nlp):
    doc = nlp.make_doc("hi maria, mail maria@school.example")
    found = [Found(1, 2, "PERSON", 0.9, {"rule": "roster"}), Found(4, 5, "EMAIL_ADDRESS", 1.0)]
    write_group(doc, "pii_rules", found, detector="pii_ruler")
    copies = [
        Doc(spacy.blank("en").vocab).from_bytes(doc.to_bytes()),
        next(DocBin(docs=[doc]).get_docs(spacy.blank("en").vocab)),
    ]
    for copy in copies:
        assert read_group(copy, "pii_rules") == found
        assert copy.spans["pii_rules"].attrs["detector"] == "pii_ruler"


def test_two_labels_on_the_same_tokens_keep_their_own_provenance(nlp):
    doc = nlp.make_doc("maria")
    group = write_group(doc, "x", [Found(0, 1, "PERSON", 0.4), Found(0, 1, "USERNAME", 0.6)])
    assert {span.label_: get_provenance(group, span)["score"] for span in group} == {"PERSON": 0.4, "USERNAME": 0.6}


def test_spans_of_other_tools_can_be_read(nlp):
    doc = nlp.make_doc("hi maria")
    doc.spans["ruler"] = [doc.char_span(3, 8, label="PERSON")]
    assert read_group(doc, "ruler") == [Found(1, 2, "PERSON", 1.0)]


@pytest.mark.parametrize(
    "text,start,end,expected",
    [
        ("f(x)=2x^2 and", 5, 9, "f(x)=2x^2"),  # a mark inside a longer token: the whole token
        ("see J.Smith now", 6, 11, "J.Smith"),
        ("  maria \n lopez  ", 0, 17, "maria \n lopez"),  # white space at the edges is no part of it
        ("hi 🙂 maria", 5, 10, "maria"),  # beyond the basic plane
    ],
)
def test_offsets_expand_to_tokens(nlp, text, start, end, expected):
    assert expand_span(nlp.make_doc(text), start, end).text == expected


@pytest.mark.parametrize("text,start,end", [("", 0, 0), ("maria", 3, 3), ("a \n\n b", 2, 4), ("maria", 9, 12)])
def test_ranges_without_words_give_none(nlp, text, start, end):
    assert expand_span(nlp.make_doc(text), start, end) is None


@given(text=st.text(max_size=60), data=st.data())
def test_an_expanded_span_covers_the_range(nlp, text, data):
    doc = nlp.make_doc(text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    span = expand_span(doc, start, end)
    if span is None:
        return
    missed = text[start:end].replace(span.text, "", 1) if span.start_char >= start else ""
    covered = set(range(span.start_char, span.end_char))
    assert all(i in covered or text[i].isspace() for i in range(start, end)), missed


spans = st.builds(
    lambda start, size, label, score: Found(start, start + size, label, score),
    st.integers(0, 30),
    st.integers(1, 6),
    st.sampled_from(["PERSON", "URL"]),
    st.floats(0, 1),
)


@given(found=st.lists(spans, max_size=20))
def test_resolved_spans_do_not_overlap_and_leave_out_only_what_does(found):
    chosen = resolve_overlaps(found)
    tokens = [token for item in chosen for token in range(item.start, item.end)]
    assert len(tokens) == len(set(tokens))
    assert chosen == sorted(chosen, key=lambda item: item.start)
    for item in found:
        assert item in chosen or not set(tokens).isdisjoint(range(item.start, item.end))
