import json
import pickle
import warnings
from functools import lru_cache

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from spacy_pii.pipeline.hips_replacer import HipsReplacer
from spacy_pii.spans import Found, expand_span, write_group
from spacy_pii.surrogates.names import fold
from spacy_pii.surrogates.offsets import OffsetMap

TEXT = (
    "My name is Olivia Marchetti and I come from Nairobi. Write to olivia.m@gmail.com or @oliviam07 !\n\n"
    "Olivia's essay_FINAL_marchetti.docx was due on March 3, 2021 \u2014 3/4 of the class, as Brown (2009) says."
)
SPANS = [
    ("PERSON", "Olivia Marchetti"),
    ("LOCATION", "Nairobi"),
    ("EMAIL_ADDRESS", "olivia.m@gmail.com"),
    ("USERNAME", "@oliviam07"),
    ("PERSON", "Olivia"),
    ("PERSON", "essay_FINAL_marchetti.docx"),
    ("DATE", "March 3, 2021"),
]


@pytest.fixture(autouse=True)
def secret(monkeypatch):
    monkeypatch.setenv("SPACY_PII_KEY", "the key of the tests")


@pytest.fixture
def nlp():
    nlp = spacy.blank("en")
    nlp.add_pipe("hips_replacer")
    return nlp


def mark(doc, spans, **attrs):
    """Write the group that the merger writes; each span is looked for after the one before."""
    found = []
    position = 0
    text = doc.text
    for label, surface in spans:
        position = text.index(surface, position)
        span = expand_span(doc, position, position + len(surface))
        found.append(Found(span.start, span.end, label, 0.9))
        position += len(surface)
    write_group(doc, "pii", found, **attrs)
    return doc


def replaced(nlp, text=TEXT, spans=SPANS):
    return nlp.get_pipe("hips_replacer")(mark(nlp.make_doc(text), spans))


def check(doc):
    """The replacements are plain, point into both texts, and all between them is untouched."""
    text, result = doc.text, doc._.deidentified
    rows = doc._.replacements
    json.dumps(rows)
    position = new_position = 0
    for row in rows:
        assert set(row) == {"label", "start", "end", "new_start", "new_end", "surrogate"}
        assert text[position : row["start"]] == result[new_position : row["new_start"]]
        assert result[row["new_start"] : row["new_end"]] == row["surrogate"]
        assert fold(text[row["start"] : row["end"]]) != fold(row["surrogate"])
        position, new_position = row["end"], row["new_end"]
    assert text[position:] == result[new_position:]


def test_people_places_and_dates_become_others_and_the_rest_stays(nlp):
    doc = replaced(nlp)
    check(doc)
    for original in ("Olivia", "olivia", "Marchetti", "marchetti", "Nairobi", "March 3"):
        assert original not in doc._.deidentified
    # Fractions, cited authors and the form of a file name are what the text is kept for.
    for kept in ("\u2014 3/4 of the class, as Brown (2009) says.", "essay_FINAL_", ".docx", "@gmail.com"):
        assert kept in doc._.deidentified
    assert doc.text == TEXT


def test_offsets_lead_back(nlp):
    doc = replaced(nlp)
    mapped = OffsetMap(doc._.replacements)
    at = doc._.deidentified.index("Brown")
    assert doc.text[mapped.to_source(at) :].startswith("Brown (2009)")
    assert mapped.to_surrogate(mapped.to_source(at)) == at


def test_same_key_same_text_other_key_other_text(nlp, monkeypatch):
    first = replaced(nlp)._.deidentified
    assert replaced(nlp)._.deidentified == first
    other = spacy.blank("en")
    other.add_pipe("hips_replacer")
    assert replaced(other)._.deidentified == first
    monkeypatch.setenv("SPACY_PII_KEY", "another key")
    third = spacy.blank("en")
    third.add_pipe("hips_replacer")
    assert replaced(third)._.deidentified != first


def test_another_document_gives_the_same_person_another_name(nlp):
    one = replaced(nlp, "Olivia came.", [("PERSON", "Olivia")])._.deidentified
    others = {replaced(nlp, f"Olivia came {n} times.", [("PERSON", "Olivia")])._.deidentified[:4] for n in range(8)}
    assert len({one[:4], *others}) > 3


def test_missing_key_warns_once_and_works(monkeypatch):
    monkeypatch.delenv("SPACY_PII_KEY")
    nlp = spacy.blank("en")
    nlp.add_pipe("hips_replacer")
    with pytest.warns(UserWarning, match="cannot be repeated") as caught:
        first = replaced(nlp)
        second = replaced(nlp)
    assert len(caught) == 1
    check(first)
    # The drawn key lives as long as the component.
    assert first._.deidentified == second._.deidentified
    again = spacy.blank("en")
    again.add_pipe("hips_replacer")
    with pytest.warns(UserWarning):
        assert replaced(again)._.deidentified != first._.deidentified


def test_key_comes_from_the_named_variable(monkeypatch):
    monkeypatch.delenv("SPACY_PII_KEY")
    monkeypatch.setenv("OUR_KEY", "the key of the tests")
    nlp = spacy.blank("en")
    nlp.add_pipe("hips_replacer", config={"key_env": "OUR_KEY"})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(replaced(nlp))


def test_fails_closed_without_the_group(nlp):
    doc = nlp.make_doc(TEXT)
    with pytest.raises(ValueError, match="no span group 'pii'") as error:
        nlp.get_pipe("hips_replacer")(doc)
    assert "Olivia" not in str(error.value)
    assert doc._.deidentified is None and doc._.replacements is None


def test_fails_closed_where_the_group_is_not_complete(nlp):
    component = nlp.get_pipe("hips_replacer")
    doc = component(mark(nlp.make_doc(TEXT), SPANS))
    assert doc._.deidentified
    # What an earlier run wrote does not stay either.
    mark(doc, SPANS, complete=False)
    with pytest.raises(ValueError, match="not complete") as error:
        component(doc)
    assert "Olivia" not in str(error.value)
    assert doc._.deidentified is None and doc._.replacements is None
    check(component(mark(doc, SPANS, complete=True)))


def test_fails_closed_where_errors_are_ignored(nlp):
    seen = []

    def ignore(name, proc, docs, error):
        seen.append(name)

    nlp.set_error_handler(ignore)
    assert nlp(TEXT)._.deidentified is None
    assert list(nlp.pipe([TEXT])) == []
    assert seen == ["hips_replacer", "hips_replacer"]


def test_unknown_scope_is_refused():
    with pytest.raises(ValueError, match="planet"):
        HipsReplacer(scope="planet")


@pytest.mark.parametrize("text", ["", " ", "\n\n", "Nothing to hide."])
def test_text_without_spans_stays(nlp, text):
    doc = replaced(nlp, text, [])
    assert doc._.deidentified == text
    assert doc._.replacements == []


def test_overlapping_spans_are_replaced_once_with_the_label_of_the_longer_one(nlp):
    doc = nlp.make_doc("I live at 14 Mill Lane , Leeds now .")
    write_group(
        doc,
        "pii",
        [
            Found(3, 8, "STREET_ADDRESS", 0.5),
            Found(7, 8, "LOCATION", 0.9),
            # Equal offsets, two labels.
            Found(7, 8, "PERSON", 0.9),
        ],
    )
    nlp.get_pipe("hips_replacer")(doc)
    check(doc)
    assert [(row["label"], row["start"], row["end"]) for row in doc._.replacements] == [("STREET_ADDRESS", 10, 30)]


def test_straddling_spans_are_covered_whole(nlp):
    doc = nlp.make_doc("Ana Maria Lopez Garcia wrote .")
    write_group(doc, "pii", [Found(0, 3, "PERSON", 0.5), Found(2, 4, "SCHOOL", 0.9)])
    nlp.get_pipe("hips_replacer")(doc)
    check(doc)
    assert [(row["label"], row["start"], row["end"]) for row in doc._.replacements] == [("PERSON", 0, 22)]


def test_neighbouring_spans_stay_two(nlp):
    doc = nlp.make_doc("Maria Lopez wrote")
    write_group(doc, "pii", [Found(0, 1, "PERSON", 0.5), Found(1, 2, "PERSON", 0.9)])
    nlp.get_pipe("hips_replacer")(doc)
    check(doc)
    assert len(doc._.replacements) == 2


@pytest.mark.parametrize(
    "text, spans",
    [
        # Characters outside the basic plane, a zero-width joiner, a decomposed accent, right-to-left text.
        ("\U0001f600 Maria \U0001f468\u200d\U0001f469\u200d\U0001f467 Jose\u0301 wrote", [("PERSON", "Maria")]),
        ("قالت فاطمة إنها", [("PERSON", "فاطمة")]),
        ("我叫李明。", [("PERSON", "我叫李明。")]),
        ("\r\nMaria\r\n\tLopez\u00a0x", [("PERSON", "Maria\r\n\tLopez")]),
        # A label that the taxonomy lacks.
        ("code ZX-81 here", [("GADGET", "ZX-81")]),
    ],
)
def test_odd_texts(nlp, text, spans):
    check(replaced(nlp, text, spans))


def test_one_huge_line(nlp):
    words = ["word"] * 20000
    for at in range(0, 20000, 50):
        words[at] = "Olivia" if at % 100 else "Kofi"
    doc = Doc(nlp.vocab, words=words)
    write_group(doc, "pii", [Found(at, at + 1, "PERSON", 1.0) for at in range(0, 20000, 50)])
    nlp.get_pipe("hips_replacer")(doc)
    check(doc)
    assert len({row["surrogate"] for row in doc._.replacements}) == 2


def test_other_group(nlp):
    nlp.add_pipe("hips_replacer", name="second", config={"spans_key": "mine"})
    doc = nlp.make_doc("Maria wrote")
    write_group(doc, "mine", [Found(0, 1, "PERSON", 1.0)])
    nlp.get_pipe("second")(doc)
    check(doc)
    assert "Maria" not in doc._.deidentified


def marked_docs(nlp):
    texts = [TEXT, "Nothing.", TEXT.replace("Olivia", "Ayesha").replace("olivia", "ayesha")]
    spans = [
        SPANS,
        [],
        [(label, text.replace("Olivia", "Ayesha").replace("olivia", "ayesha")) for label, text in SPANS],
    ]
    return [mark(nlp.make_doc(text), found) for text, found in zip(texts, spans)]


def outcome(docs):
    return [(doc._.deidentified, doc._.replacements) for doc in docs]


def test_equal_over_pipe_and_processes(nlp):
    component = nlp.get_pipe("hips_replacer")
    expected = outcome([component(doc) for doc in marked_docs(nlp)])
    assert outcome(nlp.pipe(marked_docs(nlp), batch_size=2)) == expected
    assert outcome(nlp.pipe(marked_docs(nlp), batch_size=2, n_process=2)) == expected


def test_equal_after_serialization_and_without_the_key(nlp, tmp_path):
    expected = outcome(nlp.get_pipe("hips_replacer").pipe(marked_docs(nlp)))
    nlp.to_disk(tmp_path)
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"the key of the tests" not in written + nlp.to_bytes()
    loaded = spacy.load(tmp_path)
    assert outcome(loaded.get_pipe("hips_replacer").pipe(marked_docs(loaded))) == expected
    copy = spacy.blank("en")
    copy.add_pipe("hips_replacer")
    copy.from_bytes(nlp.to_bytes())
    assert outcome(copy.get_pipe("hips_replacer").pipe(marked_docs(copy))) == expected


def test_pickled_component_reads_the_key_anew(nlp):
    component = nlp.get_pipe("hips_replacer")
    data = pickle.dumps(component)
    assert b"the key of the tests" not in data
    assert outcome(pickle.loads(data).pipe(marked_docs(nlp))) == outcome(component.pipe(marked_docs(nlp)))


def test_result_survives_doc_bin(nlp):
    doc = replaced(nlp)
    (copy,) = DocBin(docs=[doc], store_user_data=True).get_docs(nlp.vocab)
    # Its lists come back as tuples.
    assert copy._.deidentified == doc._.deidentified
    assert list(copy._.replacements) == doc._.replacements


NAMES = [
    "Olivia",
    "Marchetti",
    "Kofi",
    "14",
    "2021-03-03",
    "a@b.com",
    "Leeds",
    "é",
    "..",
    "Ana_2.docx",
    "3/4",
    "OM",
    "the",
]
VOCAB = Vocab()
LABELS = ["PERSON", "DATE", "LOCATION", "ID_NUM", "EMAIL_ADDRESS", "AGE", "URL", "SCHOOL", "STREET_ADDRESS", "NRP"]


@st.composite
def documents(draw):
    words = draw(st.lists(st.one_of(st.sampled_from(NAMES), st.text(min_size=1, max_size=6)), min_size=1, max_size=14))
    spaces = draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    offsets = st.integers(0, len(words) - 1)
    spans = draw(st.lists(st.tuples(offsets, st.integers(1, 3), st.sampled_from(LABELS)), max_size=6))
    return words, spaces, [(start, min(start + length, len(words)), label) for start, length, label in spans]


@lru_cache(maxsize=None)
def component_with_key(key):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPACY_PII_KEY", key)
        return HipsReplacer()


@settings(max_examples=150, deadline=None)
@given(documents())
def test_any_spans_of_any_text(document):
    words, spaces, spans = document
    results = []
    for key in ("one", "one", "other"):
        doc = Doc(VOCAB, words=words, spaces=spaces)
        write_group(doc, "pii", [Found(start, end, label, 1.0) for start, end, label in spans])
        component_with_key(key)(doc)
        check(doc)
        results.append(doc._.deidentified)
        covered = {at for start, end, _ in spans for at in range(start, end)}
        assert len(doc._.replacements) <= len(covered)
    assert results[0] == results[1]
    if not spans:
        assert results[0] == "".join(word + " " * space for word, space in zip(words, spaces))
