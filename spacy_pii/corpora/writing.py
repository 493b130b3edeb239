"""Habits of writing: what makes two people's versions of one sentence differ."""

import random
import re
import unicodedata
from dataclasses import dataclass
from typing import Optional

from .identity import misspell

_AFTER_STOP = re.compile(r"(?<=[a-z][.!?]) (?=[A-Z])")
_WORD = re.compile(r"\b[a-z]{4,}\b")
_STRAIGHT = str.maketrans({"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"'})

# Chance of each habit in a document, by genre: chats are typed in lower case more often than essays.
_CHAT = ("math", "advising")


@dataclass(frozen=True)
class Habits:
    """How one document is typed.

    lower (bool): All in lower case.
    lower_names (float): Chance that a mention of a name is in lower case.
    upper_names (float): Chance that it is in capitals.
    plain_names (bool): Diacritics are lost.
    slips (float): Chance that a name is misspelt.
    broken_names (float): Chance that a line breaks inside a name.
    straight (bool): Quotes are straight.
    glued (float): Chance that the space after a full stop is missing.
    typos (float): Chance that a word of the text is misspelt.
    """

    lower: bool
    lower_names: float
    upper_names: float
    plain_names: bool
    slips: float
    broken_names: float
    straight: bool
    glued: float
    typos: float


def draw_habits(genre: str, rng: random.Random) -> Habits:
    """Draw the habits of a document.

    genre (str): Genre of the document.
    rng (random.Random): Source of randomness.
    RETURNS (Habits): The habits.
    """
    chat = genre in _CHAT
    return Habits(
        lower=rng.random() < (0.15 if chat else 0.03),
        lower_names=rng.choice((0.0, 0.1, 0.5, 0.9) if chat else (0.0, 0.0, 0.0, 0.05, 0.3)),
        upper_names=rng.choice((0.0, 0.0, 0.0, 0.15)),
        plain_names=rng.random() < 0.4,
        slips=0.03,
        broken_names=0.0 if chat else 0.01,
        straight=rng.random() < 0.5,
        glued=rng.choice((0.0, 0.0, 0.0, 0.05, 0.3)),
        typos=rng.choice((0.0, 0.0, 0.005, 0.02)),
    )


def write_text(text: str, habits: Habits, rng: random.Random) -> str:
    """Type a piece of text that holds no slot.

    text (str): The text.
    habits (Habits): The habits of the document.
    rng (random.Random): Source of randomness.
    RETURNS (str): The text as typed.
    """
    if habits.straight:
        text = text.translate(_STRAIGHT)
    if habits.glued:
        text = _AFTER_STOP.sub(lambda match: "" if rng.random() < habits.glued else " ", text)
    if habits.typos:
        text = _WORD.sub(lambda match: misspell(match[0], rng) if rng.random() < habits.typos else match[0], text)
    return text.lower() if habits.lower else text


def write_name(name: str, attribute: Optional[str], habits: Habits, rng: random.Random) -> str:
    """Type a mention of a person.

    name (str): The name as it is meant.
    attribute (Optional[str]): Which form of the name it is.
    habits (Habits): The habits of the document.
    rng (random.Random): Source of randomness.
    RETURNS (str): The name as typed.
    """
    if habits.plain_names:
        name = strip_diacritics(name)
    if rng.random() < habits.slips:
        name = misspell(name, rng)
    if attribute == "full" and rng.random() < habits.broken_names:
        name = name.replace(" ", "\n", 1)
    if habits.lower or rng.random() < habits.lower_names:
        return name.lower()
    return name.upper() if rng.random() < habits.upper_names and attribute != "slug" else name


def strip_diacritics(text: str) -> str:
    """Type a text on a keyboard without diacritics.

    text (str): The text.
    RETURNS (str): The text in the same case without combining marks.
    """
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char))
