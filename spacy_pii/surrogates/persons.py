"""The people of one document: which mentions are parts of one name, and the name that each of them gets instead.

Names are replaced word by word. One word always gets the same word, so that full names, parts, initials, e-mail
addresses and file names keep pointing at one person, and relatives keep sharing their family name.
"""

import re
from collections import Counter
from functools import lru_cache
from typing import (
    Callable,
    Dict,
    FrozenSet,
    Iterable,
    List,
    NamedTuple,
    Optional,
    Set,
    Tuple,
)

from .keys import Stream
from .names import family_names, fold, given_names, name_order, name_parts, origins
from .shapes import LETTERS, match_case, other_letter, strip_marks

GIVEN = "given"
FAMILY = "family"
INITIAL = "initial"
KEPT = "kept"

_WORD = re.compile(rf"(?:{LETTERS})+(?:['’ʼ](?:{LETTERS})+)*(?:[-‐‑](?:{LETTERS})+)*")
_HYPHEN = re.compile("[-‐‑]")
_RUN = re.compile(rf"(?:{LETTERS})+")
_POSSESSIVE = re.compile(r"['’ʼ][sS]$")
_SLUG = re.compile(r"[_\d/\\@=]|[^\W\d_]{2,}\.[^\W\d_]{2,}|^[^\s-]+(?:-[^\s-]+){2,}$")
_EXTENSION = re.compile(r"\.[A-Za-z0-9]{1,5}$")
_CAMEL = re.compile(r"[^\W\d_]+?(?:(?<=[^\W\d_A-Z])(?=[A-Z])|$)")
_TITLES = frozenset(
    "mr mrs ms miss mx dr prof professor sir madam maam coach teacher auntie aunt aunty uncle mom dad sensei".split()
)
_SUFFIXES = frozenset("jr sr ii iii iv phd md".split())
_PARTICLES = frozenset(
    "de la las los del da das do dos di du van von der den ter ten te zu bin binti bint ibn ben al el e y af av".split()
)
# Words of file names and code beside a name.
_FILE_WORDS = frozenset(
    """a an and the of for by to in my final draft essay paper report page homework hw hmwk assignment assign project
    proj copy new old edited version ver rev doc docx pdf txt rtf odt ppt pptx xls xlsx csv jpg jpeg png gif mov img
    image photo pic screenshot screen shot scan ipynb py java html zip heic reflection response week unit lesson lab
    math algebra geometry calc calculus english history science physics chem chemistry bio biology notes note untitled
    submission quiz test exam worksheet ws classwork cw cv resume cover letter portfolio presentation slides file
    grade period class peer review feedback journal discussion post module chapter part sheet activity task work group
    user users home desktop documents downloads name student author var let const def print""".split()
)
# Names that read as something else, and so make a poor surrogate.
_COMMON_WORDS = frozenset(
    """angel april art august autumn baby bell best bird bishop black blessing blue bond brown bush carpenter
    case chance     charity chase christian church coach cook cross day dean destiny does dong duke early
    earl english essence faith     farmer field fine fish fisher fountain fox france friend gay gold golden
    good grace gray green grey hand hill holiday     honey hong hope hunt hunter innocent ivory joy judge
    july jun june justice key kidd king knight lake lamb land lane     law little long lord love lovely lucky
    mac major man mark mars mason may men mercy miles miller moon moss nice noble     north own pace page
    paris park parks patience peace pearl pena pepper pleasant pope power powers precious price prince
    princess queen rain ransom red reed rich rivers rock root rose ruby rush sage sandy savannah sharp short
    sierra silver     small snow son song south speed spring star stone story street strong summer sun sunday
    sunny temple thomas tiger tree     van victory violet virgin wall war ward water way west white wild will
    wise wolf wood woods worth young zion""".split()
)
_INITIALS = "ABCDEGHJKLMNPRST"
_MAX_RUN = 48
_ATTEMPTS = 96


class Piece(NamedTuple):
    """A word of a mention.

    start (int): First character in the mention.
    end (int): Character after the last.
    role (str): What the word is.
    """

    start: int
    end: int
    role: str


class PersonBook:
    """Replaces the names of one document.

    surfaces (Iterable[str]): Every mention of a person in the document.
    stream (Callable[..., Stream]): Hands out keyed streams.
    forbidden (Set[str]): Folded words that no surrogate may be: those of the document's text.
    """

    def __init__(self, surfaces: Iterable[str], *, stream: Callable[..., Stream], forbidden: Set[str]) -> None:
        self._stream = stream
        self._forbidden = forbidden
        self._role: Dict[str, str] = {}
        self._origin: Dict[str, str] = {}
        self._surrogates: Dict[str, str] = {}
        self._used: Set[str] = set()
        # Given name and first letter of the partner, for initials beside or instead of names.
        self._by_family: Dict[Tuple[str, str], str] = {}
        self._by_given: Dict[Tuple[str, str], str] = {}
        self._by_initials: Dict[Tuple[str, str], Tuple[str, str]] = {}
        mentions = list(dict.fromkeys(surfaces))
        # Full names first: they tell most about the role and the origin of a word.
        parsed = [(mention, parse_name(mention)) for mention in mentions if not _is_slug(mention)]
        parsed.sort(key=_fewer_words)
        for mention, pieces in parsed:
            if len(pieces) > 1 or not self._is_glued(mention):
                self._learn(mention, pieces)
        self._alias_typos(Counter(word for mention, pieces in parsed for word in _words(mention, pieces)))

    def replace(self, surface: str) -> str:
        """Replace a mention of a person.

        surface (str): The mention.
        RETURNS (str): The surrogate in the same form: the same parts in the same order, case and punctuation.
        """
        if _is_slug(surface):
            return self._replace_slug(surface)
        if self._is_glued(surface):
            return self.replace_in_token(surface)[0]
        pieces = self._as_initials(surface) or parse_name(surface)
        names = [piece for piece in pieces if piece.role in (GIVEN, FAMILY)]
        if not names and not any(piece.role == INITIAL for piece in pieces):
            # Nothing but titles and particles, which someone took for a name.
            pieces = [piece._replace(role=GIVEN) for piece in pieces]
        initials = self._initials(surface, pieces)
        result = []
        position = 0
        for piece in pieces:
            word = surface[piece.start : piece.end]
            result.append(surface[position : piece.start])
            if piece.role == KEPT:
                result.append(word)
            elif piece.role == INITIAL:
                result.append(initials[piece])
            else:
                result.append(self._write(word, piece.role))
            position = piece.end
        result.append(surface[position:])
        return "".join(result)

    def replace_in_token(self, text: str, *, replace_rest: Optional[Callable[[str], str]] = None) -> Tuple[str, bool]:
        """Replace the names inside a handle, the local part of an address or a file name.

        text (str): The token.
        replace_rest (Optional[Callable[[str], str]]): What to do with words that are no names; None keeps them.
        RETURNS (Tuple[str, bool]): The new token and whether it held a name.
        """
        found = False
        result = []
        position = 0
        runs = list(_RUN.finditer(text))
        for at, match in enumerate(runs):
            run = match.group()
            replaced = None
            if len(run) == 1:
                # olivia.m: the initial of the name beside it.
                if at and fold(runs[at - 1].group()) in self._role:
                    replaced = self._write_short(run, FAMILY, runs[at - 1].group())
                elif at + 1 < len(runs) and fold(runs[at + 1].group()) in self._role:
                    replaced = self._write_short(run, GIVEN, runs[at + 1].group())
            else:
                replaced = self._replace_run(run)
            found = found or replaced is not None
            if replaced is None:
                replaced = run if replace_rest is None else replace_rest(run)
            result.append(text[position : match.start()] + replaced)
            position = match.end()
        result.append(text[position:])
        return "".join(result), found

    def _replace_slug(self, surface: str) -> str:
        extension = _EXTENSION.search(surface)
        stem = surface[: extension.start()] if extension and extension.group()[1:].lower() in _FILE_WORDS else surface
        tail = surface[len(stem) :]
        runs = list(_RUN.finditer(stem))
        replaced = [None if len(run.group()) == 1 else self._replace_run(run.group()) for run in runs]
        names = sum(text is not None for text in replaced)
        result = []
        position = 0
        for at, run in enumerate(runs):
            text = replaced[at]
            if text is None and self._beside_name(stem, runs, replaced, at, names):
                text = self._write_part(stem, runs, at)
                if stem[run.end() : run.end() + 1] in ("-", "'", "’"):
                    # What is tied to it follows.
                    replaced[at] = text
            result.append(stem[position : run.start()] + (run.group() if text is None else text))
            position = run.end()
        result.append(stem[position:])
        return "".join(result) + tail

    def _beside_name(
        self, stem: str, runs: List["re.Match[str]"], replaced: List[Optional[str]], at: int, names: int
    ) -> bool:
        """Whether a word of a file name that no list knows is likely a part of the name."""
        if fold(runs[at].group()) in _FILE_WORDS:
            return False
        if names == 0:
            # No word is known to be the name: every word that could be one goes.
            return len(runs[at].group()) > 1
        for other, border in ((at - 1, runs[at].start() - 1), (at + 1, runs[at].end())):
            # One name seldom stands alone, and what a hyphen ties to a name is one.
            if 0 <= other < len(runs) and replaced[other] is not None and (names == 1 or stem[border] in "-'’"):
                return len(runs[at].group()) > 1 or fold(runs[other].group()) in self._role
        return False

    def _write_part(self, stem: str, runs: List["re.Match[str]"], at: int) -> str:
        word = runs[at].group()
        if len(word) > 1:
            return self._write(word, FAMILY if at else GIVEN)
        # olivia_m: the initial of the name beside it.
        before = at > 0 and fold(runs[at - 1].group()) in self._role
        return self._write_short(word, FAMILY if before else GIVEN, runs[at - 1 if before else at + 1].group())

    def _is_glued(self, surface: str) -> bool:
        """Whether a mention is one word made of two names of the document or of the lists: oliviamarchetti."""
        folded = fold(surface)
        if len(folded) < 6 or len(folded) != len(surface) or folded in self._role or folded in name_parts():
            return False
        if not _RUN.fullmatch(surface):
            return False
        cut = self._cut(folded)
        if cut is None:
            return False
        known = [self._is_name(part) for part in (folded[:cut], folded[cut:])]
        return all(known) and min(cut, len(folded) - cut) > 2

    def _as_initials(self, surface: str) -> List[Piece]:
        """Read two capitals as the initials of a person of the document."""
        if len(surface) == 2 and surface.isupper() and tuple(fold(surface)) in self._by_initials:
            return [Piece(0, 1, INITIAL), Piece(1, 2, INITIAL)]
        return []

    def _replace_run(self, run: str) -> Optional[str]:
        """Replace a run of letters that is a name or is glued together from names and initials."""
        folded = fold(run)
        if folded in self._role:
            return self._write(run, self._role[folded])
        if len(run) > _MAX_RUN or folded in _FILE_WORDS:
            return None
        parts = [match.group() for match in _CAMEL.finditer(run) if match.group()]
        if len(parts) > 1 and any(self._is_name(fold(part)) for part in parts):
            return "".join(
                self._write_short(part, FAMILY if at else GIVEN, parts[at - 1]) for at, part in enumerate(parts)
            )
        if len(folded) != len(run):
            return self._write(run, GIVEN) if folded in name_parts() else None
        cut = self._cut(folded)
        if cut is not None:
            left, right = run[:cut], run[cut:]
            return self._write_short(left, GIVEN, right) + self._write_short(right, FAMILY, left)
        if len(folded) > 2 and folded in name_parts():
            return self._write(run, FAMILY if _evidence(folded, FAMILY) and not _evidence(folded, GIVEN) else GIVEN)
        return None

    def _cut(self, folded: str) -> Optional[int]:
        """Find where a run falls apart into two names, or into a name and an initial."""
        size = len(folded)
        # Names of the document tell more than those of the lists.
        for known, least in ((self._role, 2), (name_parts(), 4)):
            for cut in range(size - 1, 0, -1):
                left, right = folded[:cut], folded[cut:]
                left_known, right_known = left in known and cut >= least, right in known and size - cut >= least
                if left_known and right_known:
                    return cut
        for cut in (size - 1, 1, size - 2):
            if 0 < cut < size and (folded[:cut] in self._role or folded[cut:] in self._role):
                return cut
        # A name of the document with something else glued to it.
        for cut in range(size - 2, 2, -1):
            if folded[:cut] in self._role or (folded[cut:] in self._role and size - cut > 2):
                return cut
        if size >= 6 and folded not in name_parts():
            for cut in (1, size - 1):
                if max(folded[:cut], folded[cut:], key=len) in name_parts():
                    return cut
        return None

    def _write_short(self, text: str, role: str, partner: str) -> str:
        """Write a part of a glued run; a single letter is the initial of the partner's other name."""
        if len(text) > 1:
            return self._write(text, self._role.get(fold(text), role))
        index = self._by_family if role == GIVEN else self._by_given
        return self._letter(text, index.get((fold(partner), fold(text))))

    def _is_name(self, folded: str) -> bool:
        return folded in self._role or (len(folded) > 2 and folded in name_parts())

    def _learn(self, mention: str, pieces: List[Piece]) -> None:
        given = [fold(mention[p.start : p.end]) for p in pieces if p.role == GIVEN]
        family = [fold(mention[p.start : p.end]) for p in pieces if p.role == FAMILY]
        for role, words in ((GIVEN, given), (FAMILY, family)):
            for word in words:
                self._role.setdefault(word, role)
        for one in given:
            for other in family:
                self._by_family.setdefault((other, one[0]), one)
                self._by_given.setdefault((one, other[0]), other)
                self._by_initials.setdefault((one[0], other[0]), (one, other))
        self._find_origins(given, family)

    def _find_origins(self, given: List[str], family: List[str]) -> None:
        """Choose where the surrogate comes from: from where the name is known to come, the same for all its words."""
        known = [_evidence(word, GIVEN) for word in given] + [_evidence(word, FAMILY) for word in family]
        scores = Counter(origin for found in known for origin in found)
        anchor = (family or given or [""])[-1]
        shared = next((self._origin[word] for word in family + given if word in self._origin), None)
        if shared is not None and (not scores or shared in scores):
            origin = shared
        elif scores:
            best = max(scores.values())
            origin = self._stream("origin", anchor).choice(sorted(o for o, score in scores.items() if score == best))
        else:
            origin = self._stream("origin", anchor).choice(origins())
        for word, found in zip(given + family, known):
            # Kevin Nguyen: each of the names keeps an origin of its own.
            own = origin if not found or origin in found else self._stream("origin", word).choice(sorted(found))
            self._origin.setdefault(word, own)

    def _alias_typos(self, counts: "Counter[str]") -> None:
        """Let a misspelt name share the surrogate of the one it stands for."""
        by_deletion: Dict[str, str] = {}
        lists = name_parts()
        for word in sorted(counts, key=_Rank(counts, lists)):
            if len(word) < 5:
                continue
            keys = {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}
            if word not in lists:
                # The best known neighbour, in the order in which the words come.
                target = next((by_deletion[key] for key in sorted(keys) if key in by_deletion), None)
                if target is not None and target != word:
                    self._surrogates[word] = self._surrogate(target, self._role[target])
                    continue
            for key in keys:
                by_deletion.setdefault(key, word)

    def _write(self, word: str, role: str) -> str:
        surrogate = self._surrogate(fold(word), role)
        if word.isascii():
            surrogate = strip_marks(surrogate)
        return match_case(word, surrogate)

    def _surrogate(self, folded: str, role: str) -> str:
        if folded not in self._surrogates:
            self._surrogates[folded] = self._draw(folded, role)
            self._role.setdefault(folded, role)
            self._used.add(fold(self._surrogates[folded]))
        return self._surrogates[folded]

    def _draw(self, folded: str, role: str) -> str:
        rng = self._stream("name", folded)
        role = self._role.get(folded, role)
        if not _is_latin(folded):
            return self._reshape(folded, rng)
        if _is_double(folded):
            # A double name: its halves are names of their own.
            return "-".join(self._surrogate(part, role) for part in _HYPHEN.split(folded))
        if folded not in self._origin:
            self._find_origins([folded] if role == GIVEN else [], [folded] if role == FAMILY else [])
        origin = self._origin[folded]
        pool = _pool(origin, role, self._gender(folded, rng) if role == GIVEN else "", "-" in folded)
        for attempt in range(_ATTEMPTS):
            if attempt == _ATTEMPTS // 2:
                # A small pool is used up by a long class list.
                pool = _pool(rng.choice(origins()), role, rng.choice("fm"), False)
            name = rng.choice(pool)
            bare = fold(name)
            # Another first letter, so that initials change with the name.
            if bare[0] != folded[0] and bare not in self._used and self._forbidden.isdisjoint((bare, *bare.split("-"))):
                return name
        return self._reshape(folded, rng)

    def _gender(self, folded: str, rng: Stream) -> str:
        genders = _index().get(folded, {}).get(GIVEN, {})
        genders = genders.get(self._origin[folded]) or frozenset().union(*genders.values())
        return rng.choice(sorted(genders) or ["f", "m"])

    def _reshape(self, folded: str, rng: Stream) -> str:
        while True:
            letters = [other_letter(char, rng) if char.isalpha() else char for char in folded]
            name = "".join(letters)
            if fold(name) not in self._used and (fold(name) not in self._forbidden or len(name) < 3):
                return name[:1].upper() + name[1:]
            if len(name) < 3:
                return name.upper()

    def _initials(self, surface: str, pieces: List[Piece]) -> Dict[Piece, str]:
        """Find the letter for every initial of a mention, from the names it stands beside or for."""
        initials = [piece for piece in pieces if piece.role == INITIAL]
        if not initials:
            return {}
        given = [fold(surface[p.start : p.end]) for p in pieces if p.role == GIVEN]
        family = [fold(surface[p.start : p.end]) for p in pieces if p.role == FAMILY]
        letters = {piece: surface[piece.start : piece.end] for piece in initials}
        result = {}
        pair = None
        if not given and not family and len(initials) > 1:
            first, last = letters[initials[0]], letters[initials[-1]]
            pair = self._by_initials.get((fold(first), fold(last)))
        for piece, letter in letters.items():
            name = None
            if pair is not None and piece in (initials[0], initials[-1]):
                name = pair[0] if piece == initials[0] else pair[1]
            elif family and not given:
                name = self._by_family.get((family[-1], fold(letter)))
            elif given and piece == initials[-1]:
                name = self._by_given.get((given[0], fold(letter)))
            result[piece] = self._letter(letter, name)
        return result

    def _letter(self, letter: str, name: Optional[str]) -> str:
        if name is not None:
            return match_case(letter, strip_marks(self._surrogate(name, GIVEN))[:1].upper())
        rng = self._stream("initial", fold(letter))
        if not _is_latin(letter):
            return other_letter(letter, rng)
        return match_case(letter, rng.choice([other for other in _INITIALS if other != fold(letter).upper()]))


def parse_name(surface: str) -> List[Piece]:
    """Tell the words of a name apart.

    surface (str): A mention of a person.
    RETURNS (List[Piece]): Its words with their roles, in order.
    """
    pieces = []
    matches = list(_WORD.finditer(surface))
    for at, match in enumerate(matches):
        start, end = match.span()
        possessive = _POSSESSIVE.search(match.group())
        if possessive and end - start > 2:
            end = start + possessive.start()
        word = surface[start:end]
        folded = fold(word)
        if _is_double(fold(word)):
            # García-López: each half can stand alone elsewhere.
            pieces.extend(Piece(part.start(), part.end(), "") for part in _RUN.finditer(surface, start, end))
            continue
        role = ""
        if len(folded) == 1:
            role = INITIAL
        elif folded in _TITLES or folded in _SUFFIXES:
            role = KEPT
        elif folded in _PARTICLES and at + 1 < len(matches):
            # At the start it may as well be a name: Ben Carter, Van Nguyen, but not de la Cruz, van der Meer.
            particle = at > 0 or fold(matches[1].group()) in _PARTICLES
            particle = particle or (folded != "al" and folded not in name_parts())
            role = KEPT if particle else ""
        pieces.append(Piece(start, end, role))
    names = [piece for piece in pieces if piece.role == ""]
    if len(names) == 1 and len(pieces) == 1:
        start, end, _ = names[0]
        word = surface[start:end]
        if word.isupper() and len(word) in (2, 3) and fold(word) not in name_parts():
            return [Piece(at, at + 1, INITIAL) for at in range(start, end)]
    roles = _roles(surface, pieces, names)
    return [piece._replace(role=roles.get(piece.start, piece.role)) for piece in pieces]


def _roles(surface: str, pieces: List[Piece], names: List[Piece]) -> Dict[int, str]:
    """Decide which words are given and which are family names."""
    if not names:
        return {}
    words = [fold(surface[piece.start : piece.end]) for piece in names]
    comma = surface.find(",")
    if comma > 0 and names[0].start < comma and any(p.start > comma and p.role in ("", INITIAL) for p in pieces):
        return {piece.start: FAMILY if piece.start < comma else GIVEN for piece in names}
    beside_initial = any(piece.role == INITIAL for piece in pieces)
    # Ms. Otieno, de la Cruz; Te Rangi is a given name.
    before = [fold(surface[piece.start : piece.end]) for piece in pieces if piece.start < names[0].start]
    titled = any(word in _TITLES or word in _PARTICLES and word != "te" for word in before)
    if len(names) == 1:
        family_like = bool(_evidence(words[0], FAMILY)) and not _evidence(words[0], GIVEN)
        if beside_initial:
            family_like = pieces[-1] == names[0]
        elif titled:
            family_like = True
        return {names[0].start: FAMILY if family_like else GIVEN}
    roles = {piece.start: GIVEN for piece in names}
    first, last = words[0], words[-1]
    orders = {name_order(origin) for origin in _evidence(first, FAMILY)}
    reverse = (
        "family_first" in orders
        and not (_evidence(first, GIVEN) - _evidence(first, FAMILY))
        and len(_evidence(last, FAMILY)) < len(_evidence(first, FAMILY))
    )
    if reverse:
        roles[names[0].start] = FAMILY
        return roles
    roles[names[-1].start] = FAMILY
    for piece, word in zip(names[1:-1], words[1:-1]):
        # María López García: two family names.
        if _evidence(word, FAMILY) and not _evidence(word, GIVEN):
            roles[piece.start] = FAMILY
    return roles


class _Rank:
    """Orders words: those of the lists first, then the more frequent ones."""

    def __init__(self, counts: "Counter[str]", lists: FrozenSet[str]) -> None:
        self.counts = counts
        self.lists = lists

    def __call__(self, word: str) -> Tuple[bool, int, str]:
        return (word not in self.lists, -self.counts[word], word)


def _fewer_words(item: Tuple[str, List[Piece]]) -> int:
    return -sum(piece.role in (GIVEN, FAMILY) for piece in item[1])


def _words(mention: str, pieces: List[Piece]) -> List[str]:
    return [fold(mention[piece.start : piece.end]) for piece in pieces if piece.role in (GIVEN, FAMILY)]


def _is_slug(surface: str) -> bool:
    return _SLUG.search(surface) is not None and not surface.isspace()


def _is_double(folded: str) -> bool:
    """Whether the halves of a hyphenated name are names of their own: García-López, not Min-jun."""
    parts = _HYPHEN.split(folded)
    return len(parts) > 1 and all(len(part) > 2 for part in parts) and folded not in name_parts()


def _is_latin(folded: str) -> bool:
    return all(char < "\u0250" or not char.isalpha() for char in folded)


@lru_cache(maxsize=None)
def _index() -> Dict[str, Dict[str, Dict[str, FrozenSet[str]]]]:
    """Folded name to role to origin to genders (no genders for family names)."""
    index: Dict[str, Dict[str, Dict[str, FrozenSet[str]]]] = {}
    for origin in origins():
        for gender in "fm":
            for name in given_names(origin, gender):
                row = index.setdefault(fold(name), {}).setdefault(GIVEN, {})
                row[origin] = row.get(origin, frozenset()) | {gender}
        for name in family_names(origin):
            index.setdefault(fold(name), {}).setdefault(FAMILY, {})[origin] = frozenset()
    return index


def _evidence(folded: str, role: str) -> FrozenSet[str]:
    return frozenset(_index().get(folded, {}).get(role, {}))


@lru_cache(maxsize=None)
def _pool(origin: str, role: str, gender: str, hyphen: bool) -> Tuple[str, ...]:
    """The names a surrogate is drawn from: single words that read as names and as nothing else."""
    names = family_names(origin) if role == FAMILY else given_names(origin, gender)
    plain = (name for name in names if " " not in name and "'" not in name and len(name) > 2)
    single = tuple(name for name in plain if fold(name) not in _COMMON_WORDS)
    matching = tuple(name for name in single if ("-" in name) == hyphen)
    return matching if len(matching) >= 10 else single
