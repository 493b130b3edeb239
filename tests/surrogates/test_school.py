import re

import pytest


@pytest.mark.parametrize(
    "surface, pattern",
    [
        ("Hillcrest Elementary School", r"[A-Z][a-z]+ Elementary School"),
        ("Hillcrest Middle School", r"[A-Z][a-z]+ Middle School"),
        ("lincoln high", r"[a-z]+ high"),
        ("St. Mary's High School", r"St\. [A-Z][a-z]+'s High School"),
        ("University of Nairobi", r"University of [A-Z][\w' ]+"),
        ("Dakar Community College", r"[A-Z][\w' -]+ Community College"),
        ("Universidad de Guadalajara", r"Universidad de [A-Z][\w' ]+"),
        ("PS 118", r"PS \d{3}"),
        ("UCLA", r"[A-Z]{4}"),
        # Only a kind: it gets a name.
        ("the high school", r"the [a-z]+ high school"),
    ],
)
def test_stage_is_kept(replace_one, surface, pattern):
    for key in (b"1", b"2", b"3"):
        new = replace_one("SCHOOL", surface, key=key)
        assert re.fullmatch(pattern, new), new
        assert new != surface


def test_short_form_and_acronym_follow_the_whole_name(replace_all):
    new = replace_all(
        [
            ("SCHOOL", "Hillcrest Middle School"),
            ("SCHOOL", "Hillcrest"),
            ("SCHOOL", "Hillcrest's"),
            ("SCHOOL", "HMS"),
        ]
    )
    name = new["SCHOOL", "Hillcrest"]
    assert new["SCHOOL", "Hillcrest Middle School"] == f"{name} Middle School"
    assert new["SCHOOL", "Hillcrest's"] == f"{name}'s"
    assert new["SCHOOL", "HMS"] == f"{name[0]}MS"


def test_school_lies_where_the_text_says(replace_all):
    new = replace_all([("SCHOOL", "University of Nairobi"), ("LOCATION", "Nairobi")])
    assert new["SCHOOL", "University of Nairobi"] == "University of " + new["LOCATION", "Nairobi"]


@pytest.mark.parametrize("surface", ["school", "?", "12", "北京大学", "Hogwarts", "M.I.T.", "of"])
def test_odd_surfaces_never_stay(replace_one, surface):
    assert replace_one("SCHOOL", surface) != surface
