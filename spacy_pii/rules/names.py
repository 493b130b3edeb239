"""What a name looks like where its place in the text already says that one stands there."""

import re
from functools import lru_cache
from typing import FrozenSet, NamedTuple, Optional, Tuple

from .base import load_table

_TOKEN = re.compile(r"[^\W\d_](?:[\w’'.-]*\w)?\.?")
_MOST_TOKENS = 6


class _Table(NamedTuple):
    not_names: FrozenSet[str]
    titles: FrozenSet[str]
    particles: FrozenSet[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data = load_table("speakers")
    return _Table(frozenset(data["not_names"]), frozenset(data["titles"]), frozenset(data["particles"]))


def is_role(label: str) -> bool:
    """Say whether a speaker label is a role or a mark rather than a name: Student 3, S1, Host, Note.

    label (str): The label.
    RETURNS (bool): Whether nobody can be found by it.
    """
    lowered = label.strip(" \t.:-#()[]*_").lower()
    if not lowered or lowered in _table().not_names:
        return True
    head = re.sub(r"[\s_#-]*\d+[a-z]?$|[\s_#-]+[a-z]$", "", lowered)
    return head != lowered and (head in _table().not_names or len(head) < 2)


def find_name(text: str, *, most: int = _MOST_TOKENS) -> Optional[Tuple[int, int]]:
    """Find the name in a short text that holds one: leading titles and trailing brackets are left out.

    text (str): The short text.
    most (int): Words that a name has at most.
    RETURNS (Optional[Tuple[int, int]]): First character and the one after the last, or None where no name can be.
    """
    table = _table()
    text = re.split(r"[(\[<|/;]", text, maxsplit=1)[0]
    words = list(_TOKEN.finditer(text))
    while words and words[0].group().rstrip(".").lower() in table.titles and len(words) > 1:
        words = words[1:]
    names = [word for word in words if word.group().lower() not in table.particles]
    if not names or len(names) > most or any(sign.isdigit() for sign in text[words[0].start() :]):
        return None
    end = words[-1].end()
    # The full stop of an initial or of Jr. is the name's own; the sentence's is not.
    if text[end - 1] == "." and len(words[-1].group()) > 3:
        end -= 1
    return words[0].start(), end


def is_name_like(text: str) -> bool:
    """Say whether each word begins as in a name: a capital, or a particle such as de or van.

    text (str): The candidate.
    RETURNS (bool): Whether it could be a name by its spelling.
    """
    words = [word.group() for word in _TOKEN.finditer(text)]
    table = _table()
    has_case = any(map(str.islower, text)) or any(map(str.isupper, text))
    if not words or words[0].lower().rstrip(".") in table.not_names:
        return False
    return not has_case or all(word[0].isupper() or word.lower() in table.particles for word in words)
