"""People whom an institution knows: their names in the forms people write them, e-mails, identifiers and usernames.

A roster is data of a run. It is never written with a pipeline and never logged.
"""

import csv
import re
import unicodedata
import warnings
from functools import cached_property, lru_cache
from pathlib import Path
from typing import (
    Any,
    Dict,
    FrozenSet,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Set,
    Tuple,
)

from .base import Match, Source, common_words, load_table

_COLUMNS = ("name", "given", "family", "email", "id", "username")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]{2,})?")
_CHUNK = re.compile(r"[\w@.+/-]+")
# What joins the parts of one name: a space, a hyphen, a full stop of an initial, a comma after the family name.
_JOINT = re.compile(r"(?:[ \t]{1,2}|-|\.[ \t]?-?)$")
_COMMA = re.compile(r",[ \t]?$")
_FOLDED = re.compile(r"['’`]")
_SENTENCE_START = re.compile(r"(?:^|[.!?:\n][\"'”’)\]]?\s*|[\"“‘(]\s*)$")
_SHORTEST_TYPO, _LONGEST_TYPO = 5, 30
_MOST_WORDS = 8
_SHORTEST_ID = 4


class _Word(NamedTuple):
    start: int
    end: int
    text: str
    folded: str


class Roster:
    """The people of an institution, indexed so that a text is matched in time linear in its length."""

    def __init__(self, records: Iterable[Mapping[str, Any]] = (), *, source: str = "roster") -> None:
        """Build a roster.

        records (Iterable[Mapping[str, Any]]): A mapping a person with any of the keys name, given, family, email, id
            and username, in any case. Records that cannot be used are set aside.
        source (str): What to call the place the records come from in the sentences about those set aside.
        """
        self.problems: List[str] = []
        self.size = 0
        self._parts: Set[str] = set()
        self._pairs: Set[Tuple[str, str]] = set()
        self._doubles: Set[Tuple[str, str]] = set()
        self._initials: Set[Tuple[str, str]] = set()
        self._exact: Dict[str, str] = {}
        for row, record in enumerate(records, start=1):
            self._add(record, source, row)

    @classmethod
    def from_csv(cls, path: Path) -> "Roster":
        """Read a roster from a CSV file with a header: name, or given and family; email, id, username.

        path (Path): The file, in UTF-8. Other columns are passed over.
        RETURNS (Roster): The roster. `problems` holds a sentence for each row that was set aside.
        RAISES (ValueError): If the header has none of the columns.
        """
        path = Path(path)
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            reader = csv.DictReader(file)
            header = [(name or "").strip().lower() for name in reader.fieldnames or ()]
            if not set(header) & set(_COLUMNS):
                raise ValueError(f"The header of '{path.name}' names none of the columns {', '.join(_COLUMNS)}.")
            reader.fieldnames = header
            roster = cls(reader, source=path.name)
        if roster.problems:
            warnings.warn(
                f"{len(roster.problems)} rows of '{path.name}' were set aside. The first: {roster.problems[0]}",
                stacklevel=2,
            )
        return roster

    @classmethod
    def from_names(cls, names: Iterable[str]) -> "Roster":
        """Build a roster from full names.

        names (Iterable[str]): The names, "Given Family" or "Family, Given".
        RETURNS (Roster): The roster.
        """
        return cls(({"name": name} for name in names), source="names")

    def __len__(self) -> int:
        """RETURNS (int): How many people it holds."""
        return self.size

    def __repr__(self) -> str:
        """RETURNS (str): The size only: a roster is never to be seen in a log."""
        return f"Roster({self.size} people, {len(self.problems)} rows set aside)"

    def _add(self, record: Mapping[Any, Any], source: str, row: int) -> None:
        values = {str(key).strip().lower(): value for key, value in record.items() if key is not None}
        fields: Dict[str, str] = {}
        for name in _COLUMNS:
            value = values.get(name)
            fields[name] = unicodedata.normalize("NFC", str(value)).strip() if value is not None else ""
        field = "row" if None in record else _bad_field(fields)
        if field is not None:
            self.problems.append(f"{source}, row {row}: the field '{field}' cannot be used.")
            return
        self.size += 1
        given, family = fields["given"], fields["family"]
        if fields["name"]:
            given_of_name, family_of_name = _split_name(fields["name"])
            given, family = given or given_of_name, family or family_of_name
        self._add_name(given, family)
        for key, label in (("email", "EMAIL_ADDRESS"), ("id", "ID_NUM"), ("username", "USERNAME")):
            if fields[key]:
                self._exact[fields[key].casefold().lstrip("@")] = label

    def _add_name(self, given: str, family: str) -> None:
        particles = _name_particles()
        given_parts, family_parts = _parts_of(given), _parts_of(family)
        for parts in (given_parts, family_parts):
            known = [part for part in parts if part not in particles and len(part) > 1]
            self._parts.update(known)
            # Anne-Marie, Anne Marie and Annemarie
            if len(parts) > 1 and len(parts) < 4:
                self._parts.add("".join(parts))
        for parts in (given_parts, family_parts):
            self._doubles.update(zip(parts, parts[1:]))
        for first in given_parts:
            for last in family_parts:
                self._pairs.add((first, last))
                self._initials.add((first[0], last))
                self._initials.add((last[0], first))

    @cached_property
    def _neighbours(self) -> Dict[str, List[str]]:
        """Each part with one letter left out, so that a misspelt word finds its parts without a scan."""
        common = common_words()
        found: Dict[str, List[str]] = {}
        for part in sorted(self._parts):
            if len(part) >= _SHORTEST_TYPO and part not in common:
                for shorter in _deletions(part):
                    found.setdefault(shorter, []).append(part)
        return found

    def find(self, source: Source) -> Iterator[Match]:
        """Find the roster's people in a text.

        source (Source): The text.
        YIELDS (Match): Names as PERSON, and the e-mails, identifiers and usernames of the roster.
        """
        if self._exact:
            yield from self._find_exact(source)
        if self._parts:
            yield from self._find_names(source)

    def _find_exact(self, source: Source) -> Iterator[Match]:
        for hit in _CHUNK.finditer(source.text):
            chunk = hit.group()
            plain = chunk.strip("./-").lstrip("@")
            label = self._exact.get(plain.casefold())
            if label is None or label == "ID_NUM" and source.is_operand(hit.start(), hit.end()):
                continue
            start = hit.start() + chunk.index(plain)
            start -= label == "USERNAME" and source.text[start - 1 : start] == "@"
            yield Match(start, hit.start() + chunk.index(plain) + len(plain), label, "roster", 0.97)

    def _find_names(self, source: Source) -> Iterator[Match]:
        """Walk over the words once and join neighbours that are parts of names."""
        text = source.text
        common, particles = common_words(), _name_particles()
        run: List[Tuple[_Word, Optional[str]]] = []
        for hit in _WORD.finditer(text):
            word = _Word(hit.start(), hit.end(), hit.group(), _fold(hit.group()))
            part = self._part_of(word, common)
            is_filler = part is None and (len(word.folded) == 1 and word.text.isupper() or word.folded in particles)
            joins = bool(run) and self._is_joined(text, run, word, part)
            if run and not joins:
                yield from self._close(source, run, common)
                run = []
            if part is not None or is_filler:
                run.append((word, part))
            elif run:
                yield from self._close(source, run, common)
                run = []
        yield from self._close(source, run, common)

    def _part_of(self, word: _Word, common: FrozenSet[str]) -> Optional[str]:
        """Give the part of a name that a word is, misspelt by one edit at most; None where it is none."""
        folded = word.folded
        if folded in self._parts:
            return folded if len(folded) > 2 or word.text[0].isupper() else None
        # No name is longer; each deletion of a word is looked up, which a text without spaces would make quadratic.
        if not _SHORTEST_TYPO - 1 <= len(folded) <= _LONGEST_TYPO or folded in common:
            return None
        for key in (folded, *_deletions(folded)):
            if len(key) >= _SHORTEST_TYPO and key in self._parts and key not in common and key[0] == folded[0]:
                return key
            for part in self._neighbours.get(key, ()):
                # The first letter is hardly ever the wrong one, and two deletions can be two edits.
                if part[0] == folded[0] and is_one_edit(part, folded):
                    return part
        return None

    def _is_joined(self, text: str, run: List[Tuple[_Word, Optional[str]]], word: _Word, part: Optional[str]) -> bool:
        last, last_part = run[-1]
        between = text[last.end : word.start]
        known = [name for _, name in run if name is not None]
        # "Ana Silva Ana" is a name and the next one.
        if len(between) > 3 or len(run) == _MOST_WORDS or part is not None and part in known:
            return False
        if _JOINT.match(between):
            return last_part is None or "." not in between or len(last.folded) == 1
        # "Marchetti, Olivia", not "Olivia, Liam and Mia" or "O. Marchetti, Olivia".
        if part is None or last_part is None or not _COMMA.match(between):
            return False
        is_whole = len(run) > len(known) or len(known) > 1 and (known[-2], known[-1]) in self._pairs
        return not is_whole and (part, last_part) in self._pairs

    def _close(self, source: Source, run: List[Tuple[_Word, Optional[str]]], common: FrozenSet[str]) -> Iterator[Match]:
        """Give the name that a run of words makes, or the parts of it that can stand alone."""
        while run and run[0][1] is None and not self._is_initial(run[0][0], run[1:2]):
            run = run[1:]
        while run and run[-1][1] is None and not self._is_initial(run[-1][0], run[-2:-1]):
            run = run[:-1]
        parts = [part for _, part in run if part is not None]
        if not parts:
            return
        belongs = len(run) > len(parts) or any(self._is_pair(*pair) for pair in zip(parts, parts[1:]))
        start, end = run[0][0].start, run[-1][0].end
        if len(run[-1][0].folded) == 1 and source.text[end : end + 1] == ".":
            end += 1
        if len(run) > 1 and (belongs or all(word.text[0].isupper() for word, _ in run)):
            if belongs or any(part not in common for part in parts):
                yield Match(start, end, "PERSON", "roster", 0.97 if belongs else 0.9)
                return
        for word, part in run:
            if part is not None and self._stands_alone(source, word, part, common):
                yield Match(word.start, word.end, "PERSON", "roster", 0.9 if word.folded == part else 0.75)

    def _is_pair(self, first: str, second: str) -> bool:
        """Say whether one person has both parts: Olivia Marchetti, Marchetti Olivia, or Anne Marie."""
        return (first, second) in self._pairs or (second, first) in self._pairs or (first, second) in self._doubles

    def _is_initial(self, word: _Word, neighbour: List[Tuple[_Word, Optional[str]]]) -> bool:
        if len(word.folded) != 1 or not neighbour or neighbour[0][1] is None:
            return False
        # "the day I met", not "Day, I."
        if neighbour[0][0].text.islower() and neighbour[0][1] in common_words():
            return False
        return (word.folded, neighbour[0][1]) in self._initials

    def _stands_alone(self, source: Source, word: _Word, part: str, common: FrozenSet[str]) -> bool:
        """Tell Grace from grace, and Will from the "Will" that begins a sentence."""
        if word.folded not in common:
            return True
        if word.text.islower() or word.folded in load_table("roster")["months_and_more"]:
            return False
        return word.text[0].isupper() and not _SENTENCE_START.search(source.text[max(0, word.start - 8) : word.start])


def _bad_field(fields: Mapping[str, str]) -> Optional[str]:
    """Name the first field of a record that cannot be used; None where all can."""
    if not any(fields.values()):
        return "name"
    for name in ("name", "given", "family"):
        if fields[name] and (
            any(map(str.isdigit, fields[name])) or "\ufffd" in fields[name] or not _parts_of(fields[name])
        ):
            return name
    if fields["email"] and not re.fullmatch(r"[^@\s]+@[^@\s]+", fields["email"]):
        return "email"
    if fields["id"] and (
        len(fields["id"]) < _SHORTEST_ID or not any(map(str.isdigit, fields["id"])) or " " in fields["id"]
    ):
        return "id"
    return "username" if fields["username"] and len(fields["username"].split()) > 1 else None


def _split_name(name: str) -> Tuple[str, str]:
    """Split a full name into given and family names: "Family, Given", or the last word with its particles."""
    family, comma, given = name.partition(",")
    if comma:
        return given.strip(), family.strip()
    words = name.split()
    cut = len(words) - 1
    while cut > 1 and _fold(words[cut - 1]) in _name_particles():
        cut -= 1
    return " ".join(words[:cut]), " ".join(words[cut:])


def _parts_of(name: str) -> List[str]:
    return [_fold(word) for word in _WORD.findall(name)]


@lru_cache(maxsize=65536)
def _fold(word: str) -> str:
    """Lose case, diacritics and apostrophes."""
    if word.isascii():
        return _FOLDED.sub("", word.lower())
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    plain = "".join(sign for sign in decomposed if not unicodedata.combining(sign))
    for letter, spelling in load_table("roster")["letters"].items():
        plain = plain.replace(letter, spelling)
    return _FOLDED.sub("", plain)


def _deletions(word: str) -> Set[str]:
    return {word[:place] + word[place + 1 :] for place in range(len(word))}


def is_one_edit(first: str, second: str) -> bool:
    """Say whether two words differ by one letter more, less, other, or by two neighbours in the other order.

    first (str): A word.
    second (str): Another.
    RETURNS (bool): Whether one edit leads from one to the other; equal words count.
    """
    if abs(len(first) - len(second)) > 1:
        return False
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    left, right = first[start:], second[start:]
    if left[1:] == right[1:] or left[1:] == right or left == right[1:]:
        return True
    return len(left) > 1 and left[:2] == right[1::-1] and left[2:] == right[2:]


@lru_cache(maxsize=1)
def _name_particles() -> FrozenSet[str]:
    return frozenset(load_table("speakers")["particles"])
