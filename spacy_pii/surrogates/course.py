"""Surrogates of COURSE_NUMBER."""

import re
from typing import Optional

from .context import Context
from .keys import Stream
from .shapes import other_digit, reshape


def canonical(surface: str) -> str:
    """Name the entity of a course code.

    surface (str): The code.
    RETURNS (str): Its letters and digits in upper case.
    """
    return "".join(char for char in surface.upper() if char.isalnum())


def replace(surface: str, rng: Stream, context: Context) -> Optional[str]:
    """Replace the number of a course. The subject and, in a number of three digits or more, the level stay.

    surface (str): The code.
    rng (Stream): Source of randomness.
    context (Context): The document.
    RETURNS (Optional[str]): The surrogate, or None where the surface holds no letter or digit.
    """
    if not any(char.isalnum() for char in surface):
        return None
    if not any(char.isdigit() for char in surface):
        return reshape(surface, rng)
    result = []
    position = 0
    for match in re.finditer(r"\d+", surface):
        digits = match.group()
        keep = 1 if len(digits) >= 3 else 0
        result.append(surface[position : match.start()] + digits[:keep])
        result.extend(other_digit(char, rng, nonzero=char != "0") for char in digits[keep:])
        position = match.end()
    result.append(surface[position:])
    return "".join(result)
