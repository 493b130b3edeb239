"""Countries with what text says of them: places, streets, peoples, the shape of addresses and phone numbers."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Dict, Optional, Tuple

from ..tables import load_table
from .names import fold


@dataclass(frozen=True)
class Country:
    """A country.

    code (str): ISO 3166 code of two letters.
    name (str): Name as in English text.
    aliases (Tuple[str, ...]): Other ways to write the name.
    region (str): africa, americas, asia, europe or oceania.
    nationality (str): What its people are called.
    ethnicities (Tuple[str, ...]): Peoples, as in "I am Igbo".
    religions (Tuple[str, ...]): Religions, as in "I am Muslim".
    cities (Tuple[str, ...]): Cities, large and small.
    states (Tuple[str, ...]): States, provinces and the like.
    street_names (Tuple[str, ...]): Whole invented names of streets.
    address_format (str): Format string of number, street, city, postcode and, in some, state.
    postcode_format (str): "#" is a digit, "?" a letter; else literal.
    phone_formats (Tuple[str, ...]): "#" is a digit; else literal.
    faker_locales (Tuple[str, ...]): Locales of Faker whose person provider suits the country.
    origins (Tuple[str, ...]): Origins of `names` that suit the country.
    """

    code: str
    name: str
    aliases: Tuple[str, ...]
    region: str
    nationality: str
    ethnicities: Tuple[str, ...]
    religions: Tuple[str, ...]
    cities: Tuple[str, ...]
    states: Tuple[str, ...]
    street_names: Tuple[str, ...]
    address_format: str
    postcode_format: str
    phone_formats: Tuple[str, ...]
    faker_locales: Tuple[str, ...]
    origins: Tuple[str, ...]


@lru_cache(maxsize=None)
def countries(region: Optional[str] = None) -> Tuple[Country, ...]:
    """List the countries.

    region (Optional[str]): Only those of this region.
    RETURNS (Tuple[Country, ...]): The countries, in the table's order.
    """
    if region is not None:
        return tuple(country for country in countries() if country.region == region)
    return tuple(
        Country(**{key: tuple(value) if isinstance(value, list) else value for key, value in row.items()})
        for row in load_table("countries")
    )


def country_of(place: str) -> Optional[Country]:
    """Find the country that a name, an alias, a city or a state belongs to, whatever its case and diacritics.

    place (str): Name of the place.
    RETURNS (Optional[Country]): The country, or None if the place is not in the table.
    """
    return _by_place().get(fold(place.strip()))


@lru_cache(maxsize=None)
def _by_place() -> Dict[str, Country]:
    table: Dict[str, Country] = {}
    # Names of countries win over cities, cities over states; the first country in the table keeps a shared name.
    for attribute in ("name", "aliases", "cities", "states"):
        for country in countries():
            value = getattr(country, attribute)
            for name in (value,) if isinstance(value, str) else value:
                table.setdefault(fold(name), country)
    return table
