import re

import pytest


@pytest.mark.parametrize(
    "surface, pattern",
    [
        ("(617) 234-9876", r"\(\d{3}\) 555-01\d\d"),
        ("617.234.9876", r"\d{3}\.555\.01\d\d"),
        ("+1 617 234 9876", r"\+1 \d{3} 555 01\d\d"),
        ("234-9876", r"555-01\d\d"),
        # Kept free by the British regulator.
        ("+44 7911 123456", r"\+44 7700 900\d{3}"),
        ("07911 123456", r"07700 900\d{3}"),
        ("020 7123 4567", r"020 7946 0\d{3}"),
        ("+33 6 12 34 56 78", r"\+33 6 39 98 0\d \d\d"),
        ("+254 712 345 678", r"\+254 7\d\d \d{3} \d{3}"),
        ("0712345678", r"07\d{8}"),
        ("617-234-9876 ext. 12", r"\d{3}-555-01\d\d ext\. \d\d"),
        # A part of a number that was split over messages.
        ("9876", r"\d{4}"),
    ],
)
def test_country_and_format_are_kept(replace_one, surface, pattern):
    for key in (b"1", b"2", b"3"):
        new = replace_one("PHONE_NUMBER", surface, key=key)
        assert re.fullmatch(pattern, new), new
        assert new != surface


def test_spelt_digits_stay_spelt(replace_one):
    new = replace_one("PHONE_NUMBER", "six one seven, two three four, nine eight seven six")
    words = re.findall(r"[a-z]+", new)
    assert len(words) == 10 and words[3:8] == ["five", "five", "five", "zero", "one"]


def test_all_ways_to_dial_a_number_stay_one_number(replace_all):
    forms = ["(617) 234-9876", "6172349876", "+1 617 234 9876"]
    new = replace_all([("PHONE_NUMBER", form) for form in forms])
    assert len({re.sub(r"\D", "", value)[-10:] for value in new.values()}) == 1
    new = replace_all([("PHONE_NUMBER", "+254 712 345 678"), ("PHONE_NUMBER", "0712345678")])
    assert len({re.sub(r"\D", "", value)[-9:] for value in new.values()}) == 1


@pytest.mark.parametrize("surface", ["0000000", "00", "+", "call me", "+0", "٠١٢٣٤٥٦", "00000000000", "+1"])
def test_odd_surfaces_never_stay(replace_one, surface):
    assert replace_one("PHONE_NUMBER", surface) != surface


def test_reserved_number_changes_too(replace_one):
    for key in range(40):
        assert replace_one("PHONE_NUMBER", "617-555-0134", key=bytes([key])) != "617-555-0134"
