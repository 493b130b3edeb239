"""Given and family names by origin: Faker's lists in Latin letters, filled up by `spacy_pii/tables/names.json`."""

import importlib
import unicodedata
from functools import lru_cache
from typing import Any, Dict, FrozenSet, Iterable, Iterator, List, Optional, Tuple

from ..tables import load_table
from .shapes import strip_marks

GIVEN_FIRST = "given_first"
FAMILY_FIRST = "family_first"

# Faker's attributes by what they hold, the first one that a locale has is taken. Romanized lists come first: the
# plain ones of such a locale are in another script.
_GIVEN = {
    "f": ("first_romanized_names_female", "first_romanized_names", "first_names_female", "first_names"),
    "m": ("first_romanized_names_male", "first_romanized_names", "first_names_male", "first_names"),
}
# The male form where a language has two: a woman may well carry it abroad, a man never carries the female one.
_FAMILY = ("last_romanized_names", "last_names_male", "last_names")
_FAMILY_EVIDENCE = ("last_romanized_names", "last_names", "last_names_male", "last_names_female")

_HYPHENS = str.maketrans({"\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2019": "'", "\u02bc": "'"})
# Titles that some of Faker's lists hold as if they were names.
_TITLES = frozenset({"mr", "mrs", "ms", "miss", "dr", "prof", "sir", "madam", "jr", "sr", "phd", "md", "hj", "haji"})


@lru_cache(maxsize=None)
def origins(region: Optional[str] = None) -> Tuple[str, ...]:
    """List the origins that names are held for.

    region (Optional[str]): Only those of this region (africa, americas, asia, europe, oceania).
    RETURNS (Tuple[str, ...]): The origins, in the table's order.
    """
    return tuple(name for name, row in _table().items() if region is None or row["region"] == region)


def region_of(origin: str) -> str:
    """Look up the region of an origin.

    origin (str): Name of the origin.
    RETURNS (str): africa, americas, asia, europe or oceania.
    RAISES (ValueError): If there is no such origin.
    """
    return _row(origin)["region"]


def name_order(origin: str) -> str:
    """Look up the order in which a full name of an origin is usually written in English text.

    origin (str): Name of the origin.
    RETURNS (str): "given_first" or "family_first".
    RAISES (ValueError): If there is no such origin.
    """
    return FAMILY_FIRST if _row(origin).get("family_first") else GIVEN_FIRST


@lru_cache(maxsize=None)
def given_names(origin: str, gender: str) -> Tuple[str, ...]:
    """List the given names of an origin.

    origin (str): Name of the origin.
    gender (str): "f" or "m".
    RETURNS (Tuple[str, ...]): The names, without doubles.
    RAISES (ValueError): If there is no such origin or gender.
    """
    if gender not in _GIVEN:
        raise ValueError(f"Unknown gender '{gender}': expected 'f' or 'm'.")
    row = _row(origin)
    return _merge(row[gender], *(_faker_names(locale, _GIVEN[gender]) for locale in row["faker"]))


@lru_cache(maxsize=None)
def family_names(origin: str) -> Tuple[str, ...]:
    """List the family names of an origin.

    origin (str): Name of the origin.
    RETURNS (Tuple[str, ...]): The names, without doubles.
    RAISES (ValueError): If there is no such origin.
    """
    row = _row(origin)
    return _merge(row["family"], *(_faker_names(locale, _FAMILY) for locale in row["faker"]))


def fold(text: str) -> str:
    """Take case and diacritics away, so that spellings of one name compare equal.

    text (str): Any text.
    RETURNS (str): Lower case without diacritics.
    """
    return text.lower() if text.isascii() else strip_marks(text.casefold())


@lru_cache(maxsize=None)
def name_parts() -> FrozenSet[str]:
    """Collect every given and family name, as evidence that a word can be a name.

    RETURNS (FrozenSet[str]): The names, folded; those of two words also word by word.
    """
    parts = set()
    for origin, row in _table().items():
        lists: List[Iterable[str]] = [given_names(origin, "f"), given_names(origin, "m"), family_names(origin)]
        for locale in row["faker"]:
            lists.extend(_faker_names(locale, (attribute,)) for attribute in _FAMILY_EVIDENCE)
        for names in lists:
            for name in names:
                folded = fold(name)
                parts.add(folded)
                parts.update(word for word in folded.split() if len(word) > 2)
    return frozenset(parts)


def _table() -> Dict[str, Dict[str, Any]]:
    return load_table("names")


def _row(origin: str) -> Dict[str, Any]:
    table = _table()
    if origin not in table:
        raise ValueError(f"There are no names of origin '{origin}'. Known origins: {', '.join(table)}.")
    return table[origin]


@lru_cache(maxsize=None)
def _faker_names(locale: str, attributes: Tuple[str, ...]) -> Tuple[str, ...]:
    """Read the first of some lists that a locale of Faker has, without an instance of Faker: that would load every
    provider of the locale."""
    module = importlib.import_module(f"faker.providers.person.{locale}")
    base = importlib.import_module("faker.providers.person").Provider
    own = {}
    for cls in reversed(module.Provider.__mro__):
        # The base class holds placeholders (John Doe) for locales without lists.
        if issubclass(cls, base) and cls is not base:
            own.update(vars(cls))
    for attribute in attributes:
        names = tuple(_clean(own.get(attribute) or ()))
        if names:
            return names
    return ()


def _clean(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        name = " ".join(unicodedata.normalize("NFC", str(name)).translate(_HYPHENS).split())
        words = name.split()
        if not 1 <= len(words) <= 2 or len(name) < 2 or not _is_latin(name):
            continue
        if any(word.rstrip(".").lower() in _TITLES for word in words):
            continue
        yield name.title() if name.isupper() or name.islower() else name


def _is_latin(name: str) -> bool:
    letters = [char for char in name if char not in " -'"]
    return bool(letters) and all(char.isalpha() and unicodedata.name(char, "").startswith("LATIN") for char in letters)


def _merge(*lists: Iterable[str]) -> Tuple[str, ...]:
    return tuple(dict.fromkeys(name for names in lists for name in names))
