"""Offsets between a text and its replaced form."""

from bisect import bisect_left, bisect_right
from typing import Any, Iterable, List, Mapping, Tuple


class OffsetMap:
    """Maps character offsets between a source text and the text with surrogates, both ways.

    Outside the replaced ranges the two ways invert each other. Inside one, an offset goes to the start of the range
    on the other side, and a span grows to the whole range.

    replacements (Iterable[Mapping[str, Any]]): Plain dicts with start, end, new_start, new_end, as in
        `doc._.replacements`.
    RAISES (ValueError): If the ranges overlap or do not fit each other.
    """

    def __init__(self, replacements: Iterable[Mapping[str, Any]]) -> None:
        rows = sorted((r["start"], r["end"], r["new_start"], r["new_end"]) for r in replacements)
        position = shift = 0
        for start, end, new_start, new_end in rows:
            if start < position or end < start or new_end < new_start or new_start != start + shift:
                raise ValueError(f"The replacement at {start}:{end} does not fit those before it.")
            position = end
            shift = new_end - end
        self._source: List[Tuple[int, int]] = [(start, end) for start, end, _, _ in rows]
        self._surrogate: List[Tuple[int, int]] = [(start, end) for _, _, start, end in rows]

    def to_surrogate(self, offset: int) -> int:
        """Map an offset of the source text to the text with surrogates.

        offset (int): Character offset.
        RETURNS (int): Character offset in the other text.
        """
        return _map(offset, self._source, self._surrogate)

    def to_source(self, offset: int) -> int:
        """Map an offset of the text with surrogates to the source text.

        offset (int): Character offset.
        RETURNS (int): Character offset in the other text.
        """
        return _map(offset, self._surrogate, self._source)

    def span_to_surrogate(self, start: int, end: int) -> Tuple[int, int]:
        """Map a span of the source text to the text with surrogates.

        start (int): First character.
        end (int): Character after the last.
        RETURNS (Tuple[int, int]): The span, grown to whole replacements where it touches the inside of one.
        """
        return _map_span(start, end, self._source, self._surrogate)

    def span_to_source(self, start: int, end: int) -> Tuple[int, int]:
        """Map a span of the text with surrogates to the source text.

        start (int): First character.
        end (int): Character after the last.
        RETURNS (Tuple[int, int]): The span, grown to whole replacements where it touches the inside of one.
        """
        return _map_span(start, end, self._surrogate, self._source)


def _map(offset: int, here: List[Tuple[int, int]], there: List[Tuple[int, int]]) -> int:
    # The last range that starts at or before the offset.
    at = bisect_right(here, (offset, offset + 1 << 62)) - 1
    if at < 0:
        return offset
    start, end = here[at]
    if start <= offset < end:
        return there[at][0]
    return there[at][1] + offset - end


def _map_span(start: int, end: int, here: List[Tuple[int, int]], there: List[Tuple[int, int]]) -> Tuple[int, int]:
    new_start = _map(start, here, there)
    if end <= start:
        return new_start, new_start
    # The last range that starts before the end.
    at = bisect_left(here, (end, -1)) - 1
    if at < 0:
        return new_start, end
    range_start, range_end = here[at]
    if end <= range_end and range_start < end:
        return new_start, there[at][1]
    return new_start, there[at][1] + end - range_end
