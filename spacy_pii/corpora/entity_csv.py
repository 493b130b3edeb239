"""Entities without their text, as a table: the format of the published predictions on CRAPII."""

import csv
import io
import random
import re
from pathlib import Path
from typing import Any, Dict, FrozenSet, Iterator, List, Mapping, Optional

from .reading import decode, read_bytes
from .record import Record, RecordError, Report

DOCUMENT, SURFACE, LABEL, POSITIONS = "file_idx", "entity_text", "type", "positions"

_COLUMNS = (DOCUMENT, SURFACE, LABEL, POSITIONS)
_RANGE = re.compile(r"\(\s*(\d+)\s*,\s*(\d+)\s*\)\Z")
_CRAPII_DOCUMENTS = 22_688
_CRAPII_BASE = 5_672


def read(path: Path, *, report: Optional[Report] = None) -> Iterator[Record]:
    """Read a table of entities, one a row: file_idx, entity_text, type, positions as "(start, end)".

    path (Path): The .csv file.
    report (Optional[Report]): Takes rows that cannot be used. Without one the first of them raises.
    YIELDS (Record): A record for each document that has entities, in the order of their first rows. There is no text;
        each span carries its surface under `text`.
    RAISES (RecordError): If a row is broken and the report strict or missing, or a column is missing.
    """
    report = Report(strict=True) if report is None else report
    path = Path(path)
    # Not splitlines, which also ends lines where the csv format does not.
    rows = csv.DictReader(io.StringIO(decode(read_bytes(path), path, 1), newline=""), strict=True)
    missing = [name for name in _COLUMNS if name not in (rows.fieldnames or ())]
    if missing:
        raise RecordError(path, 1, "", f"is no header with the columns {', '.join(missing)}")
    documents: Dict[str, List[Dict[str, Any]]] = {}
    try:
        for number, row in enumerate(rows, start=1):
            try:
                span = _read_row(row, path, number)
            except RecordError as error:
                report.reject(error, row)
                continue
            documents.setdefault(row[DOCUMENT], []).append(span)
    except csv.Error:
        report.reject(RecordError(path, rows.line_num, "", "has quotes that do not pair, the rest is not read"))
    for document, spans in documents.items():
        yield Record(document, "", spans)


def crapii_splits() -> Mapping[str, FrozenSet[str]]:
    """Draw the published split of the 22,688 documents of CRAPII again.

    RETURNS (Mapping[str, FrozenSet[str]]): The documents' ids by set: `crapii-base` for training, `crapii-verifier`
        for training a verifier, `crapii-test`.
    """
    base = frozenset(random.Random(46).sample(range(_CRAPII_DOCUMENTS), _CRAPII_BASE))
    rest = [number for number in range(_CRAPII_DOCUMENTS) if number not in base]
    verifier = frozenset(random.Random(5).sample(rest, int(len(rest) * 0.2)))
    test = frozenset(rest) - verifier
    sets = {"crapii-base": base, "crapii-verifier": verifier, "crapii-test": test}
    return {name: frozenset(map(str, numbers)) for name, numbers in sets.items()}


def _read_row(row: Mapping[str, Any], path: Path, number: int) -> Dict[str, Any]:
    empty = [name for name in _COLUMNS if not row[name]]
    if empty:
        raise RecordError(path, number, empty[0], "is missing")
    match = _RANGE.match(row[POSITIONS])
    start, end = (int(match[1]), int(match[2])) if match else (0, 0)
    if start >= end:
        raise RecordError(path, number, POSITIONS, "is not a range written as (start, end)")
    return {"start": start, "end": end, "label": row[LABEL], "text": row[SURFACE]}
