"""Text with marks: `{{LABEL|surface}}` for a span, `{{!kind|surface}}` for a hard negative; a document a .txt file.

`{{(}}` and `{{)}}` stand for a brace of the text that could be taken for a part of a mark.
"""

import re
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Match, Optional, Tuple
from urllib.parse import quote, unquote

from ..files import replace_file
from .reading import Raw, check_record, decode, find_files, read_bytes
from .record import Record, RecordError, Report

_SURFACE = r"(?>\{\{[()]\}\}|[^{}]|[{}](?![{}]))*+"
_MARK = re.compile(rf"\{{\{{(?:(?P<brace>[()])|(?P<negative>!?)(?P<label>\w+)\|(?P<surface>{_SURFACE}))\}}\}}")
_BRACES = re.compile(r"[{}]{2,}|\A[{}]+|[{}]+\Z")
_MAX_NAME = 200


def read(path: Path, *, report: Optional[Report] = None) -> Iterator[Record]:
    """Read marked text.

    path (Path): A .txt file, or a folder of such files.
    report (Optional[Report]): Takes files that cannot be used. Without one the first of them raises.
    YIELDS (Record): The records; the id is the path below the folder without suffix.
    RAISES (RecordError): If a file is broken and the report strict or missing.
    """
    report = Report(strict=True) if report is None else report
    for file in find_files(path, (".txt",)):
        name = file.name if Path(path).is_file() else file.relative_to(path).as_posix()
        marked = None
        try:
            marked = decode(read_bytes(file), file, 1)
            record = _read_text(file, unquote(name.removesuffix(".gz").removesuffix(".txt")), marked)
        except RecordError as error:
            report.reject(error, marked)
            continue
        yield record


def write(records: Iterable[Record], path: Path, *, report: Optional[Report] = None) -> None:
    """Write marked text.

    records (Iterable[Record]): The records.
    path (Path): The folder, or a .txt file if there is only one record.
    report (Optional[Report]): Counts overlapping spans, which marks cannot hold: the longer one stays.
    RAISES (ValueError): If there are more records than the file holds, or two of one id.
    """
    single = path.suffix == ".txt"
    seen = set()
    for number, record in enumerate(records, start=1):
        target = path if single else path / f"{file_name(record.id)}.txt"
        if target in seen:
            reason = "a .txt file holds one document: give a folder" if single else "its id is not the only one"
            raise ValueError(f"{path}: record {number} cannot be written: {reason}.")
        seen.add(target)
        with replace_file(target) as temporary:
            temporary.write_bytes(mark_text(record, report=report).encode("utf8"))


def file_name(record_id: str) -> str:
    """Make a file name of an id.

    record_id (str): The id.
    RETURNS (str): The id with everything escaped that a file name cannot hold; cut where it is too long.
    """
    return quote(record_id, safe=" #@+,()'").lstrip(".")[:_MAX_NAME] or "document"


def mark_text(record: Record, *, report: Optional[Report] = None) -> str:
    """Write a record as marked text.

    record (Record): The record.
    report (Optional[Report]): Counts overlapping spans that are left out.
    RETURNS (str): The text with its marks.
    """
    marks = [("", span) for span in record.spans] + [("!", span) for span in record.negatives]
    pieces, position, left_out = [], 0, 0
    for sign, span in sorted(marks, key=_order):
        if span["start"] < position:
            left_out += 1
            continue
        pieces.append(_escape(record.text[position : span["start"]]))
        surface = _escape(record.text[span["start"] : span["end"]])
        pieces.append(f"{{{{{sign}{span['label']}|{surface}}}}}")
        position = span["end"]
    pieces.append(_escape(record.text[position:]))
    if left_out and report is not None:
        report.notes["overlapping spans were left out, since marks cannot hold them"] += left_out
    return "".join(pieces)


def _order(mark: Tuple[str, Dict[str, Any]]) -> Tuple[int, int, str]:
    sign, span = mark
    return span["start"], -span["end"], sign


def _escape(text: str) -> str:
    return _BRACES.sub(_escape_run, text)


def _escape_run(match: Match[str]) -> str:
    return "".join("{{(}}" if brace == "{" else "{{)}}" for brace in match[0])


def _read_text(file: Path, record_id: str, marked: str) -> Record:
    spans: List[Dict[str, Any]] = []
    negatives: List[Dict[str, Any]] = []
    pieces: List[str] = []
    length = position = 0
    for match in _MARK.finditer(marked):
        between = _plain(file, marked[position : match.start()])
        surface = {"(": "{", ")": "}"}.get(match["brace"] or "")
        if surface is None:
            surface = match["surface"].replace("{{(}}", "{").replace("{{)}}", "}")
            start = length + len(between)
            entry = {"start": start, "end": start + len(surface), "label": match["label"]}
            (negatives if match["negative"] else spans).append(entry)
        pieces += (between, surface)
        length += len(between) + len(surface)
        position = match.end()
    pieces.append(_plain(file, marked[position:]))
    return check_record(Raw(file, 1, None), "".join(pieces), spans, negatives, record_id=record_id)


def _plain(file: Path, text: str) -> str:
    if "{{" in text or "}}" in text:
        raise RecordError(file, 1, "", "holds a mark that is not closed, or braces that are not written as {{(}}")
    return text
