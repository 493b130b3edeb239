"""The least that a span must look like to be what its label says."""

import re
from functools import lru_cache
from typing import Dict, FrozenSet, NamedTuple, Pattern

from spacy.tokens import Doc

from .tables import load_table

_WORDS = re.compile(r"[^\W\d_]+")
# Right beside a number, or inside it, these make it part of an expression.
_OPERATORS = frozenset("=+*^×÷<>√≤≥≠")


class _Forms(NamedTuple):
    least: Dict[str, Dict[str, int]]
    patterns: Dict[str, Pattern[str]]
    numeric: FrozenSet[str]
    words: FrozenSet[str]


@lru_cache(maxsize=1)
def _forms() -> _Forms:
    table = load_table("forms")
    patterns = {label: re.compile(pattern, re.I) for label, pattern in table["patterns"].items()}
    return _Forms(table["least"], patterns, frozenset(table["numeric"]), frozenset(table["words"]))


def has_form(doc: Doc, start: int, end: int, label: str) -> bool:
    """Tell whether a span can be what its label says.

    A tagger that learns from context takes the "28" of an exercise for an age now and then, and a word for a number.
    What it finds needs the digits, number words or letters of its label, and a number must not be an operand.

    doc (Doc): The document.
    start (int): First token.
    end (int): Token after the last.
    label (str): Label of the span.
    RETURNS (bool): Whether it has the form; labels without one always do.
    """
    forms = _forms()
    text = doc[start:end].text
    if label in forms.patterns and not forms.patterns[label].search(text):
        return False
    least = forms.least.get(label)
    if least is not None:
        if "letters" in least and sum(map(str.isalpha, text)) < least["letters"]:
            return False
        if "digits" in least and sum(map(str.isdigit, text)) < least["digits"]:
            spelt = sum(1 for word in _WORDS.findall(text.lower()) if _is_number_word(word, forms.words))
            if spelt < least.get("words", len(text) + 1):
                return False
    return label not in forms.numeric or not _is_operand(doc, start, end, text)


def _is_number_word(word: str, words: FrozenSet[str]) -> bool:
    # German and Dutch write units and tens as one word.
    return word in words or word.endswith(("zig", "ßig", "tig"))


def _is_operand(doc: Doc, start: int, end: int, text: str) -> bool:
    if not _OPERATORS.isdisjoint(text):
        return True
    before = doc[start - 1].text[-1] if start else ""
    after = doc[end].text[0] if end < len(doc) else ""
    return before in _OPERATORS or after in _OPERATORS
