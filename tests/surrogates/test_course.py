import re

import pytest


@pytest.mark.parametrize(
    "surface, pattern",
    [
        ("MATH 1205", r"MATH 1\d{3}"),
        ("EDUC-5010", r"EDUC-5\d{3}"),
        ("CS101", r"CS1\d\d"),
        ("Alg2H", r"Alg\dH"),
        ("math 1205", r"math 1\d{3}"),
        ("ENG", r"[A-Z]{3}"),
        # A full-width digit.
        ("CS１０１", r"CS１\d\d"),
    ],
)
def test_pattern_subject_and_level_are_kept(replace_one, surface, pattern):
    new = replace_one("COURSE_NUMBER", surface)
    assert re.fullmatch(pattern, new), new
    assert new != surface


def test_spellings_of_one_course_agree(replace_all):
    new = replace_all([("COURSE_NUMBER", "MATH 1205"), ("COURSE_NUMBER", "math1205")])
    assert new["COURSE_NUMBER", "MATH 1205"].replace(" ", "").lower() == new["COURSE_NUMBER", "math1205"]


@pytest.mark.parametrize("surface", ["?", "", "²"])
def test_odd_surfaces_never_stay(replace_one, surface):
    assert replace_one("COURSE_NUMBER", surface) != surface
