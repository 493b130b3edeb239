"""Street addresses in the orders of many countries, up to the post code where it is written with them."""

import re
from functools import lru_cache
from typing import FrozenSet, Iterator, NamedTuple, Optional, Pattern, Tuple

from .base import Match, Source, any_of, load_table

_CUE_WIDTH = 60
_NUMBER = r"(?<![\w.,/$€£:-])\d{1,5}[A-Za-z]?(?:[-/]\d{1,4}[A-Za-z]?)?"
_PO_BOX = re.compile(r"(?<!\w)(?:P\.?\s?O\.?|Post\s+Office)\s*Box\s+\d{1,6}(?:[-\s]\d{3,6})?", re.I)


class _Table(NamedTuple):
    numbered: Pattern[str]
    lower: Pattern[str]
    leading: Pattern[str]
    french: Pattern[str]
    glued: Pattern[str]
    tail: Pattern[str]
    cue: Pattern[str]
    ambiguous: FrozenSet[str]
    public: Tuple[str, ...]
    triggers: FrozenSet[str]
    glued_ends: Tuple[str, ...]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data = load_table("addresses")
    particle = rf"(?:{any_of(data['particles'])})"
    cap = r"[^\W\d_a-zß-öø-ÿ][\w'’.-]*"
    name = rf"{cap}(?:\s+(?:{particle}\s+)?{cap}){{0,3}}"
    compass = r"(?:[NSEW]{1,2}\.?|North|South|East|West|Northeast|Northwest|Southeast|Southwest)"
    ends = any_of(data["types"])
    lower_ends = any_of(word.lower() for word in data["types"] if word not in data["ambiguous_types"] and len(word) > 1)
    leading = any_of(data["leading_types"])
    # Town, state and post code, each after a comma or a line break, with the post code's many shapes.
    post_code = (
        r"(?:\d{5}(?:-\d{4})?|\d{4,6}|\d{3}\s\d{2,3}|[A-Z]\d[A-Z]\s?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}"
        r"|\d{4}\s?[A-Z]{2}|[A-Z]{1,2}-?\d{4,6}|\d{5}-\d{3}|\d{2}-\d{3})(?![\w]|[.,]\d)"
    )
    unit = rf"(?:\s*[,\n]?\s*(?:(?:{any_of(data['units'])})\s?#?\s?\w{{1,5}}\b|#\s?\w{{1,5}}\b))"
    place = r"(?:St\.|[^\W\d_a-zß-öø-ÿ][\w'’]*)"
    town = rf"{place}(?:[ -]+(?:{particle}[ -]+)?{place}){{0,3}}"
    sep = r"(?:\s*,\s*|\s*\n\s*)"
    state = any_of(data["states"])
    tail = (
        rf"(?:{unit}){{0,2}}"
        rf"(?:{sep}{post_code}(?:\s+{town})?(?:,\s*{town})?"
        rf"|(?:{sep}{town}){{1,3}}(?:{sep}|\s+)(?:{state}(?:\s+|,\s*))?{post_code}"
        rf"|\s+{town}(?:{sep}|\s+){state}\s+{post_code}"
        rf"|\s*,\s*{town}(?:\s*,\s*{state}\b)?)?"
    )
    types = frozenset(
        re.findall(r"[^\W\d_]+", " ".join([*data["types"], *data["leading_types"], *data["french_types"]]).lower())
    )
    return _Table(
        numbered=re.compile(
            rf"{_NUMBER},?\s+(?:{compass}\s+)?(?:{name}|\d{{1,3}}(?:st|nd|rd|th)|[A-Z])\s+({ends})\b\.?(?:\s+{compass}(?!\w))?"
        ),
        lower=re.compile(rf"{_NUMBER}\s+(?:[a-z'’]{{2,20}}\s+){{1,3}}({lower_ends})\b", re.I),
        leading=re.compile(
            rf"(?<![\w])({leading})\s*(?:{particle}\s+){{0,2}}{cap}(?:\s+(?:{particle}\s+){{0,2}}{cap}){{0,4}}"
            rf"(?:,|\s)\s*(?:n[º°o.]{{1,2}}\s*|No\.?\s*|nr\.?\s*|д\.?\s*|#\s*)?(\d{{1,5}}[A-Za-z]?(?:[-/]\d{{1,4}})?)(?![\w]|[.,]\d|\s*[=+*^×÷])"
        ),
        french=re.compile(
            rf"{_NUMBER}(?:\s*(?:bis|ter))?,?\s+(?i:({any_of(data['french_types'])}))\s+(?:{particle}\s*){{0,2}}{cap}"
            rf"(?:[\s-]+(?:{particle}\s*){{0,2}}{cap}){{0,3}}"
        ),
        glued=re.compile(
            rf"(?<!\w)[A-ZÄÖÜÅÆØ][\w-]{{2,30}}(?:{any_of(data['glued_types'])}|(?:[\s-](?:Straße|Strasse|Str\.|Weg|Platz|Allee|Ring)))\s+\d{{1,4}}\s?[a-z]?(?![\w]|[.,]\d|\s*[=+*^×÷%])"
        ),
        tail=re.compile(tail),
        cue=re.compile(rf"\b{any_of(data['cues'])}\b"),
        ambiguous=frozenset(data["ambiguous_types"]),
        public=tuple(data["public"]),
        triggers=types,
        glued_ends=tuple(end.rstrip(".") for end in data["glued_types"]),
    )


def find_addresses(source: Source) -> Iterator[Match]:
    """Find street addresses and post office boxes.

    source (Source): The text.
    YIELDS (Match): The addresses, each with its flat, town and post code where they follow.
    """
    text, table = source.text, _table()
    if not any(map(str.isdigit, text)):
        return
    if source.has_any(table.triggers):
        for hit in table.numbered.finditer(text):
            match = _judge(source, hit.start(), hit.end(), hit.group(1) in table.ambiguous)
            if match is not None:
                yield match
        for hit in table.lower.finditer(text):
            if table.cue.search(source.before(hit.start(), _CUE_WIDTH)):
                yield Match(hit.start(), _end(text, hit.end()), "STREET_ADDRESS", "address_cue", 0.7)
        for hit in table.leading.finditer(text):
            match = _judge(source, hit.start(), hit.end(), hit.group(1) in ("Place", "Plaza", "Via", "Largo", "Str."))
            if match is not None:
                yield match
        for hit in table.french.finditer(text):
            is_ambiguous = hit.group(1).lower() in ("place", "square", "route", "cours", "via")
            match = _judge(source, hit.start(), hit.end(), is_ambiguous)
            if match is not None:
                yield match
    if any(word.endswith(table.glued_ends) for word in source.words):
        for hit in table.glued.finditer(text):
            match = _judge(source, hit.start(), hit.end(), False)
            if match is not None:
                yield match
    if "box" in source.words:
        for hit in _PO_BOX.finditer(text):
            yield Match(hit.start(), _end(text, hit.end()), "STREET_ADDRESS", "po_box", 0.75)


def _end(text: str, end: int) -> int:
    tail = _table().tail.match(text, end)
    return tail.end() if tail else end


def _judge(source: Source, start: int, end: int, is_ambiguous: bool) -> Optional[Match]:
    """Take an address unless it is a famous one, or its "street" could be a word and nothing supports it."""
    table = _table()
    text = source.text[start:end]
    if " ".join(text.lower().split()).startswith(table.public) or source.is_operand(start, start + 1):
        return None
    whole = _end(source.text, end)
    cued = table.cue.search(source.before(start, _CUE_WIDTH)) is not None
    has_code = whole > end and any(map(str.isdigit, source.text[end:whole]))
    if is_ambiguous and not (cued or has_code):
        return None
    return Match(start, whole, "STREET_ADDRESS", "address_cue" if cued else "address", 0.9 if cued or has_code else 0.8)
