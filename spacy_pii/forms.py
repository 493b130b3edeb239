"""The least that a span must look like to be what its label says."""

import re
from functools import lru_cache
from typing import Dict, FrozenSet, NamedTuple, Pattern

from spacy.tokens import Doc, Token

from .models.lists import rare_words
from .rules.base import common_words
from .surrogates.names import fold, name_parts
from .tables import load_table

_WORDS = re.compile(r"[^\W\d_]+")
# A number that is a word of its own, 14th among them; 0kay and int0 of a bad transcript are none.
_NUMBERS = re.compile(r"(?<![^\W_])\d[\d./:-]*(?:st|nd|rd|th)?(?![^\W_])", re.I)
# Tokens before and after a bare number among which its cue is looked for; a question stands before its answer.
_BEFORE, _AFTER = 14, 5
_MARK = re.compile(r"[A-Z]+_\d+")
# Right beside a number, or inside it, these make it part of an expression.
_OPERATORS = frozenset("=+*^×÷<>√≤≥≠")


class _Forms(NamedTuple):
    least: Dict[str, Dict[str, int]]
    patterns: Dict[str, Pattern[str]]
    cues: Dict[str, Pattern[str]]
    plain: Dict[str, Pattern[str]]
    numeric: FrozenSet[str]
    words: FrozenSet[str]
    nobody: FrozenSet[str]


@lru_cache(maxsize=1)
def _forms() -> _Forms:
    table = load_table("forms")
    patterns = {label: re.compile(pattern, re.I) for label, pattern in table["patterns"].items()}
    plain = {label: re.compile(pattern) for label, pattern in table["plain"].items()}
    # Matched in the text, since the tokenizer takes "id" apart as it does "I'd".
    cues = {
        label: re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", re.I)
        for label, words in table["cues"].items()
    }
    return _Forms(
        table["least"],
        patterns,
        cues,
        plain,
        frozenset(table["numeric"]),
        frozenset(table["words"]),
        frozenset(table["nobody"]),
    )


def has_form(doc: Doc, start: int, end: int, label: str) -> bool:
    """Tell whether a span can be what its label says.

    A tagger that learns from context takes the "28" of an exercise for an age now and then, and a word for a number.
    What it finds needs the digits, number words or letters of its label; a number must not be an operand, and a bare
    one needs a cue nearby ("my id is", "how old").

    doc (Doc): The document.
    start (int): First token.
    end (int): Token after the last.
    label (str): Label of the span.
    RETURNS (bool): Whether it has the form; labels without one always do.
    """
    forms = _forms()
    text = doc[start:end].text
    if label == "PERSON" and _is_nobody(doc, start, end, text):
        return False
    if label in forms.patterns and not forms.patterns[label].search(text):
        return False
    least = forms.least.get(label)
    if least is not None:
        if "letters" in least and sum(map(str.isalpha, text)) < least["letters"]:
            return False
        if "items" in least and _count_items(text, forms.words) < least["items"]:
            return bool(_NUMBERS.search(text)) and _stands_alone(doc, start, end, label, text)
        if "digits" in least and sum(map(str.isdigit, text)) < least["digits"]:
            if _count_spelt(text, forms.words) < least.get("words", len(text) + 1):
                return False
    return label not in forms.numeric or _stands_alone(doc, start, end, label, text)


def is_common_word(token: Token) -> bool:
    """Tell whether a token is an English word in lower case that no list of names holds.

    token (Token): The token.
    RETURNS (bool): Whether it is.
    """
    return token.is_lower and token.text in _plain_words()


def may_be_name(token: Token) -> bool:
    """Tell whether a token is written like a name, or is one by the lists in whatever case.

    token (Token): The token.
    RETURNS (bool): Whether it may be one.
    """
    return not token.is_lower or fold(token.text) in name_parts()


@lru_cache(maxsize=1)
def _plain_words() -> FrozenSet[str]:
    return frozenset((*common_words(), *rare_words())) - name_parts()


def _is_nobody(doc: Doc, start: int, end: int, text: str) -> bool:
    """Whether what was taken for a name is an interjection, a common word in lower case, the letters of a formula
    ("B. X."), or a mark that stands where a name was taken out ("[STUDENT_2]")."""
    tokens = doc[start:end]
    if all(token.lower_ in _forms().nobody or is_common_word(token) for token in tokens):
        return True
    if all(sum(map(str.isalpha, token.text)) < 2 for token in tokens):
        return True
    return _MARK.fullmatch(text) is not None


def _stands_alone(doc: Doc, start: int, end: int, label: str, text: str) -> bool:
    """Whether a number can be what its label says: no operand and, where it is bare, with a cue nearby."""
    forms = _forms()
    if _is_operand(doc, start, end, text):
        return False
    # A year or a full date needs no cue, 24-15 does.
    bare = not any(map(str.isalpha, text)) and not (label in forms.plain and forms.plain[label].fullmatch(text))
    return not bare or label not in forms.cues or _has_cue(doc, start, end, forms.cues[label])


def _count_items(text: str, words: FrozenSet[str]) -> int:
    """How many numbers and number words, names of months among them, a text holds."""
    return _count_spelt(text, words) + len(_NUMBERS.findall(text))


def _count_spelt(text: str, words: FrozenSet[str]) -> int:
    return sum(1 for word in _WORDS.findall(text.lower()) if _is_number_word(word, words))


def _has_cue(doc: Doc, start: int, end: int, cues: Pattern[str]) -> bool:
    before, after = doc[max(start - _BEFORE, 0) : start].text, doc[end : end + _AFTER].text
    return bool(cues.search(before) or cues.search(after))


def _is_number_word(word: str, words: FrozenSet[str]) -> bool:
    # German and Dutch write units and tens as one word.
    return word in words or word.endswith(("zig", "ßig", "tig"))


def _is_operand(doc: Doc, start: int, end: int, text: str) -> bool:
    if not _OPERATORS.isdisjoint(text):
        return True
    before = doc[start - 1].text[-1] if start else ""
    after = doc[end].text[0] if end < len(doc) else ""
    return before in _OPERATORS or after in _OPERATORS
