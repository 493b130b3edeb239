"""Surrogates of NRP: nationalities, religions, ethnicities and political groups."""

import re
from functools import lru_cache
from typing import Dict, Optional, Tuple

from .context import Context
from .countries import Country, countries
from .keys import Stream
from .names import fold
from .shapes import match_case

_BELIEFS = (
    ("Islam", "Christianity", "Judaism", "Hinduism", "Buddhism", "Sikhism", "Catholicism", "Protestantism"),
    ("Democrat", "Republican", "Libertarian", "Socialist", "Independent"),
    ("Democratic", "Republican", "Libertarian", "Socialist", "Green"),
    ("liberal", "conservative", "moderate", "progressive"),
    ("Labour", "Conservative", "Liberal Democrat", "Green"),
    ("atheist", "agnostic", "humanist"),
    ("Black", "White", "Asian", "Hispanic"),
)
_NATIONALITY, _RELIGION, _ETHNICITY = "nationality", "religion", "ethnicity"
_IRREGULAR = {"frenchman": "French", "frenchwoman": "French", "englishman": "British", "irishman": "Irish",
              "spaniard": "Spanish", "swede": "Swedish", "dane": "Danish", "finn": "Finnish", "pole": "Polish",
              "turk": "Turkish", "briton": "British", "scot": "Scottish", "filipina": "Filipino", "pinoy": "Filipino",
              "argentinian": "Argentine"}  # fmt: skip


def canonical(surface: str) -> str:
    """Name the entity of a group.

    surface (str): Its name.
    RETURNS (str): The name folded, in the singular.
    """
    return _singular(" ".join(fold(surface).split()))


def replace(surface: str, rng: Stream, context: Context) -> Optional[str]:
    """Replace a group by another of its kind; a nationality follows its country.

    surface (str): Name of the group.
    rng (Stream): Source of randomness.
    context (Context): The document.
    RETURNS (Optional[str]): The surrogate, or None where the surface is blank.
    """
    name = surface.strip()
    if not name:
        return None
    folded = " ".join(fold(name).split())
    plural = folded not in _table() and folded.endswith("s") and _singular(folded) in _table()
    folded = fold(_IRREGULAR.get(_singular(folded), _singular(folded) if plural else folded))
    if "-" in name or "/" in name:
        # Mexican-American: each half by itself.
        parts = re.split(r"([-/]\s*)", name)
        if folded not in _table() and any(_singular(fold(part)) in _table() for part in parts):
            return "".join(part if at % 2 else replace(part, rng, context) or part for at, part in enumerate(parts))
    new = _draw(folded, rng, context)
    start = surface.index(name)
    ends = "s" if plural and not new.endswith(("s", "sh", "ch", "se", "ese")) else ""
    cased = match_case(name, new) if name.isupper() or name.islower() else new[:1].upper() + new[1:]
    return surface[:start] + cased + ends + surface[start + len(name) :]


def _draw(folded: str, rng: Stream, context: Context) -> str:
    for group in _BELIEFS:
        if folded in (fold(word) for word in group):
            return rng.choice([word for word in group if fold(word) != folded])
    kind, country = _table().get(folded, (_ETHNICITY, context.home))
    if kind == _NATIONALITY:
        moved = context.moved(country)
        if moved.code == country.code:
            moved = rng.choice([other for other in countries(country.region) if other.code != country.code])
        return moved.nationality
    if kind == _RELIGION:
        common = ("Christian", "Muslim", "Hindu", "Buddhist", "Jewish", "Catholic", "Sikh", "Methodist", "Orthodox")
        return rng.choice([religion for religion in common if fold(religion) != folded])
    place = context.moved(country)
    pool = [people for people in place.ethnicities if fold(people) != folded]
    if not pool:
        pool = [people for other in countries(place.region) for people in other.ethnicities if fold(people) != folded]
    return rng.choice(pool)


def _singular(folded: str) -> str:
    return folded[:-1] if folded.endswith("s") and folded not in _table() and not folded.endswith("ss") else folded


@lru_cache(maxsize=None)
def _table() -> Dict[str, Tuple[str, Country]]:
    table: Dict[str, Tuple[str, Country]] = {}
    for country in countries():
        table.setdefault(fold(country.nationality), (_NATIONALITY, country))
    for country in countries():
        for religion in country.religions:
            table.setdefault(fold(religion), (_RELIGION, country))
        for people in country.ethnicities:
            table.setdefault(fold(people), (_ETHNICITY, country))
    return table
