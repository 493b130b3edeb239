"""Surrogates of LOCATION."""

import re
from functools import lru_cache
from typing import Dict, List, Optional, Tuple

from ..tables import load_table
from .context import Context
from .countries import Country, countries, country_of
from .keys import Stream
from .names import fold
from .shapes import match_case, strip_marks

CITY, STATE, COUNTRY = "city", "state", "country"

_SEPARATOR = re.compile(r"(\s*[,/;()\n]\s*)")
_KIND = re.compile(
    r"\s+(?:county|province|state|district|region|city|town|village|governorate|division|department|island|islands|"
    r"suburb|township|parish|prefecture|municipality)$",
    re.IGNORECASE,
)
_STATE_KINDS = frozenset(
    {"county", "province", "state", "region", "governorate", "division", "department", "prefecture"}
)
_ARTICLE = re.compile(r"^the\s+", re.IGNORECASE)


def canonical(surface: str) -> str:
    """Name the entity of a place.

    surface (str): Its name.
    RETURNS (str): The name folded; the aliases of a country are one.
    """
    folded = " ".join(fold(surface).split())
    kind, country = kind_of(folded)
    return f"country:{country.code}" if kind == COUNTRY and country is not None else folded


def replace(surface: str, rng: Stream, context: Context) -> Optional[str]:
    """Replace a place by another of its kind and region.

    surface (str): The place, or several with commas between.
    rng (Stream): Source of randomness.
    context (Context): The document.
    RETURNS (Optional[str]): The surrogate, or None where the surface holds no letter.
    """
    if not any(char.isalpha() for char in surface):
        return None
    parts = _SEPARATOR.split(surface)
    if len(parts) == 1 or kind_of(fold(surface.strip()))[0]:
        return replace_place(surface, rng, context)
    return "".join(
        part
        if at % 2 or not part.strip()
        else replace_place(part, context.stream("LOCATION", canonical(part)), context)
        for at, part in enumerate(parts)
    )


def replace_place(name: str, rng: Stream, context: Context) -> str:
    """Replace one place.

    name (str): Its name.
    rng (Stream): Source of randomness.
    context (Context): The document.
    RETURNS (str): Another place of its kind and region, in the same case.
    """
    bare = name.strip()
    lead = name[: name.index(bare)] if bare else name
    tail = name[len(lead) + len(bare) :]
    folded = " ".join(fold(bare).split())
    kind, country = kind_of(folded)
    ending = ""
    if not kind:
        word = _KIND.search(bare)
        if word:
            ending = word.group()
            kind = STATE if ending.strip().lower() in _STATE_KINDS else CITY
            country = kind_of(fold(bare[: word.start()]))[1]
    country = country or context.home
    place = context.moved(country)
    if kind == COUNTRY:
        if place.code == country.code:
            place = rng.choice([other for other in countries(country.region) if other.code != country.code])
        new = place.name
    elif len(bare) == 2 and bare.isupper() and bare in load_table("us_states"):
        new = rng.choice([code for code in load_table("us_states") if code != bare])
    else:
        new = _draw(kind or CITY, place, folded, rng, bool(ending)) + ending
    if bare.isascii():
        new = strip_marks(new)
    cased = match_case(bare, new) if bare.isupper() or bare.islower() else new
    return lead + cased + tail


def _draw(kind: str, place: Country, folded: str, rng: Stream, bare: bool) -> str:
    names: Tuple[str, ...] = place.states if kind == STATE else place.cities
    if kind == STATE and place.code == "US":
        names = tuple(load_table("us_states").values())
    pool: List[str] = [_KIND.sub("", name) if bare else name for name in names]
    pool = [name for name in pool if fold(name) not in folded] or [
        city for city in place.cities if fold(city) not in folded
    ]
    return rng.choice(pool)


def kind_of(folded: str) -> Tuple[str, Optional[Country]]:
    """Tell what kind of place a name is.

    folded (str): The name, folded.
    RETURNS (Tuple[str, Optional[Country]]): city, state or country, and the country it lies in; "" and None where the
        name is not known.
    """
    return _kinds().get(folded) or _kinds().get(_ARTICLE.sub("", folded)) or ("", None)


@lru_cache(maxsize=None)
def _kinds() -> Dict[str, Tuple[str, Optional[Country]]]:
    table: Dict[str, Tuple[str, Optional[Country]]] = {}
    for country in countries():
        for name in (country.name, *country.aliases):
            table.setdefault(fold(name), (COUNTRY, country))
    america = country_of("United States")
    for kind, attribute in ((CITY, "cities"), (STATE, "states")):
        for country in countries():
            for name in getattr(country, attribute):
                table.setdefault(fold(name), (kind, country))
    for code, name in load_table("us_states").items():
        # Georgia and the like are in the table already where a country has the name; "in", "or", "me" are words.
        table.setdefault(fold(name), (STATE, america))
        table.setdefault(fold(code), (STATE, america))
    return table
