"""Surrogates of PERSON."""

from .context import Context
from .keys import Stream
from .names import fold


def canonical(surface: str) -> str:
    """Name the entity of a mention.

    surface (str): The mention.
    RETURNS (str): Its folded text; which mentions are one person is what the context knows.
    """
    return " ".join(fold(surface).split())


def replace(surface: str, rng: Stream, context: Context) -> str:
    """Replace a name, its form kept. Words are drawn by the context, where they are shared with other mentions.

    surface (str): The mention.
    rng (Stream): Source of randomness; unused, a name's own stream is keyed by its words.
    context (Context): The document.
    RETURNS (str): The surrogate.
    """
    return context.persons.replace(surface)
