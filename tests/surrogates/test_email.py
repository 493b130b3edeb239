import re

import pytest


@pytest.mark.parametrize(
    "surface, pattern",
    [
        ("kx@gmail.com", r"\w\w@gmail\.com"),
        # A public provider with a country's ending.
        ("kx@yahoo.co.uk", r"\w\w@yahoo\.co\.uk"),
        ("kofi@lincoln.edu", r"[a-z]+@example\.edu"),
        ("kofi@student.lincoln.edu", r"[a-z]+@student\.example\.edu"),
        ("kofi@students.hcps.k12.va.us", r"[a-z]+@students\.school\.example"),
        ("kofi@cs.nairobi.ac.ke", r"[a-z]+@university\.example"),
        ("kofi@acme.org", r"[a-z]+@example\.org"),
        # Obfuscated forms stay obfuscated.
        ("kofi [at] gmail [dot] com", r"[a-z]+ \[at\] gmail \[dot\] com"),
        ("kofi (at) lincoln (dot) edu", r"[a-z]+ \(at\) example \(dot\) edu"),
        ("kofi dot mensah at lincoln dot edu", r"[a-z]+ dot [a-z]+ at example dot edu"),
        ("KOFI@YAHOO.COM", r"[A-Z]+@YAHOO\.COM"),
        ("skater_99@gmail.com", r"[a-z]+_\d\d@gmail\.com"),
    ],
)
def test_shape_is_kept(replace_one, surface, pattern):
    new = replace_one("EMAIL_ADDRESS", surface)
    assert re.fullmatch(pattern, new), new
    assert new.split("@")[0] != surface.split("@")[0] or "@" not in surface


def test_address_follows_its_person(replace_all):
    new = replace_all(
        [
            ("PERSON", "Olivia Marchetti"),
            ("EMAIL_ADDRESS", "olivia.marchetti@gmail.com"),
            ("EMAIL_ADDRESS", "omarchetti@gmail.com"),
            ("EMAIL_ADDRESS", "olivia.m [at] gmail [dot] com"),
        ]
    )
    given, family = new["PERSON", "Olivia Marchetti"].lower().split()
    assert new["EMAIL_ADDRESS", "olivia.marchetti@gmail.com"] == f"{given}.{family}@gmail.com"
    assert new["EMAIL_ADDRESS", "omarchetti@gmail.com"] == f"{given[0]}{family}@gmail.com"
    assert new["EMAIL_ADDRESS", "olivia.m [at] gmail [dot] com"] == f"{given}.{family[0]} [at] gmail [dot] com"


@pytest.mark.parametrize("surface", ["@", "a@b", "no address", "@@@", "x@", "é@ü.de"])
def test_odd_surfaces_never_stay(replace_one, surface):
    assert replace_one("EMAIL_ADDRESS", surface) != surface
