import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_pii.surrogates.offsets import OffsetMap


@st.composite
def replacements(draw):
    rows = []
    position = new_position = 0
    for gap, old, new in draw(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 6), st.integers(1, 6)), max_size=8)):
        start, new_start = position + gap, new_position + gap
        position, new_position = start + old, new_start + new
        rows.append({"start": start, "end": position, "new_start": new_start, "new_end": new_position})
    return rows


@given(replacements(), st.integers(0, 60))
def test_offsets_outside_the_ranges_invert(rows, offset):
    mapped = OffsetMap(rows)
    if not any(row["start"] < offset < row["end"] for row in rows):
        assert mapped.to_source(mapped.to_surrogate(offset)) == offset
    if not any(row["new_start"] < offset < row["new_end"] for row in rows):
        assert mapped.to_surrogate(mapped.to_source(offset)) == offset


@given(replacements(), st.integers(0, 60), st.integers(0, 60))
def test_order_is_kept(rows, one, other):
    mapped = OffsetMap(rows)
    one, other = sorted((one, other))
    assert mapped.to_surrogate(one) <= mapped.to_surrogate(other)
    assert mapped.to_source(one) <= mapped.to_source(other)


@given(replacements())
def test_replaced_spans_map_onto_each_other(rows):
    mapped = OffsetMap(rows)
    for row in rows:
        assert mapped.span_to_surrogate(row["start"], row["end"]) == (row["new_start"], row["new_end"])
        assert mapped.span_to_source(row["new_start"], row["new_end"]) == (row["start"], row["end"])


@given(replacements(), st.integers(0, 60), st.integers(0, 10))
def test_span_there_and_back_covers_the_span(rows, start, length):
    mapped = OffsetMap(rows)
    back = mapped.span_to_source(*mapped.span_to_surrogate(start, start + length))
    if length:
        assert back[0] <= start and back[1] >= start + length


def test_span_that_touches_a_replacement_grows_to_it():
    # "I am Ana." to "I am Wanjiru."
    mapped = OffsetMap([{"start": 5, "end": 8, "new_start": 5, "new_end": 12}])
    assert mapped.span_to_surrogate(6, 7) == (5, 12)
    assert mapped.span_to_surrogate(2, 6) == (2, 12)
    assert mapped.span_to_surrogate(7, 9) == (5, 13)
    assert mapped.span_to_source(0, 4) == (0, 4)
    assert mapped.to_source(12) == 8
    assert mapped.span_to_surrogate(3, 3) == (3, 3)


def test_ranges_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="5:8"):
        OffsetMap([{"start": 5, "end": 8, "new_start": 6, "new_end": 9}])
