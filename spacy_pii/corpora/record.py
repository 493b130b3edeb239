"""The record that every corpus format is read into and written from, and the account of what went wrong on the way."""

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Union

from ..labels import LABELS, SCHEMES, get_scheme

# Label names as tools write them. Anything else found in the place of a label may be text and is not repeated.
_LABEL = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*\Z")


@dataclass
class Record:
    """A document of a corpus.

    id (str): Name of the document; of a generated one the name of its template and the number of the fill.
    text (str): The text.
    spans (List[Dict[str, Any]]): Gold: start, end (characters), label; of names also the region and gender.
    negatives (List[Dict[str, Any]]): Hard negatives: start, end (characters), label (their kind).
    meta (Dict[str, Any]): What else is known, plain JSON values: document, genre and layout of generated ones.
    """

    id: str
    text: str
    spans: List[Dict[str, Any]] = field(default_factory=list)
    negatives: List[Dict[str, Any]] = field(default_factory=list)
    meta: Dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> Dict[str, Any]:
        """The record as a line of the span JSONL format."""
        return dict(vars(self))

    @property
    def document(self) -> str:
        """Name of the document that the record was made from, which several records can share."""
        return str(self.meta.get("document", self.id))


class RecordError(ValueError):
    """A record that cannot be used. The sentence names file, record and field and repeats nothing of the record."""

    def __init__(self, path: Union[str, Path], record: Union[int, str], field_name: str, reason: str) -> None:
        """Initialize the error.

        path (Union[str, Path]): The file.
        record (Union[int, str]): Line or number of the record in the file, counted from 1.
        field_name (str): The field, empty where the record as a whole is broken.
        reason (str): What is wrong, as the end of a sentence about the field.
        """
        place = f"field '{field_name}' " if field_name else ""
        super().__init__(f"{path}: record {record}: {place}{reason}.")


class Rejected(NamedTuple):
    """A record that was set aside.

    error (str): What is wrong with it, in a sentence.
    raw (Any): The record as it was found, None unless the report keeps them.
    """

    error: str
    raw: Any


class Report:
    """What happened to the records on their way: nothing disappears in silence."""

    def __init__(self, *, strict: bool = False, keep: bool = False) -> None:
        """Initialize an empty report.

        strict (bool): Raise at the first record that cannot be used. Otherwise it is set aside.
        keep (bool): Keep the records set aside as they were found.
        """
        self.strict = strict
        self.keep = keep
        self.records = 0
        """Records that were used."""
        self.rejected: List[Rejected] = []
        self.dropped: Counter = Counter()
        """Spans by label that the scheme leaves out on purpose."""
        self.notes: Counter = Counter()
        """Other things that happened, as the end of the sentence 'N ...'."""
        self.expanded: Counter = Counter()
        """Spans by document that were expanded to whole tokens."""
        self.lost: Counter = Counter()
        """Spans by document that hold nothing but white space and have no tokens."""

    def reject(self, error: ValueError, raw: Any = None) -> None:
        """Set a record aside.

        error (ValueError): What is wrong with it.
        raw (Any): The record as it was found.
        RAISES (ValueError): The error itself, if the report is strict.
        """
        if self.strict:
            raise error
        self.rejected.append(Rejected(str(error), raw if self.keep else None))


def map_from_scheme(
    records: Iterable[Record], scheme: str, *, path: Union[str, Path], report: Optional[Report] = None
) -> Iterator[Record]:
    """Map the labels of records to the canonical ones.

    records (Iterable[Record]): Records with the labels of a scheme.
    scheme (str): Name of the scheme.
    path (Union[str, Path]): What an error names as the file.
    report (Optional[Report]): Counts what the taxonomy leaves out and takes records with unknown labels. Without one
        the first of them raises.
    YIELDS (Record): Records with canonical labels.
    RAISES (RecordError): If a label is unknown and the report strict or missing.
    """
    report = Report(strict=True) if report is None else report
    mapping = get_scheme(scheme)
    for record in records:
        try:
            labels = [_canonical(mapping, span["label"], record, path) for span in record.spans]
        except RecordError as error:
            report.reject(error, record.to_dict())
            continue
        report.dropped.update(span["label"] for span, label in zip(record.spans, labels) if label is None)
        record.spans = [{**span, "label": label} for span, label in zip(record.spans, labels) if label is not None]
        report.records += 1
        yield record


def map_to_scheme(records: Iterable[Record], scheme: str, *, report: Optional[Report] = None) -> Iterator[Record]:
    """Map the canonical labels of records to those of a scheme.

    records (Iterable[Record]): Records with canonical labels.
    scheme (str): Name of the scheme.
    report (Optional[Report]): Counts the spans that the scheme has no word for.
    YIELDS (Record): Records with the scheme's labels.
    """
    mapping = get_scheme(scheme)
    for record in records:
        spans = []
        for span in record.spans:
            label = mapping.from_canonical(span["label"])
            if label is not None:
                spans.append({**span, "label": label})
            elif report is not None:
                report.dropped[span["label"]] += 1
        yield Record(record.id, record.text, spans, record.negatives, record.meta)


def show_label(label: str) -> str:
    """Quote a label for a message if it is surely one.

    label (str): What was found in the place of a label.
    RETURNS (str): The label in quotes, or words that repeat nothing of it.
    """
    known = label in LABELS or any(label in scheme.reads for scheme in SCHEMES.values())
    return f"'{label}'" if known or _LABEL.match(label) else "that is not written like a label"


def _canonical(mapping: Any, label: str, record: Record, path: Union[str, Path]) -> Optional[str]:
    try:
        return mapping.to_canonical(label)
    except ValueError:
        reason = f"holds a label {show_label(label)}, which the scheme '{mapping.name}' does not know"
        raise RecordError(path, record.id, "label", reason) from None
