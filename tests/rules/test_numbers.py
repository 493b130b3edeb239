"""Identifiers, social security, passport, licence, bank and card numbers."""

import pytest

from spacy_pii.rules.bank import find_bank_numbers, is_iban, is_luhn, is_routing_number
from spacy_pii.rules.base import Source
from spacy_pii.rules.ids import find_ids
from spacy_pii.rules.ssn import find_ssns


def _found(find, text):
    return sorted({(text[match.start : match.end], match.label) for match in find(Source(text))})


@pytest.mark.parametrize(
    "text, expected",
    [
        ("My student ID is 20458817.", [("20458817", "ID_NUM")]),
        ("ID: S-204881", [("S-204881", "ID_NUM")]),
        ("Candidate no. AB12-3345", [("AB12-3345", "ID_NUM")]),
        ("matric number: 2021/44821", [("2021/44821", "ID_NUM")]),
        ("student id 2045 8817 thanks", [("2045 8817", "ID_NUM")]),
        ("20458817 is my student number", [("20458817", "ID_NUM")]),
        ("nursing license RN-204881", [("RN-204881", "ID_NUM")]),
        ("And your student number?\nS: 20458817", [("20458817", "ID_NUM")]),
        # Known once, known again
        ("My student ID is 20458817. Yes, 20458817!", [("20458817", "ID_NUM")]),
        ("passport no. X1234567", [("X1234567", "US_PASSPORT")]),
        ("my driver's license is D123-4567-8901", [("D123-4567-8901", "US_DRIVER_LICENSE")]),
        ("licence number F255-921-50", [("F255-921-50", "US_DRIVER_LICENSE")]),
        # Numbers of things
        ("ticket 123456, order number 88213, Question ID: 10234, Meeting ID 84512345", []),
        ("ISBN 978-1-285-74062-1, form 1040, room 2045", []),
        # Arithmetic, years, quantities
        ("the student number 20458817 / 3 = 6819605.67", []),
        ("student ID in 2021", []),
        ("the number of students is 20458", []),
    ],
)
def test_ids(text, expected):
    assert _found(find_ids, text) == sorted(expected)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("518-22-6047", ["518-22-6047"]),
        ("SSN 518 22 6047", ["518 22 6047"]),
        ("my social is 518226047", ["518226047"]),
        ("the last four of my social is 6047", ["6047"]),
        ("6047 are the last 4 digits of my SSN", ["6047"]),
        ("SSN ending in 6047", ["6047"]),
        ("ssn: ***-**-6047", ["6047"]),
        ("my social is five one eight two two six oh four seven", ["five one eight two two six oh four seven"]),
        # Arithmetic
        ("518-22-6047 = -5551", []),
        ("= 518-22-6047", []),
        ("1000 - 518-22-6047", []),
        ("518-22-6047-1", []),
        ("0 point 518-22-6047", []),
        # The sample everybody writes, and numbers that were never given out
        ("123-45-6789", []),
        ("000-12-3456, 666-12-3456, 912-12-3456, 518-00-6047, 518-22-0000", []),
        # Digits of something else
        ("social studies 6047", []),
        ("518226047", []),
    ],
)
def test_ssns(text, expected):
    assert _found(find_ssns, text) == [(surface, "US_SSN") for surface in sorted(expected)]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("DE89 3704 0044 0532 0130 00", ["DE89 3704 0044 0532 0130 00"]),
        # One digit wrong: an IBAN only where it is called one
        ("DE89 3704 0044 0532 0130 01", []),
        ("IBAN: DE89 3704 0044 0532 0130 01", ["DE89 3704 0044 0532 0130 01"]),
        ("4111 1111 1111 1111", ["4111 1111 1111 1111"]),
        ("4111 1111 1111 1112", []),
        ("my card 4111111111111112", ["4111111111111112"]),
        ("routing 021000021", ["021000021"]),
        ("routing 021000022", []),
        ("bank account number: 000123456789", ["000123456789"]),
        ("index cards 3 4 5 6 7 8 9 10 11 12 13", []),
        ("4111111111111111 / 9 = 456790123456790", []),
    ],
)
def test_bank_numbers(text, expected):
    assert _found(find_bank_numbers, text) == [(surface, "US_BANK_NUMBER") for surface in sorted(expected)]


def test_check_digits():
    assert is_luhn("4111-1111 1111-1111") and not is_luhn("4111111111111112")
    assert is_iban("GB82 WEST 1234 5698 7654 32") and not is_iban("GB82 WEST 1234 5698 7654 33")
    assert not is_iban("GB82") and not is_iban("GB82 WÉST 1234 5698 7654 32")
    assert is_routing_number("011000015") and not is_routing_number("011000016") and not is_routing_number("01100001")
