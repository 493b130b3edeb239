"""Reads the project's own corpus documents: a head in YAML and a text with slots (`assets/corpus/README.md`)."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

import srsly

from ..labels import LABELS

NEGATIVE_KINDS = (
    "public_figure",
    "cited_author",
    "historical",
    "religious",
    "fictional",
    "persona",
    "word_problem",
    "eponym",
    "brand",
    "common_word",
    "pet",
    "public_url",
    "public_email",
    "helpline",
    "place",
    "date",
    "age",
    "nrp",
    "school",
    "grade",
    "course",
    "number",
    "title",
)
"""What a hard negative can be, so that errors are counted by kind."""

GENRES = ("essay", "math", "advising", "thread", "odd")

_HEAD = re.compile(r"---\n(.*?)\n---\n(.*)\Z", re.S)
_SLOT = re.compile(r"\{\{(!?)(\w+)([:|])(.*?)\}\}", re.S)
_MESSAGE = re.compile(r"^(\S+)> ?", re.M)


@dataclass(frozen=True)
class Slot:
    """A slot of a document.

    kind (str): A canonical label, or the kind of a hard negative.
    negative (bool): Whether it is a hard negative.
    surface (Optional[str]): The fixed surface, None where the slot is filled.
    entity (str): Whom or what the value belongs to.
    attribute (str): Which value of the entity.
    modifiers (Tuple[str, ...]): How the surface is changed.
    """

    kind: str
    negative: bool
    surface: Optional[str] = None
    entity: str = ""
    attribute: str = ""
    modifiers: Tuple[str, ...] = ()


Piece = Union[str, Slot]


@dataclass(frozen=True)
class Message:
    """A message of a conversation.

    speaker (str): Id of the speaker, `system` for what the platform says; empty in a text that is no conversation.
    pieces (Tuple[Piece, ...]): Text and slots.
    """

    speaker: str
    pieces: Tuple[Piece, ...]


@dataclass(frozen=True)
class Template:
    """A document of the corpus before its slots are filled.

    name (str): Folder and file name without suffix; the document's name in every report.
    genre (str): One of `GENRES`.
    people (Mapping[str, Mapping[str, str]]): Traits of the people by id.
    messages (Tuple[Message, ...]): The messages; a text is a single one without speaker.
    """

    name: str
    genre: str
    people: Mapping[str, Mapping[str, str]]
    messages: Tuple[Message, ...]

    @property
    def is_conversation(self) -> bool:
        """RETURNS (bool): Whether the document is a conversation."""
        return bool(self.messages[0].speaker)

    @property
    def slots(self) -> List[Slot]:
        """RETURNS (List[Slot]): The slots in reading order."""
        return [piece for message in self.messages for piece in message.pieces if isinstance(piece, Slot)]

    @property
    def has_pii(self) -> bool:
        """RETURNS (bool): Whether any slot holds PII."""
        return any(not slot.negative for slot in self.slots)


def read_template(path: Path) -> Template:
    """Read a document of the corpus.

    path (Path): The file.
    RETURNS (Template): The document.
    RAISES (ValueError): If the file does not keep to the format; the sentence names file and place.
    """
    match = _HEAD.match(path.read_text(encoding="utf8"))
    if match is None:
        raise ValueError(f"{path}: no head between two lines of '---'.")
    head: Dict[str, Any] = srsly.yaml_loads(match[1]) or {}
    people = {name: dict(traits or {}) for name, traits in (head.get("people") or {}).items()}
    genre = head.get("genre")
    if genre not in GENRES:
        raise ValueError(f"{path}: field 'genre' is '{genre}', not one of {', '.join(GENRES)}.")
    body = match[2].strip("\n")
    if head.get("form") == "messages":
        messages = _read_messages(path, body, people)
    else:
        messages = (Message("", parse_pieces(body, str(path))),)
    return Template(f"{path.parent.name}/{path.stem}", genre, people, messages)


def read_templates(folder: Path) -> List[Template]:
    """Read all documents below a folder.

    folder (Path): The folder.
    RETURNS (List[Template]): The documents in the order of their names.
    RAISES (ValueError): If a file does not keep to the format, or there is none.
    """
    paths = sorted(folder.glob("*/*.txt"))
    if not paths:
        raise ValueError(f"{folder}: there are no corpus documents (*/*.txt).")
    return [read_template(path) for path in paths]


def parse_pieces(text: str, source: str) -> Tuple[Piece, ...]:
    """Cut a text into text and slots.

    text (str): Text with `{{LABEL:id.attribute}}`, `{{LABEL|surface}}` and their negative forms.
    source (str): What an error names as the place of the text.
    RETURNS (Tuple[Piece, ...]): The pieces in order.
    RAISES (ValueError): If a slot is broken, or its label or kind unknown.
    """
    pieces: List[Piece] = []
    position = 0
    for number, match in enumerate(_SLOT.finditer(text), start=1):
        if match.start() > position:
            pieces.append(text[position : match.start()])
        position = match.end()
        negative, kind, separator, argument = bool(match[1]), match[2], match[3], match[4]
        if kind not in (NEGATIVE_KINDS if negative else LABELS):
            raise ValueError(f"{source}: slot {number}: there is no {'kind' if negative else 'label'} '{kind}'.")
        if separator == "|":
            pieces.append(Slot(kind, negative, surface=argument))
            continue
        entity, *rest = argument.split(".")
        if not rest:
            raise ValueError(f"{source}: slot {number}: '{argument}' does not name an entity and its attribute.")
        pieces.append(Slot(kind, negative, entity=entity, attribute=rest[0], modifiers=tuple(rest[1:])))
    if position < len(text):
        pieces.append(text[position:])
    if any("{{" in piece or "}}" in piece for piece in pieces if isinstance(piece, str)):
        raise ValueError(f"{source}: a slot is not closed, or closed twice.")
    return tuple(pieces)


def _read_messages(path: Path, body: str, people: Mapping[str, Any]) -> Tuple[Message, ...]:
    starts = list(_MESSAGE.finditer(body))
    if not starts or starts[0].start():
        raise ValueError(f"{path}: the conversation does not begin with 'speaker> '.")
    messages = []
    for match, end in zip(starts, [match.start() for match in starts[1:]] + [len(body)]):
        speaker = match[1]
        if speaker not in people and speaker != "system":
            raise ValueError(f"{path}: speaker '{speaker}' is not among the people of the head.")
        text = body[match.end() : end].rstrip("\n")
        messages.append(Message(speaker, parse_pieces(text, str(path))))
    return tuple(messages)
