import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_pii.rules.base import Source
from spacy_pii.rules.roster import Roster, is_one_edit

PEOPLE = [
    {"Given": "Olivia", "Family": "Marchetti", "email": "oli@school.org", "ID": "S-204881", "username": "liv07"},
    {"name": "Anne-Marie O’Brien"},
    {"name": "de la Cruz, José"},
    {"name": "Will Smith"},
    {"name": "Grace Hope"},
    {"name": "Łukasz Dvořák"},
]


def _found(text):
    return [text[match.start : match.end] for match in Roster(PEOPLE).find(Source(text))]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Olivia Marchetti and olivia marchetti", ["Olivia Marchetti", "olivia marchetti"]),
        ("Marchetti, Olivia", ["Marchetti, Olivia"]),
        ("O. Marchetti, Olivia M.", ["O. Marchetti", "Olivia M."]),
        ("Olivia's book", ["Olivia"]),
        # Two people, not surname first
        ("Olivia, José", ["Olivia", "José"]),
        # Diacritics lost, apostrophes of either kind, hyphens and spaces
        ("Lukasz Dvorak, jose de la cruz", ["Lukasz Dvorak", "jose de la cruz"]),
        ("Anne Marie O'Brien, Annemarie", ["Anne Marie O'Brien", "Annemarie"]),
        # One edit
        ("olvia, Oliivia, Olibia, Oliiva", ["olvia", "Oliivia", "Olibia", "Oliiva"]),
        # Two edits, another first letter, a common word
        ("olva Klivia Olivea-x crucial", ["Olivea"]),
        # Names that are words: in lower case, at the start of a sentence, within one
        ("will you? Will you? hope so. We met Hope and will smith.", ["Hope", "will smith"]),
        # What stands inside a longer word is nobody
        ("oliviamarchettis smithy", []),
        ("oli@school.org s-204881 @liv07, liv07.", ["oli@school.org", "s-204881", "@liv07", "liv07"]),
        ("xoli@school.org S-2048811", []),
        ("", []),
    ],
)
def test_roster_matches_the_forms_of_a_name(text, expected):
    assert _found(text) == expected


def test_when_rows_cannot_be_used_then_they_are_set_aside_without_their_text(tmp_path):
    path = tmp_path / "class.csv"
    path.write_text(
        "NAME,Email,ID,shoe size\nOlivia Marchetti,oli@school.org,S-204881,38\n"
        "Tran 2,,,\nKwame,not-an-address,,\n,,,\nMai,,12,\n",
        encoding="utf8",
    )
    with pytest.warns(UserWarning, match="4 rows of 'class.csv'"):
        roster = Roster.from_csv(path)
    assert len(roster) == 1
    assert roster.problems == [
        "class.csv, row 2: the field 'name' cannot be used.",
        "class.csv, row 3: the field 'email' cannot be used.",
        "class.csv, row 4: the field 'name' cannot be used.",
        "class.csv, row 5: the field 'id' cannot be used.",
    ]
    assert "Olivia" not in repr(roster)


def test_a_roster_of_a_clean_file_warns_of_nothing(tmp_path):
    path = tmp_path / "class.csv"
    path.write_text("\ufeffgiven,family\nOlivia,Marchetti\n", encoding="utf8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(Roster.from_csv(path)) == 1


def test_when_the_header_has_no_known_column_then_the_file_is_named(tmp_path):
    path = tmp_path / "class.csv"
    path.write_text("Olivia,Marchetti\n", encoding="utf8")
    with pytest.raises(ValueError, match="class.csv") as error:
        Roster.from_csv(path)
    assert "Marchetti" not in str(error.value)


def test_roster_of_names():
    text = "Kwame and Boateng"
    matches = Roster.from_names(["Kwame Boateng"]).find(Source(text))
    assert [text[match.start : match.end] for match in matches] == ["Kwame", "Boateng"]


def test_a_large_roster_is_no_scan():
    roster = Roster(
        {"given": f"Zaq{number}".translate(str.maketrans("0123456789", "bcdfghjklm"))} for number in range(20000)
    )
    text = "zzzbbbbb " * 5000 + "x" * 200_000
    assert sum(1 for _ in roster.find(Source(text))) == 0
    assert len(roster) == 20000


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_one_edit_is_symmetric_and_knows_equal_words(first, second):
    assert is_one_edit(first, second) == is_one_edit(second, first)
    assert is_one_edit(first, first)
    assert is_one_edit(first, first + "x") and is_one_edit("x" + first, first)


@given(st.text(max_size=60))
def test_roster_offsets_lie_in_the_text(text):
    for match in Roster(PEOPLE).find(Source(text)):
        assert 0 <= match.start < match.end <= len(text)
