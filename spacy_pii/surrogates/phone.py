"""Surrogates of PHONE_NUMBER."""

import re
from typing import Optional, Tuple

from .context import Context
from .keys import Stream
from .shapes import digits_of, other_digit, put_digits

_EXTENSION = re.compile(r"\s*(?:ext\.?|extension|x|#)\s*\d+\s*$", re.IGNORECASE)
_AREA_CODES = (
    "201 203 206 208 210 214 216 219 224 229 231 234 239 240 248 251 253 256 260 262 267 269 270 276 281 301 303 304 "
    "307 308 309 312 314 316 318 319 320 330 334 336 337 352 360 361 386 401 402 405 406 409 410 412 414 417 419 423 "
    "425 434 440 443 478 479 501 502 503 504 505 507 508 509 513 515 517 518 520 530 540 541 559 561 563 570 573 574 "
    "580 585 586 601 603 605 606 607 608 609 612 614 615 616 618 620 623 636 641 651 660 662 678 701 702 704 706 712 "
    "715 716 717 719 724 727 731 740 757 763 765 770 772 773 775 785 801 802 803 804 806 810 812 814 815 816 828 830 "
    "843 845 847 850 859 860 863 864 865 870 901 903 904 906 907 908 910 912 913 914 915 918 920 931 936 937 940 941 "
    "952 956 970 972 973 978 979 985 989"
).split()
_COUNTRY_CODES = re.compile(r"^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})")
# Numbers that regulators keep free for fiction: country code, pattern of the national number, its fixed beginning.
_FICTION: Tuple[Tuple[str, str, str], ...] = (
    ("44", r"7\d{9}", "7700900"),
    ("44", r"20\d{8}", "2079460"),
    ("44", r"1\d{9}", "1632960"),
    ("61", r"4\d{8}", "491570"),
    ("61", r"[2378]\d{8}", "55500"),
    ("33", r"[67]\d{8}", "639980"),
    ("33", r"[1-5]\d{8}", "199000"),
    ("46", r"7\d{8}", "70174060"),
    ("353", r"20\d{7}", "2091"),
)
_NANP = re.compile(r"^1?[2-9]\d{2}[2-9]\d{6}$")


def canonical(surface: str) -> str:
    """Name the entity of a number.

    surface (str): The number in any form.
    RETURNS (str): Its last nine digits before the extension, which all ways to dial it share.
    """
    return digits_of(_EXTENSION.sub("", surface))[-9:]


def replace(surface: str, rng: Stream, context: Context) -> Optional[str]:
    """Replace a number by one of the same country and format that rings at no one's where such numbers are known.

    surface (str): The number.
    rng (Stream): Source of randomness.
    context (Context): The document.
    RETURNS (Optional[str]): The surrogate, or None where the surface holds no digits.
    """
    extension = _EXTENSION.search(surface)
    number = surface[: extension.start()] if extension else surface
    digits = digits_of(number)
    if not digits:
        return None
    new = put_digits(number, _other_number(number, digits, rng))
    return new + "".join(other_digit(char, rng) if char.isdigit() else char for char in surface[len(number) :])


def _other_number(surface: str, digits: str, rng: Stream) -> str:
    # Drawn from the right, so that all ways to write one number become one number again.
    drawn = "".join(str(rng.randint(0, 9)) for _ in range(max(len(digits), 12)))[::-1]
    international = len(digits) > 8 and (surface.strip(" (").startswith("+") or digits.startswith("00"))
    if _NANP.match(digits) and not (international and not digits.startswith("1")):
        area = _AREA_CODES[int(drawn[-9:-6]) % len(_AREA_CODES)]
        line = f"01{drawn[-2:]}"
        if line == digits[-4:]:
            line = f"01{(int(drawn[-2:]) + 1) % 100:02}"
        return ("1" if len(digits) == 11 else "") + area + "555" + line
    if len(digits) == 7 and not international:
        return "55501" + drawn[-2:] if digits[-2:] != drawn[-2:] else f"55501{(int(drawn[-2:]) + 1) % 100:02}"
    prefix, national = _split(surface, digits, international)
    code = prefix.lstrip("0") if international else ""
    for country, pattern, start in _FICTION:
        # Without a country code only the British and French shapes tell the country by themselves.
        told = code == country or not code and digits.startswith("0") and len(digits) == len(national) + 1
        told = told and (code == country or country == "44" and len(digits) == 11)
        if told and re.fullmatch(pattern, national):
            free = len(national) - len(start)
            new = start + drawn[-free:]
            return prefix + (new if new != national else new[:-1] + str((int(new[-1]) + 1) % 10))
    if not national:
        prefix, national = "", digits
    # What kind of number it is stands in its first digit, behind the zero that some countries keep.
    keep = (2 if national[0] == "0" else 1) if len(national) > 4 else 0
    changed = national[:keep] + drawn[len(drawn) - len(national) + keep :]
    if changed == national:
        changed = changed[:-1] + str((int(changed[-1]) + 1) % 10)
    return prefix + changed


def _split(surface: str, digits: str, international: bool) -> Tuple[str, str]:
    """Split the country code or trunk zero off."""
    if international:
        zeros = len(digits) - len(digits.lstrip("0")) if digits.startswith("00") else 0
        match = _COUNTRY_CODES.match(digits[zeros:])
        end = zeros + match.end() if match else zeros
        # +44 (0)20 ...
        if re.search(r"\(0\)", surface) and digits[end : end + 1] == "0":
            end += 1
        return digits[:end], digits[end:]
    if digits.startswith("0") and len(digits) > 7:
        return "0", digits[1:]
    return "", digits
