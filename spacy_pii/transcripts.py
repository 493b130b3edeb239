"""Transcripts as lists of messages: documents made from them, and messages taken out of documents again.

A message is a dict with its text under `text`, `content` or `message`. Who said it stands under `speaker`, `name`,
`author`, `from` or `role`; names come before roles, so that a name becomes part of the text and is found there.
"""

from bisect import bisect_right
from functools import lru_cache
from typing import (
    Any,
    Dict,
    Iterable,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
)

from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup

from .spans import TURNS, expand_span
from .tables import load_table

TEXT_KEYS = ("text", "content", "message")
SPEAKER_KEYS = ("speaker", "name", "author", "from", "role")
TURN_LABEL = "TURN"

_LISTS = ("speakers", "roles", "speaker_offsets", "offsets")


class Turn(NamedTuple):
    """What one speaker says at a stretch, in character offsets.

    start (int): First character of what is said.
    end (int): Character after the last.
    speaker (Optional[str]): The speaker's label as written.
    speaker_start (int): First character of the label.
    role (Optional[str]): The speaker's role in one word.
    """

    start: int
    end: int
    speaker: Optional[str] = None
    speaker_start: int = 0
    role: Optional[str] = None


class Rendered(NamedTuple):
    """Messages written as one text.

    text (str): A line `speaker: text` a message, without the label where there is no speaker.
    turns (List[Turn]): Where each message lies in it.
    """

    text: str
    turns: List[Turn]


def make_doc(nlp: Language, messages: Iterable[Mapping[str, Any]]) -> Doc:
    """Make a document from messages. `nlp(doc)` then processes it.

    nlp (Language): Its tokenizer is used.
    messages (Iterable[Mapping[str, Any]]): The messages.
    RETURNS (Doc): The document, with a span a message in `doc.spans["turns"]`.
    RAISES (ValueError): If a message is no dict or has no text; the sentence gives its number.
    """
    text, turns = render_messages(messages)
    doc = nlp.make_doc(text)
    write_turns(doc, turn_attrs(turns), source="messages")
    return doc


def split_messages(
    doc: Doc, text: Optional[str] = None, *, messages: Optional[Sequence[Mapping[str, Any]]] = None
) -> List[Dict[str, Any]]:
    """Take the messages out of a document, or out of its de-identified text.

    doc (Doc): A document with turns.
    text (Optional[str]): The de-identified text, `doc._.deidentified`; its places are found by `doc._.replacements`.
        None stands for the document's own text.
    messages (Optional[Sequence[Mapping[str, Any]]]): The messages that the document was made from. They are copied
        with their keys in their order; text and speaker are replaced.
    RETURNS (List[Dict[str, Any]]): The messages; without `messages` each has the keys `speaker` and `text`.
    RAISES (ValueError): If the document has no turns, or `text` or `messages` do not belong to it.
    """
    if TURNS not in doc.spans:
        raise ValueError("The document has no turns: make it with make_doc, or add pii_turns to the pipeline.")
    attrs = doc.spans[TURNS].attrs
    source = doc.text
    replacements: Sequence[Mapping[str, Any]] = ()
    if text is not None:
        replacements = (doc._.replacements if Doc.has_extension("replacements") else None) or ()
        _check_result(source, text, replacements)
    locate = _Locator(replacements)
    target = source if text is None else text
    parts: List[Tuple[Optional[str], str]] = []
    for speaker, (start, end) in zip(attrs["speaker_offsets"], attrs["offsets"]):
        label = target[locate(speaker[0]) : locate(speaker[1])] if speaker else None
        parts.append((label, target[locate(start) : locate(end)]))
    if messages is None:
        return [{"speaker": speaker, "text": said} for speaker, said in parts]
    if len(messages) != len(parts):
        raise ValueError(f"The document has {len(parts)} turns, but {len(messages)} messages were given.")
    return [_fill(message, speaker, said) for message, (speaker, said) in zip(messages, parts)]


def render_messages(messages: Iterable[Mapping[str, Any]]) -> Rendered:
    """Write messages as one text.

    messages (Iterable[Mapping[str, Any]]): The messages.
    RETURNS (Rendered): The text and where each message lies in it.
    RAISES (ValueError): If a message is no dict or has no text; the sentence gives its number.
    """
    pieces: List[str] = []
    turns: List[Turn] = []
    length = 0
    for number, message in enumerate(messages, start=1):
        said, speaker = _text_of(message, number), _speaker_of(message)
        if number > 1:
            pieces.append("\n")
            length += 1
        speaker_start = length
        if speaker is not None:
            pieces.append(f"{speaker}: ")
            length += len(speaker) + 2
        pieces.append(said)
        role = canonical_role(message["role"]) if isinstance(message.get("role"), str) else None
        if role is None and speaker is not None:
            role = canonical_role(speaker)
        turns.append(Turn(length, length + len(said), speaker, speaker_start, role))
        length += len(said)
    return Rendered("".join(pieces), turns)


def turn_attrs(turns: Sequence[Turn]) -> Dict[str, List[Any]]:
    """Write turns as the lists that stand in the attributes of the group.

    turns (Sequence[Turn]): The turns.
    RETURNS (Dict[str, List[Any]]): speakers, roles, speaker_offsets and offsets: plain JSON values, an item a turn.
    """
    return {
        "speakers": [turn.speaker for turn in turns],
        "roles": [turn.role for turn in turns],
        "speaker_offsets": [
            None if turn.speaker is None else [turn.speaker_start, turn.speaker_start + len(turn.speaker)]
            for turn in turns
        ],
        "offsets": [[turn.start, turn.end] for turn in turns],
    }


def write_turns(doc: Doc, attrs: Mapping[str, List[Any]], *, source: str) -> SpanGroup:
    """Write turns to `doc.spans["turns"]`.

    doc (Doc): The document.
    attrs (Mapping[str, List[Any]]): What `turn_attrs` gives.
    source (str): messages, transcript or lines.
    RETURNS (SpanGroup): The group: a span a turn, of whole tokens; empty where nothing is said.
    """
    starts: Optional[List[int]] = None
    spans = []
    for start, end in attrs["offsets"]:
        span = expand_span(doc, start, end, TURN_LABEL)
        if span is None:
            starts = [token.idx for token in doc] if starts is None else starts
            place = max(bisect_right(starts, start) - 1, 0)
            span = Span(doc, place, place, label=TURN_LABEL)
        spans.append(span)
    doc.spans[TURNS] = SpanGroup(
        doc, name=TURNS, attrs={"source": source, **{key: attrs[key] for key in _LISTS}}, spans=spans
    )
    return doc.spans[TURNS]


def read_turns(doc: Doc) -> Dict[str, List[Any]]:
    """Read the lists that `write_turns` was given.

    doc (Doc): A document with turns.
    RETURNS (Dict[str, List[Any]]): speakers, roles, speaker_offsets and offsets.
    """
    attrs = doc.spans[TURNS].attrs
    return {key: attrs[key] for key in _LISTS}


def canonical_role(label: str) -> Optional[str]:
    """Tell the role that a speaker's label names.

    label (str): A label such as 'Tutor', 'STUDENT 2', 'student_3', 'S1' or 'Ana (Teacher)'.
    RETURNS (Optional[str]): The role in one word, None where the label is none.
    """
    words = label.strip().strip("[]<>*").casefold().replace("_", " ").replace("-", " ")
    opening = words.find("(")
    if opening > 0 and words.endswith(")"):
        outside, inside = words[:opening].strip(), words[opening + 1 : -1]
        return _role_words().get(_unnumbered(outside)) or _role_words().get(_unnumbered(inside))
    # By these very letters only: Ai and Ta are names.
    table, short = load_table("turns"), label.strip().strip("[]")
    if short in table["initials"]:
        return table["initials"][short]
    if short[:1].upper() in table["numbered_initials"] and short[1:].isdecimal():
        return table["numbered_initials"][short[0].upper()]
    return _role_words().get(_unnumbered(words))


def _unnumbered(words: str) -> str:
    """A label without what counts it: student 2, speaker b."""
    parts = words.rstrip("0123456789# ").split()
    return " ".join(parts[:-1] if len(parts) > 1 and len(parts[-1]) == 1 else parts)


@lru_cache(maxsize=1)
def _role_words() -> Dict[str, str]:
    return {word: role for role, words in load_table("turns")["roles"].items() for word in words}


class _Locator:
    """Finds where a place of the source lies in the result."""

    def __init__(self, replacements: Sequence[Mapping[str, Any]]) -> None:
        self.replacements = sorted(replacements, key=_source_start)
        self.starts = [item["start"] for item in self.replacements]

    def __call__(self, place: int) -> int:
        number = bisect_right(self.starts, place) - 1
        if number < 0:
            return place
        item = self.replacements[number]
        if place == item["start"]:
            return item["new_start"]
        # A place inside a replaced stretch moves behind its surrogate, which so stays whole, in one message.
        return item["new_end"] + max(place - item["end"], 0)


def _source_start(item: Mapping[str, Any]) -> int:
    return item["start"]


def _check_result(source: str, text: str, replacements: Sequence[Mapping[str, Any]]) -> None:
    added = sum((item["new_end"] - item["new_start"]) - (item["end"] - item["start"]) for item in replacements)
    if len(text) != len(source) + added:
        raise ValueError(
            f"The text has {len(text)} characters, but doc._.replacements make {len(source) + added} of the "
            f"document's: give the text of doc._.deidentified itself."
        )


def _text_of(message: Mapping[str, Any], number: int) -> str:
    if not isinstance(message, Mapping):
        raise ValueError(f"Message {number} is not a dict.")
    said = next((message[key] for key in TEXT_KEYS if key in message), None)
    if not isinstance(said, str):
        raise ValueError(f"Message {number} has no string under any of {', '.join(TEXT_KEYS)}.")
    return said


def _speaker_of(message: Mapping[str, Any]) -> Optional[str]:
    return next((message[key] for key in SPEAKER_KEYS if isinstance(message.get(key), str) and message[key]), None)


def _fill(message: Mapping[str, Any], speaker: Optional[str], said: str) -> Dict[str, Any]:
    filled = dict(message)
    filled[next(key for key in TEXT_KEYS if key in message)] = said
    written = _speaker_of(message)
    for key in SPEAKER_KEYS:
        value = message.get(key)
        # Only one name is part of the text and so de-identified: a second one beside it must not get out.
        if isinstance(value, str) and value and (value == written or canonical_role(value) is None):
            filled[key] = speaker
    return filled
