"""The span-group contract between the components: keys, writing, reading, provenance and overlap.

Every detector writes one `SpanGroup` under a key of its own. What is known about a span beyond its offsets and label
(score, rule, sources, verdict) is its *provenance*: a plain dict under the span's id in `SpanGroup.attrs`, which
`Doc.to_bytes`, `DocBin` and `n_process` carry along.
"""

from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple

from spacy.tokens import Doc, Span, SpanGroup

TURNS = "turns"
MATH = "math"
RULES = "pii_rules"
TAGGER = "pii_tagger"
PII = "pii"
REJECTED = "pii_rejected"
NEGATIVES = "negatives"

_PROVENANCE = "provenance"


class Found(NamedTuple):
    """A span that a component found, in token offsets, with what it knows about it.

    start (int): First token.
    end (int): Token after the last.
    label (str): Canonical label.
    score (float): Confidence from 0 to 1.
    note (Dict[str, Any]): Further provenance, plain JSON values only and no text of the document.
    """

    start: int
    end: int
    label: str
    score: float
    note: Dict[str, Any] = {}


def write_group(doc: Doc, key: str, found: Iterable[Found], **attrs: Any) -> SpanGroup:
    """Write what a component found as a span group and register its provenance.

    doc (Doc): The document. An older group under the same key is replaced.
    key (str): Key in `doc.spans`.
    found (Iterable[Found]): The spans; they are written in document order.
    attrs (Any): Further attributes of the group, plain JSON values.
    RETURNS (SpanGroup): The group, as stored in `doc.spans[key]`.
    """
    provenance: Dict[str, Dict[str, Any]] = {}
    spans: List[Span] = []
    for number, item in enumerate(sorted(found, key=_position)):
        span_id = f"{key}-{number}"
        spans.append(Span(doc, item.start, item.end, label=item.label, span_id=span_id))
        provenance[span_id] = {"score": round(float(item.score), 4), **item.note}
    doc.spans[key] = SpanGroup(doc, name=key, attrs={**attrs, _PROVENANCE: provenance}, spans=spans)
    return doc.spans[key]


def read_group(doc: Doc, key: str) -> List[Found]:
    """Read a span group with its provenance.

    doc (Doc): The document.
    key (str): Key in `doc.spans`. Spans that another tool wrote there have score 1.
    RETURNS (List[Found]): The spans in the group's order.
    RAISES (KeyError): If the document has no such group.
    """
    group = doc.spans[key]
    found = []
    for span in group:
        note = dict(get_provenance(group, span))
        found.append(Found(span.start, span.end, span.label_, note.pop("score", 1.0), note))
    return found


def get_provenance(group: SpanGroup, span: Span) -> Dict[str, Any]:
    """Look up what is known about a span of a group.

    group (SpanGroup): The group that holds the span.
    span (Span): The span.
    RETURNS (Dict[str, Any]): Its provenance, empty if there is none.
    """
    return group.attrs.get(_PROVENANCE, {}).get(span.id_, {})


def expand_span(doc: Doc, start_char: int, end_char: int, label: str = "") -> Optional[Span]:
    """Make the smallest span of whole tokens that covers a range of characters, white space at its edges left aside.

    doc (Doc): The document.
    start_char (int): First character.
    end_char (int): Character after the last.
    label (str): Label of the span.
    RETURNS (Optional[Span]): The span, or None if the range holds nothing but white space or lies outside the text.
    """
    # Not len(doc.text): the text is joined anew at each access, which would make a long document quadratic.
    length = doc[-1].idx + len(doc[-1].text_with_ws) if len(doc) else 0
    start_char, end_char = max(start_char, 0), min(end_char, length)
    if start_char >= end_char:
        return None
    span = doc.char_span(start_char, end_char, label=label, alignment_mode="expand")
    if span is None:
        return None
    start, end = trim_spaces(doc, span.start, span.end)
    return Span(doc, start, end, label=label) if start < end else None


def trim_spaces(doc: Doc, start: int, end: int) -> Tuple[int, int]:
    """Take white space off the edges of a span: it carries nothing.

    doc (Doc): The document.
    start (int): First token.
    end (int): Token after the last.
    RETURNS (Tuple[int, int]): First token and token after the last; equal where nothing is left.
    """
    while start < end and doc[start].is_space:
        start += 1
    while end > start and doc[end - 1].is_space:
        end -= 1
    return start, end


def resolve_overlaps(found: Iterable[Found]) -> List[Found]:
    """Choose spans that do not overlap: higher score first, then the longer one, then the earlier one.

    found (Iterable[Found]): Candidates in any order.
    RETURNS (List[Found]): The chosen ones in document order.
    """
    taken: set = set()
    chosen = []
    for item in sorted(found, key=_preference):
        tokens = range(item.start, item.end)
        if taken.isdisjoint(tokens):
            taken.update(tokens)
            chosen.append(item)
    return sorted(chosen, key=_position)


def _position(item: Found) -> tuple:
    return (item.start, item.end, item.label)


def _preference(item: Found) -> tuple:
    return (-item.score, item.start - item.end, item.start, item.label)
