import re

import pytest

KEYS = [bytes([key]) for key in range(12)]


@pytest.mark.parametrize(
    "surface, pattern, levels",
    [
        ("7th grade", r"(6|8)th grade", {6, 8}),
        # The ending agrees with the number.
        ("3rd grade", r"(1st|2nd|4th|5th) grade", {1, 2, 4, 5}),
        ("grade 10", r"grade (9|11|12)", {9, 11, 12}),
        ("Year 9", r"Year [78]", {7, 8}),
        ("Form 3", r"Form [124]", {1, 2, 4}),
        ("10th-grade", r"(9|11|12)th-grade", {9, 11, 12}),
    ],
)
def test_number_moves_within_its_stage(replace_one, surface, pattern, levels):
    seen = set()
    for key in KEYS:
        new = replace_one("GRADE_LEVEL", surface, key=key)
        assert re.fullmatch(pattern, new), new
        seen.add(int(re.search(r"\d+", new).group()))
    assert len(seen) > 1 and seen <= levels


@pytest.mark.parametrize(
    "surface, options",
    [
        ("sophomore", {"freshman", "junior", "senior"}),
        ("Juniors", {"Freshmen", "Sophomores", "Seniors"}),
        ("seventh grader", {"sixth grader", "eighth grader"}),
        ("first-year", {"second-year", "third-year", "fourth-year"}),
        ("Class VIII", {"Class VI", "Class VII"}),
        ("grade twelve", {"grade nine", "grade ten", "grade eleven"}),
    ],
)
def test_words_stay_words(replace_one, surface, options):
    for key in KEYS:
        assert replace_one("GRADE_LEVEL", surface, key=key) in options


def test_forms_of_one_year_agree_and_a_range_stays_in_order(replace_all):
    new = replace_all([("GRADE_LEVEL", "7th grade"), ("GRADE_LEVEL", "grade 7"), ("GRADE_LEVEL", "grades 10-12")])
    assert new["GRADE_LEVEL", "7th grade"][0] == new["GRADE_LEVEL", "grade 7"][-1]
    first, last = map(int, re.findall(r"\d+", new["GRADE_LEVEL", "grades 10-12"]))
    assert 9 <= first < last <= 12


@pytest.mark.parametrize("surface", ["grade", "13th", "99", "K", "?", "Klasse"])
def test_odd_surfaces_never_stay(replace_one, surface):
    assert replace_one("GRADE_LEVEL", surface) != surface
