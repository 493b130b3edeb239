"""What the readers of the formats share: opening files, taking records out of JSON, and checking them."""

import gzip
import json
from pathlib import Path
from typing import (
    Any,
    Dict,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
)

from .record import Record, RecordError, Report

START_KEYS = ("start", "start_position", "start_char", "start_idx", "start_offset", "begin")
END_KEYS = ("end", "end_position", "end_char", "end_idx", "end_offset", "stop")
LABEL_KEYS = ("label", "entity_type", "pii_type", "type", "category")
SURFACE_KEYS = ("text", "entity_value", "surface", "value", "entity_text")
# Token numbers are made anew wherever tokens are needed.
_TOKEN_KEYS = ("token_start", "token_end")
_LINE_SUFFIXES = (".jsonl", ".ndjson")
_MISSING = object()


class Raw(NamedTuple):
    """An object of a JSON file that has not been checked.

    path (Path): The file.
    number (int): Line, or number in the list, counted from 1.
    value (Any): The object.
    """

    path: Path
    number: int
    value: Any


def find_files(path: Path, suffixes: Sequence[str]) -> List[Path]:
    """List the files of a format.

    path (Path): A file, which is taken whatever its name, or a folder, which is searched to any depth.
    suffixes (Sequence[str]): Ends of the file names; files with a further .gz are found too.
    RETURNS (List[Path]): The files in the order of their names.
    RAISES (FileNotFoundError): If there is no such file, or none in the folder.
    """
    path = Path(path)
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise FileNotFoundError(f"There is no file or folder {path}.")
    ends = tuple(suffixes) + tuple(f"{suffix}.gz" for suffix in suffixes)
    found = sorted(file for file in path.rglob("*") if file.is_file() and file.name.endswith(ends))
    if not found:
        raise FileNotFoundError(f"There is no file of the kind {', '.join(suffixes)} in the folder {path}.")
    return found


def read_bytes(path: Path) -> bytes:
    """Read a file, unpacked if it is gzipped.

    path (Path): The file.
    RETURNS (bytes): Its content without a byte order mark.
    """
    data = gzip.decompress(path.read_bytes()) if path.name.endswith(".gz") else path.read_bytes()
    return data.removeprefix(b"\xef\xbb\xbf")


def decode(data: bytes, path: Path, number: int) -> str:
    """Decode text as UTF-8. Line ends are left as they are, since offsets count them.

    data (bytes): The text.
    path (Path): What an error names as the file.
    number (int): What an error names as the record.
    RETURNS (str): The text.
    RAISES (RecordError): If it is not UTF-8; the sentence names the byte's position.
    """
    try:
        return data.decode("utf8")
    except UnicodeDecodeError as error:
        raise RecordError(path, number, "", f"is not valid UTF-8 at byte {error.start + 1}") from None


def read_objects(path: Path, report: Report, suffixes: Sequence[str] = (".jsonl", ".json")) -> Iterator[Raw]:
    """Read the objects of JSON files: each line of a .jsonl file; of other files each item of the list, or the object.

    path (Path): A file, or a folder of files.
    report (Report): Takes lines that are no JSON.
    suffixes (Sequence[str]): Ends of the names of files that are looked for in a folder.
    YIELDS (Raw): The objects.
    """
    for file in find_files(path, suffixes):
        data = read_bytes(file)
        if file.name.removesuffix(".gz").endswith(_LINE_SUFFIXES):
            chunks = ((number, line) for number, line in enumerate(data.split(b"\n"), start=1) if line.strip())
        else:
            chunks = iter([(1, data)])
        for number, chunk in chunks:
            try:
                value = _parse(decode(chunk, file, number), file, number)
            except RecordError as error:
                report.reject(error)
                continue
            if chunk is data and isinstance(value, list):
                yield from (Raw(file, position, item) for position, item in enumerate(value, start=1))
            else:
                yield Raw(file, number, value)


def check_record(
    raw: Raw,
    text: Any,
    spans: Any = (),
    negatives: Any = (),
    *,
    record_id: Any = None,
    meta: Optional[Mapping[str, Any]] = None,
    text_field: str = "text",
    spans_field: str = "spans",
) -> Record:
    """Check the parts of a record.

    raw (Raw): Where the record comes from.
    text (Any): The text.
    spans (Any): The spans, as dicts in one of the usual spellings or as [start, end, label]. None stands for none.
    negatives (Any): The hard negatives, likewise.
    record_id (Any): Id, a string or number. Without one it is made from the file's name and the record's number.
    meta (Optional[Mapping[str, Any]]): What else is known.
    text_field (str): What an error calls the text.
    spans_field (str): What an error calls the spans.
    RETURNS (Record): The record.
    RAISES (RecordError): If a field is missing, of a wrong type or out of range.
    """
    if record_id is None:
        record_id = f"{raw.path.name.split('.')[0]}-{raw.number}"
    if isinstance(record_id, bool) or not isinstance(record_id, (str, int)):
        raise RecordError(raw.path, raw.number, "id", "is neither a string nor a number")
    check_text(raw, text, text_field)
    return Record(
        str(record_id),
        text,
        check_spans(raw, text, spans, spans_field),
        check_spans(raw, text, negatives, "negatives"),
        dict(meta or {}),
    )


def check_text(raw: Raw, text: Any, name: str) -> str:
    """Check that a value is text that can be written again.

    raw (Raw): Where it comes from.
    text (Any): The value.
    name (str): Name of the field.
    RETURNS (str): The text.
    RAISES (RecordError): If it is missing, no string or holds half of a surrogate pair.
    """
    if text is None or text is _MISSING:
        raise RecordError(raw.path, raw.number, name, "is missing")
    if not isinstance(text, str):
        raise RecordError(raw.path, raw.number, name, "is not a string")
    try:
        text.encode("utf8")
    except UnicodeEncodeError as error:
        reason = f"holds half of a surrogate pair at character {error.start}"
        raise RecordError(raw.path, raw.number, name, reason) from None
    return text


def check_spans(raw: Raw, text: str, spans: Any, name: str) -> List[Dict[str, Any]]:
    """Check spans and bring them into one spelling.

    raw (Raw): Where they come from.
    text (str): The text that they point into.
    spans (Any): The spans. None stands for none.
    name (str): Name of the field.
    RETURNS (List[Dict[str, Any]]): Dicts with start, end and label, in the order of the text. Other keys stay, but for
        copies of the text and token numbers.
    RAISES (RecordError): If a span is broken.
    """
    if spans is None:
        return []
    if not isinstance(spans, (list, tuple)):
        raise RecordError(raw.path, raw.number, name, "is not a list")
    checked = [_check_span(raw, text, span, f"{name}[{number}]") for number, span in enumerate(spans)]
    return sorted(checked, key=_position)


def first_key(value: Mapping[str, Any], keys: Sequence[str]) -> Optional[str]:
    """Tell which of several spellings of a key is used.

    value (Mapping[str, Any]): The object.
    keys (Sequence[str]): The spellings in order of preference.
    RETURNS (Optional[str]): The spelling, None if there is none of them.
    """
    return next((key for key in keys if key in value), None)


def check_object(raw: Raw) -> Dict[str, Any]:
    """Check that what was read is a JSON object.

    raw (Raw): What was read.
    RETURNS (Dict[str, Any]): The object.
    RAISES (RecordError): If it is something else.
    """
    if not isinstance(raw.value, dict):
        raise RecordError(raw.path, raw.number, "", "is not a JSON object")
    return raw.value


def _parse(text: str, path: Path, number: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        raise RecordError(path, number, "", f"is not valid JSON at {place}") from None
    except (RecursionError, ValueError):
        raise RecordError(path, number, "", "is not JSON that can be read") from None


def _check_span(raw: Raw, text: str, span: Any, name: str) -> Dict[str, Any]:
    start, end, label, rest = _span_parts(raw, span, name)
    for value, part in ((start, "start"), (end, "end")):
        if isinstance(value, bool) or not isinstance(value, int):
            raise RecordError(raw.path, raw.number, f"{name}.{part}", "is missing or not a whole number")
    if not isinstance(label, str) or not label:
        raise RecordError(raw.path, raw.number, f"{name}.label", "is missing or not a string")
    if not 0 <= start < end <= len(text):
        reason = f"covers {start} to {end}, which is no range inside the text of {len(text)} characters"
        raise RecordError(raw.path, raw.number, name, reason)
    surface = next((rest[key] for key in SURFACE_KEYS if isinstance(rest.get(key), str)), None)
    # Tools that keep annotations on one line write a line break as a space.
    if surface is not None and surface.split() != text[start:end].split():
        reason = "points at another text than the one given with it, so its offsets are counted in another way"
        raise RecordError(raw.path, raw.number, name, reason)
    kept = {key: value for key, value in rest.items() if key not in SURFACE_KEYS + _TOKEN_KEYS}
    return {"start": start, "end": end, "label": label, **kept}


def _span_parts(raw: Raw, span: Any, name: str) -> Tuple[Any, Any, Any, Dict[str, Any]]:
    if isinstance(span, list) and len(span) == 3:
        return span[0], span[1], span[2], {}
    if not isinstance(span, dict):
        raise RecordError(raw.path, raw.number, name, "is neither an object nor a list of start, end and label")
    rest = dict(span)
    start, end, label = (rest.pop(first_key(rest, keys) or "", None) for keys in (START_KEYS, END_KEYS, LABEL_KEYS))
    return start, end, label, rest


def _position(span: Dict[str, Any]) -> Tuple[int, int, str]:
    return span["start"], span["end"], span["label"]
