"""Numbers that are read out digit by digit: six one seven, five five five, oh one four three."""

import re
from functools import lru_cache
from typing import Iterator, NamedTuple, Pattern

from .base import Source, any_of, load_table

_REPEATS = {"double": 2, "triple": 3}


class Spelt(NamedTuple):
    """A number in words.

    start (int): First character.
    end (int): Character after the last.
    digits (str): The number in digits.
    """

    start: int
    end: int
    digits: str


@lru_cache(maxsize=1)
def _run() -> Pattern[str]:
    word = any_of(load_table("phones")["digit_words"])
    return re.compile(rf"\b{word}(?:[\s,.–-]{{1,4}}(?:{word}\b|\d{{1,4}}\b)){{3,24}}", re.I)


@lru_cache(maxsize=1)
def _part() -> Pattern[str]:
    return re.compile(r"[^\W\d_]+|\d+")


def find_spelt(source: Source) -> Iterator[Spelt]:
    """Find runs of four or more digit words; single figures may stand among them.

    source (Source): The text.
    YIELDS (Spelt): The runs. Plain counting (one two three four) is left out.
    """
    values = load_table("phones")["digit_words"]
    # One figure over and over is no number, so a text without two of the words holds none.
    if len(source.words & values.keys()) < 2:
        return
    for hit in _run().finditer(source.text):
        digits, repeat = "", 1
        for part in _part().findall(hit.group().lower()):
            if part in _REPEATS:
                repeat = _REPEATS[part]
            else:
                digits += values.get(part, part) * repeat
                repeat = 1
        if not _is_counting(digits):
            yield Spelt(hit.start(), hit.end(), digits)


def _is_counting(digits: str) -> bool:
    steps = {int(after) - int(before) for before, after in zip(digits, digits[1:])}
    return steps in ({1}, {-1}, {0})
