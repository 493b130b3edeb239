import pytest
import spacy
from hypothesis import given, settings

from spacy_pii.corpora import docbin
from spacy_pii.corpora.docs import doc_to_record, record_to_doc
from spacy_pii.corpora.record import Record, RecordError, Report
from spacy_pii.transcripts import make_doc

from .test_span_jsonl import records

NLP = spacy.blank("en")


@settings(max_examples=100, deadline=None)
@given(records())
def test_docbin_round_trip(tmp_path_factory, record):
    path = tmp_path_factory.mktemp("round") / "out.spacy"
    report = Report()
    docbin.write([record], path, nlp=NLP, report=report)
    [again] = docbin.read(path)
    # A span of white space has no token. It is told, not lost in silence.
    kept = [span for span in record.spans if record.text[span["start"] : span["end"]].strip()]
    assert sum(report.lost.values()) == len(record.spans) - len(kept)
    assert sorted(again.spans, key=str) == sorted(kept, key=str)
    assert (again.id, again.text, again.meta) == (record.id, record.text, record.meta)


def test_docbin_keeps_offsets_inside_tokens_and_says_so(tmp_path):
    # One token in English
    record = Record("a", "ask J.Smith-Lee2", [{"start": 6, "end": 11, "label": "PERSON"}])
    report = Report()
    docbin.write([record], tmp_path / "a.spacy", nlp=NLP, report=report)
    assert report.expanded == {"a": 1}
    [doc] = docbin.read_docs(tmp_path / "a.spacy")
    assert record.text[6:11] in doc.spans["pii"][0].text
    assert doc.spans["pii"][0].text == doc.ents[0].text != "Smith"
    assert doc_to_record(doc, 1).spans == record.spans


def test_docbin_holds_gold_negatives_and_meta(tmp_path):
    record = Record(
        "t#0",
        "Ana Ruiz likes Newton",
        [{"start": 0, "end": 8, "label": "PERSON", "region": "europe", "gender": "f"}, {"start": 4, "end": 8, "label": "PERSON"}],
        [{"start": 15, "end": 21, "label": "eponym"}],
        {"document": "t", "genre": "essay"},
    )  # fmt: skip
    report = Report()
    docbin.write([record], tmp_path / "a.spacy", nlp=NLP, report=report)
    [doc] = docbin.read_docs(tmp_path / "a.spacy")
    assert [span.text for span in doc.spans["pii"]] == ["Ana Ruiz", "Ruiz"]
    assert [(ent.text, ent.label_) for ent in doc.ents] == [("Ana Ruiz", "PERSON")]
    assert [(span.text, span.label_) for span in doc.spans["negatives"]] == [("Newton", "eponym")]
    assert doc.user_data["pii_meta"] == {"document": "t", "genre": "essay"}
    assert sum(report.notes.values()) == 1
    assert list(docbin.read(tmp_path / "a.spacy")) == [record]


def test_docbin_keeps_the_turns_of_messages(tmp_path):
    doc = make_doc(NLP, [{"role": "tutor", "text": "hi"}, {"role": "student", "text": ""}])
    docbin.write([doc_to_record(doc, 1)], tmp_path / "a.spacy", nlp=NLP)
    [again] = docbin.read_docs(tmp_path / "a.spacy")
    assert again.spans["turns"].attrs == doc.spans["turns"].attrs


def test_docbin_takes_entities_of_other_tools():
    doc = NLP("Ana sings")
    doc.set_ents([doc.char_span(0, 3, "PERSON")])
    assert doc_to_record(doc, 4) == Record("document-4", "Ana sings", [{"start": 0, "end": 3, "label": "PERSON"}])


def test_record_to_doc_without_gold():
    doc = record_to_doc(NLP, Record("a", "Ana", [{"start": 0, "end": 3, "label": "PERSON"}]), gold=False)
    assert not doc.ents and "pii" not in doc.spans


@pytest.mark.parametrize("content", [b"", b"no such thing", b"\x78\x9c\x03\x00\x00\x00\x00\x01"])
def test_docbin_broken_file(tmp_path, content):
    (tmp_path / "a.spacy").write_bytes(content)
    report = Report()
    assert list(docbin.read(tmp_path / "a.spacy", report=report)) == []
    assert "not a file of spaCy documents" in report.rejected[0].error
    with pytest.raises(RecordError):
        list(docbin.read(tmp_path / "a.spacy"))
