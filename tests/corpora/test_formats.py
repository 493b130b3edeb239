import json
from pathlib import Path

import pytest
import spacy
from spacy.util import registry

from spacy_pii.corpora.formats import guess_format, read_records, write_records
from spacy_pii.corpora.record import Record, RecordError, Report, map_from_scheme, map_to_scheme


@pytest.mark.parametrize(
    "path,name",
    [
        ("a.spacy", "docbin"),
        ("a.jsonl", "span-jsonl"),
        ("a.jsonl.gz", "span-jsonl"),
        ("a.json", "kaggle"),
        ("a.csv", "predictions"),
        ("a.txt", "inline"),
        ("folder", "inline"),
        ("a.tar.gz", "brat"),
        ("a.ann", "brat"),
    ],
)
def test_guess_format(path, name):
    assert guess_format(Path(path)).name == name


def test_unknown_formats():
    with pytest.raises(ValueError, match="does not tell a format"):
        guess_format(Path("a.docx"))
    with pytest.raises(ValueError, match="no format 'docx'"):
        list(read_records(Path("a"), "docx"))


def test_schemes_map_drop_and_refuse():
    def record(*labels):
        return Record("a", "Ana", [{"start": 0, "end": 3, "label": label} for label in labels])

    report = Report()
    items = [record("PERSON", "ORGANIZATION"), record("PERSON", "Zeb was here"), record("NOPE")]
    [kept] = map_from_scheme(items, "presidio", path="f", report=report)
    assert [span["label"] for span in kept.spans] == ["PERSON"]
    assert report.dropped == {"ORGANIZATION": 1}
    assert report.records == 1 and len(report.rejected) == 2
    # What stands in the place of a label may be text.
    assert "Zeb" not in report.rejected[0].error and "'NOPE'" in report.rejected[1].error
    with pytest.raises(RecordError):
        list(map_from_scheme([record("NOPE")], "presidio", path="f"))

    report = Report()
    [out] = map_to_scheme([record("PERSON", "AGE")], "crapii", report=report)
    assert [span["label"] for span in out.spans] == ["NAME_STUDENT"]
    assert report.dropped == {"AGE": 1}


@pytest.mark.parametrize("target", ["docbin", "span-jsonl", "kaggle", "inline", "brat"])
def test_formats_round_trip(tmp_path, target):
    record = Record("7", "Ana Ruiz,\r\nana@example.org 😀", [])
    record.spans = [{"start": 0, "end": 8, "label": "PERSON"}, {"start": 11, "end": 26, "label": "EMAIL_ADDRESS"}]
    path = tmp_path / "out"
    path = path.with_suffix({"docbin": ".spacy", "span-jsonl": ".jsonl", "kaggle": ".json"}.get(target, ""))
    write_records([record], path, target)
    assert list(read_records(path, target)) == [record]


@pytest.mark.parametrize("name", ["Brat", "DocBin", "Inline", "Kaggle", "SpanJsonl", "Transcripts"])
def test_readers_are_registered(name):
    assert callable(registry.readers.get(f"spacy-pii.{name}Reader.v1"))


def test_reader_in_a_config_gives_examples(tmp_path):
    rows = [{"id": i, "messages": [{"role": "tutor", "text": "hi Ana", "spans": [[3, 6, "PERSON"]]}]} for i in range(3)]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    block = {"@readers": "spacy-pii.TranscriptsReader.v1", "path": str(tmp_path / "a.jsonl"), "limit": 2}
    corpus = registry.resolve({"corpus": block})["corpus"]
    examples = list(corpus(spacy.blank("en")))
    assert len(examples) == 2
    assert [ent.text for ent in examples[0].reference.ents] == ["Ana"]
    assert not examples[0].predicted.ents
    assert [span.text for span in examples[0].predicted.spans["turns"]] == ["hi Ana"]


def test_reader_raises_on_a_bad_record(tmp_path):
    (tmp_path / "a.jsonl").write_text("{")
    corpus = registry.readers.get("spacy-pii.SpanJsonlReader.v1")(tmp_path / "a.jsonl")
    with pytest.raises(RecordError):
        list(corpus(spacy.blank("en")))
