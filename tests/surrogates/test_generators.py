import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spacy_pii.labels import LABELS
from spacy_pii.surrogates.generators import Replacer, generators
from spacy_pii.surrogates.keys import KeyedSource
from spacy_pii.surrogates.names import fold

# Pieces that the generators look for, so that random texts get far into them.
PIECES = (
    "March 3rd 2021 / - Maria Lopez @ gmail .com at dot six two Street St OH 44101 , University of grade Year 9 12 14 "
    "'s https:// docs edu twenty 0 00 +44 VIII Kenyan 1990s ’ _ é 李 County the P.O. ext. x # ( )"
).split()
SURFACES = st.one_of(
    st.text(min_size=1, max_size=20),
    st.lists(st.sampled_from([*PIECES, " ", "\n"]), min_size=1, max_size=7).map("".join),
)
SPANS = st.lists(st.tuples(st.sampled_from([*LABELS, "OTHER"]), SURFACES), min_size=1, max_size=4)


def replace(spans, key=b"key"):
    text = " ".join(surface for _, surface in spans)
    replacer = Replacer(source=KeyedSource(key), scope="1", text=text, spans=spans)
    return [replacer.replace(label, surface) for label, surface in spans]


def test_every_label_has_a_generator():
    assert set(generators()) == set(LABELS)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SPANS)
def test_no_surface_fails_or_stays(spans):
    results = replace(spans)
    for (_, surface), result in zip(spans, results):
        assert fold(result) != fold(surface)
        assert result
    # The same key, the same result.
    assert replace(spans) == results


@pytest.mark.parametrize(
    "label, surface",
    [
        ("PERSON", "Olivia Marchetti"),
        ("EMAIL_ADDRESS", "skater99@lincoln.edu"),
        ("PHONE_NUMBER", "+254 712 345 678"),
        ("URL", "https://padlet.com/skater99/x7fq2b1"),
        ("USERNAME", "skater99"),
        ("ID_NUM", "20458817"),
        ("STREET_ADDRESS", "14 Mill Lane, Leeds LS2 7EW"),
        ("SCHOOL", "Hillcrest Middle School"),
        ("DATE", "2021-03-03"),
        ("IP_ADDRESS", "41.90.7.112"),
        ("US_SSN", "518-22-6047"),
        ("US_BANK_NUMBER", "4111 1111 1111 1111"),
        ("OTHER", "some thing"),
    ],
)
def test_result_depends_on_the_key(label, surface):
    results = {replace([(label, surface)], key=bytes([key]))[0] for key in range(8)}
    assert len(results) > 3


def test_different_entities_get_different_surrogates():
    numbers = [("ID_NUM", f"20{number}") for number in range(10, 60)]
    results = replace(numbers)
    assert len(set(results)) == len(numbers)
    # None is another one's number.
    assert not set(results) & {surface for _, surface in numbers}
