import re

import pytest

from spacy_pii.surrogates.countries import country_of
from spacy_pii.surrogates.names import fold


@pytest.mark.parametrize(
    "surface, pattern",
    [
        ("14 Mill Lane, Leeds LS2 7EW", r"\d\d [A-Z][\w' ]+ Lane, [A-Z][\w ]+ [A-Z]{2}\d \d[A-Z]{2}"),
        ("14 mill lane", r"\d\d [a-z' ]+ lane"),
        (
            "1200 Maple Street Apt 4B, Cleveland, OH 44101",
            r"\d{4} [A-Z][\w' ]+ Street Apt \dB, [A-Z][\w ]+, [A-Z]{2} \d{5}",
        ),
        ("Lindenstraße 12, 10115 Berlin", r"[A-ZÄÖÜ][\wß ]+ \d\d, \d{5} [A-ZÄÖÜ]\w+"),
        ("P.O. Box 123, Nairobi", r"P\.O\. Box \d{3}, [A-Z]\w+"),
        # Over two lines.
        ("5 Rue des Lilas\n75011 Paris", r"\d Rue [\w' ]+\n\d{5} [A-Z][\w-]+"),
    ],
)
def test_layout_is_kept(replace_one, surface, pattern):
    new = replace_one("STREET_ADDRESS", surface)
    assert re.fullmatch(pattern, new), new
    assert new != surface
    kept = {"lane", "street", "apt", "box", "p", "o", "rue", "des", "st", "b"}
    words = {word for word in re.findall(r"[^\W\d_]+", fold(surface))} - kept
    assert not words & set(re.findall(r"[^\W\d_]+", fold(new)))


def test_city_lies_in_the_same_country_and_agrees_with_its_mention(replace_all):
    new = replace_all([("STREET_ADDRESS", "14 Mill Lane, Leeds LS2 7EW"), ("LOCATION", "Leeds")])
    city = new["LOCATION", "Leeds"]
    assert country_of(city).code == "GB"
    assert f", {city} " in new["STREET_ADDRESS", "14 Mill Lane, Leeds LS2 7EW"]


def test_street_alone_agrees_with_the_whole_address(replace_all):
    new = replace_all([("STREET_ADDRESS", "14 Mill Lane, Leeds"), ("STREET_ADDRESS", "14 Mill Lane")])
    whole = new["STREET_ADDRESS", "14 Mill Lane, Leeds"]
    assert whole.startswith(new["STREET_ADDRESS", "14 Mill Lane"] + ",")


@pytest.mark.parametrize("surface", ["12", "Lane", "??", ",,,", "12 ", "東京都港区1-2-3", "N", "12 N St"])
def test_odd_surfaces_never_stay(replace_one, surface):
    assert replace_one("STREET_ADDRESS", surface) != surface
