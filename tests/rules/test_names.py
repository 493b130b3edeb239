"""Names by their place: speaker labels, lines of a form."""

import pytest

from spacy_pii.rules.base import Source
from spacy_pii.rules.forms import find_form_names
from spacy_pii.rules.names import is_role
from spacy_pii.rules.speakers import find_speakers


@pytest.mark.parametrize(
    "label, expected",
    [
        ("Olivia", ("Olivia", "PERSON")),
        ("Olivia Marchetti:", ("Olivia Marchetti", "PERSON")),
        ("Ms. Marchetti", ("Marchetti", "PERSON")),
        ("Olivia M. (tutor)", ("Olivia M.", "PERSON")),
        ("tran thi mai", ("tran thi mai", "PERSON")),
        ("Нина", ("Нина", "PERSON")),
        ("oliviam07", ("oliviam07", "USERNAME")),
        ("liv_m", ("liv_m", "USERNAME")),
        ("@liv", ("@liv", "USERNAME")),
        ("Student 3", None),
        ("S1", None),
        ("Unknown", None),
        ("Host", None),
        ("Note", None),
        ("Question", None),
        ("Question 12", None),
        ("", None),
    ],
)
def test_speaker_labels(label, expected):
    text = f"{label} hello"
    attrs = {"roles": [None, "tutor"], "speaker_offsets": [[0, len(label)], [0, len(label)]]}
    found = [(text[match.start : match.end], match.label) for match in find_speakers(text, attrs)]
    assert found == ([expected] if expected else [])


def test_turns_without_labels_give_no_speakers():
    assert list(find_speakers("hello", {"roles": [None], "speaker_offsets": [None]})) == []
    assert list(find_speakers("hello", {})) == []


def test_is_role_takes_numbered_roles_but_no_names():
    assert is_role("Speaker_02") and is_role("student12")
    assert not is_role("Olivia 2nd") and not is_role("Bo")


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Name: Olivia Marchetti", ["Olivia Marchetti"]),
        ("essay\nSubmitted by: Marchetti, Olivia\n", ["Marchetti, Olivia"]),
        ("Student name - María José de la Cruz", ["María José de la Cruz"]),
        (
            "Group members: Olivia Marchetti, Kwame Boateng and Tran Mai",
            ["Kwame Boateng", "Olivia Marchetti", "Tran Mai"],
        ),
        ("Teacher: Mrs. Boateng", ["Boateng"]),
        # A turn of a conversation, an empty field, a sentence
        ("Student: I think so", []),
        ("Student: yes", []),
        ("Name: ________", []),
        ("Author: see the last page", []),
        ("my name: a long story", []),
    ],
)
def test_form_names(text, expected):
    matches = find_form_names(Source(text))
    assert sorted(text[match.start : match.end] for match in matches) == sorted(expected)
