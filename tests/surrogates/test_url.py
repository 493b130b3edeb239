import re

import pytest


@pytest.mark.parametrize(
    "surface, pattern",
    [
        ("https://www.linkedin.com/in/kofi-mensah-4b2a91", r"https://www\.linkedin\.com/in/[a-z]+-[a-z]+-\w+"),
        ("github.com/kmensah/thesis", r"github\.com/[a-z]+/[a-z]+"),
        (
            "https://docs.google.com/document/d/1AbCdEfGhIjKlm_NoPqRsTuVw/edit?usp=sharing",
            r"https://docs\.google\.com/document/d/[\w-]{25}/edit\?usp=sharing",
        ),
        ("https://us02web.zoom.us/j/84512345678?pwd=abcD123", r"https://us02web\.zoom\.us/j/\d{11}\?pwd=\w{7}"),
        ("meet.google.com/abc-defg-hij", r"meet\.google\.com/[a-z]{3}-[a-z]{4}-[a-z]{3}"),
        ("https://youtu.be/dQw4w9WgXcQ", r"https://youtu\.be/\w{11}"),
        ("kofimensah.wordpress.com", r"[a-z]+\.wordpress\.com"),
        # A site of one's own: the new name is one that nobody can own.
        ("www.kofimensah.com/about", r"www\.[a-z]+\.example/about"),
        ("http://students.lincoln.edu/~kmensah/index.html", r"http://university\.example/~[a-z]+/index\.html"),
    ],
)
def test_kind_of_site_is_kept_and_what_is_private_goes(replace_one, surface, pattern):
    new = replace_one("URL", surface)
    assert re.fullmatch(pattern, new), new
    assert "mensah" not in new and "kofi" not in new
    assert new != surface


def test_link_follows_its_person(replace_all):
    new = replace_all([("PERSON", "Olivia Marchetti"), ("URL", "linkedin.com/in/olivia-marchetti")])
    given, family = new["PERSON", "Olivia Marchetti"].lower().split()
    assert new["URL", "linkedin.com/in/olivia-marchetti"] == f"linkedin.com/in/{given}-{family}"


def test_login_and_profile_agree(replace_all):
    new = replace_all([("USERNAME", "@kmensah07"), ("URL", "github.com/kmensah07")])
    assert new["URL", "github.com/kmensah07"] == "github.com/" + new["USERNAME", "@kmensah07"][1:]


@pytest.mark.parametrize("surface", ["http://", "not a link", "https://x", "://", "a.b", "www.", "http://[::1]/x"])
def test_odd_surfaces_never_stay(replace_one, surface):
    assert replace_one("URL", surface) != surface
