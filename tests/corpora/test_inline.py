import pytest
from hypothesis import given, settings

from spacy_pii.corpora import inline
from spacy_pii.corpora.record import Record, RecordError, Report

from .test_span_jsonl import records


@settings(max_examples=200, deadline=None)
@given(records())
def test_inline_round_trip(tmp_path_factory, record):
    path = tmp_path_factory.mktemp("round") / "out.txt"
    report = Report()
    inline.write([record], path, report=report)
    [again] = inline.read(path)
    assert again.text == record.text
    assert len(again.spans) == len(record.spans) - sum(report.notes.values())
    assert all(span in record.spans for span in again.spans)


@pytest.mark.parametrize(
    "marked,text,spans,negatives",
    [
        ("Hi {{PERSON|Ana}}!", "Hi Ana!", [(3, 6, "PERSON")], []),
        ("{{!word_problem|Ben}} and {{PERSON|Ben}}", "Ben and Ben", [(8, 11, "PERSON")], [(0, 3, "word_problem")]),
        # A line break in a surface, windows line ends, characters beyond the basic plane
        ("😀\r\n{{PERSON|Ana\r\nRuiz}}\r\n", "😀\r\nAna\r\nRuiz\r\n", [(3, 12, "PERSON")], []),
        # Braces of sets and of LaTeX
        (r"A = {1, 2}, \frac{1}{2}", r"A = {1, 2}, \frac{1}{2}", [], []),
        ("{{(}}{{(}}1},{2{{)}}{{)}}", "{{1},{2}}", [], []),
        ("{{PERSON|a|b}}", "a|b", [(0, 3, "PERSON")], []),
        ("", "", [], []),
    ],
)
def test_inline_reads_marks(tmp_path, marked, text, spans, negatives):
    (tmp_path / "a.txt").write_bytes(marked.encode())
    [record] = inline.read(tmp_path)
    assert (record.id, record.text) == ("a", text)
    assert [tuple(span.values()) for span in record.spans] == spans
    assert [tuple(span.values()) for span in record.negatives] == negatives


@pytest.mark.parametrize(
    "marked", ["Hi {{PERSON|Zeb", "Hi Zeb}}", "{{Zeb}}", "{{PERSON|{{DATE|Zeb}}}}", "Zeb {{PERSON|}}"]
)
def test_inline_broken_marks(tmp_path, marked):
    (tmp_path / "a.txt").write_text("fine")
    (tmp_path / "b.txt").write_text(marked)
    report = Report()
    assert [record.id for record in inline.read(tmp_path, report=report)] == ["a"]
    sentence = report.rejected[0].error.replace(str(tmp_path), "")
    assert "b.txt" in sentence and "Zeb" not in sentence
    with pytest.raises(RecordError):
        list(inline.read(tmp_path))


def test_inline_folder_keeps_ids(tmp_path):
    items = [Record(name, "x") for name in ("math/m1#0", "..", "a b", "é/😀", "%41")]
    inline.write(items, tmp_path / "out")
    assert all(path.parent == tmp_path / "out" for path in (tmp_path / "out").rglob("*.txt"))
    assert {record.id for record in inline.read(tmp_path / "out")} >= {"math/m1#0", "a b", "é/😀", "%41"}


def test_inline_refuses_to_overwrite_records(tmp_path):
    with pytest.raises(ValueError, match="record 2 cannot be written"):
        inline.write([Record("a", "x"), Record("a", "y")], tmp_path / "out")
    with pytest.raises(ValueError, match="holds one document"):
        inline.write([Record("a", "x"), Record("b", "y")], tmp_path / "out.txt")


def test_inline_overlaps_are_counted(tmp_path):
    spans = [{"start": 0, "end": 8, "label": "PERSON"}, {"start": 4, "end": 8, "label": "PERSON"}]
    report = Report()
    assert inline.mark_text(Record("a", "Ana Ruiz", spans), report=report) == "{{PERSON|Ana Ruiz}}"
    assert sum(report.notes.values()) == 1
