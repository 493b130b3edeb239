"""School years of the people in the conversation. Marks and "grade-level content" are none."""

import re
from functools import lru_cache
from typing import FrozenSet, Iterator, NamedTuple, Optional, Pattern, Tuple

from .base import Match, Source, any_of, load_table

_TRIGGERS = frozenset(
    "grade grader graders year years form class std standard kindergarten freshman sophomore junior senior freshmen "
    "pre sec secondary primary yr".split()
)
_WIDTH = 110
_NEXT_WORD = re.compile(r"\s*([^\W\d_]+)")
_ENDS_ITEM = re.compile(r"\s*(?:[,.;)\n]|$)")
_NAME_BEFORE = re.compile(r"\b[A-Z][\w'’-]+,\s+(?:now\s+|also\s+|currently\s+)?$")
_ASKED = re.compile(
    r"\b(?:what|which|wat)\b.*\b(?:grade|year|class)\b|\b(?:grade|year|class)(?:\s+level)?\s*\?|"
    r"^\W*(?:grade|year|class)(?:\s+level|\s+group)?\s*[:=–-]\s*$"
)
_SCHOOL_YEAR_OF = frozenset("student students undergraduate undergrad pupil university college".split())
_NOT_A_LEVEL = ("-level", " level", "-point", " point")


class _Table(NamedTuple):
    grade: Pattern[str]
    cues: Tuple[Tuple[str, Pattern[str], float], ...]
    after_senior: FrozenSet[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data, people = load_table("grades"), load_table("people")
    ordinal = rf"(?:\d{{1,2}}\s?(?:st|nd|rd|th)|{any_of(data['ordinals'])})"
    number = rf"(?:1[0-3]|[1-9]|{any_of(data['numbers'])})(?![\w%]|[./,]\d)"
    grade = (
        rf"(?<!\w)(?:{ordinal}[\s-]+(?:grade|graders?|year|form|class|standard|std)\b"
        rf"|(?:grade|year|yr|form|class|std|standard|secondary|primary|sec)\s+{number}"
        r"|(?:grade|year|class)\s+(?:I{1,3}|IV|VI{0,3}|IX|XI{0,2}|X)\b"
        rf"|{any_of(data['classes'])}(?:\s+year)?\b|kindergarten\b|pre-?k\b|first-year\b)"
    )
    # All that follows is matched at the end of the lower-case text before the school year.
    adverb = rf"(?:[\s,:]+{any_of(data['adverbs'])}\b){{0,4}}[\s,:]+$"
    kin = rf"(?:{any_of(people['kin_adjectives'])}\s+){{0,2}}{any_of(people['kin'])}"
    someone = (
        r"\b(?:i(?:\s+am|\s+was|\s*['’]?m|\s+will\s+be|['’]ll\s+be|\s+have\s+been|['’]ve\s+been)|iam"
        r"|we(?:\s+are|['’]re|\s+were)\s+(?:both|all)|(?:you|u)(?:\s+are|['’]re|\s+were|\s*r)"
        rf"|(?:my|our)\s+{kin}(?:,?\s+[^\W\d_][\w'’-]+){{0,2}},?(?:\s+who)?"
        r"(?:\s+(?:is|was|are|were|goes\s+to|starts|started|will\s+be|studies)|['’]s)"
        rf"|(?:i|we)\s+(?:(?:only|just|also)\s+)?{any_of(data['verbs'])}|(?:since|when|while)\s+i\s+was)"
    )
    person = (
        r"\b(?:i|me|we|us|he|she|him|her|his|my|s?he['’]?s)\b[^.!?\n]{0,60}"
        r"\b(?:in|into|since|until|till|through|from|to)\s+(?:the\s+|my\s+)?$"
    )
    return _Table(
        grade=re.compile(grade, re.I),
        cues=(
            ("grade_cue", re.compile(someone + adverb), 0.8),
            ("grade_owned", re.compile(r"\b(?:my|our)\s+$"), 0.75),
            ("grade_as", re.compile(r"\bas\s+an?\s+$"), 0.7),
            ("grade_person", re.compile(person), 0.6),
        ),
        after_senior=frozenset(data["after_senior"]),
    )


def find_grades(source: Source) -> Iterator[Match]:
    """Find school years that are said of the speaker, the speaker's kin or the person spoken to.

    source (Source): The text.
    YIELDS (Match): The school years: 7th grade, grade 10, Year 9, sophomore.
    """
    if not source.has_any(_TRIGGERS):
        return
    for hit in _table().grade.finditer(source.text):
        judged = _judge(source, hit.start(), hit.end())
        if judged is not None and _is_school_year(source, hit.group().lower(), hit.end(), judged[0]):
            yield Match(hit.start(), hit.end(), "GRADE_LEVEL", *judged)


def _judge(source: Source, start: int, end: int) -> Optional[Tuple[str, float]]:
    """Name the rule by which a school year is somebody's, with its score."""
    before = source.before(start, _WIDTH)
    for rule, cue, score in _table().cues:
        if cue.search(before):
            return rule, score
    if _ASKED.search(source.asked(start)) or _ASKED.search(before.rpartition("\n")[2]):
        return "grade_answer", 0.75
    # "by Mateo, 7th grade"
    if _NAME_BEFORE.search(source.text[max(0, start - 40) : start]) and _ENDS_ITEM.match(source.text, end):
        return "grade_listed", 0.6
    return None


def _is_school_year(source: Source, grade: str, end: int, rule: str) -> bool:
    after = source.after(end, 20)
    last = grade.replace("-", " ").split()[-1]
    if after.startswith(_NOT_A_LEVEL):
        return False
    # "my first class" is a lesson, "my first year of marriage" no year of school, "a senior developer" a job.
    if rule == "grade_owned" and last in ("class", "form", "standard", "std"):
        return False
    follower = _NEXT_WORD.match(after)
    if grade in ("junior", "senior") and follower is not None:
        return follower.group(1) in _table().after_senior
    if last == "year" and grade.split()[0] not in ("freshman", "sophomore", "junior", "senior"):
        return follower is not None and follower.group(1) in _SCHOOL_YEAR_OF
    return True
