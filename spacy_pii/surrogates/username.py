"""Surrogates of USERNAME."""

from typing import Optional

from .context import Context
from .handles import canonical_handle, replace_handle
from .keys import Stream


def canonical(surface: str) -> str:
    """Name the entity of a user name.

    surface (str): The user name, with or without @.
    RETURNS (str): Its letters and digits, folded.
    """
    return canonical_handle(surface)


def replace(surface: str, rng: Stream, context: Context) -> Optional[str]:
    """Replace a user name. It follows its person; @, separators and the place of digits stay.

    surface (str): The user name.
    rng (Stream): Source of randomness.
    context (Context): The document.
    RETURNS (Optional[str]): The surrogate, or None where the surface holds no letter.
    """
    if not any(char.isalpha() for char in surface):
        return None
    return replace_handle(surface, context)
