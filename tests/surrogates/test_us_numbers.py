import re

import pytest

KEYS = [bytes([key]) for key in range(30)]


@pytest.mark.parametrize("surface", ["518-22-6047", "518226047", "518 22 6047"])
def test_social_security_number_is_well_formed_and_never_issued(replace_one, surface):
    for key in KEYS:
        new = replace_one("US_SSN", surface, key=key)
        assert re.sub(r"\d", "0", new) == re.sub(r"\d", "0", surface)
        digits = re.sub(r"\D", "", new)
        assert digits[0] == "9" or digits[:3] in ("666", "000")
        # Groups of taxpayer numbers begin at 50.
        assert int(digits[3:5]) < 50
        assert new != surface


def test_last_four_digits_agree_with_the_whole(replace_all):
    forms = ["518-22-6047", "6047", "***-**-6047", "six zero four seven"]
    new = replace_all([("US_SSN", form) for form in forms])
    last = new["US_SSN", "6047"]
    assert new["US_SSN", "518-22-6047"].endswith(last)
    assert new["US_SSN", "***-**-6047"] == f"***-**-{last}"
    assert len(new["US_SSN", "six zero four seven"].split()) == 4


def luhn(digits):
    doubled = [int(digit) * (1 + at % 2) for at, digit in enumerate(reversed(digits))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def test_card_keeps_its_kind_and_fails_its_check(replace_one):
    assert luhn("4111111111111111")
    for key in KEYS:
        new = replace_one("US_BANK_NUMBER", "4111 1111 1111 1111", key=key)
        assert re.fullmatch(r"4\d{3} \d{4} \d{4} \d{4}", new)
        assert not luhn(new.replace(" ", ""))


def test_routing_number_fails_its_check(replace_one):
    for key in KEYS:
        new = replace_one("US_BANK_NUMBER", "021000021", key=key)
        assert re.fullmatch(r"\d{9}", new) and new != "021000021"
        assert sum(weight * int(digit) for weight, digit in zip((3, 7, 1) * 3, new)) % 10


def test_international_account_number_fails_its_check(replace_one):
    for key in KEYS:
        new = replace_one("US_BANK_NUMBER", "GB82 WEST 1234 5698 7654 32", key=key)
        assert re.fullmatch(r"GB\d\d [A-Z]{4} \d{4} \d{4} \d{4} \d\d", new)
        plain = new.replace(" ", "")
        assert int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 != 1


@pytest.mark.parametrize("label", ["US_SSN", "US_BANK_NUMBER"])
@pytest.mark.parametrize("surface", ["", "?", "none", "1", "12345678901234567890123", "0"])
def test_odd_surfaces_never_stay(replace_one, label, surface):
    assert replace_one(label, surface) != surface
