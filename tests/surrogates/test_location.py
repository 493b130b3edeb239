import pytest

from spacy_pii.surrogates.countries import countries, country_of
from spacy_pii.surrogates.location import kind_of
from spacy_pii.surrogates.names import fold


@pytest.mark.parametrize(
    "surface, kind",
    [
        ("Nairobi", "city"),
        ("Leeds", "city"),
        ("Kenya", "country"),
        ("the US", "country"),
        ("Ohio", "state"),
        ("Tamil Nadu", "state"),
        ("OH", "state"),
    ],
)
def test_kind_and_region_are_kept(replace_one, surface, kind):
    for key in (b"1", b"2", b"3", b"4"):
        new = replace_one("LOCATION", surface, key=key)
        assert new != surface
        assert kind_of(fold(new))[0] == kind
        assert kind_of(fold(new))[1].region == kind_of(fold(surface))[1].region


def test_city_lies_in_the_country_that_the_text_goes_on_to_say(replace_all):
    new = replace_all([("LOCATION", "Nairobi"), ("LOCATION", "Kenya"), ("NRP", "Kenyan"), ("LOCATION", "Mombasa")])
    country = country_of(new["LOCATION", "Kenya"])
    assert country.code != "KE"
    assert new["NRP", "Kenyan"] == country.nationality
    assert country_of(new["LOCATION", "Nairobi"]) == country == country_of(new["LOCATION", "Mombasa"])
    assert new["LOCATION", "Nairobi"] != new["LOCATION", "Mombasa"]


def test_names_of_one_country_stay_one_country(replace_all):
    new = replace_all([("LOCATION", "UK"), ("LOCATION", "United Kingdom"), ("LOCATION", "the united kingdom")])
    assert new["LOCATION", "UK"] == new["LOCATION", "United Kingdom"].upper()
    assert new["LOCATION", "the united kingdom"] == new["LOCATION", "United Kingdom"].lower()


def test_case_is_kept_and_several_places_stay_several(replace_one):
    assert replace_one("LOCATION", "OHIO").isupper()
    assert replace_one("LOCATION", "nairobi").islower()
    parts = replace_one("LOCATION", "Cleveland, Ohio").split(", ")
    assert [kind_of(fold(part))[0] for part in parts] == ["city", "state"]


def test_word_of_the_kind_is_kept(replace_one):
    assert replace_one("LOCATION", "Kiambu County").endswith(" County")


@pytest.mark.parametrize("surface", ["Smallville", "St. Nowhere-on-Sea", "东京", "12", "?", "the", "x"])
def test_unknown_places_never_stay(replace_one, surface):
    assert replace_one("LOCATION", surface) != surface


def test_every_country_can_be_replaced(replace_one):
    for country in countries():
        assert fold(replace_one("LOCATION", country.name)) != fold(country.name)
