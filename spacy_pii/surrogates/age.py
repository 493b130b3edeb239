"""Surrogates of AGE."""

import re
from typing import Optional, Tuple

from .context import Context
from .keys import Stream
from .numerals import NUMBER_WORD, read, spell
from .shapes import match_case

_AGE = re.compile(rf"\d{{1,3}}|\b{NUMBER_WORD}\b", re.IGNORECASE)
_DECADE = re.compile(r"\b([1-9]0)('?s)\b|\b(twenties|thirties|forties|fifties|sixties|seventies|eighties)\b", re.I)
_DECADES = ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties")
# Years between which an age says the same of a person: infant, primary, middle, high school, college, adult ages.
_STAGES: Tuple[Tuple[int, int], ...] = (
    (1, 2), (3, 5), (6, 10), (11, 13), (14, 17), (18, 22), (23, 29), (30, 39), (40, 49), (50, 64), (65, 89), (90, 99),
)  # fmt: skip
_WIDEST = 4


def canonical(surface: str) -> str:
    """Name the entity of an age.

    surface (str): The age in any form.
    RETURNS (str): Its numbers, so that "14" and "fourteen" are one.
    """
    numbers = [str(_read(match.group())) for match in _AGE.finditer(surface)]
    return " ".join(numbers) or surface.strip().lower()


def replace(surface: str, rng: Stream, context: Context) -> Optional[str]:
    """Move an age within its stage of life; words, units and hyphens stay.

    surface (str): The age.
    rng (Stream): Source of randomness.
    context (Context): The document.
    RETURNS (Optional[str]): The surrogate, or None where the surface holds no age.
    """
    decade = _DECADE.search(surface)
    if decade:
        return surface[: decade.start()] + _other_decade(decade, rng) + surface[decade.end() :]
    matches = list(_AGE.finditer(surface))
    if not matches:
        return None
    months = re.search(r"month|week|\bmo\b", surface, re.IGNORECASE) is not None
    result = []
    position = 0
    for match in matches:
        text = match.group()
        number = _read(text)
        new = other_age(number, rng) if not months else number + (1 if number < 2 or rng.randint(0, 1) else -1)
        result.append(surface[position : match.start()])
        result.append(str(new) if text[0].isdigit() else _respell(text, new))
        position = match.end()
    result.append(surface[position:])
    return "".join(result)


def other_age(age: int, rng: Stream) -> int:
    """Draw another age of the same stage.

    age (int): The age in years.
    rng (Stream): Source of randomness.
    RETURNS (int): An age that differs.
    """
    for first, last in _STAGES:
        if first <= age <= last:
            near = range(max(first, age - _WIDEST), min(last, age + _WIDEST) + 1)
            return rng.choice([other for other in near if other != age])
    return age + rng.randint(1, 3)


def _read(text: str) -> int:
    return int(text) if text[0].isdigit() else read(text) or 0


def _respell(text: str, number: int) -> str:
    words = spell(number) if number < 100 else str(number)
    if " " in text.strip():
        words = words.replace("-", " ")
    return match_case(text, words)


def _other_decade(match: "re.Match[str]", rng: Stream) -> str:
    if match.group(1):
        tens = int(match.group(1))
        near = [other for other in (tens - 10, tens + 10) if 20 <= other <= 80 and other != tens]
        return f"{rng.choice(near or [20])}{match.group(2)}"
    at = _DECADES.index(match.group(3).lower())
    near = [other for other in (at - 1, at + 1) if 0 <= other < len(_DECADES)]
    return match_case(match.group(3), _DECADES[rng.choice(near)])
