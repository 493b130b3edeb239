"""Vocabularies of a subject: how much of a text is mathematics, or another subject with tables of its own.

A vocabulary is a JSON object (`spacy_pii/tables/math_vocabulary.json`, `docs/math.md`):

topics: by name, `terms` and `phrases`, each a word or words in lower case with a weight from 0 to 1. A phrase of
    weight 0 (the last one, both of you) is there so that its words do not count.
patterns: by name, `regex`, `weight` and `examples`, and in `needs` another regex, quick to search: what the text in
    lower case must hold for the pattern to match at all. The first pattern that matches at a place wins. What a
    pattern of weight 0 matches (a date, an address) counts for nothing, nor do the words in it.
fillers: words in lower case that say nothing of any subject.
"""

import re
from functools import lru_cache
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
    Sequence,
    Set,
    Tuple,
)

import srsly

from .tables import load_table

MATH_VOCABULARY = "math"
PLAIN = 0.5
"""Weight from which on a term, phrase or pattern hardly means anything else."""

_WORD = re.compile(r"[^\W\d_]+")
_IRREGULAR = {
    "axis": "axes",
    "die": "dice",
    "foot": "feet",
    "half": "halves",
    "hypothesis": "hypotheses",
    "index": "indices",
    "locus": "loci",
    "matrix": "matrices",
    "radius": "radii",
    "series": "series",
    "vertex": "vertices",
}
# American to British; the stems stand at the end of a word, with or without the plural's s.
_SPELLINGS = (
    (re.compile(r"(cent|met|lit)er(s?)\Z"), r"\1re\2"),
    (re.compile(r"i([sz])(e|ed|es|ing|ation|ations)\Z"), None),
)
# Phrases need their words side by side: blanks, hyphens and line breaks may part them, a full stop may not.
_GAP = re.compile(r"[\s'\u2019\u2010-\u2013-]{1,3}\Z")
_END = ""

Match = Tuple[int, int, float, str]


class Weighed(NamedTuple):
    """What a vocabulary finds in a stretch of text.

    plain (float): Sum of the weights of what hardly means anything else (`PLAIN` and above).
    ambiguous (float): Sum of the weights of what can also mean something else: even, table, a bare number.
    tokens (int): Number of tokens, as white space parts them.
    is_empty (bool): Whether it says nothing of any subject: there are only fillers (yes, well done, thanks), words that
        begin with a capital, as names do, and single letters.
    """

    plain: float
    ambiguous: float
    tokens: int
    is_empty: bool

    def density(self, context: float = 1.0) -> float:
        """Weight a token.

        context (float): Factor of what is ambiguous.
        RETURNS (float): The density; 0 where there are no tokens.
        """
        return (self.plain + context * self.ambiguous) / self.tokens if self.tokens else 0.0


class Pattern(NamedTuple):
    """A pattern of a vocabulary.

    regex (str): What it matches.
    weight (float): From 0 to 1.
    needs (str): Regex of what a text in lower case must hold for the pattern to match, empty where that is nothing.
    """

    regex: str
    weight: float
    needs: str = ""


class SubjectVocabulary:
    """One or several vocabularies, made ready to weigh text in time linear to its length."""

    def __init__(self, tables: Iterable[Mapping[str, Any]]) -> None:
        """Initialize the vocabulary.

        tables (Iterable[Mapping[str, Any]]): The tables. Of a term, phrase or pattern that several have, the last
            one's weight counts.
        RAISES (ValueError): If a table is not made as `docs/math.md` says; the sentence names the place.
        """
        self.terms: Dict[str, float] = {}
        self.phrases: Dict[str, float] = {}
        self.fillers: Set[str] = set()
        patterns: Dict[str, Pattern] = {}
        for table in tables:
            for word, weight in _entries(table, "terms"):
                for form in variants(word):
                    self.terms[form] = weight
            for words, weight in _entries(table, "phrases"):
                for form in phrase_variants(words):
                    self.phrases[form] = weight
            self.fillers.update(table.get("fillers", ()))
            patterns.update(_read_patterns(table))
        # A pattern without weight goes first, whichever table it comes from.
        self.patterns = dict(sorted(patterns.items(), key=_has_weight))
        self._numbered = list(self.patterns.items())
        # Most messages lack what most patterns need: only those that can match are tried, in one combined regex.
        self._needs = sorted({pattern.needs for pattern in self.patterns.values() if pattern.needs})
        self._gates = [re.compile(needs).search for needs in self._needs]
        self._combined: Dict[Tuple[bool, ...], Any] = {}
        self._trie: Dict[str, Any] = {}
        for words, weight in self.phrases.items():
            node = self._trie
            for word in words.split(" "):
                node = node.setdefault(word, {})
            node[_END] = weight

    def weigh(self, text: str, start: int = 0, end: int = -1) -> Weighed:
        """Weigh a stretch of a text.

        text (str): The text.
        start (int): First character.
        end (int): Character after the last, -1 for the end of the text.
        RETURNS (Weighed): The sum of the weights and the number of tokens.
        """
        end = len(text) if end < 0 else end
        plain = ambiguous = 0.0
        matches = list(self.find_patterns(text, start, end))
        weights = [weight for _, _, weight, _ in matches]
        weights.extend(self._weigh_words(text, start, end, matches))
        for weight in weights:
            if weight >= PLAIN:
                plain += weight
            else:
                ambiguous += weight
        is_empty = not weights and self._is_filler(text, start, end)
        return Weighed(plain, ambiguous, len(text[start:end].split()), is_empty)

    def find_patterns(self, text: str, start: int, end: int) -> Iterator[Match]:
        """Find the patterns in a stretch of a text.

        text (str): The text.
        start (int): First character.
        end (int): Character after the last.
        YIELDS (Match): First character, character after the last, weight, name of the pattern.
        """
        lower = text[start:end].lower()
        holds = tuple([gate(lower) is not None for gate in self._gates])
        regex = self._combined.get(holds)
        if regex is None:
            regex = self._combined[holds] = self._combine(holds)
        for match in regex.finditer(text, start, end):
            name, pattern = self._numbered[int(match.lastgroup[1:])]  # type: ignore[index]
            yield match.start(), match.end(), pattern.weight, name

    def _combine(self, holds: Tuple[bool, ...]) -> Any:
        needed = {needs for needs, held in zip(self._needs, holds) if held} | {""}
        parts = [
            f"(?P<p{number}>{pattern.regex})"
            for number, (_, pattern) in enumerate(self._numbered)
            if pattern.needs in needed
        ]
        return re.compile("|".join(parts) or r"(?!)")

    def _is_filler(self, text: str, start: int, end: int) -> bool:
        for match in _WORD.finditer(text, start, end):
            word = match[0]
            if len(word) > 1 and not word[0].isupper() and word not in self.fillers:
                return False
        return True

    def _weigh_words(self, text: str, start: int, end: int, matches: Sequence[Match]) -> Iterator[float]:
        found = list(_WORD.finditer(text, start, end))
        words = [match[0].lower() for match in found]
        terms, trie = self.terms, self._trie
        taken = _covered(found, matches) if matches else frozenset()
        position = 0
        while position < len(words):
            word = words[position]
            if position not in taken:
                length, weight = 0, 0.0
                if word in trie:
                    length, weight = self._longest_phrase(text, found, words, position, taken)
                if length:
                    yield weight
                    position += length
                    continue
                if word in terms:
                    yield terms[word]
            position += 1

    def _longest_phrase(
        self, text: str, found: List[Any], words: List[str], position: int, taken: FrozenSet[int]
    ) -> Tuple[int, float]:
        node, length, weight = self._trie[words[position]], 0, 0.0
        following = position + 1
        while following < len(words) and words[following] in node and following not in taken:
            if not _GAP.match(text, found[following - 1].end(), found[following].start()):
                break
            node = node[words[following]]
            following += 1
            if _END in node:
                length, weight = following - position, node[_END]
        return length, weight


def variants(word: str) -> List[str]:
    """Write a word in its other forms: plural, British and American spelling.

    word (str): The word in lower case.
    RETURNS (List[str]): The word first, then the other forms.
    """
    forms = []
    for spelt in _spellings(word):
        forms.append(spelt)
        plural = _plural(spelt)
        if plural != spelt:
            forms.append(plural)
    return forms


def phrase_variants(phrase: str) -> List[str]:
    """Write a phrase in its other forms: the last word in the plural, each word in its other spellings.

    phrase (str): The words in lower case.
    RETURNS (List[str]): The phrase first, then the other forms; their words are parted by single blanks.
    """
    words = _WORD.findall(phrase)
    forms = [" ".join(words)]
    for number, word in enumerate(words):
        others = variants(word) if number == len(words) - 1 else _spellings(word)
        forms.extend(" ".join([*words[:number], other, *words[number + 1 :]]) for other in others[1:])
    return forms


def load_vocabulary(names: Sequence[str]) -> SubjectVocabulary:
    """Load vocabularies.

    names (Sequence[str]): Names of the package's vocabularies ("math") or paths of JSON files.
    RETURNS (SubjectVocabulary): All of them in one.
    RAISES (ValueError): If there is no such vocabulary or it is not made as it should be.
    """
    return _load_vocabulary(tuple(names))


@lru_cache(maxsize=8)
def _load_vocabulary(names: Tuple[str, ...]) -> SubjectVocabulary:
    return SubjectVocabulary([_load_one(name) for name in names])


def _load_one(name: str) -> Mapping[str, Any]:
    if name == MATH_VOCABULARY:
        return load_table("math_vocabulary")
    path = Path(name)
    if not path.is_file():
        raise ValueError(f"There is no vocabulary '{name}': give '{MATH_VOCABULARY}' or the path of a JSON file.")
    table = srsly.read_json(path)
    if not isinstance(table, dict):
        raise ValueError(f"{path}: the vocabulary is not a JSON object.")
    return table


def _entries(table: Mapping[str, Any], kind: str) -> Iterator[Tuple[str, float]]:
    for topic, content in table.get("topics", {}).items():
        for words, weight in content.get(kind, {}).items():
            yield words, _check_weight(weight, f"topic '{topic}', {kind}, '{words}'")


def _read_patterns(table: Mapping[str, Any]) -> Dict[str, Pattern]:
    patterns = {}
    for name, content in table.get("patterns", {}).items():
        try:
            compiled = re.compile(content["regex"])
            re.compile(content.get("needs", ""))
        except (KeyError, re.error) as error:
            raise ValueError(f"Pattern '{name}' of the vocabulary has no regex that can be used: {error}.") from None
        if compiled.groups:
            raise ValueError(f"Pattern '{name}' of the vocabulary holds a capturing group: write (?:...).")
        if compiled.match(""):
            raise ValueError(f"Pattern '{name}' of the vocabulary matches the empty text.")
        weight = _check_weight(content.get("weight"), f"pattern '{name}'")
        patterns[name] = Pattern(content["regex"], weight, content.get("needs", ""))
    return patterns


def _check_weight(weight: Any, place: str) -> float:
    if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 <= weight <= 1:
        raise ValueError(f"The weight of {place} of the vocabulary is not a number from 0 to 1.")
    return float(weight)


def _has_weight(item: Tuple[str, Pattern]) -> bool:
    return item[1].weight > 0


def _covered(found: List[Any], matches: Sequence[Match]) -> FrozenSet[int]:
    """The words that lie in the match of a pattern, which alone then counts."""
    taken = set()
    place = 0
    for number, word in enumerate(found):
        while place < len(matches) and matches[place][1] <= word.start():
            place += 1
        if place == len(matches):
            break
        if matches[place][0] < word.end():
            taken.add(number)
    return frozenset(taken)


def _spellings(word: str) -> List[str]:
    forms = [word]
    for regex, replacement in _SPELLINGS:
        match = regex.search(word)
        # Short words in -ise and -ize (size, rise, precise) have one spelling only.
        if match is None or (replacement is None and match.start() < 4):
            continue
        if replacement is not None:
            forms.append(regex.sub(replacement, word))
        else:
            other = "s" if match[1] == "z" else "z"
            forms.append(f"{word[: match.start(1)]}{other}{word[match.end(1) :]}")
    return forms


def _plural(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("s") and not word.endswith("ss"):
        return word
    if len(word) < 3:
        return word
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{word[:-1]}ies"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return f"{word}es"
    return f"{word}s"
