"""Surrogates of STREET_ADDRESS."""

import re
from functools import lru_cache
from typing import FrozenSet, List, Optional

from .context import Context
from .countries import Country, countries, country_of
from .keys import Stream
from .location import kind_of, replace_place
from .names import fold
from .shapes import match_case, reshape, strip_marks

# Words that say what a part of an address is; the name beside them changes.
_TYPES = frozenset(
    """street st avenue ave av road rd lane ln drive dr court ct place pl boulevard blvd way terrace ter close crescent
    cres circle cir parkway pkwy highway hwy square sq trail trl rise grove gardens walk row alley mews hill view park
    loop parade esplanade point mawatha marg sadak dori
    rue avenue boulevard impasse allée allées chemin place cité ruelle route cours quai derb
    calle avenida carrera paseo plaza pasaje jirón camino calzada privada callejón transversal vereda
    rua travessa alameda largo praça via viale corso piazza vicolo strada bulevardul aleea
    straße strasse str weg platz gasse allee ulica aleja ulitsa bulevard odos leoforos utca tér köz
    sokak caddesi bulvarı jalan jl jln lorong soi gatan vägen gade vej katu tie straat laan
    north south east west n s e w upper lower old new the of and de la las los le les du des del da do dos di der den am
    im an apt apartment unit suite ste flat floor room rm house block building bldg box po no nr number lot plot
    near opposite behind next p.o""".split()
)
_SHORT = {"st": "street", "ave": "avenue", "av": "avenue", "rd": "road", "ln": "lane", "dr": "drive", "ct": "court",
          "cres": "crescent", "jl": "jalan", "jln": "jalan"}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*")
_SEPARATOR = re.compile(r"(\s*[,;\n]\s*)")
# British, Canadian and Irish post codes, and a state of the United States with its code.
_POSTCODE = re.compile(
    r"\b(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]\d{2} ?[A-Z\d]{4}|[A-Z]{2} ?\d{5})\b"
)
_DIGITS = re.compile(r"\d+")


def canonical(surface: str) -> str:
    """Name the entity of an address.

    surface (str): The address.
    RETURNS (str): Its letters and digits, folded; where it goes on after the street is left aside.
    """
    street = _SEPARATOR.split(surface.strip())[0]
    return re.sub(r"[\W_]+", " ", fold(street)).strip()


def replace(surface: str, rng: Stream, context: Context) -> Optional[str]:
    """Replace an address part by part: numbers, the name of the street, places, post code. Its layout stays.

    surface (str): The address.
    rng (Stream): Source of randomness.
    context (Context): The document.
    RETURNS (Optional[str]): The surrogate, or None where the surface holds no letter or digit.
    """
    if not any(char.isalnum() for char in surface):
        return None
    parts = _SEPARATOR.split(surface)
    country = context.moved(_country(parts, rng, context))
    result: List[str] = []
    for at, part in enumerate(parts):
        if at % 2 or not part.strip():
            result.append(part)
        elif at == 0:
            result.append(_replace_street(part, rng, country))
        else:
            result.append(_replace_part(part, rng, context, country))
    return "".join(result)


def _replace_street(part: str, rng: Stream, country: Country) -> str:
    """Replace the name of the street; the number of words that say its type stays."""
    words = [match for match in _WORD.finditer(part) if len(match.group()) > 1 or not part.isascii()]
    own = [match for match in words if fold(match.group().rstrip(".")) not in _types()]
    if not own:
        return _renumber(part, rng) if any(char.isdigit() for char in part) else reshape(part, rng)
    start, end = own[0].start(), own[-1].end()
    streets = [name for name in country.street_names if fold(own[0].group()) not in fold(name)]
    lead = [match for match in words if match.start() < start and _type(match.group()) in _street_types()]
    if lead and len(words) - len(own) < 4:
        # Rue des Lilas: the type comes first and goes with the name.
        alike = [name for name in streets if _type(lead[0].group()) == _type(name.split()[0])]
        streets, start = alike or streets, lead[0].start()
        new = rng.choice(streets)
    elif len(own) == len(words):
        # Lindenstraße: type and name are one word.
        new = rng.choice(streets)
    else:
        new = _name_of(rng.choice(streets))
    text = part[start:end]
    if text.isascii():
        new = strip_marks(new)
    cased = match_case(text, new) if text.isupper() or text.islower() else new
    return _renumber(part[:start], rng) + cased + _renumber(part[end:], rng)


def _country(parts: List[str], rng: Stream, context: Context) -> Country:
    """Find the country of an address by its places, by the document, by what its streets are called."""
    for part in parts[2::2]:
        words = " ".join(_WORD.findall(part))
        found = country_of(words) or country_of(words.rsplit(" ", 1)[0])
        if found:
            return found
    types = {_type(word) for word in _WORD.findall(parts[0])} & _street_types()
    if not types or types & _types_of(context.home):
        return context.home
    alike = [country for country in countries() if types & _types_of(country)]
    return rng.choice(alike) if alike else context.home


@lru_cache(maxsize=None)
def _types_of(country: Country) -> FrozenSet[str]:
    return frozenset(_type(word) for name in country.street_names for word in name.split()) & _types()


@lru_cache(maxsize=None)
def _street_types() -> FrozenSet[str]:
    """Words for streets that the streets of some country begin or end with."""
    names = [name for country in countries() for name in country.street_names]
    return frozenset(_type(word) for name in names for word in (name.split()[0], name.split()[-1])) & _types()


def _type(word: str) -> str:
    folded = fold(word).rstrip(".")
    return _SHORT.get(folded, folded)


def _name_of(street: str) -> str:
    words = [word for word in street.split() if fold(word) not in _types()]
    return " ".join(words) or street


def _replace_part(part: str, rng: Stream, context: Context, country: Country) -> str:
    """Replace a part after the street: a flat, a place, a state with its post code."""
    result = []
    position = 0
    for match in _POSTCODE.finditer(part):
        result.append(_replace_words(part[position : match.start()], rng, context, country))
        code = match.group()
        state = code[:2] if code[:2].isalpha() else ""
        if len(code.replace(" ", "")) == 7 and state and code[2:].strip().isdigit():
            # OH 44101: a state and its code.
            result.append(replace_place(state, context.stream("LOCATION", fold(state)), context))
            result.append(reshape(code[2:], rng))
        else:
            result.append(reshape(code, rng))
        position = match.end()
    result.append(_replace_words(part[position:], rng, context, country))
    return "".join(result)


def _replace_words(text: str, rng: Stream, context: Context, country: Country) -> str:
    words = list(_WORD.finditer(text))
    if not words or all(fold(word.group()) in _types() for word in words):
        return _renumber(text, rng)
    start, end = words[0].start(), words[-1].end()
    name = text[start:end]
    if kind_of(fold(name))[0] or not any(fold(word.group()) in _types() for word in words):
        new = replace_place(name, context.stream("LOCATION", fold(name)), context)
    else:
        return _replace_street(text, rng, country)
    return _renumber(text[:start], rng) + new + _renumber(text[end:], rng)


def _renumber(text: str, rng: Stream) -> str:
    result = []
    position = 0
    for match in _DIGITS.finditer(text):
        # The letter of a flat stays beside its number.
        result.append(text[position : match.start()])
        result.append(reshape(match.group(), rng))
        position = match.end()
    result.append(text[position:])
    return "".join(result)


@lru_cache(maxsize=None)
def _types() -> FrozenSet[str]:
    return frozenset(fold(word) for word in _TYPES)
