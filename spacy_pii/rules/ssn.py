"""Social security numbers of the United States: whole, or the last four digits where they are named as such."""

import re
from functools import lru_cache
from typing import FrozenSet, Iterator, NamedTuple, Pattern

from .base import Match, Source, any_of, first_words, load_table
from .spelt import find_spelt

_WIDTH = 50
_WHOLE = re.compile(r"(?<![\w.,/])(?<!\d-)(\d{3})([- .]?)(\d{2})\2(\d{4})(?![\w]|-\d|[.,/]\d)")
_MASKED = re.compile(r"(?<!\w)[*xX•#]{3}[- ]?[*xX•#]{2}[- ]?(\d{4})(?!\d)")
_LAST_FOUR = r"last\s+(?:four|4)(?:\s+(?:digits?|numbers?))?"
_POINT = re.compile(r"\bpoint\W*$")


class _Table(NamedTuple):
    triggers: FrozenSet[str]
    samples: FrozenSet[str]
    cue: Pattern[str]
    last_four: Pattern[str]
    last_four_is: Pattern[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data = load_table("ssn")
    cue = rf"(?<!\w){any_of(data['cues'])}(?!\w)(?!\s+(?:media|studies|science|work|skills|life|class|network))"
    return _Table(
        triggers=first_words(data["cues"]),
        samples=frozenset(data["sample_numbers"]),
        cue=re.compile(cue, re.I),
        last_four=re.compile(
            rf"(?:{_LAST_FOUR}[^.\n\d]{{0,30}}{cue}|{cue}[^.\n\d]{{0,25}}(?:{_LAST_FOUR}|ending|ends|end))[^.\n\d]{{0,25}}?(\d{{4}})(?!\d|[-.,/]\d)",
            re.I,
        ),
        last_four_is=re.compile(
            rf"(?<!\d)(\d{{4}})\W{{1,4}}(?:are|is|as|=)?\s*(?:the\s+)?{_LAST_FOUR}[^.\n\d]{{0,20}}{cue}", re.I
        ),
    )


def find_ssns(source: Source) -> Iterator[Match]:
    """Find social security numbers. Look-alikes in arithmetic and the well-known samples are left out.

    source (Source): The text.
    YIELDS (Match): The numbers.
    """
    table = _table()
    has_cue = source.has_any(table.triggers)
    for hit in _WHOLE.finditer(source.text):
        cued = has_cue and table.cue.search(source.before(hit.start(), _WIDTH)) is not None
        # Only the hyphens make a number without a cue one of these.
        if not cued and (hit.group(2) != "-" or _is_unlikely(source, hit.start(), hit.group())):
            continue
        area, group, serial = hit.group(1), hit.group(3), hit.group(4)
        if group == "00" or serial == "0000" or area in ("000", "666") or (area[0] == "9" and not cued):
            continue
        if not source.is_operand(hit.start(), hit.end()):
            yield Match(hit.start(), hit.end(), "US_SSN", "ssn_cue" if cued else "ssn_format", 0.95 if cued else 0.7)
    if not has_cue:
        return
    for pattern in (table.last_four, table.last_four_is):
        for hit in pattern.finditer(source.text):
            yield Match(hit.start(1), hit.end(1), "US_SSN", "ssn_last_four", 0.9)
    for hit in _MASKED.finditer(source.text):
        yield Match(hit.start(1), hit.end(1), "US_SSN", "ssn_last_four", 0.9)
    for run in find_spelt(source):
        before = source.before(run.start, _WIDTH + 20)
        if table.cue.search(before) and (
            len(run.digits) == 9 or len(run.digits) == 4 and re.search(_LAST_FOUR, before)
        ):
            yield Match(run.start, run.end, "US_SSN", "ssn_spelt", 0.9)


def _is_unlikely(source: Source, start: int, number: str) -> bool:
    """A sample number, or the fraction of a decimal that speech to text grouped."""
    return number.replace("-", "") in _table().samples or _POINT.search(source.before(start, 10)) is not None
