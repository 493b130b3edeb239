"""The rule-based detector: patterns, cue words, check digits, speaker labels and the rosters of a run."""

import re
import sys
from bisect import bisect_right
from functools import partial
from typing import (
    Any,
    Callable,
    FrozenSet,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
)

from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc

from ..labels import LABELS
from ..rules.addresses import find_addresses
from ..rules.ages import find_ages
from ..rules.bank import find_bank_numbers
from ..rules.base import Match, Source
from ..rules.courses import find_courses
from ..rules.dates import find_dates
from ..rules.emails import find_emails
from ..rules.forms import find_form_names
from ..rules.grades import find_grades
from ..rules.handles import find_handles
from ..rules.ids import find_ids
from ..rules.network import find_network_addresses
from ..rules.phones import find_phones
from ..rules.roster import Roster
from ..rules.speakers import find_speakers
from ..rules.ssn import find_ssns
from ..rules.urls import find_urls
from ..spans import RULES, TURNS, Found, expand_span, resolve_overlaps, write_group

DEFAULT_PHONE_REGIONS = (
    "US", "GB", "IN", "NG", "KE", "ZA", "GH", "EG", "MA", "PH", "ID", "MY", "SG", "VN", "PK", "BD", "CN", "JP", "KR",
    "TR", "SA", "AE", "DE", "FR", "ES", "IT", "NL", "PT", "PL", "UA", "BR", "MX", "CO", "AR", "AU", "NZ",
)  # fmt: skip
DEFAULT_CONFIG = {"spans_key": RULES, "labels": None, "phone_regions": list(DEFAULT_PHONE_REGIONS)}

_NUMERIC = frozenset(
    {
        "PHONE_NUMBER",
        "ID_NUM",
        "US_SSN",
        "US_BANK_NUMBER",
        "US_PASSPORT",
        "US_DRIVER_LICENSE",
        "DATE",
        "AGE",
    }
)
# Found by its own token, f(x)=2x^2 or 3x+5551234, a number is part of an expression.
_MATH = re.compile(r"[=+*^×÷√<>|\\{}²³]")

Rule = Callable[[Source], Iterator[Match]]


@Language.factory("pii_ruler", default_config=DEFAULT_CONFIG)
def make_pii_ruler(
    nlp: Language, name: str, spans_key: str, labels: Optional[List[str]], phone_regions: List[str]
) -> "PIIRuler":
    """Make a rule-based detector of PII.

    nlp (Language): The pipeline.
    name (str): Name of the component in the pipeline.
    spans_key (str): Key in `doc.spans` to write to.
    labels (Optional[List[str]]): Canonical labels to find; None for all.
    phone_regions (List[str]): Two-letter codes of the regions whose national telephone numbers are known.
    RETURNS (PIIRuler): The component.
    """
    return PIIRuler(name, spans_key=spans_key, labels=labels, phone_regions=phone_regions)


class PIIRuler(Pipe):
    """Find PII by rules and write it to a span group, each span with the rule that found it.

    The component has no state beyond its config, so it has no serialization: `Pipe` has none either. A roster and an
    allow list belong to a run; they are never written with a pipeline. Documents do not depend on each other, so
    `Pipe.pipe` streams them one by one with spaCy's error handling.
    """

    def __init__(
        self,
        name: str = "pii_ruler",
        *,
        spans_key: str = RULES,
        labels: Optional[Sequence[str]] = None,
        phone_regions: Sequence[str] = DEFAULT_PHONE_REGIONS,
    ) -> None:
        """Make the component.

        name (str): Name of the component in the pipeline.
        spans_key (str): Key in `doc.spans` to write to.
        labels (Optional[Sequence[str]]): Canonical labels to find; None for all.
        phone_regions (Sequence[str]): Two-letter codes of the regions whose national telephone numbers are known.
        RAISES (ValueError): If a label is not canonical or a region has no such code.
        """
        unknown = sorted(set(labels or ()) - set(LABELS))
        if unknown:
            raise ValueError(f"Not canonical labels: {', '.join(unknown)}. Known: {', '.join(LABELS)}.")
        if not all(len(region) == 2 and region.isalpha() and region.isupper() for region in phone_regions):
            raise ValueError("phone_regions takes two-letter codes in capitals, such as US, GB or NG.")
        self.name = name
        self.spans_key = spans_key
        self._labels: FrozenSet[str] = frozenset(LABELS if labels is None else labels)
        self._roster: Optional[Roster] = None
        self._allowed: FrozenSet[str] = frozenset()
        self._rules = self._choose_rules(tuple(phone_regions))

    @property
    def labels(self) -> Tuple[str, ...]:
        """RETURNS (Tuple[str, ...]): The labels that the component can write."""
        return tuple(label for label in LABELS if label in self._labels)

    def set_roster(self, roster: Optional[Roster]) -> None:
        """Set the people that are known in this run. They are not serialized.

        roster (Optional[Roster]): The people; None for nobody.
        """
        self._roster = roster

    def set_allow_list(self, words: Iterable[str]) -> None:
        """Set what is never to be reported in this run, in whatever case. It is not serialized.

        words (Iterable[str]): Words and phrases; a span is dropped where it is one of them as a whole.
        """
        self._allowed = frozenset(_normalize(word) for word in words if word.strip())

    def __call__(self, doc: Doc) -> Doc:
        """Find the PII of a document.

        doc (Doc): The document; its turns are read where another component wrote them.
        RETURNS (Doc): The document with the span group.
        """
        text = doc.text
        found: List[Found] = []
        for match in self._find(doc, text):
            item = self._to_tokens(doc, text, match)
            if item is not None:
                found.append(item)
        chosen = resolve_overlaps(found)
        kept = [item for item in chosen if not self._is_allowed(doc, item)]
        write_group(doc, self.spans_key, kept, allowed=len(chosen) - len(kept))
        return doc

    def _choose_rules(self, regions: Tuple[str, ...]) -> List[Rule]:
        rules: List[Tuple[Tuple[str, ...], Rule]] = [
            (("EMAIL_ADDRESS",), find_emails),
            (("URL",), find_urls),
            (("USERNAME",), find_handles),
            (("PHONE_NUMBER",), partial(find_phones, regions=regions)),
            (("ID_NUM", "US_PASSPORT", "US_DRIVER_LICENSE"), find_ids),
            (("US_SSN",), find_ssns),
            (("US_BANK_NUMBER",), find_bank_numbers),
            (("IP_ADDRESS",), find_network_addresses),
            (("AGE",), find_ages),
            (("GRADE_LEVEL",), find_grades),
            (("COURSE_NUMBER",), find_courses),
            (("DATE",), find_dates),
            (("STREET_ADDRESS",), find_addresses),
            (("PERSON",), find_form_names),
        ]
        return [rule for labels, rule in rules if not self._labels.isdisjoint(labels)]

    def _find(self, doc: Doc, text: str) -> Iterator[Match]:
        source = Source(text)
        turns = doc.spans[TURNS].attrs if TURNS in doc.spans else {}
        openings = _labelled_lines(text, turns)
        for rule in self._rules:
            for match in rule(source):
                # "Tutor: Okay" is a form where it stands alone, and a turn in a conversation.
                if match.rule != "form" or not _holds(openings, match.start):
                    yield match
        yield from find_speakers(text, turns)
        if self._roster is not None:
            yield from self._roster.find(source)

    def _to_tokens(self, doc: Doc, text: str, match: Match) -> Optional[Found]:
        if match.label not in self._labels:
            return None
        span = expand_span(doc, match.start, match.end)
        if span is None:
            return None
        if match.label in _NUMERIC and match.rule != "roster":
            around = text[span.start_char : match.start] + text[match.end : span.end_char]
            if around and _MATH.search(around):
                return None
        return Found(span.start, span.end, match.label, match.score, {"rule": match.rule})

    def _is_allowed(self, doc: Doc, item: Found) -> bool:
        return bool(self._allowed) and _normalize(doc[item.start : item.end].text) in self._allowed


def _labelled_lines(text: str, turns: Mapping[str, Any]) -> List[Tuple[int, int]]:
    """First lines of the turns that have a speaker label, in character offsets and document order."""
    lines = []
    for speaker, (start, end) in zip(turns.get("speaker_offsets", ()), turns.get("offsets", ())):
        if speaker is not None:
            stop = text.find("\n", start, end)
            lines.append((start, end if stop < 0 else stop))
    return lines


def _holds(lines: List[Tuple[int, int]], offset: int) -> bool:
    """Tell whether an offset lies in one of the lines."""
    place = bisect_right(lines, (offset, sys.maxsize)) - 1
    return place >= 0 and lines[place][0] <= offset <= lines[place][1]


def _normalize(text: str) -> str:
    return " ".join(text.casefold().split())
