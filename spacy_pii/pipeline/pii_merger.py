"""Joins what the detectors found into one group, and finds accepted names again at their other occurrences."""

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Set, Tuple

from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import registry

from ..forms import has_form, may_be_name
from ..repeats import add_repeats, fit_edges
from ..scoring.exact import score_group
from ..spans import PII, RULES, TAGGER, Found, read_group, write_group

POLICIES = ("union", "priority", "vote")
# Score from which a lower-case word is taken for a name that is in no list.
_SURE = 0.5
# How many candidates on either side are looked at for a vote; more than any detectors give on one stretch of text.
_NEIGHBOURS = 16


@Language.factory(
    "pii_merger",
    requires=["doc.spans"],
    assigns=["doc.spans", "doc.ents"],
    default_config={
        "groups": [RULES, TAGGER],
        "spans_key": PII,
        "policy": "union",
        "min_votes": 2,
        "thresholds": {},
        "repeat_names": True,
        "repeat_min_score": 0.7,
        "scorer": {"@scorers": "spacy-pii.pii_scorer.v1"},
    },
    default_score_weights={"pii_f5": 1.0, "pii_p": 0.0, "pii_r": 0.0, "pii_f": 0.0, "pii_per_type": None},
)
def make_pii_merger(
    nlp: Language,
    name: str,
    groups: List[str],
    spans_key: str,
    policy: str,
    min_votes: int,
    thresholds: Dict[str, float],
    repeat_names: bool,
    repeat_min_score: float,
    scorer: Optional[Callable],
) -> "PiiMerger":
    """Create a merger.

    groups (List[str]): Keys of the detectors' span groups, the most trusted first. Each has to be there.
    spans_key (str): Key of the span group that is written.
    policy (str): union, priority or vote (see `PiiMerger`).
    min_votes (int): Under `vote`, how many detectors have to agree.
    thresholds (Dict[str, float]): Least score of a span by label; a label that is not named has none.
    repeat_names (bool): Whether a name that was accepted is found at its other occurrences in the document.
    repeat_min_score (float): Least score of a name that is looked for again.
    scorer (Optional[Callable]): The scoring method.
    """
    return PiiMerger(
        name,
        groups=groups,
        spans_key=spans_key,
        policy=policy,
        min_votes=min_votes,
        thresholds=thresholds,
        repeat_names=repeat_names,
        repeat_min_score=repeat_min_score,
        scorer=scorer,
    )


def pii_score(examples: Iterable[Example], **kwargs: Any) -> Dict[str, Any]:
    """Score the merged group against the gold of the same key."""
    return score_group(examples)


@registry.scorers("spacy-pii.pii_scorer.v1")
def make_pii_scorer() -> Callable:
    """Create the scorer of the merged group."""
    return pii_score


class PiiMerger(Pipe):
    """Join the span groups of the detectors.

    The candidates are the spans of all groups; the same label on the same tokens from several detectors is one
    candidate with the best of their scores. Dropped are candidates under their label's threshold, and those found by no
    rule that lack the least form of their label (see `spacy_pii.forms`). Then, by policy:

    union: nothing that a detector found gets out. Overlapping candidates of one label are joined to their cover. Of
        overlapping candidates of different labels, the one that wins is that of the more trusted detector, then the
        longer, then the one with the higher score.
    priority: a candidate that overlaps one of a more trusted detector is dropped; within a detector the higher score
        wins, then the longer span.
    vote: only candidates that overlap a candidate of the same label in enough groups are kept; the rest is as in union.

    No state beyond the config, so that there is nothing to serialize.
    """

    def __init__(
        self,
        name: str = "pii_merger",
        *,
        groups: Sequence[str] = (RULES, TAGGER),
        spans_key: str = PII,
        policy: str = "union",
        min_votes: int = 2,
        thresholds: Optional[Dict[str, float]] = None,
        repeat_names: bool = True,
        repeat_min_score: float = 0.7,
        scorer: Optional[Callable] = pii_score,
    ) -> None:
        """Initialize the merger. See `make_pii_merger` for the arguments.

        RAISES (ValueError): If the policy is unknown or no group is named.
        """
        if policy not in POLICIES:
            raise ValueError(f"There is no merging policy '{policy}'. Known policies: {', '.join(POLICIES)}.")
        if not groups:
            raise ValueError("The merger needs at least one span group to read.")
        self.name = name
        self.groups = tuple(groups)
        self.spans_key = spans_key
        self.policy = policy
        self.min_votes = min_votes
        self.thresholds = dict(thresholds or {})
        self.repeat_names = repeat_names
        self.repeat_min_score = repeat_min_score
        self.scorer = scorer

    def __call__(self, doc: Doc) -> Doc:
        """Merge the groups of a document.

        doc (Doc): The document.
        RETURNS (Doc): The document, with the merged group and the entities set.
        """
        error_handler = self.get_error_handler()
        try:
            found = self.merge(doc)
            group = write_group(doc, self.spans_key, found, detectors=list(self.groups))
            doc.set_ents(list(group))
        except Exception as error:
            # A group of an earlier pass must not stand for this one.
            doc.spans.pop(self.spans_key, None)
            error_handler(self.name, self, [doc], error)
        return doc

    def merge(self, doc: Doc) -> List[Found]:
        """Merge without writing.

        doc (Doc): The document.
        RETURNS (List[Found]): The spans, without overlaps, in document order.
        RAISES (ValueError): If a group is missing: what a detector did not do must not look like what it did not find.
        """
        missing = [key for key in self.groups if key not in doc.spans]
        if missing:
            raise ValueError(
                f"The merger expects the span groups {', '.join(self.groups)}, but the document lacks "
                f"{', '.join(missing)}: a detector failed or is not in the pipeline."
            )
        candidates = self._candidates(doc)
        if self.policy == "priority":
            chosen = _by_priority(candidates)
        else:
            if self.policy == "vote":
                candidates = _by_votes(candidates, self.min_votes)
            chosen = _by_trust(_join_equal_labels(candidates))
        found = [item.to_found() for item in chosen]
        return add_repeats(doc, found, min_score=self.repeat_min_score) if self.repeat_names else found

    def _candidates(self, doc: Doc) -> List["_Candidate"]:
        """The spans of all groups, trimmed, in document order."""
        merged: Dict[Tuple[int, int, str], _Candidate] = {}
        for rank, key in enumerate(self.groups):
            for item in read_group(doc, key):
                if item.score < self.thresholds.get(item.label, 0.0):
                    continue
                start, end = fit_edges(doc, item.start, item.end, item.label)
                if start == end or ("rule" not in item.note and not _is_likely(doc, start, end, item)):
                    continue
                source = {"group": key, "score": item.score, **item.note}
                candidate = merged.setdefault((start, end, item.label), _Candidate(start, end, item.label, rank))
                candidate.score = max(candidate.score, item.score)
                candidate.sources.append(source)
        return [merged[place] for place in sorted(merged)]


def _is_likely(doc: Doc, start: int, end: int, item: Found) -> bool:
    """Whether what no rule found has the form of its label; words in lower case that no list of names holds need the
    tagger to be rather sure."""
    unknown = item.label == "PERSON" and item.score < _SURE and not any(map(may_be_name, doc[start:end]))
    return not unknown and has_form(doc, start, end, item.label)


@dataclass
class _Candidate:
    """A span that one or more detectors found. The rank is that of the most trusted one."""

    start: int
    end: int
    label: str
    rank: int
    score: float = 0.0
    sources: List[Dict[str, Any]] = field(default_factory=list)

    @property
    def groups(self) -> Set[str]:
        return {source["group"] for source in self.sources}

    def overlaps(self, other: "_Candidate") -> bool:
        return self.start < other.end and other.start < self.end

    def to_found(self) -> Found:
        return Found(self.start, self.end, self.label, self.score, {"sources": self.sources})


def _join_equal_labels(candidates: List[_Candidate]) -> List[_Candidate]:
    """Join overlapping candidates of one label to their cover."""
    joined: List[_Candidate] = []
    last: Dict[str, _Candidate] = {}
    for item in candidates:
        previous = last.get(item.label)
        if previous is not None and previous.overlaps(item):
            previous.end = max(previous.end, item.end)
            previous.rank = min(previous.rank, item.rank)
            previous.score = max(previous.score, item.score)
            previous.sources.extend(item.sources)
        else:
            joined.append(item)
            last[item.label] = item
    return joined


def _by_trust(candidates: List[_Candidate]) -> List[_Candidate]:
    return _without_overlaps(sorted(candidates, key=_trust))


def _by_priority(candidates: List[_Candidate]) -> List[_Candidate]:
    return _without_overlaps(sorted(candidates, key=_priority))


def _without_overlaps(ranked: List[_Candidate]) -> List[_Candidate]:
    """Take the candidates in the order given, passing over what overlaps one taken before."""
    taken: Set[int] = set()
    chosen = []
    for item in ranked:
        tokens = range(item.start, item.end)
        if taken.isdisjoint(tokens):
            taken.update(tokens)
            chosen.append(item)
    return sorted(chosen, key=_place)


def _by_votes(candidates: List[_Candidate], least: int) -> List[_Candidate]:
    """Keep candidates that overlap, with their own label, candidates of enough groups."""
    kept = []
    for i, item in enumerate(candidates):
        groups = set(item.groups)
        # Candidates are in document order: neighbours on either side are enough.
        for step in (-1, 1):
            j = i + step
            while 0 <= j < len(candidates) and abs(j - i) <= _NEIGHBOURS:
                other = candidates[j]
                if other.label == item.label and other.overlaps(item):
                    groups |= other.groups
                j += step
        if len(groups) >= least:
            kept.append(item)
    return kept


def _trust(item: _Candidate) -> tuple:
    return (item.rank, item.start - item.end, -item.score, item.start, item.label)


def _priority(item: _Candidate) -> tuple:
    return (item.rank, -item.score, item.start - item.end, item.start, item.label)


def _place(item: _Candidate) -> tuple:
    return (item.start, item.end)
