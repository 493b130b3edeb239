"""brat's standoff format: a .txt file with the text and an .ann file with the annotations beside it."""

import io
import tarfile
from pathlib import Path, PurePosixPath
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional

from ..files import replace_file
from .inline import file_name
from .reading import Raw, check_record, decode
from .record import Record, RecordError, Report

_ARCHIVES = (".tar", ".tar.gz", ".tgz")


class _Pair(NamedTuple):
    path: Path
    name: str
    text: Optional[bytes]
    annotations: Optional[bytes]


def read(path: Path, *, report: Optional[Report] = None) -> Iterator[Record]:
    """Read standoff annotations.

    path (Path): A folder, searched to any depth, a .txt file beside its .ann, or a tar archive, packed or not.
    report (Optional[Report]): Takes documents that cannot be used and counts annotations other than spans, and
        discontinuous spans, which become the stretch that covers them. Without one the first error raises.
    YIELDS (Record): The records; the id is the path below the folder without suffix.
    RAISES (RecordError): If a document is broken and the report strict or missing.
    """
    report = Report(strict=True) if report is None else report
    path = Path(path)
    for number, pair in enumerate(_read_pairs(path), start=1):
        try:
            record = _read_pair(pair, number, report)
        except RecordError as error:
            report.reject(error, pair.name)
            continue
        yield record


def write(records: Iterable[Record], path: Path, *, report: Optional[Report] = None) -> None:
    """Write standoff annotations.

    records (Iterable[Record]): The records.
    path (Path): The folder.
    report (Optional[Report]): Not needed here.
    RAISES (ValueError): If two records have one id.
    """
    seen = set()
    for number, record in enumerate(records, start=1):
        name = file_name(record.id)
        if name in seen:
            raise ValueError(f"{path}: record {number} cannot be written: its id is not the only one.")
        seen.add(name)
        lines = []
        for position, span in enumerate(record.spans, start=1):
            surface = " ".join(record.text[span["start"] : span["end"]].splitlines())
            lines.append(f"T{position}\t{span['label']} {span['start']} {span['end']}\t{surface}\n")
        for suffix, content in ((".txt", record.text), (".ann", "".join(lines))):
            with replace_file(path / f"{name}{suffix}") as temporary:
                temporary.write_bytes(content.encode("utf8"))


def _read_pairs(path: Path) -> Iterator[_Pair]:
    if path.name.endswith(_ARCHIVES):
        yield from _read_archive(path)
        return
    if path.is_file():
        files, root = {path.with_suffix(".txt"), path.with_suffix(".ann")}, path.parent
    elif path.is_dir():
        files, root = {file for suffix in (".txt", ".ann") for file in path.rglob(f"*{suffix}")}, path
    else:
        raise FileNotFoundError(f"There is no file or folder {path}.")
    names = sorted({file.with_suffix("") for file in files})
    if not names:
        raise FileNotFoundError(f"There is no file of the kind .txt, .ann in the folder {path}.")
    for name in names:
        text, annotations = name.with_name(f"{name.name}.txt"), name.with_name(f"{name.name}.ann")
        yield _Pair(
            text,
            name.relative_to(root).as_posix(),
            text.read_bytes() if text.is_file() else None,
            annotations.read_bytes() if annotations.is_file() else None,
        )


def _read_archive(path: Path) -> Iterator[_Pair]:
    members: Dict[str, Dict[str, bytes]] = {}
    with tarfile.open(fileobj=io.BytesIO(path.read_bytes())) as archive:
        for member in archive:
            name = PurePosixPath(member.name)
            if member.isfile() and name.suffix in (".txt", ".ann"):
                stream = archive.extractfile(member)
                members.setdefault(str(name.with_suffix("")), {})[name.suffix] = stream.read() if stream else b""
    for name in sorted(members):
        yield _Pair(path / f"{name}.txt", name, members[name].get(".txt"), members[name].get(".ann"))


def _read_pair(pair: _Pair, number: int, report: Report) -> Record:
    raw = Raw(pair.path, number, None)
    for suffix, data in ((".txt", pair.text), (".ann", pair.annotations)):
        if data is None:
            # A text without a file of annotations was not annotated, which is not the same as holding nothing.
            raise RecordError(pair.path, number, suffix, "is missing beside the other file of the document")
    text = decode(pair.text or b"", pair.path, number)
    spans: List[Dict[str, Any]] = []
    annotations = decode(pair.annotations or b"", pair.path.with_suffix(".ann"), number)
    for line_number, line in enumerate(annotations.split("\n"), start=1):
        line = line.rstrip("\r")
        if line.startswith("T"):
            spans.append(_read_span(pair, line_number, line, report))
        elif line.strip():
            report.notes["brat annotations other than spans were passed over"] += 1
    return check_record(raw, text, spans, record_id=pair.name, spans_field="T")


def _read_span(pair: _Pair, number: int, line: str, report: Report) -> Dict[str, Any]:
    fields = line.split("\t")
    label, _, ranges = fields[1].partition(" ") if len(fields) > 1 else ("", "", "")
    offsets = ranges.replace(";", " ").split()
    if not label or len(offsets) < 2 or len(offsets) % 2 or not all(offset.isdecimal() for offset in offsets):
        raise RecordError(pair.path.with_suffix(".ann"), number, "T", "is not a label with its offsets")
    numbers = [int(offset) for offset in offsets]
    span = {"start": min(numbers), "end": max(numbers), "label": label}
    # Ranges that only leave out a line break are one stretch.
    if len(numbers) > 2:
        report.notes["discontinuous spans became the stretch that covers them"] += 1
    elif len(fields) > 2:
        span["text"] = fields[2]
    return span
