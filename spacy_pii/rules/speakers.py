"""Speaker labels of a conversation that are somebody's name or handle."""

from typing import Any, Iterator, Mapping

from ..surrogates.names import fold, name_parts
from .base import Match, common_words
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
        kind = _kind_of(plain.strip("@:*<>[]"))
        if kind == "word":
            continue
        if plain.startswith("@") or kind == "handle":
            first = start + label.index(plain)
            yield Match(first, first + len(plain.rstrip(":")), "USERNAME", "speaker", 0.9)
            continue
        name = find_name(label)
        if name is not None:
            # A label may go on behind the handle, with the date of the post.
            found = "USERNAME" if is_handle_like(label[name[0] : name[1]]) else "PERSON"
            yield Match(start + name[0], start + name[1], found, "speaker", 0.9)


def _kind_of(label: str) -> str:
    """What a label is by its words: common words that name nobody, a handle, or perhaps a name."""
    words = [fold(word) for word in label.split()]
    if not words:
        return "word"
    known = name_parts()
    if all(word in common_words() and word not in known for word in words):
        return "word"
    if len(words) > 1:
        return "name"
    # Who chooses one long lower-case word that is no name has chosen a handle.
    chosen = label.isalpha() and label.islower() and len(label) > 7 and words[0] not in known
    return "handle" if chosen or is_handle_like(label) else "name"
