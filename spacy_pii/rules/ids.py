"""Identifiers that a word announces: student, staff, certificate and candidate numbers, passports, driver licences."""

import re
from functools import lru_cache
from typing import FrozenSet, Iterator, NamedTuple, Optional, Pattern

from .base import Code, Match, Source, any_of, first_words, load_table

_WIDTH = 60
_AFTER_WIDTH = 50
_LONGEST = 25
_LICENCE_WORDS = frozenset({"license", "licence", "lic"})
_PLAIN_ANSWER = re.compile(r"\s*(?:$|[.,;!?\n)]|and\b|thanks?\b|pls\b)")
_YEAR = re.compile(r"(?:19|20)\d\d$")
_DATE = re.compile(r"\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}$|(?:19|20)\d\d[-/](?:19|20)?\d\d$")
_DECIMAL = re.compile(r"\d+(?:\.\d+)+$")
_GROUPS = re.compile(r"(?: \d{2,6}){1,4}(?![\w/.,-]*\w)")
_LICENCE = re.compile(r"\b(?:licen[cs]e|lic)\b\.?(?:\s+(?:number|no\.?|num|#))?\s*(?:is|was|:|,|\(|#)?\s*$")
_PROFESSION = re.compile(r"\b(?:nurs\w*|rn|lpn|teach\w*|medical|professional|registered|practi\w+|midwi\w+|pilot\w*)\b")
_PASSPORT = re.compile(r"[A-Za-z]{0,3}\d{5,9}[A-Za-z]?$")
# What may stand between the cue and the value: "no.", "is", a colon, a bracket, an opening quote.
_LINK = (
    r"(?:\s*(?:number|no\b\.?|nr\b\.?|num\b|#|n[º°]))?(?:\s*\([^()\n]{0,25}\))?"
    r"(?:\s*(?:is\s+now|is\s+still|it\s+is|it'?s|its|is|was|are|starts\s+with|[:=#–—-]|\.{1,40}|->|:-)){0,3}\s*[\"'“‘(\[*]{0,2}\s*$"
)
_LINK_BACK = r"[\"'”’)\]*]{0,2}(?:,?\s(?:is|was|as|=)\s(?:(?:my|his|her|their|the|your|our)\s+)?|\s?\(|,\s)"
_OWNER = r"(?:^|[.,;:!?(\[\n|*]\s*|\b(?:my|your|ur|his|her|their|our|the|an?|and|with|under|use|it'?s|old|new)\s+)"


class _Table(NamedTuple):
    triggers: FrozenSet[str]
    cue: Pattern[str]
    cue_after: Pattern[str]
    question: Pattern[str]
    holder: Pattern[str]
    passport: Pattern[str]
    driver: Pattern[str]
    passport_words: FrozenSet[str]
    driver_words: FrozenSet[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data = load_table("ids")
    held = rf"\b{any_of(data['id_holders'])}(?:['’]?s)?[\s_-]*{any_of(data['id_words'])}"
    placed = rf"\b{any_of(data['place_holders'])}[\s_-]*(?:id|i\.d\.)(?:\s*(?:card|code))?"
    alone = rf"(?<![\w-]){any_of(data['standalone'])}"
    # "ID" by itself is anybody's guess after "question" or "meeting", so something has to own it.
    bare = rf"{_OWNER}(?:id|i\.d\.?)\b(?:\s*(?:card|code))?"
    return _Table(
        triggers=first_words([*data["id_words"], *data["standalone"], *data["id_holders"]]) | {"i"},
        cue=re.compile(rf"(?:{held}|{placed}|{alone}|{bare}){_LINK}"),
        cue_after=re.compile(rf"{_LINK_BACK}(?:{held}|{placed}|{alone})\b|{_LINK_BACK}(?<=[ys]\s)id\b"),
        question=re.compile(rf"(?:{held}|{placed}|{alone}|{bare}|\b(?:card|policy|badge)\s+number)(?!\w)"),
        holder=re.compile(rf"\b{any_of(data['bare_holders'])}\b\s*[:#(]?\s*$"),
        passport=re.compile(rf"\b{any_of(data['passport_cues'])}\b(?!\s+(?:office|photo))"),
        driver=re.compile(rf"(?<!\w){any_of(data['driver_cues'])}(?!\w)"),
        passport_words=first_words(data["passport_cues"]),
        driver_words=first_words(data["driver_cues"]),
    )


def find_ids(source: Source) -> Iterator[Match]:
    """Find identifiers of people by the words before or after them. A value holds at least four digits.

    source (Source): The text.
    YIELDS (Match): The identifiers, as ID_NUM, US_PASSPORT or US_DRIVER_LICENSE.
    """
    table = _table()
    has_id = source.has_any(table.triggers)
    has_passport = source.has_any(table.passport_words)
    has_driver = source.has_any(table.driver_words)
    if not (has_id or has_passport or has_driver or source.has_any(_LICENCE_WORDS)):
        return
    found = list(_find_announced(source, has_id=has_id, has_passport=has_passport, has_driver=has_driver))
    yield from found
    # What was announced once is known wherever it stands again.
    known = {source.text[match.start : match.end]: match.label for match in found}
    for code in source.codes:
        if code.text in known and not source.is_operand(code.start, code.end):
            yield Match(code.start, code.end, known[code.text], "id_again", 0.7)


def _find_announced(source: Source, *, has_id: bool, has_passport: bool, has_driver: bool) -> Iterator[Match]:
    table = _table()
    has_licence = source.has_any(_LICENCE_WORDS)
    for code in source.codes:
        if not _can_be_id(source, code):
            continue
        before = source.before(code.start, _WIDTH)
        end = _end_of_groups(source, code)
        if has_passport and _PASSPORT.match(code.text) and table.passport.search(before):
            yield Match(code.start, end, "US_PASSPORT", "passport_cue", 0.92)
        elif has_driver and table.driver.search(before):
            yield Match(code.start, end, "US_DRIVER_LICENSE", "driver_licence_cue", 0.92)
        elif has_licence and _LICENCE.search(before):
            # A licence to practise is an identifier of the profession; any other is taken for the driver's.
            label = "ID_NUM" if _PROFESSION.search(before) else "US_DRIVER_LICENSE"
            yield Match(code.start, end, label, "licence_cue", 0.85)
        elif has_id:
            rule = _id_rule(source, code, before)
            if rule is not None:
                yield Match(code.start, end, "ID_NUM", rule, 0.92 if rule == "id_cue" else 0.8)


def _id_rule(source: Source, code: Code, before: str) -> Optional[str]:
    table = _table()
    if table.cue.search(before):
        return "id_cue"
    if table.cue_after.match(source.after(code.end, _AFTER_WIDTH)):
        return "id_cue_after"
    # "certificate 20458817", "Reg: S-204881"
    is_long = code.digits > 6 or code.digits > 4 and not code.text.isdigit()
    if is_long and table.holder.search(before):
        return "id_holder"
    # "And your student number?" - "20458817"
    if (
        code.digits > 4
        and _PLAIN_ANSWER.match(source.after(code.end, 12))
        and table.question.search(source.asked(code.start))
    ):
        return "id_answer"
    return None


def _can_be_id(source: Source, code: Code) -> bool:
    is_year = _YEAR.match(code.text) and _end_of_groups(source, code) == code.end
    if len(code.text) > _LONGEST or is_year or _DATE.match(code.text) or _DECIMAL.match(code.text):
        return False
    # "ID = 20458817" is written with an equals sign; other operators make it arithmetic.
    before = source.before(code.start, 3).rstrip()
    return before.endswith("=") or not source.is_operand(code.start, code.end)


def _end_of_groups(source: Source, code: Code) -> int:
    """Follow a number that is written in groups: 2045 8817."""
    groups = _GROUPS.match(source.text, code.end) if code.text.isdigit() else None
    return groups.end() if groups else code.end
