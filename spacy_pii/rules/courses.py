"""Codes of courses: MATH 1205, CS101, BIO-110, Alg2H."""

import re
from functools import lru_cache
from typing import FrozenSet, Iterator, NamedTuple, Pattern

from .base import Match, Source, any_of, load_table

_WIDTH = 60
_CODE = re.compile(
    r"(?<![\w/.-])([A-Za-z]{2,9})([\s-]?)\d{3,4}[A-Z]{0,2}(?:[-.]\d{1,3})?(?![^\W_]|/|[.,-]\d|\s?[%=+*^×÷°])"
)
_SCHOOL_CODE = re.compile(r"(?<![\w/.-])([A-Z][A-Za-z]{1,8})\s?(?:\d{1,2}|I{1,3})(?:H|HN|AP|CP|A|B|R|IB|Hon)\b")


class _Table(NamedTuple):
    departments: FrozenSet[str]
    school_courses: FrozenSet[str]
    needs_cue: FrozenSet[str]
    words: FrozenSet[str]
    cue: Pattern[str]
    place: Pattern[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data = load_table("courses")
    return _Table(
        departments=frozenset(data["departments"]),
        school_courses=frozenset(data["school_courses"]),
        needs_cue=frozenset(data["needs_cue"]),
        words=frozenset(map(str.lower, [*data["departments"], *data["school_courses"]])),
        cue=re.compile(rf"\b{any_of(data['cues'])}\b"),
        place=re.compile(rf"\b{any_of(data['place_cues'])}\s+(?:no\.?\s+|number\s+)?$"),
    )


def find_courses(source: Source) -> Iterator[Match]:
    """Find codes of courses that people take or teach. Rooms and exercises are left out.

    source (Source): The text.
    YIELDS (Match): The codes.
    """
    table = _table()
    if not source.has_any(table.words):
        return
    for hit in _CODE.finditer(source.text):
        letters = hit.group(1)
        if letters.upper() not in table.departments or table.place.search(source.before(hit.start(), 20)):
            continue
        # A department's letters with three figures say enough, unless they could be a word: IT 200, ME 101, bio 110.
        cued = _has_cue(source, hit.start(), hit.end())
        says_enough = letters.isupper() and letters not in table.needs_cue and (len(letters) > 2 or not hit.group(2))
        is_word = not letters.isupper() and letters.upper() in table.needs_cue
        if says_enough or cued and not is_word:
            score = 0.65 if not cued else 0.85 if letters.isupper() else 0.75
            yield Match(hit.start(), hit.end(), "COURSE_NUMBER", "course_cue" if cued else "course_code", score)
    for hit in _SCHOOL_CODE.finditer(source.text):
        if hit.group(1) in table.school_courses:
            yield Match(hit.start(), hit.end(), "COURSE_NUMBER", "course_school", 0.75)


def _has_cue(source: Source, start: int, end: int) -> bool:
    cue = _table().cue
    return cue.search(source.before(start, _WIDTH)) is not None or cue.search(source.after(end, _WIDTH)) is not None
