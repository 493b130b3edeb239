"""The files that the verbs read, and how a record with other texts is written again in the form it came in."""

import csv
import io
import json
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import (
    Any,
    Dict,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    TextIO,
    Union,
)

from ..transcripts import TEXT_KEYS

FORMATS = ("txt", "jsonl", "csv")
STANDARD = "-"

# Taken where the user names no key: all that a record holds, so that none of them is passed on as it is.
_USUAL_KEYS = ("text", "messages", "transcript")
_SUFFIXES = {".txt": "txt", ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "csv"}
_DELIMITERS = (",", ";", "\t", "|")
_MARK = "\ufeff"
# The limit of the csv module, 131,072 characters, is too small for an essay with its drafts. This is the largest that
# every platform takes.
_LONGEST_CELL = 2**31 - 1

Content = Union[str, List[Dict[str, Any]]]


class InputError(ValueError):
    """Something that cannot be read at all. The sentence names the place and repeats nothing that stands there."""


class Field(NamedTuple):
    """A text of a record.

    name (str): Key or column, empty where the record is nothing but the text.
    content (Content): The text, or the messages of a transcript.
    """

    name: str
    content: Content


@dataclass
class Item:
    """A record of an input.

    source (Source): Where it comes from.
    number (int): Its number, counted from 1: the line of a .jsonl file, the row below the header of a .csv file.
    id (Union[str, int]): What the record is called: its own `id`, the path of a .txt file, or the number.
    fields (List[Field]): Its texts; none where the record cannot be used.
    value (Any): The record as it was read.
    error (str): What is wrong with it, in a sentence; empty where nothing is.
    """

    source: "Source"
    number: int
    id: Union[str, int]
    fields: List[Field] = field(default_factory=list)
    value: Any = None
    error: str = ""

    def sentence(self, reason: str, field_name: str = "") -> str:
        """Say what happened to the record.

        reason (str): What happened, as the end of a sentence.
        field_name (str): The field that it happened to.
        RETURNS (str): The sentence, with the file, the record and the field.
        """
        place = f"field '{field_name}' " if field_name else ""
        return f"{self.source.place(self.number)}: {place}{reason}."


class Source(ABC):
    """A file of records."""

    def __init__(self, name: str, path: Optional[Path]) -> None:
        """Initialize the source. Nothing is opened yet.

        name (str): What a sentence calls the file.
        path (Optional[Path]): The file; None for the standard input.
        """
        self.name = name
        self.path = path
        self.prologue = ""
        """What the output begins with, known once the first record was read: byte order mark, header."""

    def place(self, number: int) -> str:
        """Name a record for a sentence."""
        return f"{self.name}: record {number}"

    @abstractmethod
    def items(self) -> Iterator[Item]:
        """Read the records one by one.

        YIELDS (Item): The records; those that cannot be used have an error.
        RAISES (InputError): If the file cannot be read as what it is.
        RAISES (OSError): If the file cannot be read at all.
        """

    @abstractmethod
    def render(self, item: Item, contents: Sequence[Content]) -> str:
        """Write a record with other texts.

        item (Item): The record.
        contents (Sequence[Content]): What stands in the place of its fields.
        RETURNS (str): The record in the form of the file.
        """

    def _open(self, newline: str) -> TextIO:
        raw = sys.stdin.buffer if self.path is None else self.path.open("rb")
        # Bytes that are not UTF-8 become half surrogates, by which their record is known.
        return io.TextIOWrapper(raw, encoding="utf8", errors="surrogateescape", newline=newline)


class TextSource(Source):
    """A file that is one text."""

    def place(self, number: int) -> str:
        """Name the file for a sentence."""
        return self.name

    def items(self) -> Iterator[Item]:
        """Read the text. See `Source.items`."""
        item = Item(self, 1, self.name)
        try:
            with self._open("") as file:
                text = file.read()
        except OSError as error:
            item.error = item.sentence(f"cannot be read ({error.strerror})")
            yield item
            return
        if text.startswith(_MARK):
            self.prologue, text = _MARK, text[1:]
        if _is_text(text):
            item.fields.append(Field("", text))
        else:
            item.error = item.sentence("is not valid UTF-8")
        yield item

    def render(self, item: Item, contents: Sequence[Content]) -> str:
        """Write the text. See `Source.render`."""
        return str(contents[0])


class JsonlSource(Source):
    """A file with a JSON object a line."""

    def __init__(self, name: str, path: Optional[Path], text_key: Optional[str] = None) -> None:
        """Initialize the source.

        name (str): What a sentence calls the file.
        path (Optional[Path]): The file; None for the standard input.
        text_key (Optional[str]): Key of the text or the messages; None for all of `text`, `messages`, `transcript`.
        """
        super().__init__(name, path)
        self.text_key = text_key

    def items(self) -> Iterator[Item]:
        """Read the objects. See `Source.items`."""
        # Lines end at line feeds only: U+2028 and its like can stand in a string.
        with self._open("\n") as file:
            for number, line in enumerate(file, start=1):
                if number == 1 and line.startswith(_MARK):
                    self.prologue, line = _MARK, line[1:]
                if line.strip():
                    yield self._read_line(line, number)

    def render(self, item: Item, contents: Sequence[Content]) -> str:
        """Write the object with its other keys as they were. See `Source.render`."""
        texts = {name: content for (name, _), content in zip(item.fields, contents)}
        return json.dumps({**item.value, **texts}, ensure_ascii=False) + "\n"

    def _read_line(self, line: str, number: int) -> Item:
        item = Item(self, number, number)
        reason = field_name = ""
        if not _is_text(line):
            reason = "is not valid UTF-8"
        else:
            try:
                item.value = json.loads(line)
            except json.JSONDecodeError as error:
                reason = f"is not valid JSON at column {error.colno}"
            except (RecursionError, ValueError):
                reason = "is not JSON that can be read"
        if not reason:
            field_name, reason = self._read_object(item)
        if not reason and "\\u" in line and not _is_text(json.dumps(item.value, ensure_ascii=False)):
            field_name, reason = "", "holds half of a surrogate pair"
        if reason:
            item.fields.clear()
            item.error = item.sentence(reason, field_name)
        return item

    def _read_object(self, item: Item) -> List[str]:
        """Take the texts out of an object. Returns the field and what is wrong with it."""
        value = item.value
        if not isinstance(value, dict):
            return ["", "is not a JSON object"]
        own_id = value.get("id")
        if isinstance(own_id, (str, int)) and not isinstance(own_id, bool):
            item.id = own_id
        keys = [self.text_key] if self.text_key else [key for key in _USUAL_KEYS if key in value]
        if not keys or keys[0] not in value:
            return [self.text_key or _USUAL_KEYS[0], "is missing"]
        for key in keys:
            content = value[key]
            if isinstance(content, list):
                reason = _check_messages(content)
            else:
                reason = "" if isinstance(content, str) else "is neither a string nor a list of messages"
            if reason:
                return [key, reason]
            item.fields.append(Field(key, content))
        return ["", ""]


class CsvSource(Source):
    """A table with a header."""

    def __init__(self, name: str, path: Optional[Path], columns: Sequence[str]) -> None:
        """Initialize the source.

        name (str): What a sentence calls the file.
        path (Optional[Path]): The file; None for the standard input.
        columns (Sequence[str]): The columns that hold text.
        """
        super().__init__(name, path)
        self.columns = tuple(columns)
        self._dialect: Dict[str, Any] = {}
        self._chosen: List[int] = []
        self._header: List[str] = []

    def items(self) -> Iterator[Item]:
        """Read the rows. See `Source.items`."""
        csv.field_size_limit(_LONGEST_CELL)
        with self._open("") as file:
            first = file.readline()
            mark = _MARK if first.startswith(_MARK) else ""
            first = first.removeprefix(_MARK)
            if not first.strip():
                raise InputError(f"{self.name}: there is no header in the first line.")
            delimiter = self._find_delimiter(first)
            # Strict, so that a quote that is never closed cannot swallow the rows behind it.
            rows = csv.reader(chain([first], file), delimiter=delimiter, strict=True)
            try:
                self._header = next(rows)
            except csv.Error:
                raise InputError(f"{self.name}: the header's quotes do not pair.") from None
            names = [name.strip() for name in self._header]
            missing = [column for column in self.columns if column not in names]
            if missing:
                raise InputError(f"{self.name}: the header lacks the columns {', '.join(missing)}.")
            if not _is_text("".join(names)):
                raise InputError(f"{self.name}: the header is not valid UTF-8.")
            self._chosen = [number for number, name in enumerate(names) if name in self.columns]
            self._dialect = {
                "delimiter": delimiter,
                "lineterminator": "\r\n" if first.endswith("\r\n") else "\n",
                "quoting": csv.QUOTE_ALL if first.startswith('"') else csv.QUOTE_MINIMAL,
            }
            self.prologue = mark + self._write(self._header)
            yield from self._read_rows(rows)

    def render(self, item: Item, contents: Sequence[Content]) -> str:
        """Write the row with its other cells as they were. See `Source.render`."""
        row = list(item.value)
        for number, content in zip(self._chosen, contents):
            row[number] = content
        return self._write(row)

    def _read_rows(self, rows: Iterator[List[str]]) -> Iterator[Item]:
        number = 0
        while True:
            number += 1
            item = Item(self, number, number)
            try:
                row = next(rows, None)
            except csv.Error:
                # Where the next row begins cannot be told, so nothing of the rest is safe to pass on.
                item.error = item.sentence("has quotes that do not pair, the file is not read any further")
                yield item
                return
            if row is None:
                return
            if not row:
                number -= 1
                continue
            item.value = row
            if len(row) != len(self._header):
                item.error = item.sentence(f"has {len(row)} cells where the header has {len(self._header)}")
            elif not _is_text("".join(row)):
                item.error = item.sentence("is not valid UTF-8")
            else:
                item.fields.extend(Field(self._header[place].strip(), row[place]) for place in self._chosen)
            yield item

    def _find_delimiter(self, header: str) -> str:
        """Take the delimiter under which the header has all the columns; a comma if there is none."""
        for delimiter in _DELIMITERS:
            names = [name.strip() for name in next(csv.reader([header], delimiter=delimiter))]
            if all(column in names for column in self.columns):
                return delimiter
        return _DELIMITERS[0]

    def _write(self, row: Sequence[str]) -> str:
        buffer = io.StringIO()
        csv.writer(buffer, **self._dialect).writerow(row)
        return buffer.getvalue()


def open_sources(
    path: str, *, form: Optional[str] = None, text_key: Optional[str] = None, columns: Sequence[str] = ()
) -> List[Source]:
    """Find what a verb is to read.

    path (str): A file, a folder of .txt files, which is searched to any depth, or - for the standard input.
    form (Optional[str]): txt, jsonl or csv; None to go by the end of the file's name, txt for the standard input.
    text_key (Optional[str]): Key of the text in .jsonl records; None for all of `text`, `messages`, `transcript`.
    columns (Sequence[str]): The columns of a .csv file that hold text.
    RETURNS (List[Source]): The sources; those of a folder in the order of their names, each named by its path in it.
    RAISES (InputError): If there is nothing to read or it is not said how.
    """
    if form is not None and form not in FORMATS:
        raise InputError(f"There is no format '{form}'. Known formats: {', '.join(FORMATS)}.")
    if path == STANDARD:
        return [_open_source("standard input", None, form or "txt", text_key, columns)]
    location = Path(path)
    if location.is_dir():
        files = sorted(file for file in location.rglob("*.txt") if file.is_file())
        if not files:
            raise InputError(f"There is no .txt file in the folder {path}.")
        return [TextSource(file.relative_to(location).as_posix(), file) for file in files]
    if not location.exists():
        raise InputError(f"There is no file or folder {path}.")
    form = form or _SUFFIXES.get(location.suffix.lower())
    if form is None:
        raise InputError(f"The name of {path} does not end in .txt, .jsonl or .csv: name the format with --format.")
    return [_open_source(location.name, location, form, text_key, columns)]


def _open_source(name: str, path: Optional[Path], form: str, text_key: Optional[str], columns: Sequence[str]) -> Source:
    if form == "txt":
        return TextSource(name, path)
    if form == "jsonl":
        return JsonlSource(name, path, text_key)
    if not columns:
        raise InputError(f"{name}: name the columns that hold text with --columns.")
    return CsvSource(name, path, columns)


def _check_messages(messages: Sequence[Any]) -> str:
    """Say what is wrong with a list of messages, if anything."""
    for number, message in enumerate(messages, start=1):
        if not isinstance(message, dict):
            return f"holds a message, number {number}, that is not an object"
        keys = [key for key in TEXT_KEYS if key in message]
        if len(keys) != 1:
            # The second text would stay as it is.
            many = f"texts under {' and '.join(keys)}" if keys else f"no text under any of {', '.join(TEXT_KEYS)}"
            return f"holds a message, number {number}, with {many}"
        if not isinstance(message[keys[0]], str):
            return f"holds a message, number {number}, whose {keys[0]} is not a string"
    return ""


def _is_text(text: str) -> bool:
    """Whether a text can be written as UTF-8."""
    try:
        text.encode("utf8")
    except UnicodeEncodeError:
        return False
    return True
