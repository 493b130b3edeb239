"""Surrogates of ID_NUM, and of the licence and passport numbers that are made alike."""

import re
from typing import Optional

from .context import Context
from .keys import Stream
from .shapes import digits_of, put_digits, reshape

# Words beside a number that say what it is.
_WORD = re.compile(
    r"\b(?:student|staff|employee|account|candidate|id|no|nr|number|num|numero|matricule|reg|roll)\b|#", re.I
)


def canonical(surface: str) -> str:
    """Name the entity of a number.

    surface (str): The number.
    RETURNS (str): Its letters and digits in upper case.
    """
    return "".join(char for char in _WORD.sub(" ", surface).upper() if char.isalnum())


def replace(surface: str, rng: Stream, context: Context) -> Optional[str]:
    """Replace a number by one with the same pattern of letters, digits and separators.

    surface (str): The number.
    rng (Stream): Source of randomness.
    context (Context): The document.
    RETURNS (Optional[str]): The surrogate, or None where the surface holds no letter or digit of a number.
    """
    if not canonical(surface):
        return None
    if not re.search(r"\d", surface) and digits_of(surface):
        digits = digits_of(surface)
        return put_digits(surface, reshape(digits, rng))
    result = []
    position = 0
    for match in _WORD.finditer(surface):
        result.append(_reshape(surface[position : match.start()], rng))
        result.append(match.group())
        position = match.end()
    result.append(_reshape(surface[position:], rng))
    return "".join(result)


def _reshape(part: str, rng: Stream) -> str:
    return reshape(part, rng) if any(char.isalnum() for char in part) else part
