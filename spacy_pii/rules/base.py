"""What the rules share: the text they read, the matches they give, and the tables of words they are built from."""

import re
from functools import cached_property, lru_cache
from typing import AbstractSet, Any, FrozenSet, Iterable, List, NamedTuple, Tuple

from .. import tables

# A symbol right before or right after a number that makes it an operand. Angle brackets quote mail and end labels.
_OPERATORS_BEFORE = "=+*/^×÷·≤≥≈≠√±%$€£¥"
_OPERATORS_AFTER = "=+*^×÷·≤≥≈≠±%°"
_MINUS = "-–—−"
_WORD = re.compile(r"[^\W\d_]+")
# Letters, digits and inner joiners with a digit near the start: S-204881, AB12-3345, 20/4588.
_CODE = re.compile(r"(?<![^\W_])(?:[A-Za-z]{1,8}[-/._]?)?\d[A-Za-z\d]*+(?:[-/._][A-Za-z\d]++)*+")
_QUOTIENT = re.compile(r"\s*/\s*\d[\d.,]{0,20}\s*=")
_LONGEST_CODE = 40
_ANSWER_WIDTH = 240
_LONGEST_OPENING = 40
_DIGITS_IN_CODE = 4


class Match(NamedTuple):
    """A stretch of text that a rule found.

    start (int): First character.
    end (int): Character after the last.
    label (str): Canonical label.
    rule (str): Name of the rule.
    score (float): Confidence from 0 to 1.
    """

    start: int
    end: int
    label: str
    rule: str
    score: float


class Code(NamedTuple):
    """A token of letters, digits and inner hyphens, slashes and dots that holds at least four digits.

    start (int): First character.
    end (int): Character after the last.
    text (str): The token.
    digits (int): How many digits it holds.
    """

    start: int
    end: int
    text: str
    digits: int


class Source:
    """A text with the views of it that several rules need, each made once and only when asked for."""

    def __init__(self, text: str) -> None:
        """Wrap a text.

        text (str): The text.
        """
        self.text = text

    @cached_property
    def words(self) -> FrozenSet[str]:
        """RETURNS (FrozenSet[str]): The words of the text in lower case: what a rule needs is looked up here first."""
        return frozenset(_WORD.findall(self.text.lower()))

    @cached_property
    def codes(self) -> Tuple[Code, ...]:
        """RETURNS (Tuple[Code, ...]): The codes of the text in order."""
        found = []
        for hit in _CODE.finditer(self.text):
            if not _DIGITS_IN_CODE <= hit.end() - hit.start() <= _LONGEST_CODE:
                continue
            digits = sum(map(str.isdigit, hit.group()))
            if digits >= _DIGITS_IN_CODE:
                found.append(Code(hit.start(), hit.end(), hit.group(), digits))
        return tuple(found)

    def has_any(self, words: AbstractSet[str]) -> bool:
        """Say whether the text holds any of some words.

        words (AbstractSet[str]): Words in lower case.
        RETURNS (bool): Whether one of them occurs.
        """
        return not words.isdisjoint(self.words)

    def before(self, position: int, width: int) -> str:
        """Give the text before a position, for looking for cues only: lower case may change its length.

        position (int): Character that follows.
        width (int): Characters to give at most.
        RETURNS (str): The text in lower case.
        """
        return self.text[max(0, position - width) : position].lower()

    def after(self, position: int, width: int) -> str:
        """Give the text from a position on, for looking for cues only: lower case may change its length.

        position (int): First character.
        width (int): Characters to give at most.
        RETURNS (str): The text in lower case.
        """
        return self.text[position : position + width].lower()

    def asked(self, position: int) -> str:
        """Give the line before, where a position stands near the start of its own: what an answer replies to.

        position (int): Character that follows.
        RETURNS (str): The line before in lower case, or an empty text further into a line.
        """
        lines = self.text[max(0, position - _ANSWER_WIDTH) : position].rsplit("\n", 1)
        if len(lines) < 2 or len(lines[1]) > _LONGEST_OPENING:
            return ""
        return lines[0].rstrip().rpartition("\n")[2].lower()

    def is_operand(self, start: int, end: int) -> bool:
        """Say whether a number stands in an equation, a decimal, a sum of money or a chain of subtractions.

        start (int): First character of the number.
        end (int): Character after its last.
        RETURNS (bool): Whether an operator, or a digit joined to it, stands beside the number.
        """
        text = self.text
        left = text[max(0, start - 4) : start]
        right = text[end : end + 4]
        near_left, near_right = left.rstrip(" \t"), right.lstrip(" \t")
        if near_left and near_left[-1] in _OPERATORS_BEFORE or near_right and near_right[0] in _OPERATORS_AFTER:
            return True
        if near_left[-1:] in _MINUS and near_left[:-1].rstrip(" \t")[-1:].isdigit() and near_left:
            return True
        if near_right[:1] in _MINUS and near_right[1:].lstrip(" \t")[:1].isdigit() and near_right:
            return True
        # Joined: 2.818, 1,607,635, 3/4, 12:30. A slash after the number with a space is a list of two numbers.
        if left[-1:] in tuple(".,/:") and left[-2:-1].isdigit():
            return True
        if near_right[:1] == "/" and _QUOTIENT.match(text, end):
            return True
        return right[:1] in tuple(".,/:") and right[1:2].isdigit()


def load_table(name: str) -> Any:
    """Read one of the package's tables of rules.

    name (str): Name of the table, without `rules_` and the suffix.
    RETURNS (Any): Its content. It is shared: do not change it.
    """
    return tables.load_table(f"rules_{name}")


@lru_cache(maxsize=1)
def common_words() -> FrozenSet[str]:
    """RETURNS (FrozenSet[str]): Common English words in lower case, names such as will and grace among them."""
    return frozenset(load_table("common_words"))


def any_of(words: Iterable[str]) -> str:
    """Write a regular expression for any of some words or phrases, the longest first.

    words (Iterable[str]): The phrases; a space in them stands for any white space.
    RETURNS (str): A group that captures nothing.
    """
    ordered = sorted(words, key=_longest_first)
    return "(?:" + "|".join(r"\s+".join(map(re.escape, word.split())) for word in ordered) + ")"


def first_words(phrases: Iterable[str]) -> FrozenSet[str]:
    """Collect one word of each phrase, by which a text can be ruled out before any search.

    phrases (Iterable[str]): The phrases.
    RETURNS (FrozenSet[str]): The first word of letters of each, in lower case.
    """
    found: List[str] = []
    for phrase in phrases:
        found.extend(_WORD.findall(phrase.lower())[:1])
    return frozenset(found)


def _longest_first(word: str) -> Tuple[int, str]:
    return (-len(word), word)
