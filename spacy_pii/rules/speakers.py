"""Speaker labels of a conversation that are somebody's name or handle."""

from typing import Any, Iterator, Mapping

from .base import Match
from .handles import is_handle_like
from .names import find_name, is_role


def find_speakers(text: str, attrs: Mapping[str, Any]) -> Iterator[Match]:
    """Find the names and handles by which turns are labelled.

    text (str): The text of the document.
    attrs (Mapping[str, Any]): The attributes of the turns' group: `roles` and `speaker_offsets`, an entry a turn.
    YIELDS (Match): The names as PERSON and the handles as USERNAME, at each turn. Role words are left out.
    """
    for role, offsets in zip(attrs.get("roles", ()), attrs.get("speaker_offsets", ())):
        if role is not None or offsets is None:
            continue
        start, end = offsets
        label = text[start:end]
        if is_role(label):
            continue
        plain = label.strip()
        if plain.startswith("@") or " " not in plain and is_handle_like(plain.strip(":")):
            first = start + label.index(plain)
            yield Match(first, first + len(plain.rstrip(":")), "USERNAME", "speaker", 0.9)
            continue
        name = find_name(label)
        if name is not None:
            yield Match(start + name[0], start + name[1], "PERSON", "speaker", 0.9)
