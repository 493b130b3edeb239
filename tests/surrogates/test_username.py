import re

import pytest


@pytest.mark.parametrize(
    "surface, pattern",
    [
        ("@skater_girl99", r"@[a-z]+_[a-z]+\d\d"),
        ("mathwhiz", r"[a-z]+"),
        ("xX_ninja_Xx", r"[a-z][A-Z]_[a-z]+_[A-Z][a-z]"),
        ("u/quiz4fun", r"u/[a-z]+\d[a-z]+"),
        ("player#1234", r"[a-z]+#\d{4}"),
        # No letters: a shape is all there is.
        ("90210", r"\d{5}"),
    ],
)
def test_pattern_is_kept(replace_one, surface, pattern):
    new = replace_one("USERNAME", surface)
    assert re.fullmatch(pattern, new), new
    assert new != surface


def test_name_follows_its_person_and_agrees_with_and_without_at(replace_all):
    new = replace_all([("PERSON", "Olivia Marchetti"), ("USERNAME", "@oliviam07"), ("USERNAME", "oliviam07")])
    given, family = new["PERSON", "Olivia Marchetti"].lower().split()
    assert new["USERNAME", "@oliviam07"] == "@" + new["USERNAME", "oliviam07"]
    assert new["USERNAME", "oliviam07"].startswith(given + family[0])
