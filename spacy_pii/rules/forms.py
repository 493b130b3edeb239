"""Names in the lines of a form: "Name: ...", "Submitted by: ...", "Author: ..."."""

import re
from functools import lru_cache
from typing import FrozenSet, Iterator, NamedTuple, Pattern

from .base import Match, Source, any_of, first_words, load_table
from .names import find_name, is_name_like

_LONGEST = 80
_SEVERAL = re.compile(r"\s*(?:,|;|&|\band\b)\s*")


class _Table(NamedTuple):
    line: Pattern[str]
    weak: FrozenSet[str]
    triggers: FrozenSet[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data = load_table("speakers")
    cues = any_of(data["form_cues"])
    return _Table(
        line=re.compile(
            rf"^[ \t>*#•_-]{{0,6}}({cues})(?:\(s\))?[*_]{{0,2}}[ \t]*(:|=|[ \t][–—-][ \t])[ \t*_]*"
            rf"([^\n]{{2,{_LONGEST}}})$",
            re.I | re.M,
        ),
        weak=frozenset(data["weak_form_cues"]),
        triggers=first_words(data["form_cues"]),
    )


def find_form_names(source: Source) -> Iterator[Match]:
    """Find names at the start of a line after a form's word and a colon.

    source (Source): The text.
    YIELDS (Match): The names, up to four words each.
    """
    table = _table()
    if not source.has_any(table.triggers):
        return
    for hit in table.line.finditer(source.text):
        cue, value = hit.group(1).lower(), hit.group(3).rstrip(" \t\r.*_")
        # "Student: Mia Torres" may be a form or a turn of a conversation: then more than a name follows.
        if hit.group(2) != ":" and cue in table.weak:
            continue
        yield from _names(value, hit.start(3))


def _names(value: str, offset: int) -> Iterator[Match]:
    """Split a list of names; "Marchetti, Olivia" has two words and stays whole."""
    parts = [(0, value)]
    if len(list(_SEVERAL.finditer(value))) != 1 or "," not in value or len(value.split()) > 3:
        parts, start = [], 0
        for separator in _SEVERAL.finditer(value):
            parts.append((start, value[start : separator.start()]))
            start = separator.end()
        parts.append((start, value[start:]))
    found = []
    for start, part in parts:
        name = find_name(part, most=4)
        if name is None or not is_name_like(part[name[0] : name[1]]) or part[name[1] :].strip(" .)"):
            return
        found.append(Match(offset + start + name[0], offset + start + name[1], "PERSON", "form", 0.8))
    yield from found
