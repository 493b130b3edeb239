"""Fills the slots of the project's own documents, several times each, and writes conversations in many layouts."""

import datetime
import hashlib
import random
from dataclasses import replace
from typing import Any, Dict, Iterable, Iterator, List, Set, Tuple

from spacy.language import Language

from ..spans import expand_span
from ..tables import load_table
from .identity import World, misspell
from .record import Record
from .splits import split_of
from .templates import Message, Slot, Template
from .writing import Habits, draw_habits, strip_diacritics, write_name, write_text

# How often a conversation that names somebody is laid out in each way.
_LAYOUTS = (*["roles"] * 4, *["names"] * 2, *["plain"] * 3, "stamps", "handles", "numbers")
# Values that are typed as they are: a changed digit or letter would be another value.
_VERBATIM = frozenset(("URL", "ID_NUM", "PHONE_NUMBER", "IP_ADDRESS", "US_SSN", "US_DRIVER_LICENSE", "US_PASSPORT"))


class Generator:
    """Fills documents. The same seed gives the same corpus."""

    def __init__(self, *, seed: int = 0) -> None:
        """Initialize the generator.

        seed (int): Seed of all randomness.
        """
        self.seed = seed

    def generate(self, templates: Iterable[Template], *, split: str, fills: int) -> Iterator[Record]:
        """Fill the documents of a split.

        templates (Iterable[Template]): All documents of the corpus; those of other splits are passed over.
        split (str): train, dev or test.
        fills (int): How often a document with PII is filled. One without varies less and is written half as often.
        YIELDS (Record): The filled documents.
        """
        for template in templates:
            if split_of("corpus-document", template.name) != split:
                continue
            times = fills if template.has_pii else (fills + 1) // 2
            for number in range(times):
                # In training, one fill shows the whole document and the others what stands around its slots: the plain
                # stretches teach little the second time.
                excerpt = split == "train" and number > 0
                yield self.fill(template, split=split, number=number, excerpt=excerpt)

    def fill(self, template: Template, *, split: str, number: int, excerpt: bool = False) -> Record:
        """Fill a document once.

        template (Template): The document.
        split (str): Whose names are drawn.
        number (int): Number of the fill.
        excerpt (bool): Keep only the lines or messages with slots and some of those around them.
        RETURNS (Record): The filled document.
        RAISES (ValueError): If a slot asks for something that does not exist; the sentence names the document.
        """
        digest = hashlib.blake2b(f"{self.seed}\0{template.name}\0{split}\0{number}".encode("utf8")).digest()
        rng = random.Random(int.from_bytes(digest[:8], "big"))
        if excerpt:
            template = cut_excerpt(template, rng)
        world = World(template.people, split=split, rng=rng)
        writer = _Writer(world, draw_habits(template.genre, rng), rng)
        layout = "text"
        try:
            if template.is_conversation:
                layout = draw_layout(template, rng)
                _write_conversation(template, layout, writer)
            else:
                writer.write(template.messages[0].pieces)
        except ValueError as error:
            raise ValueError(f"{template.name}: {error}") from error
        meta = {"document": template.name, "genre": template.genre, "layout": layout}
        return Record(f"{template.name}#{number}", writer.text, writer.spans, writer.negatives, meta)


def expand_to_tokens(record: Record, nlp: Language) -> Record:
    """Expand the spans of a record to whole tokens: where a mark lies inside a longer token, the token stands for it.

    record (Record): The record; of spans that fall on the same tokens the longest mark is kept.
    nlp (Language): Pipeline whose tokenizer is used.
    RETURNS (Record): The record with the expanded spans, which do not overlap.
    """
    doc = nlp.make_doc(record.text)
    for name in ("spans", "negatives"):
        taken: Set[int] = set()
        expanded = []
        for entry in sorted(getattr(record, name), key=_length, reverse=True):
            span = expand_span(doc, entry["start"], entry["end"])
            if span is not None and taken.isdisjoint(range(span.start, span.end)):
                taken.update(range(span.start, span.end))
                expanded.append({**entry, "start": span.start_char, "end": span.end_char})
        setattr(record, name, sorted(expanded, key=_start))
    return record


class _Writer:
    """Gathers text and the offsets of what the slots put into it."""

    def __init__(self, world: World, habits: Habits, rng: random.Random) -> None:
        self.world = world
        self.habits = habits
        self.rng = rng
        self.spans: List[Dict[str, Any]] = []
        self.negatives: List[Dict[str, Any]] = []
        self._parts: List[str] = []
        self._length = 0

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def add(self, text: str) -> Tuple[int, int]:
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        return start, self._length

    def write(self, pieces: Iterable[Any]) -> None:
        for piece in pieces:
            if isinstance(piece, str):
                self.add(write_text(piece, self.habits, self.rng))
            else:
                self.write_slot(piece)

    def write_slot(self, slot: Slot) -> None:
        start, end = self.add(self._surface(slot))
        entry: Dict[str, Any] = {"start": start, "end": end, "label": slot.kind}
        if slot.negative:
            self.negatives.append(entry)
            return
        person = self.world.people.get(slot.entity)
        if slot.kind == "PERSON" and person is not None:
            entry.update(region=person.country.region, gender=person.gender)
        self.spans.append(entry)

    def _surface(self, slot: Slot) -> str:
        if slot.surface is not None:
            return slot.surface.lower() if self.habits.lower and slot.kind not in _VERBATIM else slot.surface
        value = self.world.value(slot.entity, slot.attribute)
        for modifier in slot.modifiers:
            value = _modify(value, modifier, self.rng)
        named = slot.kind == "PERSON" or (slot.negative and slot.entity in self.world.people)
        if named and not slot.modifiers:
            return write_name(value, slot.attribute, self.habits, self.rng)
        return value.lower() if self.habits.lower and slot.kind not in _VERBATIM else value


def cut_excerpt(template: Template, rng: random.Random) -> Template:
    """Cut a document down to what stands around its slots.

    template (Template): The document.
    rng (random.Random): Source of randomness.
    RETURNS (Template): The document with its lines or messages that hold a slot, and some of their neighbours.
    """
    units = list(template.messages) if template.is_conversation else _lines(template.messages[0].pieces)
    slots = [i for i, unit in enumerate(units) if any(isinstance(piece, Slot) for piece in unit.pieces)]
    if not slots:
        start = rng.randrange(len(units))
        kept = set(range(start, start + 8))
    else:
        kept = {i + step for i in slots for step in (-1, 0, 1) if step == 0 or rng.random() < 0.5}
    units = [unit for i, unit in enumerate(units) if i in kept]
    if not template.is_conversation:
        pieces: List[Any] = []
        for unit in units:
            pieces.extend([*unit.pieces, "\n"])
        units = [Message("", tuple(pieces[:-1]))]
    return replace(template, messages=tuple(units))


def _lines(pieces: Iterable[Any]) -> List[Message]:
    """Cut a text into its lines."""
    lines: List[List[Any]] = [[]]
    for piece in pieces:
        if isinstance(piece, Slot):
            lines[-1].append(piece)
            continue
        first, *others = piece.split("\n")
        lines[-1].append(first)
        lines.extend([other] for other in others)
    return [Message("", tuple(piece for piece in line if piece)) for line in lines]


def draw_layout(template: Template, rng: random.Random) -> str:
    """Draw how a conversation is laid out.

    template (Template): The conversation.
    rng (random.Random): Source of randomness.
    RETURNS (str): roles, names, stamps, handles, numbers or plain.
    """
    # A conversation that names nobody mostly stays so.
    if not template.has_pii and rng.random() < 0.85:
        return rng.choice(("roles", "roles", "roles", "plain", "plain", "numbers"))
    return rng.choice(_LAYOUTS)


def _write_conversation(template: Template, layout: str, writer: _Writer) -> None:
    table, rng = load_table("layouts"), writer.rng
    between = rng.choice(("\n", "\n", "\n", "\n\n"))
    before, after = rng.choice(table["labels"])
    stamp = rng.choice(table["stamps"])
    dated = rng.choice(table["dated"]) if layout == "stamps" and rng.random() < 0.4 else None
    form = rng.choice(("given", "given", "full", "full", "initial_family", "given_initial"))
    labels = _role_labels(template, rng)
    system = rng.choice(table["system"])
    moment = writer.world.start
    for number, message in enumerate(template.messages):
        if number:
            writer.add(between)
        moment += datetime.timedelta(seconds=rng.randint(3, 140))
        if dated is not None:
            opening, pattern, closing = dated
            writer.add(opening)
            writer.write_slot(Slot("DATE", False, surface=moment.strftime(pattern)))
            writer.add(closing)
        elif layout == "stamps":
            writer.add(stamp.format(h=moment.hour, m=f"{moment.minute:02d}", s=f"{moment.second:02d}"))
        if layout != "plain":
            writer.add(before)
            if message.speaker == "system":
                writer.add(system)
            elif layout in ("names", "stamps"):
                writer.write_slot(Slot("PERSON", False, entity=message.speaker, attribute=form))
            elif layout == "handles":
                writer.write_slot(Slot("USERNAME", False, entity=message.speaker, attribute="handle"))
            else:
                writer.add(labels[layout][message.speaker])
            writer.add(after)
        writer.write(message.pieces)


def _role_labels(template: Template, rng: random.Random) -> Dict[str, Dict[str, str]]:
    """Labels that name nobody, by layout and speaker."""
    table = load_table("layouts")
    case = rng.choice((str, str, str.title, str.upper, str.lower))
    students = [name for name, traits in template.people.items() if traits.get("role", "student") not in table["roles"]]
    roles, numbers = {}, {}
    prefix, student = rng.choice(table["numbered"]), rng.choice(table["student"])
    words = {role: rng.choice(choices) for role, choices in table["roles"].items()}
    for position, (name, traits) in enumerate(template.people.items(), start=1):
        label = words.get(traits.get("role", ""), student)
        if label == student and len(students) > 1:
            label = f"{student} {position}"
        roles[name] = case(label)
        numbers[name] = prefix.format(n=position)
    return {"roles": roles, "numbers": numbers}


def _length(entry: Dict[str, Any]) -> int:
    return entry["end"] - entry["start"]


def _start(entry: Dict[str, Any]) -> int:
    return entry["start"]


def _modify(value: str, modifier: str, rng: random.Random) -> str:
    if modifier == "lower":
        return value.lower()
    if modifier == "upper":
        return value.upper()
    if modifier == "typo":
        return misspell(value, rng)
    if modifier == "ascii":
        return strip_diacritics(value)
    raise ValueError(f"There is no modifier '{modifier}'.")
