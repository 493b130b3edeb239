"""Surrogates of DATE: all dates of a document move by one secret shift, each in its own format."""

import calendar
import datetime
import re
from functools import lru_cache
from typing import Dict, Optional, Pattern, Tuple

from .context import Context
from .keys import Stream
from .names import fold
from .numerals import ORDINAL_WORD, read_ordinal, spell_ordinal, suffix
from .shapes import match_case, reshape

# Full names and abbreviations by language; all names of a row are in the order of the months.
_MONTHS: Tuple[Tuple[str, ...], ...] = tuple(
    tuple(row.split())
    for row in (
        "January February March April May June July August September October November December",
        "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
        "Jan Feb Mar Apr May June July Aug Sept Oct Nov Dec",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    )
)
_WEEKDAYS: Tuple[Tuple[str, ...], ...] = (
    ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    ("Mon", "Tues", "Wed", "Thurs", "Fri", "Sat", "Sun"),
)
_HOLIDAYS = ("Christmas", "Easter", "Thanksgiving", "Halloween", "New Year's Day", "Labor Day", "Independence Day")
_SEASONS = ("spring", "summer", "autumn", "winter", "fall")
_RELATIVE = ("yesterday", "today", "tomorrow", "tonight")
_MIDDLE = 15


def canonical(surface: str) -> str:
    """Name the entity of a date.

    surface (str): The date.
    RETURNS (str): Its text, folded. What it becomes follows from the shift of the document.
    """
    return " ".join(fold(surface).split())


def replace(surface: str, rng: Stream, context: Context) -> Optional[str]:
    """Shift a date. Format, time of day and weekday stay true; what is not a calendar date changes its numbers.

    surface (str): The date.
    rng (Stream): Source of randomness for what is no date of the calendar.
    context (Context): The document, which holds the shift.
    RETURNS (Optional[str]): The surrogate, or None where the surface holds nothing of a date.
    """
    found = _find(surface, context.day_first)
    if not found:
        return _replace_vague(surface, rng, context)
    fields = {name: surface[start:end] for name, (start, end) in found.items()}
    date, exact = _read(fields, context.reference_year)
    if date is None:
        return None
    try:
        moved = date + datetime.timedelta(days=context.shift_days)
    except OverflowError:
        return None
    if not exact:
        # A month of a year: the middle of the month decides.
        moved = moved.replace(day=min(moved.day, 28))
    written = _write(fields, moved)
    result = []
    position = 0
    for name, (start, end) in sorted(found.items(), key=_start):
        # The rest may hold another date ("3 May 2020 - 4 June 2020").
        result.append(surface[position:start])
        result.append(written[name])
        position = end
    tail = surface[position:]
    if re.search(r"\d{4}|\d[/.-]\d|[A-Za-z]{3,}\.? \d", tail) and re.search(r"[^\W_]", tail):
        tail = replace(tail, rng, context) or tail
    return "".join(result) + tail


def _start(item: Tuple[str, Tuple[int, int]]) -> int:
    return item[1][0]


def _find(surface: str, day_first: bool) -> Dict[str, Tuple[int, int]]:
    """Find the fields of the first date."""
    for pattern in _patterns():
        match = pattern.search(surface)
        if match is None:
            continue
        spans = {name: match.span(name) for name, value in match.groupdict().items() if value}
        if "a" in spans:
            first, second = int(match.group("a")), int(match.group("b"))
            day, month = ("a", "b") if first > 12 or (day_first and second <= 12) else ("b", "a")
            spans["day"], spans["month"] = spans.pop(day), spans.pop(month)
            if not 1 <= (second if month == "b" else first) <= 12:
                continue
            if not 1 <= (first if month == "b" else second) <= 31:
                continue
        weekday = _weekday_pattern().search(surface)
        if weekday:
            spans["weekday"] = weekday.span()
        return spans
    return {}


def _read(fields: Dict[str, str], reference_year: int) -> Tuple[Optional[datetime.date], bool]:
    month = _month(fields["month"])
    exact = "day" in fields
    day = _day(fields["day"]) if exact else _MIDDLE
    year = _year(fields["year"]) if "year" in fields else reference_year
    if not (1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= 31):
        return None, exact
    if "year" not in fields and "weekday" in fields:
        # The nearest year before in which the day falls on that weekday.
        weekday = _weekday(fields["weekday"])
        years = (year - back for back in range(12) if _fits(year - back, month, day, weekday))
        year = next(years, year)
    return datetime.date(year, month, min(day, calendar.monthrange(year, month)[1])), exact


def _weekday(text: str) -> int:
    folded = fold(text)
    return next(at for row in _WEEKDAYS for at, name in enumerate(row) if fold(name) == folded)


def _fits(year: int, month: int, day: int, weekday: int) -> bool:
    return (
        year >= 1
        and day <= calendar.monthrange(year, month)[1]
        and datetime.date(year, month, day).weekday() == weekday
    )


def _write(fields: Dict[str, str], moved: datetime.date) -> Dict[str, str]:
    numeric = [fields[name] for name in ("day", "month") if fields.get(name, "x").isdigit()]
    padded = any(text.startswith("0") for text in numeric) or (numeric and all(len(text) == 2 for text in numeric))
    written = {}
    for name, text in fields.items():
        if name == "year":
            year = f"{moved.year % 100:02}" if len(text.strip("'’")) == 2 else f"{moved.year:04}"
            written[name] = text[: len(text) - len(text.lstrip("'’"))] + year
        elif name == "month":
            written[name] = _write_number(moved.month, padded) if text.isdigit() else _write_month(text, moved.month)
        elif name == "day":
            written[name] = _write_day(text, moved.day, padded)
        else:
            # The shift is whole weeks: the weekday that was true stays true.
            written[name] = text
    return written


def _write_number(number: int, padded: object) -> str:
    return f"{number:02}" if padded else str(number)


def _write_day(text: str, day: int, padded: object) -> str:
    if text.isdigit():
        return _write_number(day, padded)
    ending = re.search(r"(?:st|nd|rd|th)$", text, re.IGNORECASE)
    if ending and text[0].isdigit():
        return f"{day}{match_case(ending.group(), suffix(day))}"
    return match_case(text, spell_ordinal(day)) if day <= 20 else f"{day}{suffix(day)}"


def _write_month(text: str, month: int) -> str:
    rows = [row for row in _MONTHS if fold(text) in [fold(name) for name in row]]
    # "May" is short and long: the longer row is the commoner one.
    row = rows[0]
    name = row[month - 1]
    return match_case(text, name) if text.isupper() or text.islower() else name[:1].upper() + name[1:]


def _replace_vague(surface: str, rng: Stream, context: Context) -> Optional[str]:
    """Replace years alone, decades, school years and holidays."""
    years = list(re.finditer(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)", surface))
    if years:
        result = []
        position = 0
        for match in years:
            decade = surface[match.end() : match.end() + 2].lstrip("'’").startswith("s") and match.group()[3] == "0"
            year = int(match.group()) + (-10 if decade else context.shift_years)
            result.append(surface[position : match.start()] + str(year))
            position = match.end()
            short = re.match(r"([-/–])(\d\d)(?!\d)", surface[position:])
            if short:
                # 2019/20
                result.append(f"{short.group(1)}{(int(short.group(2)) + context.shift_years) % 100:02}")
                position += short.end()
        result.append(surface[position:])
        return "".join(result)
    short_year = re.search(r"['’](\d\d)(?!\d)", surface)
    if short_year:
        start, end = short_year.span(1)
        return f"{surface[:start]}{(int(short_year.group(1)) + context.shift_years) % 100:02}{surface[end:]}"
    for names in (*_MONTHS, *_WEEKDAYS, _HOLIDAYS, _SEASONS, _RELATIVE):
        pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b", re.IGNORECASE)
        match = pattern.search(surface)
        if match:
            new = rng.choice([name for name in names if fold(name) != fold(match.group())])
            cased = match_case(match.group(), new)
            return surface[: match.start()] + cased + surface[match.end() :]
    if any(char.isdigit() for char in surface):
        return "".join(reshape(char, rng) if char.isdigit() else char for char in surface)
    return None


def _year(text: str) -> int:
    text = text.strip("'’")
    year = int(text)
    return year if len(text) == 4 else 2000 + year if year < 50 else 1900 + year


def _month(text: str) -> int:
    if text.isdigit():
        return int(text)
    folded = fold(text)
    return next((at + 1 for row in _MONTHS for at, name in enumerate(row) if fold(name) == folded), 0)


def _day(text: str) -> int:
    digits = re.match(r"\d+", text)
    return int(digits.group()) if digits else read_ordinal(text) or 0


@lru_cache(maxsize=None)
def _weekday_pattern() -> Pattern[str]:
    names = sorted({name for row in _WEEKDAYS for name in row}, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(names)})\b", re.IGNORECASE)


@lru_cache(maxsize=None)
def _patterns() -> Tuple[Pattern[str], ...]:
    names = {name for row in _MONTHS for name in row}
    names |= {fold(name) for name in names}
    month = rf"(?P<month>{'|'.join(sorted(names, key=len, reverse=True))})"
    day = rf"(?P<day>\d{{1,2}}(?:st|nd|rd|th)?|\b{ORDINAL_WORD})(?!\d)"
    # A time of day may follow the date.
    year = r"(?P<year>\d{4}|['’]\d\d|\d\d)(?!\d|:)"
    between = r"(?:\s*[,.]?\s+|\s*[-/.,]\s*)"
    of = r"(?:\s+(?:of|de|du|do)\s+|\.?\s*[-/]?\s*)"
    texts = (
        r"(?<!\d)(?P<year>\d{4})(?P<_s>[-/.])(?P<month>\d{1,2})(?P=_s)(?P<day>\d{1,2})(?!\d)",
        r"(?<!\d)(?P<a>\d{1,2})(?P<_s>[-/.])(?P<b>\d{1,2})(?P=_s)(?P<year>\d{4}|\d{2})(?!\d)",
        r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)",
        rf"(?<!\d){day}{of}\b{month}\b\.?(?:(?:{between}|\s+(?:de|del|of)\s+){year})?",
        rf"\b{month}\b\.?\s*(?:the\s+)?{day}(?:{between}{year})?",
        rf"\b{month}\b\.?(?:{between}|\s+(?:of|de)\s+){year}",
        r"(?<!\d)(?P<year>(?:19|20)\d\d)-(?P<month>0[1-9]|1[0-2])(?!\d)",
        r"(?<!\d)(?P<month>0?[1-9]|1[0-2])/(?P<year>(?:19|20)\d\d)(?!\d)",
        r"(?<![\d/.-])(?P<a>\d{1,2})[-/.](?P<b>\d{1,2})(?![\d/-])",
    )
    return tuple(re.compile(text, re.IGNORECASE) for text in texts)
