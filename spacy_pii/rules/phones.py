"""Telephone numbers of people, in figures and in words."""

import re
from functools import lru_cache
from typing import FrozenSet, Iterator, NamedTuple, Optional, Pattern, Sequence, Tuple

from .base import Match, Source, any_of, first_words, load_table
from .spelt import find_spelt

_CUE_WIDTH = 80
_CUE_AFTER_WIDTH = 40
# Anything that could be a number of seven digits or more. phonenumbers' own matcher is far slower and takes quotients.
_CANDIDATE = re.compile(
    r"(?<!\w)(?<!\d[.,/:])(?:\+\s?|\()?\d(?:(?:[ \t\xa0]?[-–‐‑/][ \t]?|\.|[ \t\xa0]|[ \t]?\(|\)[ \t]?-?)?\d){6,16}"
    r"(?:\s?(?:x|ext\.?|extension)\s?\d{1,6})?(?!\d)",
    re.I,
)
_EXTENSION = re.compile(r"\s?(?:x|ext\.?|extension)\s?\d{1,6}$", re.I)
_NOT_DIGITS = re.compile(r"\D+")
# Written so that nothing else is meant. North America: area and exchange never begin with 0 or 1.
_NORTH_AMERICA = re.compile(
    r"(?:(?:\+|00)?1[\s.\-]?)?(?:\(([2-9]\d\d)\)\s?|([2-9]\d\d)([.\-–‐‑]))[2-9]\d\d(?:[.\-–‐‑]|\s(?=\d{4}\b))\d{4}$"
)
_INTERNATIONAL = re.compile(r"(?:\+\s?|00)[1-9]\d{0,2}[\s.\-()–/]{0,3}\(?\d[\d\s.\-()–/]{5,}$")
_TRUNK_ZERO = re.compile(
    r"(?:\(0\d{1,4}\)[\s\-]?\d{2,4}[\s\-]?\d{2,5}(?:[\s\-]\d{2,4})?"
    r"|0\d{2,4}[\s\-/]\d{3,4}[\s\-]?\d{3,4}|0\d(?:([ .\-])\d\d)(?:\1\d\d){3})$"
)
_NO_PHONE = re.compile(
    r"(?:19|20)\d\d-\d\d?-\d\d?$|\d\d?-\d\d?-(?:19|20)\d\d$|\d{3}-\d\d-\d{4}$|97[89][- ]|.*(?:/.*/|\D\d\D\d\D)"
)
_EQUATION = re.compile(r"\d\s*[=×÷*+]\s*-?\d|=\s*-?\d")
_SENTENCE_END = re.compile(r"[.!?]\s|\n")
_ASKED = re.compile(r"\bnumber\?|\b(?:phone|reach|call|ring|text)\b.*\?")
_PLACEHOLDER = re.compile(r"(\d)\1{6,}$|0?12345678\d*$")


class _Table(NamedTuple):
    triggers: FrozenSet[str]
    cue: Pattern[str]
    sure_cue: Pattern[str]
    help: Pattern[str]
    mine: Pattern[str]
    toll_free: FrozenSet[str]
    toll_free_start: Tuple[str, ...]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data = load_table("phones")
    sure = [cue for cue in data["cues"] if cue not in data["math_cues"]]
    return _Table(
        triggers=first_words(data["cues"]),
        cue=re.compile(rf"(?<!\w){any_of(data['cues'])}(?!\w)"),
        sure_cue=re.compile(rf"(?<!\w){any_of(sure)}(?!\w)"),
        help=re.compile(rf"(?<!\w){any_of(data['help_cues'])}(?!\w)"),
        mine=re.compile(rf"\b{any_of(data['mine'])}\b"),
        toll_free=frozenset(data["toll_free"]),
        toll_free_start=tuple(data["toll_free_start"]),
    )


def find_phones(source: Source, regions: Sequence[str]) -> Iterator[Match]:
    """Find telephone numbers of people. Helplines and numbers in an equation are left out.

    source (Source): The text.
    regions (Sequence[str]): Two-letter codes of the regions whose national numbers are known.
    YIELDS (Match): The numbers, with their extension.
    """
    for hit in _CANDIDATE.finditer(source.text):
        match = _judge(source, hit.start(), hit.end(), regions)
        if match is not None:
            yield match
    if source.has_any(_table().triggers):
        for run in find_spelt(source):
            if 7 <= len(run.digits) <= 15 and _cue(source, run.start, run.end, sure=False):
                if not _is_helpline(source, run.start, run.digits):
                    yield Match(run.start, run.end, "PHONE_NUMBER", "phone_spelt", 0.8)


def _judge(source: Source, start: int, end: int, regions: Sequence[str]) -> Optional[Match]:
    """Decide on a candidate: how it is written, what stands before it, and what the numbering plans say."""
    text = source.text[start:end]
    plain = _EXTENSION.sub("", text)
    if plain.startswith("(") and ")" not in plain:
        start, plain = start + 1, plain[1:]
    digits = _NOT_DIGITS.sub("", plain)
    if not 7 <= len(digits) <= 15 or _PLACEHOLDER.match(digits) or _NO_PHONE.match(plain):
        return None
    is_distinct = _is_distinct(plain)
    cued = _cue(source, start, end, sure=not is_distinct and plain.isdigit())
    if not cued and (not is_distinct or _EQUATION.search(source.before(start, 60) + source.after(end, 60))):
        return None
    # "Tel = ..." and a list with slashes are no arithmetic where a cue says what the number is.
    if source.is_operand(start, end) and not (cued and is_distinct):
        return None
    if _is_point_before(source, start) or _is_helpline(source, start, plain):
        return None
    if not is_distinct and len(digits) < 9 and not _looks_grouped(plain) and not _is_known(plain, regions, valid=True):
        return None
    valid = _is_known(plain, regions, valid=True)
    if not valid and not (_NORTH_AMERICA.match(plain) or _is_known(plain, regions, valid=False)):
        return None
    score = 0.9 if cued and is_distinct else 0.85 if cued or plain.startswith("+") else 0.75
    return Match(start, end, "PHONE_NUMBER", "phone_cue" if cued else "phone_format", score)


def _is_distinct(plain: str) -> bool:
    if _NORTH_AMERICA.match(plain) or _TRUNK_ZERO.match(plain):
        return True
    if plain.startswith("+"):
        return _INTERNATIONAL.match(plain) is not None and len(_NOT_DIGITS.sub("", plain)) >= 9
    # 00 as the way out of a country needs its groups, or it is a number padded with zeros.
    return plain.startswith("00") and not plain.isdigit() and _INTERNATIONAL.match(plain) is not None


def _looks_grouped(plain: str) -> bool:
    return re.fullmatch(r"\d{3}[-.\s]\d{4}|\d{4}[-.\s]\d{4}|\d{3}[-.\s]\d{2}[-.\s]\d{2}", plain) is not None


def _cue(source: Source, start: int, end: int, *, sure: bool) -> bool:
    """Look for a word that announces a number. A bare run of digits needs one that mathematics does not use."""
    table = _table()
    if not source.has_any(table.triggers) and "☎" not in source.text and "📞" not in source.text:
        return False
    cue = table.sure_cue if sure else table.cue
    if cue.search(source.before(start, _CUE_WIDTH)):
        return True
    if _ASKED.search(source.asked(start)):
        return True
    after = source.after(end, _CUE_AFTER_WIDTH).partition("\n")[0]
    return table.sure_cue.search(after) is not None


def _is_point_before(source: Source, start: int) -> bool:
    """Speech to text writes a decimal as "0 point 449-78-1659"."""
    return re.search(r"\bpoint\W*$", source.before(start, 10)) is not None


def _is_helpline(source: Source, start: int, plain: str) -> bool:
    """Say whether a number is a helpline or toll-free and not said to be somebody's own."""
    table = _table()
    before = source.before(start, _CUE_WIDTH)
    # The office of the same sentence, not one that was named two sentences ago.
    around = _SENTENCE_END.split(before)[-1] + _SENTENCE_END.split(source.after(start, _CUE_WIDTH))[0]
    if table.help.search(around):
        return True
    digits = _NOT_DIGITS.sub("", plain)
    national = digits[1:] if len(digits) == 11 and digits[0] == "1" else digits
    is_free = len(national) == 10 and national[:3] in table.toll_free or digits.startswith(table.toll_free_start)
    return is_free and table.mine.search(source.before(start, 25)) is None


@lru_cache(maxsize=4096)
def _is_known(plain: str, regions: Tuple[str, ...], *, valid: bool) -> bool:
    """Ask the numbering plans.

    plain (str): The number without its extension.
    regions (Tuple[str, ...]): Regions whose national numbers are known.
    valid (bool): Whether it has to be a number in use; else its length has to be right.
    RETURNS (bool): Whether a region knows it.
    """
    # Imported here: an entry point names this package, so each spaCy pipeline on the machine would pay for it.
    import phonenumbers

    check = phonenumbers.is_valid_number if valid else phonenumbers.is_possible_number
    plain = "+" + plain[2:] if plain.startswith("00") else plain
    for region in (None,) if plain.startswith("+") else regions:
        try:
            if check(phonenumbers.parse(plain, region)):
                return True
        except phonenumbers.NumberParseException:
            continue
    return False
