"""Text with spans as JSON: one object a line, or a list; also in the spelling of Presidio's evaluator and Prodigy."""

from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, Optional

import srsly

from ..files import replace_file
from .reading import Raw, check_object, check_record, first_key, read_objects
from .record import Record, RecordError, Report

_TEXT_KEYS = ("text", "full_text")
_SPAN_KEYS = ("spans", "entities", "label", "labels")
_META_KEYS = ("meta", "metadata")
_ID_KEYS = ("id", "document", "doc_id")
# Copies of the text, tokens that are made anew, and an annotator's bookkeeping.
_LEFT_OUT = frozenset(("masked", "tokens", "tags", "create_sample_from_tags", "answer", "_view_id", "_is_binary"))


def read(path: Path, *, report: Optional[Report] = None) -> Iterator[Record]:
    """Read span JSON.

    path (Path): A .jsonl file, a .json file with a list, either of them gzipped, or a folder of such files.
    report (Optional[Report]): Takes records that cannot be used. Without one the first of them raises.
    YIELDS (Record): The records. Further keys of an object are in `meta`.
    RAISES (RecordError): If a record is broken and the report strict or missing.
    """
    report = Report(strict=True) if report is None else report
    for raw in read_objects(path, report):
        try:
            value = check_object(raw)
            # What an annotator skipped or refused is no gold.
            if value.get("answer", "accept") != "accept":
                report.notes["records were skipped or refused by their annotator"] += 1
                continue
            record = _read_object(raw, value)
        except RecordError as error:
            report.reject(error, raw.value)
            continue
        yield record


def write(records: Iterable[Record], path: Path, *, report: Optional[Report] = None) -> None:
    """Write span JSON: one object a line, or a list where the path ends in .json.

    records (Iterable[Record]): The records.
    path (Path): The file.
    report (Optional[Report]): Not needed here.
    """
    with replace_file(path) as temporary:
        if path.suffix == ".json":
            srsly.write_json(temporary, [record.to_dict() for record in records])
        else:
            with temporary.open("w", encoding="utf8", newline="\n") as file:
                file.writelines(f"{srsly.json_dumps(record.to_dict())}\n" for record in records)


def _read_object(raw: Raw, value: Dict[str, Any]) -> Record:
    text_key, span_key = first_key(value, _TEXT_KEYS) or "text", first_key(value, _SPAN_KEYS) or "spans"
    id_key, meta_key = first_key(value, _ID_KEYS) or "id", first_key(value, _META_KEYS) or "meta"
    meta = value.get(meta_key) or {}
    if not isinstance(meta, dict):
        raise RecordError(raw.path, raw.number, meta_key, "is not an object")
    used = _LEFT_OUT | {text_key, span_key, id_key, meta_key, "negatives"}
    rest = {key: item for key, item in value.items() if key not in used}
    return check_record(
        raw,
        value.get(text_key),
        value.get(span_key),
        value.get("negatives"),
        record_id=value.get(id_key),
        meta={**rest, **meta},
        text_field=text_key,
        spans_field=span_key,
    )
