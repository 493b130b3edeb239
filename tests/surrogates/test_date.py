import datetime
import re

import pytest

KEYS = [bytes([key]) for key in range(10)]
MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"


@pytest.mark.parametrize(
    "surface, pattern",
    [
        ("March 3, 2021", rf"{MONTH} \d{{1,2}}, 20[12]\d"),
        ("14 March", rf"\d{{1,2}} {MONTH}"),
        ("March 2021", rf"{MONTH} 20[12]\d"),
        ("MARCH 2021", r"[A-Z]+ 20[12]\d"),
        ("3/14", r"\d{1,2}/\d{1,2}"),
        # Two digits stay two digits.
        ("03/05/2021", r"\d\d/\d\d/20[12]\d"),
        ("31.12.1999", r"\d\d\.\d\d\.199\d"),
        ("2021-03-03", r"20[12]\d-\d\d-\d\d"),
        ("20210303", r"20[12]\d{5}"),
        # The time of day is no part of what moves.
        ("2021-03-03 14:22", r"20[12]\d-\d\d-\d\d 14:22"),
        ("2021-03-03T14:22:10Z", r"20[12]\d-\d\d-\d\dT14:22:10Z"),
        ("Fri 14 Mar 2025 09:15", r"Fri \d{1,2} [A-Z][a-z]{2} 20[12]\d 09:15"),
        ("Dec. 25th, 2020", r"[A-Z][a-z]{2}\. \d{1,2}(?:st|nd|rd|th), 20[12]\d"),
        ("3rd of May 2009", rf"\d{{1,2}}(?:st|nd|rd|th) of {MONTH} 200\d"),
        ("3 de mayo de 2009", r"\d{1,2} de [a-z]+ de 200\d"),
        ("2009", r"200\d"),
        ("'09", r"'0\d"),
        ("2019-2020", r"201\d-201\d"),
        ("2019/20", r"201\d/1\d"),
        ("the 1990s", r"the 1980s"),
    ],
)
def test_format_is_kept(replace_one, surface, pattern):
    for key in KEYS:
        new = replace_one("DATE", surface, key=key)
        assert re.fullmatch(pattern, new), new
        assert new != surface


def test_all_dates_of_a_document_move_alike(replace_all):
    forms = {
        "2021-03-03": "%Y-%m-%d",
        "March 10, 2021": "%B %d, %Y",
        "31/12/2021": "%d/%m/%Y",
        # Only the date before tells that the day comes first.
        "05/11/2021": "%d/%m/%Y",
    }
    for key in KEYS:
        new = replace_all([("DATE", form) for form in forms], key=key)
        shifts = set()
        for (_, old), value in new.items():
            shifts.add(datetime.datetime.strptime(value, forms[old]) - datetime.datetime.strptime(old, forms[old]))
        assert len(shifts) == 1


def test_weekday_stays_true(replace_one):
    for key in KEYS:
        new = replace_one("DATE", "Wednesday, March 3, 2021", key=key)
        assert datetime.datetime.strptime(new, "%A, %B %d, %Y").strftime("%A, %B %-d, %Y") == new


def test_another_key_shifts_otherwise(replace_one):
    assert len({replace_one("DATE", "2021-03-03", key=key) for key in KEYS}) > 5


@pytest.mark.parametrize(
    "surface",
    ["02/29", "29 February 2020", "0000-00-00", "99/99/9999", "Christmas", "yesterday", "summer", "?", "1/1/0001",
     "13/13", "Monday", "the 3rd", "9999-12-31", "5 May - 6 June"],
)  # fmt: skip
def test_odd_surfaces_never_stay(replace_one, surface):
    for key in KEYS:
        assert replace_one("DATE", surface, key=key) != surface


def test_both_ends_of_a_range_move(replace_one):
    new = replace_one("DATE", "3 May 2020 - 4 June 2020")
    first, last = (datetime.datetime.strptime(part, "%d %B %Y") for part in new.split(" - "))
    assert last - first == datetime.timedelta(days=32)
