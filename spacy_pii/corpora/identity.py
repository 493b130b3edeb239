"""Invented people, dates, courses and places: the values that fill the slots of the corpus."""

import datetime
import random
import string
from functools import lru_cache
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from ..surrogates.countries import Country, countries
from ..surrogates.names import family_names, fold, given_names, name_order, origins
from ..tables import load_table
from .splits import SPLITS, stable_fraction

REGIONS = ("africa", "americas", "asia", "europe", "oceania")
_PARTICLES = ("de", "da", "van", "von", "del", "de la", "bin", "al", "dos", "El", "van der", "Di", "O'", "Mc", "ben")
_SPOKEN = ((" [at] ", " [dot] "), (" at ", " dot "), ("(at)", "."), (" AT ", " DOT "), (" [at] ", "."))
_LETTERS = string.ascii_lowercase


class World:
    """The invented people and things of one filled document."""

    def __init__(self, people: Mapping[str, Mapping[str, str]], *, split: str, rng: random.Random) -> None:
        """Invent a world.

        people (Mapping[str, Mapping[str, str]]): Traits of the people by id, from the head of a corpus document.
        split (str): One of `SPLITS`: whose names are drawn.
        rng (random.Random): Source of randomness.
        """
        self.rng = rng
        self.split = split
        self.people: Dict[str, Person] = {}
        home = rng.choice(REGIONS)
        for name, traits in people.items():
            relative = self.people.get(traits.get("family_of", ""))
            namesake = self.people.get(traits.get("given_of", ""))
            # People of one document often, not always, come from one region.
            region = traits.get("region") or (relative.country.region if relative else None)
            region = region or (home if rng.random() < 0.6 else rng.choice(REGIONS))
            person = Person(traits, region=region, split=split, rng=rng, relative=relative, namesake=namesake)
            self.people[name] = person
        self._dates: Dict[str, datetime.datetime] = {}
        start = datetime.datetime(rng.randint(2009, 2025), rng.randint(1, 12), rng.randint(1, 28), rng.randint(6, 22))
        self.start = start
        """When the conversation begins: its first date, d1."""
        for number in range(1, 31):
            self._dates[f"d{number}"] = start
            start += datetime.timedelta(days=rng.choice((1, 1, 2, 3, 5, 7, 11, 30)), minutes=rng.randint(1, 700))
        self._things: Dict[Tuple[str, str], str] = {}
        self._date_style = rng.random()

    def value(self, entity: str, attribute: str) -> str:
        """Give the value of an attribute; the same one each time.

        entity (str): Id of a person, date, course or place.
        attribute (str): Name of the attribute.
        RETURNS (str): The value.
        RAISES (ValueError): If the entity has no such attribute.
        """
        if entity in self.people:
            return self.people[entity].value(attribute)
        if entity in self._dates:
            return format_date(self._dates[entity], attribute, self._date_style)
        key = (entity, attribute)
        if key not in self._things:
            self._things[key] = self._thing(entity, attribute)
        return self._things[key]

    def _thing(self, entity: str, attribute: str) -> str:
        if entity[:1] == "c" and attribute == "code":
            return course_code(self.rng)
        if entity[:1] == "x" and attribute in ("city", "state", "country"):
            place = (entity, "place")
            country = next((c for c in countries() if c.code == self._things.get(place)), None)
            country = country or self.rng.choice(countries())
            self._things[place] = country.code
            return place_name(country, attribute, self.rng)
        raise ValueError(f"'{entity}.{attribute}' is neither a person of the head nor a date, course or place.")


class Person:
    """An invented person."""

    def __init__(
        self,
        traits: Mapping[str, str],
        *,
        region: str,
        split: str,
        rng: random.Random,
        relative: Optional["Person"] = None,
        namesake: Optional["Person"] = None,
    ) -> None:
        """Invent a person.

        traits (Mapping[str, str]): Traits from the head of the document.
        region (str): Region that the name comes from.
        split (str): Whose names are drawn.
        rng (random.Random): Source of randomness.
        relative (Optional[Person]): Whose family name the person bears.
        namesake (Optional[Person]): Whose given name the person bears.
        """
        self.rng = rng
        self.gender = traits.get("gender") or (namesake.gender if namesake else rng.choice("fm"))
        self.stage = traits.get("stage", "adult")
        self.origin = relative.origin if relative else _draw_origin(region, rng)
        self.country = relative.country if relative else _draw_country(region, self.origin, rng)
        self.given = namesake.given if namesake else _draw_name("given", self.origin, self.gender, split, rng)
        self.family = relative.family if relative else _draw_family(self.origin, split, rng)
        self.second_family = _draw_name("family", self.origin, "", split, rng)
        self.middle = _draw_name("given", self.origin, self.gender, split, rng)
        self.age = rng.randint(*{"k12": (8, 17), "college": (18, 24), "adult": (24, 62)}[self.stage])
        self._values: Dict[str, str] = {}

    def value(self, attribute: str) -> str:
        """Give the value of an attribute; the same one each time.

        attribute (str): Name of the attribute.
        RETURNS (str): The value.
        RAISES (ValueError): If people have no such attribute.
        """
        if attribute not in self._values:
            maker = _ATTRIBUTES.get(attribute)
            if maker is None:
                raise ValueError(
                    f"People have no attribute '{attribute}'. They have: {', '.join(sorted(_ATTRIBUTES))}."
                )
            self._values[attribute] = maker(self)
        return self._values[attribute]

    @property
    def plain(self) -> Tuple[str, str]:
        """RETURNS (Tuple[str, str]): Given and family name as they stand in addresses and handles."""
        letters = ["".join(c for c in fold(part) if c in _LETTERS) for part in (self.given, self.family)]
        return letters[0] or "user", letters[1] or "student"


def format_date(date: datetime.datetime, attribute: str, style: float) -> str:
    """Write a date.

    date (datetime.datetime): The date.
    attribute (str): Which form: date, short, month_year, year, weekday_date, iso or timestamp.
    style (float): From 0 to 1, the habit of the document.
    RETURNS (str): The date as text.
    RAISES (ValueError): If there is no such form.
    """
    forms = load_table("corpus")["dates"].get(attribute)
    if forms is None:
        raise ValueError(f"Dates have no attribute '{attribute}'.")
    form = forms[int(style * len(forms))]
    ordinal = {1: "st", 2: "nd", 3: "rd"}.get(date.day % 10 if date.day not in (11, 12, 13) else 0, "th")
    # Days and months without a leading zero have no portable directive.
    form = form.replace("{d}", str(date.day)).replace("{m}", str(date.month)).replace("{th}", ordinal)
    form = form.replace("{h}", str((date.hour - 1) % 12 + 1))
    return date.strftime(form)


def course_code(rng: random.Random) -> str:
    """Invent a course code.

    rng (random.Random): Source of randomness.
    RETURNS (str): The code, such as MATH 1205.
    """
    table = load_table("corpus")["courses"]
    number = fill_pattern(rng.choice(table["numbers"]), rng)
    return rng.choice(table["joins"]).join((rng.choice(table["departments"]), number))


def place_name(country: Country, kind: str, rng: random.Random) -> str:
    """Choose a place of a country.

    country (Country): The country.
    kind (str): city, state or country.
    rng (random.Random): Source of randomness.
    RETURNS (str): Its name.
    """
    if kind == "country":
        return rng.choice((country.name, country.name, *country.aliases))
    return rng.choice((country.states if kind == "state" else country.cities) or country.cities)


def fill_pattern(pattern: str, rng: random.Random) -> str:
    """Fill a pattern.

    pattern (str): `#` stands for a digit, `@` for a capital, `&` for a small letter, `*` for a letter or digit.
    rng (random.Random): Source of randomness.
    RETURNS (str): The filled pattern.
    """
    pools = {"#": string.digits, "@": string.ascii_uppercase, "&": _LETTERS, "*": string.ascii_letters + string.digits}
    return "".join(rng.choice(pools[char]) if char in pools else char for char in pattern)


def misspell(word: str, rng: random.Random) -> str:
    """Misspell a word by one edit: two letters swapped, one doubled, dropped or replaced by a neighbour.

    word (str): The word; shorter ones than four letters are left.
    rng (random.Random): Source of randomness.
    RETURNS (str): The misspelt word.
    """
    places = [i for i in range(1, len(word) - 1) if word[i].isalpha() and word[i + 1].isalpha()]
    if len(word) < 4 or not places:
        return word
    i = rng.choice(places)
    kind = rng.randrange(4)
    if kind == 0:
        return word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    if kind == 1:
        return word[:i] + word[i] + word[i:]
    if kind == 2:
        return word[:i] + word[i + 1 :]
    return word[:i] + rng.choice("aeiounrst") + word[i + 1 :]


@lru_cache(maxsize=None)
def _pool(kind: str, origin: str, gender: str, split: str) -> Tuple[str, ...]:
    names = given_names(origin, gender) if kind == "given" else family_names(origin)
    low, high = SPLITS[split]
    own = tuple(name for name in names if low <= stable_fraction("corpus-name", fold(name)) < high)
    return own


def _draw_name(kind: str, origin: str, gender: str, split: str, rng: random.Random) -> str:
    pool = _pool(kind, origin, gender, split)
    while not pool:
        # A short list may leave a split without a name: the neighbour in the same region serves.
        pool = _pool(kind, rng.choice(origins()), gender, split)
    return rng.choice(pool)


def _draw_family(origin: str, split: str, rng: random.Random) -> str:
    family = _draw_name("family", origin, "", split, rng)
    if rng.random() < 0.04:
        particle = rng.choice(_PARTICLES)
        return particle + ("" if particle in ("O'", "Mc") else " ") + family
    if rng.random() < 0.02:
        return f"{family}-{_draw_name('family', origin, '', split, rng)}"
    return family


def _draw_origin(region: str, rng: random.Random) -> str:
    return rng.choice(origins(region) or origins())


def _draw_country(region: str, origin: str, rng: random.Random) -> Country:
    """A country where such names are at home, or, for one in four, any country: people move."""
    home = [country for country in countries() if origin in country.origins]
    if home and rng.random() < 0.75:
        return rng.choice(home)
    return rng.choice(countries(region))


def _full(person: Person) -> str:
    rng = person.rng
    if name_order(person.origin) == "family_first" and rng.random() < 0.5:
        return f"{person.family} {person.given}"
    kind = rng.random()
    if kind < 0.68:
        return f"{person.given} {person.family}"
    if kind < 0.78:
        return f"{person.given} {person.middle} {person.family}"
    if kind < 0.85:
        return f"{person.given} {person.middle[0]}. {person.family}"
    if kind < 0.93:
        return f"{person.given} {person.family} {person.second_family}"
    if kind < 0.96:
        return f"{person.family} {person.given}"
    if kind < 0.98:
        return f"{person.given} {person.family.upper()}"
    return f"{person.given} {person.middle} {person.family} {person.second_family}"


def _nick(person: Person) -> str:
    given = person.given.split()[0].split("-")[0]
    if len(given) < 4:
        return given
    stem = given[: person.rng.choice((3, 3, 4))]
    return stem + person.rng.choice(("", "", "y", "ie", "i", "a", "o")) if stem[-1] not in "aeiouy" else stem


def _login(person: Person) -> str:
    """A login made of the name, or, for one in four, of something else."""
    rng = person.rng
    given, family = person.plain
    words = load_table("corpus")["handle_words"]
    forms = (
        f"{given}.{family}",
        f"{given}{family}",
        f"{given[0]}{family}",
        f"{given}_{family[0]}",
        f"{family}.{given}",
        f"{given}{family[0]}",
        f"{family}{given[:2]}",
        f"{given}_{rng.choice(words)}",
        f"{rng.choice(words)}{rng.choice(words)}",
        f"{rng.choice(words)}_{given}",
    )
    number = rng.choice(("", "", str(rng.randint(1, 99)), str(rng.randint(1970, 2014)), f"{rng.randint(0, 999):03d}"))
    return rng.choice(forms) + number


def _email(person: Person) -> str:
    rng = person.rng
    providers = load_table("corpus")["mail_providers"]
    if rng.random() < 0.35:
        town = "".join(c for c in fold(rng.choice(person.country.cities)) if c in _LETTERS)
        code = person.country.code.lower()
        host = rng.choice((f"{town}.edu", f"uni-{town}.{code}", f"student.{town}.ac.{code}", f"{town}schools.org"))
        return f"{_login(person)}@{host}"
    return f"{_login(person)}@{rng.choice(providers)}"


def _email_spoken(person: Person) -> str:
    local, _, host = _email(person).partition("@")
    at, dot = person.rng.choice(
        ((" [at] ", " [dot] "), (" at ", " dot "), ("(at)", "."), (" AT ", " DOT "), (" [at] ", "."))
    )
    return local + at + host.replace(".", dot)


def _handle(person: Person) -> str:
    login = _login(person)
    if not any(not char.isalpha() for char in login):
        login += str(person.rng.randint(1, 999))
    return person.rng.choice((login, login, login.replace(".", "_"), login.capitalize()))


def _phone(person: Person) -> str:
    return fill_pattern(person.rng.choice(person.country.phone_formats), person.rng)


def _phone_spoken(person: Person) -> str:
    words = load_table("corpus")["digit_words"]
    digits = [words[int(person.rng.randrange(10))] for _ in range(10)]
    join = person.rng.choice((" ", " ", ", "))
    groups = [" ".join(digits[:3]), " ".join(digits[3:6]), " ".join(digits[6:])]
    return join.join(groups)


def _address(person: Person) -> str:
    country, rng = person.country, person.rng
    values = {
        "number": str(rng.randint(1, 999)),
        "street": rng.choice(country.street_names),
        "city": rng.choice(country.cities),
        "state": rng.choice(country.states or country.cities),
        "postcode": fill_pattern(country.postcode_format, rng) if country.postcode_format else "",
        "country": country.name,
    }
    return " ".join(country.address_format.format(**values).split()).strip(" ,")


def _street(person: Person) -> str:
    street, number = person.rng.choice(person.country.street_names), person.rng.randint(1, 999)
    return f"{number} {street}" if person.country.address_format.startswith("{number}") else f"{street} {number}"


def _school(person: Person) -> str:
    table, rng = load_table("corpus")["schools"], person.rng
    word = rng.choice((*table["words"], *person.country.cities))
    return rng.choice(table["k12"]).format(word=word, number=rng.randint(1, 240))


def _school_short(person: Person) -> str:
    words = [word for word in person.value("school").split() if word[:1].isupper()]
    kept = [word for word in words if word not in load_table("corpus")["schools"]["kind_words"]]
    return " ".join(kept[:2]) or person.value("school")


def _university(person: Person) -> str:
    forms = load_table("corpus")["schools"]["universities"]
    return person.rng.choice(forms).format(word=person.rng.choice(person.country.cities), country=person.country.name)


def _grade(person: Person) -> str:
    table, rng = load_table("corpus")["grades"], person.rng
    if person.stage != "k12":
        return rng.choice(table["college"])
    number = min(max(person.age - 5, 1), 12)
    ordinal = {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")
    names = table["k12_names"].get(str(number), [])
    forms = [form.format(n=number, th=ordinal, word=table["ordinals"][number - 1]) for form in table["k12"]]
    return rng.choice(forms + names)


def _url(kind: str) -> Callable[[Person], str]:
    def make(person: Person) -> str:
        given, family = person.plain
        form = person.rng.choice(load_table("corpus")["urls"][kind])
        # Slots of the form first: a filled name must not be taken for a pattern.
        parts = form.split("|")
        filled = [fill_pattern(part[1:], person.rng) if part[:1] == "~" else part for part in parts]
        handle = person.value("handle").lower()
        return "".join(filled).format(given=given, family=family, handle=handle)

    return make


def _id(person: Person) -> str:
    return fill_pattern(person.rng.choice(load_table("corpus")["ids"]), person.rng)


def _pattern(name: str) -> Callable[[Person], str]:
    def make(person: Person) -> str:
        return fill_pattern(person.rng.choice(load_table("corpus")["numbers"][name]), person.rng)

    return make


def _age_word(person: Person) -> str:
    words = load_table("corpus")["number_words"]
    tens, units = divmod(person.age, 10)
    if person.age < 20:
        return words["small"][person.age]
    return words["tens"][tens] + (f"-{words['small'][units]}" if units else "")


def _birth(person: Person, attribute: str) -> str:
    day = datetime.datetime(2024 - person.age, person.rng.randint(1, 12), person.rng.randint(1, 28))
    return format_date(day, attribute, person.rng.random())


def _ip(person: Person) -> str:
    rng = person.rng
    if rng.random() < 0.15:
        return ":".join(f"{rng.randrange(65536):x}" for _ in range(8))
    return ".".join(str(rng.randint(11, 223)) if i == 0 else str(rng.randint(0, 254)) for i in range(4))


def _initials(person: Person) -> str:
    return person.rng.choice(("{0}.{1}.", "{0}{1}", "{0}. {1}.")).format(person.given[0], person.family[0])


def _slug(person: Person) -> str:
    given, family = person.plain
    return person.rng.choice(("{0}_{1}", "{0}-{1}", "{1}_{0}", "{0}{1}", "{1}{0}")).format(given, family)


def _of(name: str) -> Callable[[Person], str]:
    def make(person: Person) -> str:
        return str(getattr(person, name))

    return make


def _country_list(name: str) -> Callable[[Person], str]:
    def make(person: Person) -> str:
        values: List[Any] = getattr(person.country, name) or [person.country.nationality]
        return person.rng.choice(values)

    return make


def _nationality(person: Person) -> str:
    return person.country.nationality


def _place(kind: str) -> Callable[[Person], str]:
    def make(person: Person) -> str:
        return place_name(person.country, kind, person.rng)

    return make


def _last_first(person: Person) -> str:
    return f"{person.family}, {person.given}"


def _initial_family(person: Person) -> str:
    return f"{person.given[0]}{person.rng.choice(('. ', '. ', ' ', '.'))}{person.family}"


def _given_initial(person: Person) -> str:
    return f"{person.given} {person.family[0]}{person.rng.choice(('.', ''))}"


def _age_years(person: Person) -> str:
    return f"{person.age} {person.rng.choice(('years old', 'years old', 'year old', 'yrs old', 'years'))}"


def _age_adj(person: Person) -> str:
    return person.rng.choice(("{}-year-old", "{} year old", "{}-years-old")).format(person.age)


def _at_handle(person: Person) -> str:
    return "@" + person.value("handle")


def _birth_date(person: Person) -> str:
    return _birth(person, person.rng.choice(("date", "date", "iso", "numeric")))


def _birth_year(person: Person) -> str:
    return str(2024 - person.age)


_ATTRIBUTES: Mapping[str, Callable[[Person], str]] = {
    "given": _of("given"),
    "family": _of("family"),
    "full": _full,
    "last_first": _last_first,
    "initial_family": _initial_family,
    "given_initial": _given_initial,
    "initials": _initials,
    "nick": _nick,
    "slug": _slug,
    "email": _email,
    "email_spoken": _email_spoken,
    "handle": _handle,
    "at_handle": _at_handle,
    "phone": _phone,
    "phone_spoken": _phone_spoken,
    "id": _id,
    **{kind: _url(kind) for kind in ("linkedin", "github", "blog", "doc_url", "meet_url", "board_url", "video_url")},
    "address": _address,
    "street": _street,
    **{kind: _place(kind) for kind in ("city", "state", "country")},
    "nationality": _nationality,
    "religion": _country_list("religions"),
    "ethnicity": _country_list("ethnicities"),
    "school": _school,
    "school_short": _school_short,
    "university": _university,
    "grade": _grade,
    "age": _of("age"),
    "age_word": _age_word,
    "age_years": _age_years,
    "age_adj": _age_adj,
    "birth_date": _birth_date,
    "birth_year": _birth_year,
    "ip": _ip,
    **{kind: _pattern(kind) for kind in ("ssn", "ssn4", "licence", "passport", "bank")},
}
