import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_pii.corpora import span_jsonl
from spacy_pii.corpora.record import Record, RecordError, Report

TEXTS = st.text(st.sampled_from('ab é😀𝑥\n\r{}|\\"\u2028'), max_size=30)


@st.composite
def records(draw):
    text = draw(TEXTS)
    spans = []
    for _ in range(draw(st.integers(0, 3)) if text else 0):
        start = draw(st.integers(0, len(text) - 1))
        spans.append(
            {
                "start": start,
                "end": draw(st.integers(start + 1, len(text))),
                "label": draw(st.sampled_from(["PERSON", "DATE"])),
            }
        )
    spans.sort(key=lambda span: (span["start"], span["end"], span["label"]))
    return Record(draw(st.text(max_size=5)), text, spans, [], {"n": draw(st.integers(0, 9))})


def write(path, *rows):
    path.write_bytes(b"".join((row if isinstance(row, bytes) else json.dumps(row).encode()) + b"\n" for row in rows))
    return path


@settings(max_examples=100, deadline=None)
@given(st.lists(records(), max_size=3))
@pytest.mark.parametrize("name", ["out.jsonl", "out.json"])
def test_span_jsonl_round_trip(tmp_path_factory, name, items):
    path = tmp_path_factory.mktemp("round") / name
    span_jsonl.write(items, path)
    assert list(span_jsonl.read(path)) == items


@pytest.mark.parametrize(
    "row",
    [
        {"id": "a", "text": "Hi Ana", "spans": [{"start": 3, "end": 6, "label": "PERSON"}]},
        # Presidio's evaluator, whose copies of the text stay out
        {"id": "a", "full_text": "Hi Ana", "masked": "Hi {{PERSON}}", "spans": [{"entity_type": "PERSON", "entity_value": "Ana", "start_position": 3, "end_position": 6}]},
        # Prodigy
        {"id": "a", "text": "Hi Ana", "tokens": [{"text": "Hi", "start": 0, "end": 2, "id": 0}], "spans": [{"start": 3, "end": 6, "token_start": 1, "token_end": 1, "label": "PERSON"}], "answer": "accept"},
        # doccano
        {"id": "a", "text": "Hi Ana", "label": [[3, 6, "PERSON"]]},
    ],
)  # fmt: skip
def test_span_jsonl_spellings(tmp_path, row):
    [record] = span_jsonl.read(write(tmp_path / "a.jsonl", row))
    assert record == Record("a", "Hi Ana", [{"start": 3, "end": 6, "label": "PERSON"}])


def test_span_jsonl_keeps_meta_and_counts_refused(tmp_path):
    report = Report()
    path = write(
        tmp_path / "a.jsonl",
        {"text": "x", "spans": None, "meta": {"genre": "essay"}, "template_id": 3},
        {"text": "y", "answer": "reject"},
    )
    [record] = span_jsonl.read(path, report=report)
    assert record.meta == {"genre": "essay", "template_id": 3}
    assert record.id == "a-1"
    assert sum(report.notes.values()) == 1


def test_span_jsonl_reads_packed_files_with_a_mark_and_windows_lines(tmp_path):
    row = json.dumps({"id": 5, "text": "a\r\nb", "spans": []})
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b"\xef\xbb\xbf" + row.encode() + b"\r\n\r\n"))
    [record] = span_jsonl.read(tmp_path)
    assert (record.id, record.text) == ("5", "a\r\nb")


BAD = [
    (b'{"text": "Zebulon", ', "record 2: is not valid JSON"),
    (b'{"text": "Zebulon \xff"}', "record 2: is not valid UTF-8 at byte 19"),
    (b'"Zebulon"', "record 2: is not a JSON object"),
    ({"spans": []}, "record 2: field 'text' is missing"),
    ({"text": ["Zebulon"]}, "record 2: field 'text' is not a string"),
    # Half of a surrogate pair, which no tokenizer takes
    (b'{"text": "Zebulon \\ud83d"}', "field 'text' holds half of a surrogate pair at character 8"),
    ({"text": "Zebulon", "id": True}, "field 'id' is neither"),
    ({"text": "Zebulon", "spans": "Zebulon"}, "field 'spans' is not a list"),
    ({"text": "Zebulon", "spans": ["Zebulon"]}, "field 'spans[0]' is neither an object"),
    ({"text": "Zebulon", "spans": [{"start": 0, "end": 99, "label": "PERSON"}]}, "field 'spans[0]' covers 0 to 99"),
    ({"text": "Zebulon", "spans": [{"start": -1, "end": 2, "label": "PERSON"}]}, "field 'spans[0]' covers -1 to 2"),
    ({"text": "Zebulon", "spans": [{"start": 2, "end": 2, "label": "PERSON"}]}, "field 'spans[0]' covers 2 to 2"),
    ({"text": "Zebulon", "spans": [{"start": "0", "end": 2, "label": "PERSON"}]}, "field 'spans[0].start' is missing or not"),
    ({"text": "Zebulon", "spans": [{"start": True, "end": 2, "label": "PERSON"}]}, "field 'spans[0].start' is missing or not"),
    ({"text": "Zebulon", "spans": [{"start": 0, "label": "PERSON"}]}, "field 'spans[0].end' is missing or not"),
    ({"text": "Zebulon", "spans": [{"start": 0, "end": 2}]}, "field 'spans[0].label' is missing"),
    # Offsets in bytes or UTF-16 units: the text given with the span is another
    ({"text": "😀Zebulon", "spans": [{"start": 2, "end": 8, "label": "PERSON", "text": "Zebulon"}]}, "points at another text"),
    ({"text": "Zebulon", "meta": "Zebulon"}, "field 'meta' is not an object"),
]  # fmt: skip


@pytest.mark.parametrize("row,sentence", BAD)
def test_span_jsonl_bad_records_are_set_aside(tmp_path, row, sentence):
    good = {"id": "good", "text": "ok"}
    path = write(tmp_path / "a.jsonl", good, row, good)
    report = Report()
    assert [record.id for record in span_jsonl.read(path, report=report)] == ["good", "good"]
    [rejected] = report.rejected
    assert sentence in rejected.error and str(path) in rejected.error
    assert "ebulon" not in rejected.error
    assert rejected.raw is None
    with pytest.raises(RecordError):
        list(span_jsonl.read(path))


def test_span_jsonl_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="no file or folder"):
        list(span_jsonl.read(tmp_path / "none.jsonl"))
