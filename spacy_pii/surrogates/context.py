"""What the generators of one document share."""

import re
from collections import Counter
from functools import lru_cache
from typing import Dict, Iterable, List, Optional, Set, Tuple

from .countries import Country, countries, country_of
from .keys import KeyedSource, Stream
from .names import fold
from .persons import PersonBook

_TEXT_WORD = re.compile(r"[^\W\d_]+")
_NUMERIC_DATE = re.compile(r"\b(\d{1,2})[/.-](\d{1,2})[/.-]\d{2,4}\b")
_FULL_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_LEAP_YEAR = 2024
_PLACES = ("LOCATION", "NRP", "STREET_ADDRESS")

# Dates move by weeks, so that a weekday stays one, and by about whole years, so that a season stays one.
_YEARS = (1, 5)
_WEEKS = (1, 8)


class Context:
    """The state of one document: its scope, its people, its places and its shift of dates.

    source (KeyedSource): Source of the keyed streams.
    scope (str): Name of the scope: one entity has one surrogate in one scope.
    text (str): The document's text.
    spans (Iterable[Tuple[str, str]]): Label and surface of every span that is going to be replaced.
    """

    def __init__(self, *, source: KeyedSource, scope: str, text: str, spans: Iterable[Tuple[str, str]]) -> None:
        found = list(spans)
        self._source = source
        self._scope = scope
        self.originals: Set[str] = {fold(surface) for _, surface in found}
        # Distinct words are few: folding them is cheaper than folding the text.
        words = {fold(word) for word in set(_TEXT_WORD.findall(text))}
        self.persons = PersonBook(
            [surface for label, surface in found if label == "PERSON"], stream=self.person_stream, forbidden=words
        )
        self._places: List[str] = [surface for label, surface in found if label in _PLACES]
        dates = [surface for label, surface in found if label == "DATE"]
        self.day_first = _day_first(dates)
        self.reference_year = _reference_year(dates)
        self.schools: List[str] = [surface for label, surface in found if label == "SCHOOL"]
        self._home: Optional[Country] = None
        self._named: Optional[Set[str]] = None
        self._moved: Dict[str, Country] = {}
        rng = self.stream("DATE", "shift")
        years, weeks = rng.randint(*_YEARS), rng.randint(*_WEEKS) * rng.choice((-1, 1))
        self.shift_days: int = -7 * (52 * years + weeks)
        self.shift_years: int = -years

    def stream(self, label: str, entity: str) -> Stream:
        """Make the stream for an entity.

        label (str): Label of the entity.
        entity (str): Canonical form of the entity.
        RETURNS (Stream): The same stream for the same key, scope, label and entity.
        """
        return self._source.stream(self._scope, label, entity)

    def person_stream(self, purpose: str, entity: str) -> Stream:
        """Make the stream for a part of a name.

        purpose (str): What is drawn.
        entity (str): Folded name.
        RETURNS (Stream): The stream.
        """
        return self._source.stream(self._scope, "PERSON", purpose, entity)

    @property
    def home(self) -> Country:
        """The country that the document's places and peoples belong to; the United States where nothing tells."""
        if self._home is None:
            votes = Counter(
                country.code for surface in self._places for country in _countries_in(surface) if country is not None
            )
            best = max(votes, key=votes.get) if votes else "US"
            self._home = _by_code()[best]
        return self._home

    def moved(self, country: Country) -> Country:
        """Say which country stands for a country.

        country (Country): A country of the document.
        RETURNS (Country): Another one of its region where a span names the country or its people; else the same, so
            that the surrogate of a city lies where the text goes on to say.
        """
        if self._named is None:
            names = (_codes().get(fold(surface.strip()).rstrip("s")) for surface in self._places)
            self._named = {code for code in names if code is not None}
        if country.code not in self._named:
            return country
        if country.code not in self._moved:
            rng = self.stream("LOCATION", f"country:{country.code}")
            taken = {other.code for other in self._moved.values()} | self._named
            pool = [other for other in countries(country.region) if other.code not in taken]
            pool = (
                pool
                or [other for other in countries() if other.code not in taken]
                or [other for other in countries() if other.code != country.code]
            )
            self._moved[country.code] = rng.choice(pool)
        return self._moved[country.code]


def _countries_in(surface: str) -> List[Optional[Country]]:
    parts = [surface, *re.split(r"[,\n]", surface)] if re.search(r"[,\n]", surface) else [surface]
    return [country_of(part) or _by_people().get(fold(part.strip()).rstrip("s")) for part in parts]


@lru_cache(maxsize=None)
def _by_code() -> Dict[str, Country]:
    return {country.code: country for country in countries()}


@lru_cache(maxsize=None)
def _by_people() -> Dict[str, Country]:
    table: Dict[str, Country] = {}
    for country in countries():
        table.setdefault(fold(country.nationality).rstrip("s"), country)
    return table


@lru_cache(maxsize=None)
def _codes() -> Dict[str, str]:
    """Code of the country that a name or a nationality belongs to."""
    table: Dict[str, str] = {}
    for country in countries():
        for name in (country.name, *country.aliases, country.nationality):
            table.setdefault(fold(name).rstrip("s"), country.code)
    return table


def _day_first(dates: Iterable[str]) -> bool:
    """Whether the document writes the day before the month, as its unambiguous dates tell."""
    for date in dates:
        match = _NUMERIC_DATE.search(date)
        if match and int(match.group(1)) > 12:
            return True
        if match and int(match.group(2)) > 12:
            return False
    return False


def _reference_year(dates: Iterable[str]) -> int:
    """The year that dates without one are read in: the latest of the document, else one with all 366 days."""
    return max((int(year) for date in dates for year in _FULL_YEAR.findall(date)), default=_LEAP_YEAR)
