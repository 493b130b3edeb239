import re

import pytest

from spacy_pii.surrogates import numerals

KEYS = [bytes([key]) for key in range(12)]


@pytest.mark.parametrize(
    "surface, pattern, low, high",
    [
        ("14", r"(\d+)", 14, 17),
        ("14 years old", r"(\d+) years old", 14, 17),
        ("7-year-old", r"(\d+)-year-old", 6, 10),
        ("aged 45", r"aged (\d+)", 40, 49),
        # Over 89 an age alone tells who it is: it stays in the eldest class.
        ("94", r"(\d+)", 90, 99),
    ],
)
def test_age_moves_within_its_stage(replace_one, surface, pattern, low, high):
    for key in KEYS:
        new = replace_one("AGE", surface, key=key)
        match = re.fullmatch(pattern, new)
        assert match, new
        assert low <= int(match.group(1)) <= high and new != surface


@pytest.mark.parametrize("surface", ["fourteen", "Fourteen years old", "twenty-one", "twenty one", "FORTY"])
def test_words_stay_words(replace_one, surface):
    for key in KEYS:
        new = replace_one("AGE", surface, key=key)
        assert not re.search(r"\d", new) and new != surface
        assert new.isupper() == surface.isupper() and new[0].isupper() == surface[0].isupper()
        words = re.sub(r" years old", "", new)
        assert numerals.read(words) is not None


def test_digits_and_words_agree(replace_all):
    new = replace_all([("AGE", "14"), ("AGE", "fourteen"), ("AGE", "14-year-old")])
    assert numerals.read(new["AGE", "fourteen"]) == int(new["AGE", "14"])
    assert new["AGE", "14-year-old"] == new["AGE", "14"] + "-year-old"


@pytest.mark.parametrize("surface", ["in my 30s", "in her thirties"])
def test_decades_stay_decades(replace_one, surface):
    new = replace_one("AGE", surface)
    assert new != surface
    assert re.fullmatch(r"in my [2-8]0s|in her \w+ties", new)


@pytest.mark.parametrize("surface", ["0", "100", "1000000", "teen", "?", "8 months old", "1 month", "13.5", "٣"])
def test_odd_surfaces_never_stay(replace_one, surface):
    assert replace_one("AGE", surface) != surface


def test_numerals_round_trip():
    assert [numerals.read(numerals.spell(number)) for number in range(100)] == list(range(100))
    assert [numerals.read_ordinal(numerals.spell_ordinal(number)) for number in range(1, 21)] == list(range(1, 21))
    assert [f"{n}{numerals.suffix(n)}" for n in (1, 2, 3, 4, 11, 12, 13, 21, 22, 31, 112)] == (
        "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 31st 112th".split()
    )
