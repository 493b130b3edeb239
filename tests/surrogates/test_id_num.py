import re

import pytest


@pytest.mark.parametrize("label", ["ID_NUM", "US_DRIVER_LICENSE", "US_PASSPORT"])
@pytest.mark.parametrize(
    "surface, pattern",
    [
        ("20458817", r"[1-9]\d{7}"),
        ("S-204881", r"[A-Z]-\d{6}"),
        ("ab12-3345", r"[a-z]{2}\d\d-\d{4}"),
        # A word beside the number is no part of it.
        ("Student ID: 204881", r"Student ID: \d{6}"),
        ("six zero four", r"[a-z]+ [a-z]+ [a-z]+"),
        # Arabic digits.
        ("٣٤٥", r"[٠-٩]{3}"),
    ],
)
def test_pattern_is_kept(replace_one, label, surface, pattern):
    new = replace_one(label, surface)
    assert re.fullmatch(pattern, new), new
    assert new != surface


def test_one_number_stays_one(replace_all):
    new = replace_all([("ID_NUM", "S-204881"), ("ID_NUM", "s204881"), ("ID_NUM", "204882")])
    assert new["ID_NUM", "S-204881"].replace("-", "").lower() == new["ID_NUM", "s204881"]
    assert new["ID_NUM", "204882"] not in new["ID_NUM", "s204881"]


@pytest.mark.parametrize("surface", ["#", "ID", "-", " "])
def test_odd_surfaces_never_stay(replace_one, surface):
    assert replace_one("ID_NUM", surface) != surface
