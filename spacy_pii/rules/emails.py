"""E-mail addresses, written plainly or so that a machine should not see them."""

import re
from functools import lru_cache
from typing import FrozenSet, Iterator, NamedTuple, Optional, Pattern

from .base import Match, Source, any_of, load_table

_LONGEST_LOCAL = 64
_LOCAL_SIGNS = "._%+-'’"
_DOMAIN = re.compile(r"(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}")
# The "at" between its neighbours: [at], (at), {at}, <at>, or the bare word between spaces.
_AT = re.compile(r"[ \t]{0,2}[\[({<][ \t]?(?:at|@)[ \t]?[\])}>][ \t]{0,2}|[ \t]+(?:at|@)[ \t]+", re.I)
_DOT = r"(?:[ \t]{0,2}[\[({<][ \t]?(?:dot|punto|point|\.)[ \t]?[\])}>][ \t]{0,2}|[ \t]+(?:dot|punto)[ \t]+|\.)"
_SPELT_DOMAIN = re.compile(rf"[\w-]{{1,40}}(?:{_DOT}[\w-]{{1,40}}){{1,5}}", re.I)
_SPELT_LOCAL = re.compile(
    rf"(?<![\w.])[\w%+-]{{1,40}}(?:(?:{_DOT}|[ \t]+(?:underscore|dash|hyphen)[ \t]+)[\w%+-]{{1,40}}){{0,4}}$", re.I
)
_LABELS = re.compile(r"[\w-]+")
_DOT_WORDS = frozenset({"dot", "punto", "point"})
_SEPARATORS = re.compile(r"[._\-+]")


class _Table(NamedTuple):
    shared: FrozenSet[str]
    shared_parts: FrozenSet[str]
    placeholders: FrozenSet[str]
    providers: FrozenSet[str]
    tlds: FrozenSet[str]
    not_local: FrozenSet[str]
    cue: Pattern[str]
    bare_provider: Pattern[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data = load_table("emails")
    return _Table(
        shared=frozenset(data["shared_mailboxes"]),
        shared_parts=frozenset(data["shared_parts"]),
        placeholders=frozenset(data["placeholders"]),
        providers=frozenset(data["providers"]),
        tlds=frozenset(data["tlds"]),
        not_local=frozenset(data["not_local"]),
        cue=re.compile(rf"\b{any_of(data['cues'])}"),
        bare_provider=re.compile(rf"{any_of(data['bare_providers'])}(?:,com)?\b", re.I),
    )


def find_emails(source: Source) -> Iterator[Match]:
    """Find e-mail addresses of people. Shared mailboxes such as info@ are left out.

    source (Source): The text.
    YIELDS (Match): The addresses.
    """
    if "@" in source.text:
        yield from _find_plain(source)
    if "at" in source.words or "@" in source.text:
        yield from _find_obfuscated(source)


def _find_plain(source: Source) -> Iterator[Match]:
    text = source.text
    position = text.find("@")
    while position >= 0:
        start = _local_start(text, position)
        end = _domain_end(text, position + 1)
        if end is not None and start < position and not _is_nobodys(text[start:position], text[position + 1 : end]):
            yield Match(start, end, "EMAIL_ADDRESS", "email", 0.95)
        position = text.find("@", position + 1 if end is None else end)


def _local_start(text: str, position: int) -> int:
    """Walk left from the @ sign; the walk is bounded so that a text of signs stays linear."""
    start = position
    while start > 0 and position - start < _LONGEST_LOCAL:
        sign = text[start - 1]
        if not (sign.isalnum() or sign in _LOCAL_SIGNS):
            break
        start -= 1
    while start < position and not text[start].isalnum() and text[start] != "_":
        start += 1
    return start


def _domain_end(text: str, start: int) -> Optional[int]:
    """Find where the domain ends that starts here; None where none starts."""
    hit = _DOMAIN.match(text, start)
    if hit is None:
        # "olivia@gmail" and "olivia@gmail,com" are what people type.
        hit = _table().bare_provider.match(text, start)
        return hit.end() if hit else None
    # Two sentences that lost the space between them: gmail.com.Thanks
    tlds = _table().tlds
    labels = list(_LABELS.finditer(text, start, hit.end()))
    for label, following in zip(labels[1:], labels[2:]):
        if label.group() in tlds and following.group()[:1].isupper():
            return label.end()
    return hit.end()


def _find_obfuscated(source: Source) -> Iterator[Match]:
    text, table = source.text, _table()
    has_dot_word = source.has_any(_DOT_WORDS)
    for hit in _AT.finditer(text):
        marked = hit.group().strip()[0] in "[({<"
        if not marked and not has_dot_word and not source.has_any(table.providers):
            continue
        domain = _SPELT_DOMAIN.match(text, hit.end())
        if domain is None:
            continue
        left = text[max(0, hit.start() - 120) : hit.start()]
        local = _SPELT_LOCAL.search(left)
        if local is None:
            continue
        end = _last_tld(text, domain.start(), domain.end())
        if end is None or _is_nobodys(local.group(), domain.group()):
            continue
        start = hit.start() - len(left) + local.start()
        if marked or _is_bare_at_address(source, start, local.group(), text[domain.start() : end]):
            yield Match(start, end, "EMAIL_ADDRESS", "email_obfuscated", 0.9)


def _last_tld(text: str, start: int, end: int) -> Optional[int]:
    """Cut a spelt domain after its top-level domain; None where it has none."""
    tlds = _table().tlds
    last = None
    for number, label in enumerate(_LABELS.finditer(text, start, end)):
        if number and label.group().lower() in tlds:
            last = label.end()
    return last


def _is_bare_at_address(source: Source, start: int, local: str, domain: str) -> bool:
    """Tell "olivia dot m at gmail dot com" from "look at the dot plot" and "found at khanacademy.org"."""
    table = _table()
    lowered = local.lower()
    if lowered in table.not_local:
        return False
    if _LABELS.match(domain.lower()).group() in table.providers:  # type: ignore[union-attr]
        return True
    if " " not in domain and "[" not in domain:
        return False
    return not lowered.isalpha() or table.cue.search(source.before(start, 60)) is not None


def _is_nobodys(local: str, domain: str) -> bool:
    """Say whether an address is an office's, a mailing list's, a message's own number or a form's placeholder."""
    table = _table()
    lowered = local.lower()
    if domain.lower().startswith(("lists.", "list.", "groups.", "listserv.")) or not any(map(str.isalpha, lowered)):
        return True
    plain = _SEPARATORS.sub("", lowered)
    if plain in table.shared or plain in table.placeholders:
        return True
    parts = _SEPARATORS.split(lowered)
    return len(parts) > 1 and parts[0] in table.shared and table.shared_parts.issuperset(parts[1:])
