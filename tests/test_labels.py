import re
from pathlib import Path

import pytest

from spacy_pii.labels import LABELS, SCHEMES, get_scheme, scheme_table


@pytest.mark.parametrize("name", sorted(SCHEMES))
def test_every_scheme_decides_on_every_label(name):
    scheme = get_scheme(name)
    decisions = {label: scheme.from_canonical(label) for label in LABELS}
    assert set(decisions) == set(LABELS)
    # What a scheme writes it can read again, as some canonical label.
    for word in filter(None, decisions.values()):
        scheme.to_canonical(word)


@pytest.mark.parametrize("name", sorted(SCHEMES))
def test_schemes_read_into_the_taxonomy(name):
    assert {label for label in get_scheme(name).reads.values() if label is not None} <= set(LABELS)


def test_crapii_round_trip():
    scheme = get_scheme("crapii")
    for label in ("NAME_STUDENT", "EMAIL", "USERNAME", "ID_NUM", "PHONE_NUM", "URL_PERSONAL", "STREET_ADDRESS"):
        assert scheme.from_canonical(scheme.to_canonical(label)) == label
    assert scheme.from_canonical("AGE") is None


def test_unknown_labels_and_schemes_are_errors_that_name_them():
    with pytest.raises(ValueError, match="ORGANISATION.*crapii"):
        get_scheme("crapii").to_canonical("ORGANISATION")
    with pytest.raises(ValueError, match="NAME_STUDENT"):
        get_scheme("crapii").from_canonical("NAME_STUDENT")
    with pytest.raises(ValueError, match="no label scheme 'i2b2'.*crapii"):
        get_scheme("i2b2")


def test_the_docs_hold_the_table_of_the_code():
    page = Path(__file__).parent.parent / "docs" / "labels.md"
    table = re.search(r"<!-- table -->\n(.*?)<!-- /table -->", page.read_text(encoding="utf8"), re.S)
    assert table is not None
    assert table[1] == scheme_table()
