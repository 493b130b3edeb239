import unicodedata

import pytest

from spacy_pii.surrogates.countries import countries, country_of
from spacy_pii.surrogates.names import (
    family_names,
    fold,
    given_names,
    name_order,
    name_parts,
    origins,
    region_of,
)

REGIONS = {"africa", "americas", "asia", "europe", "oceania"}


@pytest.mark.parametrize("origin", origins())
def test_every_origin_has_names_in_latin_letters(origin):
    assert region_of(origin) in REGIONS
    assert name_order(origin) in ("given_first", "family_first")
    for names in (given_names(origin, "f"), given_names(origin, "m"), family_names(origin)):
        assert len(names) >= 20
        assert len(set(names)) == len(names)
        for name in names:
            assert 1 <= len(name.split()) <= 2
            assert len(name) > 1
            letters = [char for char in name if char.isalpha()]
            assert all(unicodedata.name(char).startswith("LATIN") for char in letters), name


def test_origins_by_region_are_a_partition():
    by_region = [origin for region in sorted(REGIONS) for origin in origins(region)]
    assert sorted(by_region) == sorted(origins())
    assert all(origins(region) for region in REGIONS)


def test_unknown_origin_and_gender_are_refused():
    with pytest.raises(ValueError, match="atlantis"):
        family_names("atlantis")
    with pytest.raises(ValueError, match="gender"):
        given_names("korean", "x")


@pytest.mark.parametrize(
    "text, folded",
    [
        ("José", "jose"),
        # Decomposed on its way through a file system.
        ("Jose\u0301", "jose"),
        ("NGUYỄN", "nguyen"),
        ("Łukasz", "lukasz"),
        # The capital dotted I of Turkish, whose lower case has two code points.
        ("İbrahim", "ibrahim"),
        ("Straße", "strasse"),
        ("", ""),
    ],
)
def test_fold(text, folded):
    assert fold(text) == folded


def test_name_parts_hold_given_and_family_names():
    parts = name_parts()
    assert {"olivia", "okafor", "nguyen", "wanjiru", "jose"} <= parts
    assert "especially" not in parts
    assert all(part == fold(part) for part in parts)


def test_countries_are_whole():
    assert len(countries()) >= 75
    assert len({country.code for country in countries()}) == len(countries())
    for country in countries():
        assert country.region in REGIONS
        assert set(country.origins) <= set(origins())
        assert len(country.cities) >= 9 and len(country.street_names) >= 8
        assert country.phone_formats and country.nationality and country.religions and country.ethnicities
        filled = country.address_format.format(number=1, street="A", city="B", postcode="C", state="D")
        assert "{" not in filled


@pytest.mark.parametrize(
    "place, code",
    [
        ("Kenya", "KE"),
        ("the usa", "US"),
        ("SAO PAULO", "BR"),
        ("Ohio", "US"),
        (" Türkiye ", "TR"),
        # A city and its country share the name.
        ("Singapore", "SG"),
        ("Atlantis", None),
        ("", None),
    ],
)
def test_country_of(place, code):
    country = country_of(place)
    assert (country.code if country else None) == code
