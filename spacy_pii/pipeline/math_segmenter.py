"""Finds the stretches of a document that are dense in mathematics (the method of MathEd-PII, arXiv 2602.16571, 5.1)."""

import re
from itertools import accumulate
from typing import (
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
)

import numpy
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc, Span, SpanGroup
from spacy.util import minibatch
from thinc.api import Config

from ..mathematics import MATH_VOCABULARY, Weighed, load_vocabulary
from ..models.embedders import Embedder
from ..spans import MATH, TURNS, expand_span

LABEL = "MATH"
DEFAULT_ANCHOR_THRESHOLD = 0.05
DEFAULT_SIMILARITY_THRESHOLD = 0.3
DEFAULT_MIN_ANCHORS = 2
DEFAULT_LONE_WEIGHT = 0.2
DEFAULT_CONTEXT_WEIGHT = 5.0
DEFAULT_CONTEXT_TURNS = 5

DEFAULT_CONFIG = """
[math_segmenter]
anchor_threshold = 0.05
similarity_threshold = 0.3
min_anchors = 2
lone_weight = 0.2
context_weight = 5.0
context_turns = 5
vocabularies = ["math"]

[math_segmenter.embedder]
@misc = "spacy-pii.StaticEmbedder.v1"
"""

# A line up to this many characters is looked at as a whole; a longer one sentence by sentence.
_LONG_LINE = 240
# What goes on without the end of a sentence is cut at a blank.
_LONG_SENTENCE = 1000
_SENTENCE_END = re.compile(r"[.!?\u2026\u3002\uff01\uff1f][\"'\u2019\u201d)\]]{0,3}\s+(?=\S)")
# Similarities are kept to this many decimals, densities too.
_DECIMALS = 4

Range = Tuple[int, int]


@Language.factory(
    "math_segmenter", assigns=["doc.spans"], default_config=Config().from_str(DEFAULT_CONFIG)["math_segmenter"]
)
def make_math_segmenter(
    nlp: Language,
    name: str,
    anchor_threshold: float,
    similarity_threshold: float,
    min_anchors: int,
    lone_weight: float,
    context_weight: float,
    context_turns: int,
    vocabularies: List[str],
    embedder: Embedder,
) -> "MathSegmenter":
    """Create the component.

    nlp (Language): The pipeline.
    name (str): Name of the component.
    anchor_threshold (float): Density above which a turn opens a segment.
    similarity_threshold (float): Cosine above which a turn joins the segment beside it.
    min_anchors (int): Neighbouring anchors that a segment needs to take in other turns; 1 in the paper.
    lone_weight (float): Factor of the weight of ambiguous words and numbers where no turn around is mathematics.
    context_weight (float): The same where all turns around are; with 1 for both, the density is the paper's.
    context_turns (int): Number of turns before and after that are looked at for that.
    vocabularies (List[str]): Names of the package's vocabularies or paths of JSON files.
    embedder (Embedder): Makes a vector of each turn.
    RETURNS (MathSegmenter): The component.
    """
    return MathSegmenter(
        embedder,
        name,
        anchor_threshold=anchor_threshold,
        similarity_threshold=similarity_threshold,
        min_anchors=min_anchors,
        lone_weight=lone_weight,
        context_weight=context_weight,
        context_turns=context_turns,
        vocabularies=vocabularies,
    )


class Prepared(NamedTuple):
    """The turns of a document, weighed and embedded.

    offsets (List[Range]): First character and character after the last of each.
    weighed (List[Weighed]): What the vocabulary finds in each.
    vectors (numpy.ndarray): A vector of each, or none at all where nothing weighs.
    """

    offsets: List[Range]
    weighed: List[Weighed]
    vectors: numpy.ndarray


class Segments(NamedTuple):
    """The segments of a document.

    ranges (List[Range]): First and last turn of each segment, in order; they neither overlap nor touch.
    density (List[float]): Density of each turn.
    similarity (List[Optional[float]]): Cosine of each turn with the segment it was compared with, the higher one if
        there were two; None where it was not compared.
    """

    ranges: List[Range]
    density: List[float]
    similarity: List[Optional[float]]


class MathSegmenter(Pipe):
    """Writes `doc.spans["math"]`: a span a segment.

    A turn is what `doc.spans["turns"]` holds of a transcript. In other texts it is a line, or a sentence of a long
    line. The group's attributes are plain JSON values: `turns`, the first and last turn of each segment; `density`,
    `similarity` and `offsets` (characters), an item a turn; `embedder`, its name.
    """

    def __init__(
        self,
        embedder: Embedder,
        name: str = "math_segmenter",
        *,
        anchor_threshold: float = DEFAULT_ANCHOR_THRESHOLD,
        similarity_threshold: float = DEFAULT_SIMILARITY_THRESHOLD,
        min_anchors: int = DEFAULT_MIN_ANCHORS,
        lone_weight: float = DEFAULT_LONE_WEIGHT,
        context_weight: float = DEFAULT_CONTEXT_WEIGHT,
        context_turns: int = DEFAULT_CONTEXT_TURNS,
        vocabularies: Sequence[str] = (MATH_VOCABULARY,),
    ) -> None:
        """Initialize the component.

        embedder (Embedder): Makes a vector of each turn.
        name (str): Name of the component.
        anchor_threshold (float): Density above which a turn opens a segment.
        similarity_threshold (float): Cosine above which a turn joins the segment beside it.
        min_anchors (int): Neighbouring anchors that a segment needs to take in other turns; 1 in the paper.
        lone_weight (float): Factor of the weight of ambiguous words and numbers where no turn around is mathematics.
        context_weight (float): The same where all turns around are; with 1 for both, the density is the paper's.
        context_turns (int): Number of turns before and after that are looked at for that.
        vocabularies (Sequence[str]): Names of the package's vocabularies or paths of JSON files.
        RAISES (ValueError): If there is no such vocabulary.
        """
        self.name = name
        self.embedder = embedder
        self.anchor_threshold = anchor_threshold
        self.similarity_threshold = similarity_threshold
        self.min_anchors = min_anchors
        self.lone_weight = lone_weight
        self.context_weight = context_weight
        self.context_turns = context_turns
        self.vocabularies = tuple(vocabularies)
        load_vocabulary(self.vocabularies)

    def __call__(self, doc: Doc) -> Doc:
        """Find the segments of a document.

        doc (Doc): The document.
        RETURNS (Doc): The document, with `doc.spans["math"]`.
        RAISES (ValueError): If the embedder cannot be used; the sentence says what to do.
        """
        self._segment([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 64) -> Iterator[Doc]:
        """Find the segments of a stream of documents, whose turns are embedded batch by batch.

        stream (Iterable[Doc]): The documents.
        batch_size (int): Number of documents in a batch.
        YIELDS (Doc): The documents in order.
        """
        for docs in minibatch(stream, size=batch_size):
            docs = list(docs)
            try:
                self._segment(docs)
            except Exception:
                # Once more one by one, so that a broken document takes no other with it.
                yield from self._pipe_singly(docs)
            else:
                yield from docs

    def _pipe_singly(self, docs: Sequence[Doc]) -> Iterator[Doc]:
        error_handler: Callable = self.get_error_handler()
        for doc in docs:
            try:
                self._segment([doc])
            except Exception as error:
                error_handler(self.name, self, [doc], error)
            else:
                yield doc

    def prepare(self, docs: Sequence[Doc]) -> List["Prepared"]:
        """Weigh and embed the turns of documents, which no threshold has a part in.

        docs (Sequence[Doc]): The documents, of one vocabulary.
        RETURNS (List[Prepared]): What `find_segments` needs, an item a document.
        RAISES (ValueError): If the embedder cannot be used; the sentence says what to do.
        """
        vocabulary = load_vocabulary(self.vocabularies)
        offsets, weighed = [], []
        said: List[str] = []
        for doc in docs:
            text = doc.text
            units = find_units(doc, text)
            offsets.append(units)
            weighed.append([vocabulary.weigh(text, start, end) for start, end in units])
            # Where nothing weighs, nothing can be an anchor.
            if any(item.plain or item.ambiguous for item in weighed[-1]):
                said.extend(text[start:end] for start, end in units)
        # Also where there is nothing to embed: what is wrong with the embedder is then told at the first document.
        vectors = self.embedder(said, docs[0].vocab) if docs else numpy.zeros((0, 0), dtype="float32")
        prepared = []
        position = 0
        for units, items in zip(offsets, weighed):
            count = len(units) if any(item.plain or item.ambiguous for item in items) else 0
            prepared.append(Prepared(units, items, vectors[position : position + count]))
            position += count
        return prepared

    def find_segments(
        self,
        prepared: "Prepared",
        *,
        anchor_threshold: Optional[float] = None,
        similarity_threshold: Optional[float] = None,
    ) -> Segments:
        """Find the segments of a document.

        prepared (Prepared): What `prepare` gives.
        anchor_threshold (Optional[float]): Density above which a turn opens a segment, by default the component's.
        similarity_threshold (Optional[float]): Cosine above which a turn joins, by default the component's.
        RETURNS (Segments): The segments.
        """
        anchor = self.anchor_threshold if anchor_threshold is None else anchor_threshold
        threshold = self.similarity_threshold if similarity_threshold is None else similarity_threshold
        # Ambiguous words and bare numbers weigh more among turns of mathematics.
        around = share_around([item.density(0.0) > anchor for item in prepared.weighed], reach=self.context_turns)
        more = self.context_weight - self.lone_weight
        density = [item.density(self.lone_weight + more * share) for item, share in zip(prepared.weighed, around)]
        ranges, similarity = grow_segments(
            [value > anchor for value in density],
            prepared.vectors,
            similarity_threshold=threshold,
            min_anchors=self.min_anchors,
            is_empty=[item.is_empty for item in prepared.weighed],
        )
        return Segments(ranges, density, similarity)

    def _segment(self, docs: Sequence[Doc]) -> None:
        for doc, prepared in zip(docs, self.prepare(docs)):
            self._write(doc, prepared.offsets, self.find_segments(prepared))

    def _write(self, doc: Doc, offsets: List[Range], found: Segments) -> None:
        spans: List[Span] = []
        ranges: List[List[int]] = []
        for first, last in found.ranges:
            span = expand_span(doc, offsets[first][0], offsets[last][1], LABEL)
            if span is not None:
                spans.append(span)
                ranges.append([first, last])
        attrs = {
            "turns": ranges,
            "density": [round(value, _DECIMALS) for value in found.density],
            "similarity": [None if value is None else round(value, _DECIMALS) for value in found.similarity],
            "offsets": [list(offset) for offset in offsets],
            "embedder": self.embedder.name,
        }
        doc.spans[MATH] = SpanGroup(doc, name=MATH, attrs=attrs, spans=spans)


def share_around(flags: Sequence[bool], *, reach: int) -> List[float]:
    """Tell how many of the turns around each one are flagged.

    flags (Sequence[bool]): Whether each turn is flagged.
    reach (int): Number of turns before and after that count.
    RETURNS (List[float]): The share of them, from 0 to 1, the turn itself left out.
    """
    sums = [0, *accumulate(flags)]
    shares = []
    for turn, flag in enumerate(flags):
        first, end = max(turn - reach, 0), min(turn + reach + 1, len(flags))
        shares.append((sums[end] - sums[first] - flag) / max(end - first - 1, 1))
    return shares


def grow_segments(
    is_anchor: Sequence[bool],
    vectors: numpy.ndarray,
    *,
    similarity_threshold: float,
    min_anchors: int = 1,
    is_empty: Optional[Sequence[bool]] = None,
) -> Tuple[List[Range], List[Optional[float]]]:
    """Grow segments from the anchors of a sequence of turns.

    Neighbouring anchors are one segment to begin with. Each segment first takes in the turns behind it, then those
    before it, as long as the cosine of the turn with the mean of the segment's vectors is above the threshold. The
    mean follows the segment. Segments that meet become one. No turn is looked at more than twice, so that the cost
    grows with the number of turns and not faster.

    is_anchor (Sequence[bool]): Whether each turn opens a segment.
    vectors (numpy.ndarray): A vector of length 1 (or of zeros, which is like nothing) a turn; it may be empty where
        there is no anchor.
    similarity_threshold (float): Cosine above which a turn joins.
    min_anchors (int): Anchors that a segment needs to take in other turns.
    is_empty (Optional[Sequence[bool]]): Whether each turn says nothing of any subject; such a turn is not compared.
    RETURNS (Tuple[List[Range], List[Optional[float]]]): First and last turn of each segment, in order, and the cosine
        of each turn as in `Segments`.
    """
    similarity: List[Optional[float]] = [None] * len(is_anchor)
    if is_empty is None:
        is_empty = [False] * len(is_anchor)
    segments: List[Dict] = []
    for turn, anchor in enumerate(is_anchor):
        if not anchor:
            continue
        if segments and segments[-1]["last"] == turn - 1:
            segments[-1]["last"] = turn
            segments[-1]["sum"] += vectors[turn]
            segments[-1]["anchors"] += 1
        else:
            segments.append({"first": turn, "last": turn, "anchors": 1, "sum": vectors[turn].astype("float64")})

    def may_join(segment: Dict, turn: int) -> bool:
        if segment["anchors"] < min_anchors or is_empty[turn]:
            return False
        cosine = _cosine(segment["sum"], vectors[turn])
        earlier = similarity[turn]
        similarity[turn] = cosine if earlier is None else max(earlier, cosine)
        return cosine > similarity_threshold

    segments = _grow(segments, vectors, may_join, len(is_anchor), 1)
    segments = _grow(segments[::-1], vectors, may_join, -1, -1)[::-1]
    return [(segment["first"], segment["last"]) for segment in segments], similarity


def find_units(doc: Doc, text: str) -> List[Range]:
    """Tell what the segmenter looks at: the turns of a transcript, or the lines and sentences of another text.

    doc (Doc): The document.
    text (str): Its text.
    RETURNS (List[Range]): First character and character after the last of each.
    """
    if TURNS in doc.spans:
        attrs = doc.spans[TURNS].attrs
        if attrs.get("source") != "lines" and "offsets" in attrs:
            return [(start, end) for start, end in attrs["offsets"]]
    return list(_cut_lines(text))


def _cut_lines(text: str) -> Iterator[Range]:
    position = 0
    for line in text.splitlines(keepends=True):
        end = position + len(line)
        if len(line) <= _LONG_LINE:
            yield from _strip(text, position, end)
        else:
            yield from _cut_sentences(text, position, end)
        position = end


def _cut_sentences(text: str, start: int, end: int) -> Iterator[Range]:
    cuts = [match.end() for match in _SENTENCE_END.finditer(text, start, end)]
    for cut in [*cuts, end]:
        while cut - start > _LONG_SENTENCE:
            blank = text.rfind(" ", start, start + _LONG_SENTENCE) + 1
            middle = blank if blank > start else start + _LONG_SENTENCE
            yield from _strip(text, start, middle)
            start = middle
        yield from _strip(text, start, cut)
        start = cut


def _strip(text: str, start: int, end: int) -> Iterator[Range]:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        start += len(piece) - len(piece.lstrip())
        yield start, start + len(stripped)


def _grow(
    segments: List[Dict], vectors: numpy.ndarray, may_join: Callable[[Dict, int], bool], end: int, step: int
) -> List[Dict]:
    """Let segments grow in one direction: they come in its order, `end` is the place after the last turn."""
    front, back = ("last", "first") if step > 0 else ("first", "last")
    grown: List[Dict] = []
    for segment, stop in zip(segments, [following[back] for following in segments[1:]] + [end]):
        # The segment before has come as far as it could, perhaps to this one.
        if grown and grown[-1][front] + step == segment[back]:
            grown[-1][front] = segment[front]
            grown[-1]["sum"] += segment["sum"]
            grown[-1]["anchors"] += segment["anchors"]
        else:
            grown.append(segment)
        current = grown[-1]
        for turn in range(current[front] + step, stop, step):
            if not may_join(current, turn):
                break
            current["sum"] += vectors[turn]
            current[front] = turn
    return grown


def _cosine(total: numpy.ndarray, vector: numpy.ndarray) -> float:
    # The vector has length 1, or is of zeros.
    length = float(numpy.sqrt(total @ total))
    return float(total @ vector) / length if length else 0.0
