import json

import pytest
import spacy

from spacy_pii.corpora import docbin, transcripts
from spacy_pii.corpora.record import Record, RecordError, Report

ROW = {
    "id": "t1",
    "topic": "fractions",
    "messages": [
        {"role": "tutor", "text": "hi Ana", "spans": [{"start": 3, "end": 6, "label": "PERSON"}], "at": 3},
        {"role": "student", "text": "", "spans": []},
        {"speaker": "Ana", "text": "I'm 14 😀\nok", "spans": [{"start": 4, "end": 6, "label": "AGE"}], "speaker_spans": [{"start": 0, "end": 3, "label": "PERSON"}]},
    ],
}  # fmt: skip


def dump(path, value):
    path.write_text(json.dumps(value))
    return path


def test_transcripts_read(tmp_path):
    [record] = transcripts.read(dump(tmp_path / "a.json", [ROW]))
    assert record.text == "tutor: hi Ana\nstudent: \nAna: I'm 14 😀\nok"
    assert [(record.text[s["start"] : s["end"]], s["label"]) for s in record.spans] == [
        ("Ana", "PERSON"),
        ("Ana", "PERSON"),
        ("14", "AGE"),
    ]
    assert record.id == "t1" and record.meta["topic"] == "fractions"


@pytest.mark.parametrize("name", ["out.jsonl", "out.json"])
def test_transcripts_write_what_they_read(tmp_path, name):
    path = dump(tmp_path / "a.json", [ROW])
    transcripts.write(transcripts.read(path), tmp_path / name)
    assert list(transcripts.read(tmp_path / name)) == list(transcripts.read(path))
    text = (tmp_path / name).read_text()
    assert (json.loads(text) if name.endswith("json") else [json.loads(text)]) == [ROW]


def test_transcripts_through_docbin(tmp_path):
    path = dump(tmp_path / "a.json", [ROW])
    docbin.write(transcripts.read(path), tmp_path / "a.spacy", nlp=spacy.blank("en"))
    transcripts.write(docbin.read(tmp_path / "a.spacy"), tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text()) == [ROW]


@pytest.mark.parametrize(
    "value",
    [
        # MathEd-PII
        {"transcript": [{"role": "student", "content": "i'm Ana", "session_id": 1, "sequence_id": 0, "annotations": [{"start": 4, "end": 7, "pii_type": "PERSON", "text": "Ana"}]}]},
        [[{"role": "student", "content": "i'm Ana", "annotations": [{"start": 4, "end": 7, "label": "PERSON"}]}]],
        # A bare list of messages is one transcript
        [{"role": "student", "content": "i'm Ana", "annotations": [{"start_idx": 4, "end_idx": 7, "type": "PERSON"}]}],
    ],
)  # fmt: skip
def test_transcripts_spellings(tmp_path, value):
    [record] = transcripts.read(dump(tmp_path / "a.json", value))
    assert record.text == "student: i'm Ana"
    assert [(s["start"], s["end"], s["label"]) for s in record.spans] == [(13, 16, "PERSON")]


@pytest.mark.parametrize(
    "value,sentence",
    [
        ({"id": 1}, "field 'messages' is missing"),
        ({"messages": {"text": "Zeb"}}, "field 'messages' is not a list"),
        ({"messages": ["Zeb"]}, "field 'messages[0]' is not an object"),
        ({"messages": [{"role": "Zeb"}]}, "field 'messages[0].text' is missing"),
        ({"messages": [{"content": 3}]}, "field 'messages[0].content' is not a string"),
        ({"messages": [{"text": "Zeb", "spans": [[0, 9, "P"]]}]}, "field 'messages[0].spans[0]' covers 0 to 9"),
        (3, "is not a JSON object"),
    ],
)
def test_transcripts_bad_records(tmp_path, value, sentence):
    report = Report()
    found = list(transcripts.read(dump(tmp_path / "a.json", [ROW, value, ROW]), report=report))
    assert len(found) == 2
    assert f"record 2: {sentence}" in report.rejected[0].error and "Zeb" not in report.rejected[0].error


def test_transcripts_count_spans_that_cross_messages(tmp_path):
    [record] = transcripts.read(dump(tmp_path / "a.json", [ROW]))
    record.spans.append({"start": 10, "end": 20, "label": "PERSON"})
    report = Report()
    transcripts.write([record], tmp_path / "out.json", report=report)
    assert sum(report.notes.values()) == 1


def test_transcripts_refuse_other_texts(tmp_path):
    report = Report()
    transcripts.write([Record("a", "Zeb")], tmp_path / "out.json", report=report)
    assert "it is no transcript" in report.rejected[0].error
    with pytest.raises(RecordError):
        transcripts.write([Record("a", "Zeb")], tmp_path / "out.json")
