"""The table of generators, and the rules that hold for all of them."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Callable, Dict, Iterable, Mapping, Optional, Tuple

from . import (
    address,
    age,
    course,
    date,
    email,
    grade,
    id_num,
    ip,
    location,
    nrp,
    person,
    phone,
    school,
    url,
    us_numbers,
    username,
)
from .context import Context
from .keys import KeyedSource, Stream
from .names import fold
from .shapes import reshape

# After so many draws a surrogate that differs from the surface is good enough: there are but four ages from 14 to 17.
_ATTEMPTS = 12


@dataclass(frozen=True)
class Generator:
    """How the surfaces of a label are replaced.

    replace (Callable[[str, Stream, Context], Optional[str]]): Makes the surrogate of a surface, or None where it can
        make nothing of it.
    canonical (Callable[[str], str]): Names the entity of a surface: surfaces of one entity get one stream.
    """

    replace: Callable[[str, Stream, Context], Optional[str]]
    canonical: Callable[[str], str]


@lru_cache(maxsize=None)
def generators() -> Mapping[str, Generator]:
    """List the generators.

    RETURNS (Mapping[str, Generator]): One for each canonical label.
    """
    number = Generator(id_num.replace, id_num.canonical)
    return {
        "PERSON": Generator(person.replace, person.canonical),
        "EMAIL_ADDRESS": Generator(email.replace, email.canonical),
        "PHONE_NUMBER": Generator(phone.replace, phone.canonical),
        "URL": Generator(url.replace, url.canonical),
        "USERNAME": Generator(username.replace, username.canonical),
        "ID_NUM": number,
        "STREET_ADDRESS": Generator(address.replace, address.canonical),
        "LOCATION": Generator(location.replace, location.canonical),
        "SCHOOL": Generator(school.replace, school.canonical),
        "GRADE_LEVEL": Generator(grade.replace, grade.canonical),
        "COURSE_NUMBER": Generator(course.replace, course.canonical),
        "NRP": Generator(nrp.replace, nrp.canonical),
        "AGE": Generator(age.replace, age.canonical),
        "DATE": Generator(date.replace, date.canonical),
        "IP_ADDRESS": Generator(ip.replace, ip.canonical),
        "US_SSN": Generator(us_numbers.replace_ssn, us_numbers.canonical_ssn),
        "US_DRIVER_LICENSE": number,
        "US_PASSPORT": number,
        "US_BANK_NUMBER": Generator(us_numbers.replace_bank, us_numbers.canonical_bank),
    }


class Replacer:
    """Makes the surrogates of one document.

    source (KeyedSource): Source of the keyed streams.
    scope (str): Name of the scope.
    text (str): The document's text.
    spans (Iterable[Tuple[str, str]]): Label and surface of every span that is going to be replaced.
    """

    def __init__(self, *, source: KeyedSource, scope: str, text: str, spans: Iterable[Tuple[str, str]]) -> None:
        self.context = Context(source=source, scope=scope, text=text, spans=spans)
        self._done: Dict[Tuple[str, str], str] = {}
        self._attempt: Dict[Tuple[str, str], int] = {}
        self._taken: Dict[Tuple[str, str], str] = {}

    def replace(self, label: str, surface: str) -> str:
        """Make the surrogate of a surface.

        label (str): Its label. One that the taxonomy lacks keeps its shape.
        surface (str): The text of the span.
        RETURNS (str): The surrogate, never equal to the surface whatever its case and diacritics.
        """
        known = (label, surface)
        if known not in self._done:
            self._done[known] = self._make(label, surface)
        return self._done[known]

    def _make(self, label: str, surface: str) -> str:
        generator = generators().get(label)
        entity = generator.canonical(surface) if generator else fold(surface)
        folded = fold(surface)
        fallback = before = None
        if generator is not None:
            first = self._attempt.get((label, entity), 0)
            for attempt in range(first, first + _ATTEMPTS):
                name = entity if attempt == 0 else f"{entity}\0{attempt}"
                result = generator.replace(surface, self.context.stream(label, name), self.context)
                if result is None or result == before:
                    # Nothing to be made of it, or nothing else: names and dates follow from the context alone.
                    break
                before = result
                new = fold(result)
                if new == folded:
                    continue
                fallback = fallback or result
                owner = self._taken.get((label, generator.canonical(result)), entity)
                # Neither what someone else has got nor what someone else is called.
                if owner == entity and new not in self.context.originals:
                    self._attempt[(label, entity)] = attempt
                    self._taken[(label, generator.canonical(result))] = entity
                    return result
        return fallback or self._reshape(label, entity, surface)

    def _reshape(self, label: str, entity: str, surface: str) -> str:
        folded = fold(surface)
        attempt = 0
        while True:
            result = reshape(surface, self.context.stream(label, f"{entity}\0shape{attempt}"))
            if fold(result) != folded:
                return result
            attempt += 1
