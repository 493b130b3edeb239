import pytest

from spacy_pii.surrogates.countries import countries
from spacy_pii.surrogates.names import fold

NATIONALITIES = {country.nationality for country in countries()}
RELIGIONS = {religion for country in countries() for religion in country.religions}
PEOPLES = {people for country in countries() for people in country.ethnicities}


@pytest.mark.parametrize(
    "surface, kind",
    [
        ("Kenyan", NATIONALITIES),
        ("Muslim", RELIGIONS),
        ("Igbo", PEOPLES),
        ("Islam", {"Christianity", "Judaism", "Hinduism", "Buddhism", "Sikhism", "Catholicism", "Protestantism"}),
        ("Republican", {"Democrat", "Libertarian", "Socialist", "Independent"}),
        # Not in any table.
        ("Zorblaxian", PEOPLES),
    ],
)
def test_kind_is_kept(replace_one, surface, kind):
    for key in (b"1", b"2", b"3", b"4"):
        new = replace_one("NRP", surface, key=key)
        assert new in kind and new != surface


def test_number_and_case_are_kept(replace_all):
    new = replace_all([("NRP", "Kenyan"), ("NRP", "Kenyans"), ("NRP", "KENYAN"), ("NRP", "kenyan")])
    assert new["NRP", "Kenyans"].rstrip("s") == new["NRP", "Kenyan"].rstrip("s")
    assert new["NRP", "KENYAN"] == new["NRP", "Kenyan"].upper()
    assert new["NRP", "kenyan"] == new["NRP", "Kenyan"].lower()


def test_both_halves_of_a_double_change(replace_one):
    halves = replace_one("NRP", "Mexican-American").split("-")
    assert len(halves) == 2 and not {"mexican", "american"} & {fold(half) for half in halves}


@pytest.mark.parametrize("surface", ["", " ", "?", "-", "s", "12"])
def test_odd_surfaces_never_stay(replace_one, surface):
    assert replace_one("NRP", surface) != surface
