"""Numbers written in English words and ordinals."""

import re
from functools import lru_cache
from typing import Dict, Optional

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
).split()

NUMBER_WORD = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[-\s](?:{'|'.join(_UNITS[1:10])}))?|{'|'.join(sorted(_UNITS, key=len)[::-1])})"
)
"""Pattern of a number from zero to ninety-nine in words."""

ORDINAL_WORD = rf"(?:{'|'.join(sorted(_ORDINALS[1:], key=len)[::-1])})"
"""Pattern of an ordinal from first to twentieth in words."""


def spell(number: int) -> str:
    """Write a number in words.

    number (int): From 0 to 99.
    RETURNS (str): The words, in lower case, with a hyphen.
    """
    if number < 20:
        return _UNITS[number]
    tens, unit = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_UNITS[unit]}" if unit else "")


def read(words: str) -> Optional[int]:
    """Read a number in words.

    words (str): For example "fourteen" or "Twenty one".
    RETURNS (Optional[int]): The number, or None where the words are none from 0 to 99.
    """
    return _numbers().get(re.sub(r"[-\s]+", "-", words.strip().lower()))


def spell_ordinal(number: int) -> str:
    """Write an ordinal in a word.

    number (int): From 1 to 20.
    RETURNS (str): The word in lower case.
    """
    return _ORDINALS[number]


def read_ordinal(word: str) -> Optional[int]:
    """Read an ordinal in a word.

    word (str): For example "seventh".
    RETURNS (Optional[int]): The number, or None where the word is none.
    """
    word = word.strip().lower()
    return _ORDINALS.index(word) if word in _ORDINALS else None


def suffix(number: int) -> str:
    """Give the ending of an ordinal in digits.

    number (int): The number.
    RETURNS (str): "st", "nd", "rd" or "th".
    """
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


@lru_cache(maxsize=None)
def _numbers() -> Dict[str, int]:
    return {spell(number): number for number in range(100)}
