"""Calendar dates tied to a person, the course or the conversation.

Dates of history, of citations and of reference lists look the same, so a date by itself is none of ours: the words
around it decide. Bare weekdays, months and clock times never count.
"""

import re
from functools import lru_cache
from typing import Dict, FrozenSet, Iterator, NamedTuple, Optional, Pattern, Tuple

from .base import Match, Source, any_of, load_table

_BEFORE_WIDTH = 60
_AFTER_WIDTH = 40
_LIFE_WIDTH = 130
_LINE_WIDTH = 300
_OLDEST_PLAIN, _OLDEST_COURSE, _OLDEST_LIFE = 1990, 1985, 1925
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2})?(?:\.\d{1,6})?(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?"
_ISO = re.compile(
    rf"(?<![\w/.-])((?:19|20)\d\d)[-/.](\d{{1,2}})[-/.](\d{{1,2}})(?:(?:T|,?\s){_CLOCK})?(?![\w/]|-\d|\.\d)", re.I
)
_NUMERIC = re.compile(
    rf"(?<![\w/.,:-])(\d{{1,2}})([/.-])(\d{{1,2}})\2((?:19|20)\d\d|\d\d)(,?\s{_CLOCK})?(?![\w/]|[-.,:]\d)", re.I
)
_SHORT = re.compile(r"(?<![\w/.,:$-])(\d{1,2})/(\d{1,2})(?![\w/%]|[-.,:]\d|\s?[=+*^×÷<>])")
_YEAR = r"(?:19|20)\d\d"
_LIFE_YEAR = re.compile(r"(?<![\w.,/-])(?:19[2-9]|20[0-4])\d(?![\w/%]|[.,]\d|\s?[-–]\s?\d)")
_LIFE_CUE = re.compile(
    r"\b(?:i|my\s+\w+|s?he|we)\b[^.\n]*\b(?:born|graduat(?:ed|e|ing)|birth)\b[^.\n\d]{0,50}\b(?:in|of|year)\s+$"
)
_STAMP_AFTER = re.compile(r"\s*(?:[\])]|[-–—]\s|,?\s*\d{1,2}:\d{2}|\||at\s+\d|$)", re.I)
_WROTE = re.compile(r"[^\n]{0,120}\bwrote:")
_CITATION_BEFORE = re.compile(
    r"\((?:[^()\n]{0,60},\s*)?(?:19|20)\d\d[a-z]?,\s*$|\b(?:vol|no|pp?|doi|isbn)\.?\s*[\d(]{0,5}\s*$"
)
_REFERENCE_LINE = re.compile(
    r"\((?:19|20)\d\d[a-z]?(?:,[^)\n]{0,30})?\)\.|\bdoi\b|\bvol\.|\bpp?\.\s?\d|\bjournal\b|\bretrieved\b", re.I
)
_FIRST_PERSON = re.compile(
    r"\b(?:i|we|i['’]ve|i['’]m|my)\b(?:\s+[^\W\d_]+['’]?\w*){0,8}\s+(?:on|in|since|until|from|before|by|around|of|is|was)\s+(?:the\s+)?$"
)
_OLD_YEAR = re.compile(r",?\s+1\d{3}\b")
_OLD_YEAR_NEAR = re.compile(r"(?<![\d.,-])1[0-9]\d\d(?![\d.,]\d|\d)")
_LEADS_TO_DATE = re.compile(
    r"(?:\b(?:on|by|until|till?|before|from|after|since|is|was|of|for|to|and|or|in|around|between|dated|the|this|last|next|put|up|says?)|[:>(\[·•,–—|-]|^)\s*$"
)
_HYPOTHETICAL = re.compile(r"\b(?:if|suppose|let|assume|say|days?)\b")
_ASKED = re.compile(r"(?:\bwhen\b|\b(?:date|birthday|born|birth|due|dob)\b).*\?")
_ANSWER_END = re.compile(r"\s*(?:$|[.,;!?\n)])")
_TRIGGER_DIGITS = re.compile(r"\d[/.-]\d{1,2}[/.-]?")


class _Table(NamedTuple):
    months: Dict[str, int]
    word_months: FrozenSet[str]
    textual: Pattern[str]
    birth: Pattern[str]
    strong_course: Pattern[str]
    course: Pattern[str]
    header: Pattern[str]
    not_ours: Pattern[str]
    short_cue: Pattern[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data = load_table("dates")
    month = rf"{any_of(data['months'])}\b\.?"
    weekday = rf"(?:\b{any_of(data['weekdays'])}\b\.?,?\s+(?:the\s+)?)?"
    day = r"(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th|º|er)?(?!\d|:\d|[.,]\d|\s?(?:%|[ap]m\b))"
    year = rf"(?:,?\s+(?:de\s+|del\s+)?({_YEAR})\b(?![-–]\d))"
    stamp = rf"(?:,?\s+(?:at\s+)?{_CLOCK})?"
    textual = (
        rf"(?<![\w/-])(?:{weekday}(?P<m1>{month})\s+(?:the\s+)?{day}{year}?"
        rf"|{weekday}{day}\.?\s*(?:-\s?|of\s+|de\s+)?(?P<m2>{month}){year}?"
        rf"|(?P<m3>{month}),?\s+(?:of\s+|de\s+)?({_YEAR})\b(?![-–]\d))(?P<clock>{stamp})"
    )
    strong = [cue for cue in data["course_cues"] if cue not in data["weak_course_cues"]]
    return _Table(
        months=data["months"],
        word_months=frozenset(data["word_months"]),
        textual=re.compile(textual, re.I),
        birth=re.compile(rf"(?<!\w){any_of(data['birth_cues'])}(?!\w)"),
        strong_course=re.compile(rf"(?<!\w){any_of(strong)}(?!\w)"),
        course=re.compile(rf"(?<!\w){any_of(data['course_cues'])}(?!\w)"),
        header=re.compile(rf"^[\W_]*(?:{any_of(data['headers'])})\s*(?:[:=]|\s[–—-]\s)\W*$"),
        not_ours=re.compile(rf"\b{any_of(data['not_ours'])}\W*(?:on|in|at)?\W*$"),
        short_cue=re.compile(
            r"\b(?:due|deadline|exam|quiz|midterm|final|lesson|meeting|appointment|class|session|test|submitted|posted|birthday|born|dob)"
            r"(?:\s+(?:is|was|date|on|by|for|moved|to|until|before|the|at|will|be|set|not|only)|\s+(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?|:){0,4}\s*\(?$"
        ),
    )


def find_dates(source: Source) -> Iterator[Match]:
    """Find the dates of people's lives, of the course and of the conversation.

    source (Source): The text.
    YIELDS (Match): The dates, with an adjoining weekday, and with the time where they are a time stamp.
    """
    if not any(map(str.isdigit, source.text)):
        return
    yield from _find_textual(source)
    if _TRIGGER_DIGITS.search(source.text):
        yield from _find_numeric(source)
    if "in" in source.words or "of" in source.words:
        for hit in _LIFE_YEAR.finditer(source.text):
            if _LIFE_CUE.search(source.before(hit.start(), _LIFE_WIDTH)):
                yield Match(hit.start(), hit.end(), "DATE", "date_life_year", 0.8)


def _find_textual(source: Source) -> Iterator[Match]:
    table = _table()
    if not source.has_any(table.months.keys()):
        return
    for hit in table.textual.finditer(source.text):
        name = hit.group("m1") or hit.group("m2") or hit.group("m3")
        years = [group for group in hit.groups() if group and group.isdigit() and len(group) == 4]
        year = int(years[0]) if years else None
        # The full stop of a sentence: "from one to 5. May you put it in the chat"
        if _OLD_YEAR.match(source.text, hit.start("clock")):
            continue
        if year is None and ". " in hit.group().removesuffix(".") and not hit.group("m1"):
            continue
        # "you may 5 times", "march 3 steps": a month that is a word needs its capital.
        if name.islower() and name.rstrip(".") in table.word_months and year is None and not hit.group().endswith(name):
            rule = _short_context(source, hit.start(), hit.start("clock"))
        else:
            rule = _context(source, hit.start(), hit.end(), year)
        if rule is not None:
            is_stamp = bool(hit.group("clock")) and rule in ("date_stamp", "date_header")
            end = hit.end() if is_stamp else hit.start("clock")
            yield Match(hit.start(), end, "DATE", *_scored(rule))


def _find_numeric(source: Source) -> Iterator[Match]:
    for hit in _ISO.finditer(source.text):
        if _is_day(int(hit.group(2)), int(hit.group(3))) and not source.is_operand(hit.start(), hit.end()):
            if not _is_cited(source, hit.start()):
                yield Match(hit.start(), hit.end(), "DATE", "date_iso", 0.75)
    for hit in _NUMERIC.finditer(source.text):
        first, second, year = int(hit.group(1)), int(hit.group(3)), hit.group(4)
        if not (_is_day(first, second) or _is_day(second, first)) or source.is_operand(hit.start(), hit.end()):
            continue
        rule = _context(source, hit.start(), hit.end(), int(year) if len(year) == 4 else None)
        if rule == "date_plain" and len(year) == 2:
            rule = None
        if (
            rule is None
            and (len(year) == 4 or hit.group(5) and hit.group(2) != "-")
            and not _is_cited(source, hit.start())
        ):
            rule = "date_numeric"
        # Two figures of a year leave a ratio, a score or a version: 3-4-12, 10.4.16.
        if rule is not None and (len(year) == 4 or hit.group(5) or rule != "date_course" or hit.group(2) == "/"):
            is_stamp = hit.group(5) and rule in ("date_stamp", "date_header", "date_numeric")
            yield Match(hit.start(), hit.end() if is_stamp else hit.end(4), "DATE", *_scored(rule))
    for hit in _SHORT.finditer(source.text):
        first, second = int(hit.group(1)), int(hit.group(2))
        if (_is_day(first, second) or _is_day(second, first)) and _short_context(source, hit.start(), hit.end()):
            if not source.is_operand(hit.start(), hit.end()) and not source.after(hit.end(), 5).lstrip().startswith(
                ("of ", "cor")
            ):
                yield Match(hit.start(), hit.end(), "DATE", "date_short", 0.7)


def _scored(rule: str) -> Tuple[str, float]:
    return rule, {
        "date_birth": 0.9,
        "date_header": 0.85,
        "date_stamp": 0.8,
        "date_course": 0.75,
        "date_short": 0.7,
        "date_plain": 0.55,
    }.get(rule, 0.65)


def _is_day(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31


def _short_context(source: Source, start: int, end: int) -> Optional[str]:
    if _table().short_cue.search(source.before(start, _BEFORE_WIDTH)):
        return "date_short"
    # "When is your test?" - "3/14"
    if _ASKED.search(source.asked(start)) and _ANSWER_END.match(source.text, end):
        return "date_short"
    return None


def _is_cited(source: Source, start: int) -> bool:
    """Say whether a date belongs to a citation or stands in a line of a reference list."""
    before = source.before(start, _LINE_WIDTH)
    if _CITATION_BEFORE.search(before) or _table().not_ours.search(before[-40:]):
        return True
    after = source.after(start, _LINE_WIDTH).partition("\n")[0]
    line = before.rpartition("\n")[2] + after
    # A long paragraph can hold a link without being a reference.
    return len(line) < _LINE_WIDTH and _REFERENCE_LINE.search(line) is not None


def _context(source: Source, start: int, end: int, year: Optional[int]) -> Optional[str]:
    """Name what ties a date to the people here, or None where nothing does."""
    table = _table()
    if _is_cited(source, start):
        return None
    before, after = source.before(start, _BEFORE_WIDTH), source.after(end, _AFTER_WIDTH)
    line_before = before.rpartition("\n")[2]
    at_line_start = len(line_before) < _BEFORE_WIDTH
    if at_line_start and table.header.search(line_before):
        return "date_birth" if table.birth.search(line_before) else "date_header"
    if at_line_start and line_before.strip() in ("on", ">", "> on") and _WROTE.match(source.text, end):
        return "date_header"
    if year is not None and year < _OLDEST_LIFE:
        return None
    sentence = re.split(r"[.!?]\s|\n", before)[-1]
    if table.birth.search(sentence):
        return "date_birth"
    if year is not None and year < _OLDEST_COURSE:
        return "date_life" if _FIRST_PERSON.search(sentence) else None
    if (
        at_line_start
        and not line_before.strip(" \t([|>*-")
        and _STAMP_AFTER.match(source.text[end : end + 20].partition("\n")[0])
    ):
        return "date_stamp"
    if table.strong_course.search(sentence) or table.strong_course.search(re.split(r"[.!?]\s|\n", after)[0]):
        return "date_course"
    if _FIRST_PERSON.search(sentence):
        return "date_life"
    # "The class starts on", "my test is on": a weak word needs somebody of the conversation in the sentence.
    if table.course.search(sentence) and re.search(r"\b(?:i|my|me|we|our|you|your|us|let['’]?s)\b", sentence):
        return "date_course"
    # Better one date too many than one of a life: what is recent and not in the company of old years counts.
    if (
        year is not None
        and year < _OLDEST_PLAIN
        or _OLD_YEAR_NEAR.search(source.before(start, 120) + " " + source.after(end, 80))
    ):
        return None
    if _HYPOTHETICAL.search(sentence) or not (year is not None or _LEADS_TO_DATE.search(sentence)):
        return None
    return "date_plain"
