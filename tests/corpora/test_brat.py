import tarfile

import pytest
from hypothesis import given, settings

from spacy_pii.corpora import brat
from spacy_pii.corpora.record import Record, RecordError, Report

from .test_span_jsonl import records


@settings(max_examples=100, deadline=None)
@given(records())
def test_brat_round_trip(tmp_path_factory, record):
    path = tmp_path_factory.mktemp("round")
    brat.write([record], path)
    [again] = brat.read(path)
    assert (again.text, again.spans) == (record.text, record.spans)


def put(path, text, annotations):
    path.mkdir(parents=True, exist_ok=True)
    (path / "a.txt").write_bytes(text.encode())
    (path / "a.ann").write_bytes(annotations.encode())


def test_brat_reads_spans_and_counts_the_rest(tmp_path):
    put(
        tmp_path / "train",
        "Ana María\nRuiz, 14 años 😀",
        "T1\tNOMBRE 0 14\tAna María Ruiz\r\nT2\tEDAD 16 18;19 23\t14 años\nA1\tNegated T1\n#1\tAnnotatorNotes T1\tx\n\n",
    )
    report = Report()
    [record] = brat.read(tmp_path, report=report)
    assert record == Record(
        "train/a",
        "Ana María\nRuiz, 14 años 😀",
        [{"start": 0, "end": 14, "label": "NOMBRE"}, {"start": 16, "end": 23, "label": "EDAD"}],
    )
    assert sorted(report.notes.values()) == [1, 2]


def test_brat_reads_archives(tmp_path):
    put(tmp_path / "x", "Ana", "T1\tP 0 3\tAna\n")
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "x", "train")
    [record] = brat.read(tmp_path / "a.tar.gz")
    assert (record.id, record.spans) == ("train/a", [{"start": 0, "end": 3, "label": "P"}])
    [alone] = brat.read(tmp_path / "x" / "a.ann")
    assert alone.id == "a"


@pytest.mark.parametrize(
    "annotations,sentence",
    [
        ("T1\tP 0\tZeb\n", "record 1: field 'T' is not a label with its offsets"),
        ("T1\n", "record 1: field 'T' is not a label"),
        ("\nT1\tP x 3\tZeb\n", "record 2: field 'T' is not a label"),
        ("T1\tP 0 99\tZeb\n", "covers 0 to 99"),
        # Offsets counted in another way
        ("T1\tP 1 4\tZeb\n", "points at another text"),
    ],
)
def test_brat_broken_annotations(tmp_path, annotations, sentence):
    put(tmp_path, "Zeb x", annotations)
    report = Report()
    assert list(brat.read(tmp_path, report=report)) == []
    assert sentence in report.rejected[0].error and "Zeb" not in report.rejected[0].error


@pytest.mark.parametrize("name", ["a.txt", "a.ann"])
def test_brat_half_of_a_pair_is_an_error(tmp_path, name):
    # A text that was never annotated is no text without PII.
    (tmp_path / name).write_text("")
    with pytest.raises(RecordError, match="is missing beside"):
        list(brat.read(tmp_path))


def test_brat_invalid_utf8(tmp_path):
    put(tmp_path, "x", "")
    (tmp_path / "a.txt").write_bytes(b"ok \xff")
    with pytest.raises(RecordError, match="not valid UTF-8 at byte 4"):
        list(brat.read(tmp_path))
