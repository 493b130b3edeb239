"""Surrogates of US_SSN and US_BANK_NUMBER: well formed and never valid."""

import re
from typing import Optional

from .context import Context
from .keys import Stream
from .shapes import digits_of, put_digits, reshape

_IBAN = re.compile(r"^\s*([A-Z]{2})(\d{2})([A-Z0-9 ]{10,32})\s*$")


def canonical_ssn(surface: str) -> str:
    """Name the entity of a social security number.

    surface (str): The number or its last four digits.
    RETURNS (str): The last four digits, by which the whole and the part belong together.
    """
    return digits_of(surface)[-4:]


def replace_ssn(surface: str, rng: Stream, context: Context) -> Optional[str]:
    """Replace a social security number by one whose area is never issued.

    surface (str): The number, whole, masked or its last four digits, spelt or not.
    rng (Stream): Source of randomness.
    context (Context): The document.
    RETURNS (Optional[str]): The surrogate, or None where the surface holds no digits.
    """
    digits = digits_of(surface)
    if not digits:
        return None
    serial = f"{rng.randint(1, 9999):04}"
    if serial == digits[-4:]:
        serial = f"{int(serial) % 9999 + 1:04}"
    # Areas 000 and 666 are never issued; 9xx neither, and its groups up to 49 are no taxpayer numbers.
    area = rng.choice(("666", "000", f"9{rng.randint(0, 99):02}"))
    group = f"{rng.randint(10, 49):02}"
    if len(digits) > 9:
        return reshape(surface, rng)
    return put_digits(surface, (area + group + serial)[-len(digits) :])


def canonical_bank(surface: str) -> str:
    """Name the entity of a bank or card number.

    surface (str): The number.
    RETURNS (str): Its letters and digits in upper case.
    """
    return "".join(char for char in surface.upper() if char.isalnum())


def replace_bank(surface: str, rng: Stream, context: Context) -> Optional[str]:
    """Replace a card, routing, account or international account number; its check digits are wrong.

    surface (str): The number.
    rng (Stream): Source of randomness.
    context (Context): The document.
    RETURNS (Optional[str]): The surrogate, or None where the surface holds no digits.
    """
    digits = digits_of(surface)
    if not digits:
        return None
    iban = _IBAN.match(surface)
    if iban:
        start, end = iban.span(2)
        body = reshape(surface[end:], rng)
        head = surface[:start]
        for check in range(rng.randint(2, 40), 99):
            candidate = f"{head}{check:02}{body}"
            if not _iban_valid(candidate):
                return candidate
    changed = digits[0] + reshape(digits[1:], rng) if len(digits) > 12 else reshape(digits, rng)
    while _checks(changed) or changed == digits:
        changed = changed[:-1] + str((int(changed[-1]) + 1) % 10)
    return put_digits(surface, changed)


def _checks(digits: str) -> bool:
    """Whether a number passes as a card's or a bank's."""
    if 13 <= len(digits) <= 19:
        doubled = [int(digit) * (1 + at % 2) for at, digit in enumerate(reversed(digits))]
        return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0
    if len(digits) == 9:
        return sum(weight * int(digit) for weight, digit in zip((3, 7, 1) * 3, digits)) % 10 == 0
    return False


def _iban_valid(text: str) -> bool:
    plain = "".join(char for char in text.upper() if char.isalnum() and char.isascii())
    return int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 == 1
