"""Surrogates of GRADE_LEVEL."""

import re
from typing import Dict, Optional, Tuple

from .context import Context
from .keys import Stream
from .numerals import (
    NUMBER_WORD,
    ORDINAL_WORD,
    read,
    read_ordinal,
    spell,
    spell_ordinal,
    suffix,
)
from .shapes import match_case

_LEVEL = re.compile(rf"(\d{{1,2}})(st|nd|rd|th)?|\b({ORDINAL_WORD})\b|\b({NUMBER_WORD})\b", re.IGNORECASE)
_ROMAN = re.compile(r"\b(I{1,3}|IV|VI{0,3}|IX|XI{0,2})\b")
_ROMANS = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_WORDS: Tuple[Tuple[str, ...], ...] = (
    ("freshman", "sophomore", "junior", "senior"),
    ("freshmen", "sophomores", "juniors", "seniors"),
    ("preschool", "kindergarten"),
    ("preschooler", "kindergartener"),
    ("preschooler", "kindergartner"),
    ("pre-k", "kinder"),
)
_BRITISH = re.compile(r"\b(?:year|yr|y)\b", re.IGNORECASE)
_UNIVERSITY = re.compile(r"[-\s]year\b|\byear (?:student|undergrad)", re.IGNORECASE)
_FORM = re.compile(r"\bform\b|\bsenior \d", re.IGNORECASE)
_GRADES = ((1, 5), (6, 8), (9, 12))
_YEARS = ((1, 6), (7, 9), (10, 11), (12, 13))


def canonical(surface: str) -> str:
    """Name the entity of a school year.

    surface (str): The school year in any form.
    RETURNS (str): Its number, or its words folded.
    """
    match = _LEVEL.search(surface)
    return str(_read(match)) if match else surface.strip().lower()


def replace(surface: str, rng: Stream, context: Context) -> Optional[str]:
    """Move a school year within its stage (primary, middle, high school, college); the form stays.

    surface (str): The school year.
    rng (Stream): Source of randomness.
    context (Context): The document.
    RETURNS (Optional[str]): The surrogate, or None where the surface names no school year.
    """
    matches = list(_LEVEL.finditer(surface))
    if matches:
        levels = sorted({_read(match) for match in matches})
        moved: Dict[int, int] = {}
        for level in levels:
            moved[level] = _move(level, surface, rng, set(moved.values()))
        # Grades 10 to 12 stay in their order.
        moved = dict(zip(levels, sorted(moved.values())))
        result = []
        position = 0
        for match in matches:
            level = _read(match)
            result.append(surface[position : match.start()])
            result.append(_write(match, moved[level]))
            position = match.end()
        result.append(surface[position:])
        return "".join(result)
    for words in _WORDS:
        pattern = re.compile(rf"\b({'|'.join(words)})\b", re.IGNORECASE)
        match = pattern.search(surface)
        if match:
            new = rng.choice([word for word in words if word != match.group().lower()])
            return surface[: match.start()] + match_case(match.group(), new) + surface[match.end() :]
    roman = _ROMAN.search(surface)
    if roman and roman.group() in _ROMANS:
        new = _move(_ROMANS.index(roman.group()), surface, rng, set())
        return surface[: roman.start()] + _ROMANS[min(new, 12)] + surface[roman.end() :]
    return None


def _move(level: int, surface: str, rng: Stream, taken: "set[int]") -> int:
    stages = _GRADES
    if _UNIVERSITY.search(surface):
        stages = ((1, 4),)
    elif _FORM.search(surface):
        stages = ((1, 4), (5, 6))
    elif _BRITISH.search(surface):
        stages = _YEARS
    for first, last in stages:
        if first <= level <= last:
            others = [other for other in range(first, last + 1) if other != level]
            return rng.choice([other for other in others if other not in taken] or others)
    return level + 1


def _read(match: "re.Match[str]") -> int:
    digits, _, ordinal, number = match.groups()
    if digits:
        return int(digits)
    return (read_ordinal(ordinal) if ordinal else read(number)) or 0


def _write(match: "re.Match[str]", level: int) -> str:
    digits, ending, ordinal, number = match.groups()
    if digits:
        return str(level) + (match_case(ending, suffix(level)) if ending else "")
    if ordinal:
        return match_case(ordinal, spell_ordinal(level) if level <= 20 else f"{level}{suffix(level)}")
    return match_case(number, spell(level) if level < 100 else str(level))
