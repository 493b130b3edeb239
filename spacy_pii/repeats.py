"""The edges of a mention, and the other mentions of a name that was accepted."""

from functools import lru_cache
from typing import FrozenSet, Iterable, List, Set, Tuple

import numpy
from spacy.attrs import LOWER
from spacy.tokens import Doc, Token

from .forms import is_common_word
from .spans import Found
from .tables import load_table

REPEATS = "repeats"
"""Stands as the source of a mention that was found because the name was accepted elsewhere."""

_PERSON = "PERSON"
# A phone number may begin with a bracket and a link end with a slash: only words lose these at their edges.
_NUMERIC = frozenset(
    ("PHONE_NUMBER", "URL", "EMAIL_ADDRESS", "ID_NUM", "IP_ADDRESS", "USERNAME", "US_BANK_NUMBER", "STREET_ADDRESS")
)
# Codes are written with hyphens and slashes inside.
_CODES = frozenset(
    ("ID_NUM", "PHONE_NUMBER", "COURSE_NUMBER", "US_SSN", "US_DRIVER_LICENSE", "US_PASSPORT", "US_BANK_NUMBER")
)
_LOOSE = frozenset("\"'“”‘’`,;:!?…*")
_LOOSE_AT_WORDS = frozenset("()[]{}<>.-–—_~|/\\#&") | _LOOSE


def fit_edges(doc: Doc, start: int, end: int, label: str) -> Tuple[int, int]:
    """Fit the edges of a span to the PII: without punctuation, a name without title and possessive, and all of a word
    or code with hyphens.

    doc (Doc): The document.
    start (int): First token.
    end (int): Token after the last.
    label (str): Label of the span.
    RETURNS (Tuple[int, int]): First token and token after the last; equal where nothing is left.
    """
    loose = _LOOSE if label in _NUMERIC else _LOOSE_AT_WORDS
    words = _words("titles"), _words("possessives")
    while start < end and (
        _is_loose(doc[start], loose) or (label == _PERSON and end - start > 1 and doc[start].lower_ in words[0])
    ):
        start += 1
    while end > start and (_is_loose(doc[end - 1], loose) or (label == _PERSON and doc[end - 1].lower_ in words[1])):
        end -= 1
    if start < end and (label == _PERSON or label in _CODES):
        joints = "-" if label == _PERSON else "-/"
        while start > 1 and _is_joint(doc, start - 1, joints):
            start -= 2
        while end < len(doc) - 1 and _is_joint(doc, end, joints):
            end += 2
    return start, end


def add_repeats(doc: Doc, found: List[Found], *, min_score: float = 0.7) -> List[Found]:
    """Find names again that were accepted elsewhere in the document.

    A part of an accepted name is taken at its other occurrences: as a whole token, in any case, unless it is a common
    word in lower case there that no list of names holds. A part that is also a word ("Will", "Grace") is taken only
    where it is capitalised inside a sentence, and none where another capitalised word follows that belongs to no
    accepted name: that is somebody else.

    doc (Doc): The document.
    found (List[Found]): What was accepted, without overlaps, in document order.
    min_score (float): Least score of a name that is looked for again.
    RETURNS (List[Found]): What was accepted and the repeated names, in document order.
    """
    parts = _name_parts(doc, (item for item in found if item.label == _PERSON and item.score >= min_score))
    if not parts:
        return found
    taken = {token for item in found for token in range(item.start, item.end)}
    lowers = doc.to_array(LOWER)
    hits = [
        index
        for index in numpy.flatnonzero(numpy.isin(lowers, numpy.array(sorted(parts), dtype="uint64"))).tolist()
        if index not in taken and _is_mention(doc, index, parts, lowers)
    ]
    note = {"sources": [{"group": REPEATS, "score": min_score}]}
    repeats = [Found(first, last + 1, _PERSON, min_score, note) for first, last in _runs(hits)]
    return sorted([*found, *repeats], key=_start)


def _name_parts(doc: Doc, names: Iterable[Found]) -> Set[int]:
    """The parts of the names that say enough alone, as LOWER ids."""
    skipped = _words("titles") | _words("particles") | _words("possessives")
    return {
        token.lower
        for item in names
        for token in doc[item.start : item.end]
        if len(token) > 2 and token.text[0].isalpha() and token.lower_ not in skipped
    }


def _is_mention(doc: Doc, index: int, parts: Set[int], lowers: numpy.ndarray) -> bool:
    token = doc[index]
    if is_common_word(token):
        return False
    if token.lower_ in _words("words"):
        opens = index == 0 or doc[index - 1].is_punct or doc[index - 1].is_space
        if opens or not token.text[0].isupper():
            return False
    follower = doc[index + 1] if index + 1 < len(doc) else None
    return follower is None or not (
        follower.is_title
        and follower.is_alpha
        and len(follower) > 1
        and not follower.is_stop
        and int(lowers[index + 1]) not in parts
    )


def _runs(hits: List[int]) -> Iterable[Tuple[int, int]]:
    """Join neighbouring tokens: they are one mention."""
    start = 0
    for i in range(1, len(hits) + 1):
        if i == len(hits) or hits[i] != hits[i - 1] + 1:
            yield hits[start], hits[i - 1]
            start = i


def _is_joint(doc: Doc, index: int, joints: str) -> bool:
    """Whether a token joins two others, as in Dong-hyun or NM-0047-3391, which the tokenizer takes apart."""
    before, token, after = doc[index - 1], doc[index], doc[index + 1]
    glued = not before.whitespace_ and not token.whitespace_
    return glued and token.text in joints and before.text[-1].isalnum() and after.text[0].isalnum()


def _is_loose(token: Token, loose: FrozenSet[str]) -> bool:
    return token.is_space or all(char in loose for char in token.text)


def _start(item: Found) -> int:
    return item.start


@lru_cache(maxsize=None)
def _words(kind: str) -> FrozenSet[str]:
    return frozenset(load_table("names_in_text")[kind])
