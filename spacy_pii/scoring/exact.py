"""Exact match: a span counts when its type and both its offsets are those of the gold."""

from collections import Counter
from typing import Any, Dict, Iterable, Mapping, NamedTuple, Set, Tuple

from spacy.tokens import Doc
from spacy.training import Example

from ..spans import PII

BETA = 5.0
"""Weight of recall in the F score of PII detection: F5, as in the Longformer and Kaggle evaluations of CRAPII."""


class Counts(NamedTuple):
    """Counts of a comparison.

    tp (int): Items of the gold that were found.
    fp (int): Items found that are not in the gold.
    fn (int): Items of the gold that were not found.
    """

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def plus(self, other: "Counts") -> "Counts":
        """Add the counts of another comparison."""
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> float:
        """Share of what was found that is right; 0 where nothing was found."""
        return self.tp / (self.tp + self.fp) if self.tp else 0.0

    @property
    def recall(self) -> float:
        """Share of the gold that was found; 0 where there is no gold."""
        return self.tp / (self.tp + self.fn) if self.tp else 0.0

    def f_score(self, beta: float = 1.0) -> float:
        """Weighted harmonic mean of precision and recall.

        beta (float): Weight of recall.
        RETURNS (float): The score, 0 where nothing is right.
        """
        weight = beta * beta
        divisor = (1 + weight) * self.tp + weight * self.fn + self.fp
        return (1 + weight) * self.tp / divisor if divisor else 0.0

    def to_dict(self) -> Dict[str, float]:
        """The scores under the names that spaCy's training log and `evaluate` print."""
        return {"p": self.precision, "r": self.recall, "f": self.f_score(), "f5": self.f_score(BETA)}


Key = Tuple[str, int, int]


def span_keys(doc: Doc, spans_key: str) -> Set[Key]:
    """Collect the spans of a group as label, start and end.

    doc (Doc): The document.
    spans_key (str): Key in `doc.spans`. A missing group counts as empty.
    RETURNS (Set[Key]): Label and character offsets of each span.
    """
    group = doc.spans[spans_key] if spans_key in doc.spans else ()
    return {(span.label_, span.start_char, span.end_char) for span in group}


def compare(gold: Set[Key], found: Set[Key]) -> Dict[str, Counts]:
    """Count hits and misses by label.

    gold (Set[Key]): The labels and offsets of the gold.
    found (Set[Key]): The labels and offsets found.
    RETURNS (Dict[str, Counts]): Counts by label.
    """
    tp = Counter(key[0] for key in gold & found)
    fp = Counter(key[0] for key in found - gold)
    fn = Counter(key[0] for key in gold - found)
    return {label: Counts(tp[label], fp[label], fn[label]) for label in sorted({*tp, *fp, *fn})}


def merge_counts(parts: Iterable[Mapping[str, Counts]]) -> Dict[str, Counts]:
    """Add up counts by label.

    parts (Iterable[Mapping[str, Counts]]): Counts of single documents.
    RETURNS (Dict[str, Counts]): Their sums, labels in alphabetical order.
    """
    total: Dict[str, Counts] = {}
    for part in parts:
        for label, counts in part.items():
            total[label] = total.get(label, Counts()).plus(counts)
    return dict(sorted(total.items()))


def add_up(by_label: Mapping[str, Counts]) -> Counts:
    """Add up counts over all labels.

    by_label (Mapping[str, Counts]): Counts by label.
    RETURNS (Counts): The micro-averaged counts.
    """
    total = Counts()
    for counts in by_label.values():
        total = total.plus(counts)
    return total


def score_group(
    examples: Iterable[Example], *, spans_key: str = PII, gold_key: str = PII, prefix: str = "pii"
) -> Dict[str, Any]:
    """Score a span group by exact match and by tokens. Usable as the scorer of a component.

    examples (Iterable[Example]): Predicted and reference documents. A reference without the gold group is skipped.
    spans_key (str): Key of the predicted group.
    gold_key (str): Key of the gold group in the reference.
    prefix (str): Start of the names of the scores.
    RETURNS (Dict[str, Any]): `{prefix}_p`, `_r`, `_f`, `_f5`, the same with `_token`, and `_per_type`.
    """
    from .token import compare_tokens

    spans, tokens = [], []
    for example in examples:
        if gold_key not in example.reference.spans:
            continue
        gold = span_keys(example.reference, gold_key)
        found = span_keys(example.predicted, spans_key)
        spans.append(compare(gold, found))
        tokens.append(compare_tokens(example.predicted, gold, found))
    by_label = merge_counts(spans)
    scores: Dict[str, Any] = {f"{prefix}_{name}": value for name, value in add_up(by_label).to_dict().items()}
    for name, value in add_up(merge_counts(tokens)).to_dict().items():
        scores[f"{prefix}_token_{name}"] = value
    scores[f"{prefix}_per_type"] = {label: counts.to_dict() for label, counts in by_label.items()}
    return scores
