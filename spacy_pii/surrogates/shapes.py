"""The shape of a surface: case, digits and letters kept in kind while their values change."""

import re
import unicodedata
from typing import Dict, Tuple

from .keys import Stream

LETTERS = "[^\\W\\d_\u0300-\u036f][\u0300-\u036f\u064b-\u065f\u0900-\u0963\u0981-\u0dff\u0e31-\u0eff]*"
"""Pattern of one letter with its marks."""

LOWER = "abcdefghijklmnopqrstuvwxyz"
DIGIT_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

# Runs of letters in scripts without a Latin counterpart, so that a replaced name stays in its script.
_SCRIPTS: Tuple[Tuple[int, int], ...] = (
    (0x03B1, 0x03C1),
    (0x0430, 0x044F),
    (0x0561, 0x0586),
    (0x05D0, 0x05EA),
    (0x0628, 0x063A),
    (0x0905, 0x0939),
    (0x0985, 0x09A8),
    (0x0B85, 0x0B8A),
    (0x0E01, 0x0E2E),
    (0x10D0, 0x10F0),
    (0x3042, 0x3093),
    (0x30A2, 0x30F3),
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3),
)
_HAN = (
    "安白才成春大德冬方风光国海和河华家江金静可来兰乐林龙美明木南宁平青清秋人"
    "日山石书水天田文西喜夏小新星雪雅阳一永玉云月正中竹子"
)
# Letters that Unicode does not take apart into a base letter and a mark.
_SPELT_OUT: Dict[int, str] = str.maketrans(
    {
        **dict(zip("øđðłıəŋħɔɛɓɗƙŧ", "oddlienhoebdkt")),
        **dict(zip("ØĐÐŁƏŊĦƆƐƁƊƘŦ", "ODDLENHOEBDKT")),
        **{"ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th"},
    }
)
_DIGIT_WORD = re.compile(r"\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b", re.IGNORECASE)


def match_case(model: str, text: str) -> str:
    """Write a text in the case pattern of another.

    model (str): The text that shows the pattern.
    text (str): The text in its natural case.
    RETURNS (str): The text in upper, lower, swapped or natural case.
    """
    letters = [char for char in model if char.isalpha()]
    if not letters:
        return text
    if model.isupper() and len(letters) > 1:
        return text.upper()
    if model.islower():
        return text.lower()
    if letters[0].islower():
        return text[:1].lower() + text[1:].upper() if "".join(letters[1:]).isupper() else text[:1].lower() + text[1:]
    return text[:1].upper() + text[1:]


def strip_marks(text: str) -> str:
    """Take diacritics away and keep the case.

    text (str): Any text.
    RETURNS (str): The text without marks; letters that Unicode does not take apart are spelt out.
    """
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text.translate(_SPELT_OUT))
    return unicodedata.normalize("NFC", "".join(char for char in decomposed if not unicodedata.combining(char)))


def other_digit(char: str, rng: Stream, *, nonzero: bool = False) -> str:
    """Draw another digit of the same script.

    char (str): The digit.
    rng (Stream): Source of randomness.
    nonzero (bool): Whether zero is left out.
    RETURNS (str): A digit that differs.
    """
    value = unicodedata.decimal(char, None)
    if value is None:
        return str(rng.randint(1, 9))
    values = [digit for digit in range(1 if nonzero else 0, 10) if digit != value]
    return chr(ord(char) - value + rng.choice(values))


def other_letter(char: str, rng: Stream) -> str:
    """Draw another letter of the same script and case.

    char (str): The letter.
    rng (Stream): Source of randomness.
    RETURNS (str): A letter that differs.
    """
    folded = strip_marks(char.lower())
    code = ord(char.lower()[0])
    if 0x4E00 <= code <= 0x9FFF:
        return rng.choice([letter for letter in _HAN if letter != char])
    for first, last in _SCRIPTS:
        if first <= code <= last:
            letter = chr(rng.choice([point for point in (rng.randint(first, last), first, last) if point != code]))
            return letter.upper() if char.isupper() else letter
    letter = rng.choice([letter for letter in LOWER if letter != folded])
    return letter.upper() if char.isupper() else letter


def reshape(surface: str, rng: Stream) -> str:
    """Replace every letter and digit by another of its kind; all else stays.

    surface (str): Any text.
    rng (Stream): Source of randomness.
    RETURNS (str): The replaced text, never equal to the surface. A text without letters and digits becomes an "x".
    """
    changed = []
    before = ""
    for char in surface:
        if char.isdigit():
            # A number keeps having no leading zero.
            changed.append(other_digit(char, rng, nonzero=char != "0" and not before.isdigit()))
        elif char.isalpha():
            changed.append(other_letter(char, rng))
        elif unicodedata.category(char) in ("Mn", "Mc"):
            # A vowel sign or accent belongs to the letter that went.
            continue
        else:
            changed.append(char)
        before = char
    result = "".join(changed)
    return result if result != surface else "x" if surface != "x" else "y"


def respell_digits(surface: str, rng: Stream) -> str:
    """Replace digits that are spelt as words ("six one seven") by other such words.

    surface (str): Any text.
    rng (Stream): Source of randomness.
    RETURNS (str): The text with other digit words in the same case.
    """
    return _DIGIT_WORD.sub(_Respell(rng), surface)


class _Respell:
    def __init__(self, rng: Stream) -> None:
        self.rng = rng

    def __call__(self, match: "re.Match[str]") -> str:
        word = match.group()
        others = [other for other in DIGIT_WORDS if other != word.lower()]
        return match_case(word, self.rng.choice(others))


def digits_of(surface: str) -> str:
    """Read the digits of a text, those spelt as words too.

    surface (str): Any text.
    RETURNS (str): The ASCII digits in order.
    """
    spelt = _DIGIT_WORD.sub(_word_to_digit, surface)
    return "".join(str(unicodedata.decimal(char)) for char in spelt if unicodedata.decimal(char, None) is not None)


def _word_to_digit(match: "re.Match[str]") -> str:
    word = match.group().lower()
    return "0" if word == "oh" else str(DIGIT_WORDS.index(word))


def put_digits(surface: str, digits: str) -> str:
    """Write digits over those of a text, in order.

    surface (str): The text.
    digits (str): As many ASCII digits as the text has.
    RETURNS (str): The text with the new digits; spelt ones stay spelt.
    """
    rest = list(digits)
    result = []
    position = 0
    for match in re.finditer(rf"{_DIGIT_WORD.pattern}|\d", surface, re.IGNORECASE):
        result.append(surface[position : match.start()])
        digit = int(rest.pop(0))
        text = match.group()
        if len(text) > 1:
            result.append(match_case(text, DIGIT_WORDS[digit]))
        else:
            value = unicodedata.decimal(text)
            result.append(chr(ord(text) - value + digit))
        position = match.end()
    result.append(surface[position:])
    return "".join(result)
