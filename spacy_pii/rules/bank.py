"""Bank accounts and payment cards, by their check digits and by the words before them."""

import re
from functools import lru_cache
from typing import FrozenSet, Iterator, NamedTuple, Pattern

from .base import Match, Source, any_of, first_words, load_table

_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])")
_CARD = re.compile(r"(?<![\w.,/-])[3-6]\d(?:[ -]?\d){11,17}(?![\w]|[.,/-]\d)")
_GROUPED_CARD = re.compile(r"(?:\d{4}([ -])\d{4}\1\d{4}\1\d{4}|3\d{3}([ -])\d{6}\2\d{5})$")
_ACCOUNT = re.compile(r"(?<![\w.,/])\d(?:[ -]?\d){5,17}(?![\w]|[.,/]\d)")
_SORT_CODE = re.compile(r"(?<![\w.,/-])\d{2}-\d{2}-\d{2}(?![\w/-])")
_SEPARATORS = re.compile(r"[ -]")
_LINK = (
    r"(?:\s*(?:number|no\b\.?|num\b|nr\b\.?|#))?(?:\s*\([^()\n]{0,25}\))?"
    r"(?:\s*(?:it\s+is|it'?s|is|was|[:=#.–—-])){0,2}\s*[\"'“(]?\s*$"
)
_WIDTH = 50
_FAR_WIDTH = 100


class _Table(NamedTuple):
    triggers: FrozenSet[str]
    card: Pattern[str]
    bank: Pattern[str]
    account: Pattern[str]
    routing: Pattern[str]
    iban: Pattern[str]
    sort_code: Pattern[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data = load_table("bank")
    return _Table(
        triggers=first_words([*data["card_cues"], *data["bank_cues"], *data["account_cues"], *data["routing_cues"]]),
        card=re.compile(rf"\b{any_of(data['card_cues'])}\b"),
        bank=re.compile(rf"\b{any_of(data['bank_cues'])}\b"),
        account=re.compile(rf"(?<!\w){any_of(data['account_cues'])}(?!\w){_LINK}"),
        routing=re.compile(rf"\b{any_of(data['routing_cues'])}\b"),
        iban=re.compile(r"\biban\b"),
        sort_code=re.compile(r"\bsort\s*code\b"),
    )


def find_bank_numbers(source: Source) -> Iterator[Match]:
    """Find bank accounts and payment cards.

    source (Source): The text.
    YIELDS (Match): The numbers.
    """
    table = _table()
    has_cue = source.has_any(table.triggers)
    for hit in _IBAN.finditer(source.text):
        # An IBAN with a slip in it still leads to its owner where the text says what it is.
        valid = is_iban(hit.group())
        if valid or has_cue and table.iban.search(source.before(hit.start(), _WIDTH)):
            yield Match(hit.start(), hit.end(), "US_BANK_NUMBER", "iban", 0.95 if valid else 0.8)
    for hit in _CARD.finditer(source.text):
        cued = has_cue and table.card.search(source.before(hit.start(), _WIDTH)) is not None
        is_grouped = _GROUPED_CARD.match(hit.group()) is not None
        if not (is_grouped and is_luhn(hit.group()) or cued and (is_grouped or hit.group().isdigit())):
            continue
        if not source.is_operand(hit.start(), hit.end()):
            yield Match(hit.start(), hit.end(), "US_BANK_NUMBER", "card", 0.95 if cued else 0.85)
    if not has_cue:
        return
    for hit in _ACCOUNT.finditer(source.text):
        before = source.before(hit.start(), _FAR_WIDTH)
        if source.is_operand(hit.start(), hit.end()):
            continue
        near = before[-_WIDTH:]
        if table.routing.search(near) and is_routing_number(hit.group()):
            yield Match(hit.start(), hit.end(), "US_BANK_NUMBER", "routing_number", 0.9)
        elif table.account.search(near) and table.bank.search(before + " " + source.after(hit.end(), _WIDTH)):
            yield Match(hit.start(), hit.end(), "US_BANK_NUMBER", "bank_account_cue", 0.92)
    for hit in _SORT_CODE.finditer(source.text):
        if table.sort_code.search(source.before(hit.start(), _WIDTH)):
            yield Match(hit.start(), hit.end(), "US_BANK_NUMBER", "sort_code", 0.9)


def is_luhn(number: str) -> bool:
    """Check the last digit of a payment card.

    number (str): The number; spaces and hyphens are passed over.
    RETURNS (bool): Whether the check digit is right.
    """
    digits = [int(sign) for sign in _SEPARATORS.sub("", number)]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def is_iban(number: str) -> bool:
    """Check an international bank account number.

    number (str): The number; spaces are passed over.
    RETURNS (bool): Whether the two check digits are right.
    """
    plain = _SEPARATORS.sub("", number).upper()
    if not 15 <= len(plain) <= 34 or not plain.isascii() or not plain.isalnum():
        return False
    return int("".join(str(int(sign, 36)) for sign in plain[4:] + plain[:4])) % 97 == 1


def is_routing_number(number: str) -> bool:
    """Check a routing number of a bank in the United States.

    number (str): The number; spaces and hyphens are passed over.
    RETURNS (bool): Whether it has nine digits and the last one is right.
    """
    digits = [int(sign) for sign in _SEPARATORS.sub("", number)]
    return len(digits) == 9 and sum(weight * digit for weight, digit in zip((3, 7, 1) * 3, digits)) % 10 == 0
