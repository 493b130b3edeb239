"""Scores of the math segmenter: messages told right, and thresholds searched on detections (arXiv 2602.16571, 5.1)."""

from itertools import product
from pathlib import Path
from typing import Dict, Iterable, List, NamedTuple, Sequence, Tuple

import srsly
from spacy.language import Language
from spacy.tokens import Doc

from ..pipeline.math_segmenter import MathSegmenter, Prepared
from ..spans import MATH
from ..transcripts import make_doc
from .exact import Counts

ANCHOR_THRESHOLDS = (0.05, 0.06, 0.07, 0.08, 0.09, 0.1)
SIMILARITY_THRESHOLDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
"""The paper's grid."""


class Dialogue(NamedTuple):
    """A conversation whose messages are labelled.

    document (str): Its name.
    texts (List[str]): The messages.
    math (List[bool]): Whether each message is mathematics.
    """

    document: str
    texts: List[str]
    math: List[bool]


class Detections(NamedTuple):
    """What was detected in a document, as ranges of characters.

    true (List[Tuple[int, int]]): Detections that overlap gold.
    false (List[Tuple[int, int]]): Detections that do not.
    """

    true: List[Tuple[int, int]]
    false: List[Tuple[int, int]]


class GridPoint(NamedTuple):
    """What a pair of thresholds captures.

    anchor (float): Anchor threshold.
    similarity (float): Similarity threshold.
    false_inside (int): False detections inside segments.
    false_total (int): False detections.
    true_inside (int): True detections inside segments.
    true_total (int): True detections.
    text_inside (int): Characters of the messages inside segments.
    text_total (int): Characters of all messages.
    """

    anchor: float
    similarity: float
    false_inside: int
    false_total: int
    true_inside: int
    true_total: int
    text_inside: int
    text_total: int

    @property
    def false_share(self) -> float:
        """Share of the false detections that lie inside segments, the more the better."""
        return self.false_inside / self.false_total if self.false_total else 0.0

    @property
    def true_share(self) -> float:
        """Share of the true detections that lie inside segments, the less the better."""
        return self.true_inside / self.true_total if self.true_total else 0.0

    @property
    def text_share(self) -> float:
        """Share of the text that lies inside segments."""
        return self.text_inside / self.text_total if self.text_total else 0.0

    @property
    def objective(self) -> float:
        """What is searched for: false detections captured, true ones not."""
        return self.false_share - self.true_share


def read_dialogues(path: Path) -> List[Dialogue]:
    """Read labelled messages.

    path (Path): A .jsonl file or a folder of them; a line a message with `document`, `text` and `math`, 0 or 1.
    RETURNS (List[Dialogue]): The conversations in the order of their first message.
    RAISES (ValueError): If a line lacks a key, or there is no line; the sentence names file and line.
    """
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    dialogues: Dict[str, Dialogue] = {}
    for file in files:
        for number, row in enumerate(srsly.read_jsonl(file), start=1):
            if not isinstance(row, dict) or not {"document", "text", "math"} <= set(row) or row["math"] not in (0, 1):
                raise ValueError(f"{file}: line {number} has no document, text and math (0 or 1).")
            dialogue = dialogues.setdefault(row["document"], Dialogue(row["document"], [], []))
            dialogue.texts.append(row["text"])
            dialogue.math.append(bool(row["math"]))
    if not dialogues:
        raise ValueError(f"{path}: there are no labelled messages.")
    return list(dialogues.values())


def find_math_turns(doc: Doc) -> List[bool]:
    """Tell which turns lie in a segment.

    doc (Doc): A document that the segmenter has seen.
    RETURNS (List[bool]): Whether each turn is in a segment.
    """
    attrs = doc.spans[MATH].attrs
    inside = [False] * len(attrs["density"])
    for first, last in attrs["turns"]:
        inside[first : last + 1] = [True] * (last + 1 - first)
    return inside


def compare_messages(gold: Sequence[bool], found: Sequence[bool]) -> Counts:
    """Count the messages that are mathematics and were found to be.

    gold (Sequence[bool]): Whether each message is.
    found (Sequence[bool]): Whether each message was found to be.
    RETURNS (Counts): The counts; precision, recall and F1 are properties of theirs.
    RAISES (ValueError): If the lengths differ.
    """
    if len(gold) != len(found):
        raise ValueError(f"There are {len(gold)} messages in the gold, but {len(found)} were judged.")
    pairs = list(zip(gold, found))
    return Counts(pairs.count((True, True)), pairs.count((False, True)), pairs.count((True, False)))


def score_messages(nlp: Language, segmenter: MathSegmenter, dialogues: Iterable[Dialogue]) -> Dict[str, Counts]:
    """Score the segmenter by messages.

    nlp (Language): Its tokenizer and vocabulary are used.
    segmenter (MathSegmenter): The segmenter.
    dialogues (Iterable[Dialogue]): Labelled conversations.
    RETURNS (Dict[str, Counts]): The counts by document; add them up for the whole.
    """
    counts = {}
    for dialogue in dialogues:
        doc = segmenter(make_doc(nlp, [{"text": text} for text in dialogue.texts]))
        counts[dialogue.document] = compare_messages(dialogue.math, find_math_turns(doc))
    return counts


def split_detections(found: Sequence[Tuple[int, int]], gold: Sequence[Tuple[int, int]]) -> Detections:
    """Tell true detections from false ones.

    found (Sequence[Tuple[int, int]]): First character and character after the last of each detection.
    gold (Sequence[Tuple[int, int]]): The same of the gold. A detection that overlaps it is true, whatever its label:
        what counts is whether there is something to hide.
    RETURNS (Detections): The detections.
    """
    true, false = [], []
    ordered = sorted(gold)
    place, reach = 0, -1
    for start, end in sorted(found):
        # The furthest end of the gold that begins before the detection ends.
        while place < len(ordered) and ordered[place][0] < end:
            reach = max(reach, ordered[place][1])
            place += 1
        (true if reach > start else false).append((start, end))
    return Detections(true, false)


def search_thresholds(
    segmenter: MathSegmenter,
    prepared: Sequence[Prepared],
    detections: Sequence[Detections],
    *,
    anchors: Sequence[float] = ANCHOR_THRESHOLDS,
    similarities: Sequence[float] = SIMILARITY_THRESHOLDS,
) -> List[GridPoint]:
    """Try pairs of thresholds.

    segmenter (MathSegmenter): The segmenter.
    prepared (Sequence[Prepared]): What its `prepare` gives, an item a document.
    detections (Sequence[Detections]): What was detected, an item a document.
    anchors (Sequence[float]): Anchor thresholds.
    similarities (Sequence[float]): Similarity thresholds.
    RETURNS (List[GridPoint]): A point a pair, in the order of the thresholds.
    """
    points = []
    for anchor, similarity in product(anchors, similarities):
        sums = [0] * 6
        for turns, (true, false) in zip(prepared, detections):
            segments = segmenter.find_segments(turns, anchor_threshold=anchor, similarity_threshold=similarity)
            inside = [(turns.offsets[first][0], turns.offsets[last][1]) for first, last in segments.ranges]
            text = sum(end - start for first, last in segments.ranges for start, end in turns.offsets[first : last + 1])
            total = sum(end - start for start, end in turns.offsets)
            for number, value in enumerate(
                (_count_inside(false, inside), len(false), _count_inside(true, inside), len(true), text, total)
            ):
                sums[number] += value
        points.append(GridPoint(anchor, similarity, *sums))
    return points


def choose_point(points: Sequence[GridPoint]) -> GridPoint:
    """Choose the best point: the highest objective, then the least text inside.

    points (Sequence[GridPoint]): The points.
    RETURNS (GridPoint): The best one, the first of equals.
    """
    return max(points, key=_merit)


def _merit(point: GridPoint) -> Tuple[float, float]:
    return point.objective, -point.text_share


def _count_inside(ranges: Sequence[Tuple[int, int]], segments: Sequence[Tuple[int, int]]) -> int:
    """How many of the ranges, in order, overlap a segment; segments are in order and apart."""
    count = place = 0
    for start, end in sorted(ranges):
        while place < len(segments) and segments[place][1] <= start:
            place += 1
        count += place < len(segments) and segments[place][0] < end
    return count
