"""Divides a document into turns: the messages of a transcript with their speakers, or the lines of another text."""

import re
from collections import Counter
from functools import lru_cache
from typing import FrozenSet, Iterator, List, NamedTuple, Optional

from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc

from ..spans import TURNS
from ..tables import load_table
from ..transcripts import Turn, canonical_role, turn_attrs, write_turns

DEFAULT_MIN_SHARE = 0.3

# Dashes and words alone on a line stand in other texts too, and so need more evidence than colons.
_MIN_SHARE_DASH = 0.5
# Labels in lower case that stand alone on their lines are believed where they alternate with messages throughout.
_MIN_SHARE_ALONE = 0.7
# Where a label does not recur, or only one does, nearly every line has to have one.
_MIN_SHARE_WEAK = 0.6
# Turns of a transcript begin within the first characters of a line.
_HEAD_LENGTH = 160
_MAX_WORDS = 5

# 10:32, 10:32:05.120, 10:32 PM, a date before it.
_DATE = (
    r"(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|[^\W\d_]{3,9}\.?[ ]\d{1,2},?[ ]\d{4}|\d{1,2}\.?[ ][^\W\d_]{3,9}\.?[ ]\d{4})"
    r"(?:,?[ ](?:at[ ])?|T)"
)
_CLOCK = rf"(?:{_DATE})?" + r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?Z?(?:[ ]?[AaPp]\.?[Mm]\b\.?)?"
_STAMP = re.compile(rf"(?:[\[(]{_CLOCK}[\])]|{_CLOCK}(?=[ \t]))[ \t]*(?:[-\u2013,][ \t]*)?")
_NUMBER = re.compile(r"\d{1,4}[.)]?[ \t]+(?=\D)")
_OPENING = re.compile(r"[*_<]{1,3}|[Ff]rom[ \t]+(?=.{1,80}:)")
_LABEL = re.compile(
    r"(?P<label>[\[@]?[^\W\d_][^\n:>\t|=?!;+/^\\{}$%\u2014]{0,39}?)"
    rf"(?:[ ]+[\[(]?(?P<clock>{_CLOCK})[\])]?|[ ]+to[ ]+[^\n:>]{{1,40}}?)?"
    r"(?:(?P<colon>[*_]{0,2}[ \t]?:(?!//)[*_]{0,2})|(?P<angle>(?<! )>)|(?P<tab>\t)|(?P<dash>[ ][-\u2013\u2014][ ])"
    r"|(?P<alone>[*_ \t]{0,3}$))"
)
_PARENTHESIS = re.compile(r"[ ]\([^()]*\)")
_ORDINAL = re.compile(r"[\s#.]*(?:\d+[a-z]?|[a-z])?[.)]?$")


class Line(NamedTuple):
    """A line that is not empty, in character offsets.

    start (int): First character that is no white space.
    end (int): Character after the last.
    stamped (bool): Whether a clock time stands before or behind the label.
    body (int): First character of the label, or of the rest of the line after a clock time.
    kind (str): What stands behind the label: colon, angle, tab, dash, alone; field where the label is none of a
        speaker; empty where there is no label.
    label (str): The label as written.
    content (int): First character after label and separator.
    """

    start: int
    end: int
    stamped: bool
    body: int
    kind: str = ""
    label: str = ""
    content: int = 0


class Labels(NamedTuple):
    """How speakers are written in a transcript.

    kind (str): What stands behind a label, as in `Line.kind`. Empty if the text is no transcript.
    labels (FrozenSet[str]): The labels, folded.
    stamped (bool): Whether each message begins with a clock time.
    """

    kind: str
    labels: FrozenSet[str]
    stamped: bool = False


@Language.factory("pii_turns", assigns=["doc.spans"], default_config={"min_share": DEFAULT_MIN_SHARE})
def make_pii_turns(nlp: Language, name: str, min_share: float) -> "PIITurns":
    """Create the component.

    nlp (Language): The pipeline.
    name (str): Name of the component.
    min_share (float): Share of the lines, from 0 to 1, that must begin with a speaker's label in a transcript.
    RETURNS (PIITurns): The component.
    """
    return PIITurns(name, min_share=min_share)


class PIITurns(Pipe):
    """Writes `doc.spans["turns"]`: a span a turn, without the speaker's label.

    The group's attributes hold `source` (messages, transcript or lines) and, an item a turn, `speakers`, `roles`,
    `speaker_offsets` and `offsets`. Spans are whole tokens; the offsets are exact.
    """

    def __init__(self, name: str = "pii_turns", *, min_share: float = DEFAULT_MIN_SHARE) -> None:
        """Initialize the component.

        name (str): Name of the component.
        min_share (float): Share of the lines, from 0 to 1, that must begin with a speaker's label in a transcript.
        """
        self.name = name
        self.min_share = min_share

    def __call__(self, doc: Doc) -> Doc:
        """Divide a document into turns.

        doc (Doc): The document. One that was made from messages keeps the turns it has.
        RETURNS (Doc): The document.
        """
        if TURNS in doc.spans and doc.spans[TURNS].attrs.get("source") == "messages":
            return doc
        lines = list(read_lines(doc.text))
        labels = find_labels(lines, min_share=self.min_share)
        if labels.kind:
            write_turns(doc, turn_attrs(list(_join(lines, labels))), source="transcript")
        else:
            write_turns(doc, turn_attrs([Turn(line.start, line.end) for line in lines]), source="lines")
        return doc


def read_lines(text: str) -> Iterator[Line]:
    """Cut a text into lines and look at how each one begins.

    text (str): The text.
    YIELDS (Line): The lines that are not empty.
    """
    position = 0
    for row in text.splitlines(keepends=True):
        stripped = row.strip()
        if stripped:
            start = position + len(row) - len(row.lstrip())
            yield _read_line(text, start, start + len(stripped))
        position += len(row)


def find_labels(lines: List[Line], *, min_share: float) -> Labels:
    """Tell whether lines are a transcript, and who speaks in it.

    lines (List[Line]): The lines.
    min_share (float): Share of the lines, from 0 to 1, that must begin with a speaker's label.
    RETURNS (Labels): How the speakers are written.
    """
    best, most = Labels("", frozenset()), 0
    for kind in ("colon", "angle", "tab", "dash", "alone"):
        # A label alone on its line has its message on the next.
        whole = len(lines) / (2 if kind == "alone" else 1)
        own = [line for line in lines if line.kind == kind]
        timed = [line for line in own if line.stamped]
        stamped = len(timed) >= max(2, min_share * whole) and (kind == "alone" or len(timed) > 0.8 * len(own))
        own = timed if stamped else own
        labels = Labels(kind, _choose(kind, own, whole, min_share, stamped), stamped)
        covered = sum(_fold(line.label) in labels.labels for line in own)
        # Forms have roles among their fields too.
        if covered <= most or 2 * sum(line.kind == "field" for line in lines) >= covered:
            continue
        if kind != "alone" or _alternates(lines, labels):
            best, most = labels, covered
    return best


def _choose(kind: str, own: List[Line], whole: float, min_share: float, stamped: bool) -> FrozenSet[str]:
    """Choose the labels of one kind that are speakers; none if the lines are no transcript of this kind."""
    none: FrozenSet[str] = frozenset()
    counts = Counter(_fold(line.label) for line in own)
    roles = {_fold(line.label) for line in own if canonical_role(line.label) is not None}
    recurring = {label for label, count in counts.items() if count > 1}
    labels = recurring | roles
    covered = sum(counts[label] for label in labels)
    if covered < 2 or covered < whole * max(min_share, _MIN_SHARE_DASH if kind == "dash" else 0.0):
        return none
    if not recurring and (len(labels) < 2 or covered < whole * _MIN_SHARE_WEAK):
        return none
    # Who speaks only once is known by the others around and by the shape of a name.
    if stamped or (kind != "alone" and len(own) >= whole * _MIN_SHARE_WEAK):
        names = [line.label for line in own if _fold(line.label) not in roles]
        lower = any(label == label.lower() and _fold(label) in recurring for label in names)
        labels |= {_fold(label) for label in names if _is_name_shaped(label, lower=lower)}
    if len(labels) == 1 and not stamped and (not roles or covered < whole * _MIN_SHARE_WEAK):
        return none
    return frozenset(labels)


def _alternates(lines: List[Line], labels: Labels) -> bool:
    """Whether labels that stand alone on their lines alternate with messages. Short answers given twice do not."""
    flags = [_is_turn(line, labels) for line in lines]
    own = [line for line, flag in zip(lines, flags) if flag]
    doubled = sum(first and second for first, second in zip(flags, flags[1:]))
    if len(labels.labels) < 2 or 10 * doubled > len(own):
        return False
    if labels.stamped:
        return True
    shaped = all(_is_name_shaped(line.label) or canonical_role(line.label) is not None for line in own)
    return flags[0] and (shaped or (doubled == 0 and 2 * len(own) >= _MIN_SHARE_ALONE * len(lines)))


def _join(lines: List[Line], labels: Labels) -> Iterator[Turn]:
    """Join the lines of each message of a transcript."""
    turn: Optional[Turn] = None
    for line in lines:
        if _is_turn(line, labels):
            if turn is not None:
                yield turn
            turn = Turn(line.content, line.end, line.label, line.body, canonical_role(line.label))
        elif turn is None or (labels.stamped and line.stamped):
            # What stands before the first speaker, and notices of the platform.
            if turn is not None:
                yield turn
            turn = Turn(line.body, line.end)
        elif turn.start == turn.end:
            turn = turn._replace(start=line.start, end=line.end)
        else:
            turn = turn._replace(end=line.end)
    if turn is not None:
        yield turn


def _is_turn(line: Line, labels: Labels) -> bool:
    return line.kind == labels.kind and _fold(line.label) in labels.labels and (line.stamped or not labels.stamped)


def _read_line(text: str, start: int, end: int) -> Line:
    # Labels are short: a line without end costs no more than a short one.
    head = text[start : min(end, start + _HEAD_LENGTH)]
    position = 0
    number = _NUMBER.match(head)
    stamp = _STAMP.match(head, number.end() if number else 0)
    if stamp is not None:
        position = stamp.end()
    elif number is not None:
        position = number.end()
    body, stamped = start + position, stamp is not None
    opening = _OPENING.match(head, position)
    match = _LABEL.match(head, opening.end() if opening else position)
    if match is None or (match.lastgroup == "alone" and end - start > _HEAD_LENGTH):
        return Line(start, end, stamped, body)
    label, kind = match["label"].rstrip(" *_"), match.lastgroup or ""
    if not _can_be_label(label):
        return Line(start, end, stamped, body)
    if _base(label) in _not_speakers() and canonical_role(label) is None:
        return Line(start, end, stamped, body, "field" if kind == "colon" else "")
    content = start + match.end()
    while content < end and text[content].isspace():
        content += 1
    return Line(start, end, stamped or match["clock"] is not None, start + match.start("label"), kind, label, content)


def _can_be_label(label: str) -> bool:
    plain = _PARENTHESIS.sub("", label)
    if "(" in plain or ")" in plain or len(plain.split()) > _MAX_WORDS or plain.startswith("[") != plain.endswith("]"):
        return False
    if len(plain.strip("[]@.")) < 2:
        return canonical_role(plain) is not None
    # A sentence, not the dot of an initial.
    return not plain.endswith((",", "...")) and not (plain.endswith(".") and len(plain.split()[-1]) > 3)


def _is_name_shaped(label: str, *, lower: bool = False) -> bool:
    """Whether a label is written like a name or a handle, where `lower` is set also like a name in lower case."""
    words = _PARENTHESIS.sub("", label).strip("[]@").split()
    if _base(label) in _not_speakers() or len(words) > (2 if lower else 3):
        return False
    handle = len(words) == 1 and any(not character.isalpha() for character in words[0])
    # Scripts without capitals count as capitalized.
    return handle or lower or all(word[:1].upper() == word[:1] for word in words)


def _fold(label: str) -> str:
    return " ".join(label.casefold().split())


def _base(label: str) -> str:
    """A label without its number: 'step' of 'Step 2'."""
    folded = _fold(label)
    return folded if folded in _not_speakers() else _ORDINAL.sub("", folded)


@lru_cache(maxsize=1)
def _not_speakers() -> FrozenSet[str]:
    return frozenset(load_table("turns")["not_speakers"])
