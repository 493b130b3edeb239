"""CRAPII and the Kaggle competition on it: JSON with tokens and BIO labels, and the competition's prediction CSV."""

import csv
from collections import defaultdict
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

import srsly
from spacy.language import Language

from ..files import replace_file
from ..spans import Found, expand_span, resolve_overlaps
from .docbin import make_tokenizer
from .reading import (
    Raw,
    check_object,
    check_record,
    check_text,
    decode,
    find_files,
    read_bytes,
    read_objects,
)
from .record import Record, RecordError, Report

OUTSIDE = "O"
COLUMNS = ("row_id", "document", "token", "label")


def read(path: Path, *, report: Optional[Report] = None) -> Iterator[Record]:
    """Read the data set's JSON.

    path (Path): A .json file with the list, or a .jsonl file, either of them gzipped, or a folder of such files.
    report (Optional[Report]): Takes records that cannot be used. Without one the first of them raises.
    YIELDS (Record): The records with the scheme's labels; without spans where there are no labels (the test set).
    RAISES (RecordError): If a record is broken and the report strict or missing.
    """
    report = Report(strict=True) if report is None else report
    for raw in read_objects(path, report):
        try:
            record = _read_object(raw)
        except RecordError as error:
            report.reject(error, raw.value)
            continue
        yield record


def write(
    records: Iterable[Record], path: Path, *, nlp: Optional[Language] = None, report: Optional[Report] = None
) -> None:
    """Write the data set's JSON.

    records (Iterable[Record]): Records with the labels of the scheme.
    path (Path): The file.
    nlp (Optional[Language]): Its tokenizer is used, by default that of English.
    report (Optional[Report]): Counts gold that does not fall on token boundaries, and overlaps, which BIO cannot hold.
    """
    nlp = make_tokenizer("en") if nlp is None else nlp
    rows = []
    for record in records:
        doc = nlp.make_doc(record.text)
        found = []
        for span in record.spans:
            tokens = expand_span(doc, span["start"], span["end"])
            if tokens is None:
                _count(report, "lost", record.id)
                continue
            if (tokens.start_char, tokens.end_char) != (span["start"], span["end"]):
                _count(report, "expanded", record.id)
            found.append(Found(tokens.start, tokens.end, span["label"], 1.0))
        rows.append(
            {
                "document": _document(record.id),
                "full_text": record.text,
                "tokens": [token.text for token in doc],
                "trailing_whitespace": [bool(token.whitespace_) for token in doc],
                "labels": _to_bio(found, len(doc), report),
            }
        )
    with replace_file(path) as temporary:
        srsly.write_json(temporary, rows)


def read_predictions(path: Path, *, reference: Path, report: Optional[Report] = None) -> Iterator[Record]:
    """Read a prediction CSV: row_id, document, token, label.

    path (Path): The file.
    reference (Path): The JSON that was predicted on, which has the texts and tokens.
    report (Optional[Report]): Takes rows and records that cannot be used. Without one the first of them raises.
    YIELDS (Record): The documents of the reference with the predicted spans.
    RAISES (RecordError): If a row is broken and the report strict or missing.
    """
    report = Report(strict=True) if report is None else report
    predicted = _read_rows(path, report)
    for raw in read_objects(reference, report):
        try:
            value = dict(check_object(raw))
            tokens = _tokens(raw, value)
            labels = [OUTSIDE] * len(tokens)
            for number, token, label in predicted.pop(str(value.get("document")), ()):
                if token >= len(labels):
                    error = RecordError(path, number, "token", f"is not one of the document's {len(labels)} tokens")
                    report.reject(error, {"token": token})
                    continue
                labels[token] = label
            record = _read_object(Raw(raw.path, raw.number, {**value, "labels": labels}))
        except RecordError as error:
            report.reject(error, raw.value)
            continue
        yield record
    for document, rows in predicted.items():
        report.reject(RecordError(path, rows[0][0], "document", f"is not in the reference {reference}"), document)


def write_predictions(
    records: Iterable[Record],
    path: Path,
    *,
    nlp: Optional[Language] = None,
    reference: Optional[Path] = None,
    report: Optional[Report] = None,
) -> None:
    """Write a prediction CSV.

    records (Iterable[Record]): Records with the labels of the scheme.
    path (Path): The file.
    nlp (Optional[Language]): Its tokenizer numbers the tokens where there is no reference, by default that of English.
    reference (Optional[Path]): The JSON that was predicted on, whose tokens are numbered. A document is found in it by
        its id and must have the same text.
    report (Optional[Report]): Counts what does not fall on token boundaries; takes records that the reference lacks.
    """
    report = Report(strict=True) if report is None else report
    nlp = make_tokenizer("en") if nlp is None else nlp
    tokens = {} if reference is None else _read_tokens(reference)
    number = 0
    with replace_file(path) as temporary, temporary.open("w", encoding="utf8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(COLUMNS)
        for record in records:
            document = record.id
            if reference is None:
                ends = [(token.idx, token.idx + len(token)) for token in nlp.make_doc(record.text)]
            elif document in tokens:
                ends = tokens[document]
            else:
                error = RecordError(reference, record.id, "document", "has no entry of this id")
                report.reject(error, record.to_dict())
                report.records -= 1
                continue
            for token, label in _label_tokens(record, ends, report):
                rows.writerow((number, document, token, label))
                number += 1


def _read_object(raw: Raw) -> Record:
    value = check_object(raw)
    if value.get("document") is None:
        raise RecordError(raw.path, raw.number, "document", "is missing")
    tokens = _tokens(raw, value)
    text = "".join(text + " " * space for text, space in tokens)
    full_text = check_text(raw, value.get("full_text", text), "full_text")
    if text != full_text:
        raise RecordError(raw.path, raw.number, "tokens", "do not make up the full text")
    labels = value.get("labels")
    spans = [] if labels is None else _from_bio(raw, tokens, labels)
    return check_record(raw, full_text, spans, record_id=value["document"], text_field="full_text")


def _document(record_id: str) -> Union[int, str]:
    """The data set numbers its documents."""
    return int(record_id) if record_id.isdecimal() and str(int(record_id)) == record_id else record_id


def _tokens(raw: Raw, value: Dict[str, Any]) -> List[Tuple[str, bool]]:
    tokens, spaces = value.get("tokens"), value.get("trailing_whitespace")
    for name, items, kind in (("tokens", tokens, str), ("trailing_whitespace", spaces, bool)):
        if items is None:
            raise RecordError(raw.path, raw.number, name, "is missing")
        if not isinstance(items, list) or not all(isinstance(item, kind) for item in items):
            raise RecordError(raw.path, raw.number, name, f"is not a list of {kind.__name__} values")
    if len(tokens) != len(spaces):
        raise RecordError(raw.path, raw.number, "trailing_whitespace", "is not as long as the tokens")
    return list(zip(tokens, spaces))


def _offsets(tokens: Iterable[Tuple[str, bool]]) -> List[Tuple[int, int]]:
    offsets, position = [], 0
    for text, space in tokens:
        offsets.append((position, position + len(text)))
        position += len(text) + space
    return offsets


def _from_bio(raw: Raw, tokens: Sequence[Tuple[str, bool]], labels: Any) -> List[Dict[str, Any]]:
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise RecordError(raw.path, raw.number, "labels", "is not a list of strings")
    if len(labels) != len(tokens):
        raise RecordError(raw.path, raw.number, "labels", "is not as long as the tokens")
    spans: List[Dict[str, Any]] = []
    previous = OUTSIDE
    for number, (label, (start, end)) in enumerate(zip(labels, _offsets(tokens))):
        prefix, _, name = label.partition("-")
        if label != OUTSIDE and (prefix not in ("B", "I") or not name):
            raise RecordError(raw.path, raw.number, f"labels[{number}]", "is neither O nor B- or I- with a label")
        # An I- that follows nothing of its label begins a span, as the competition's data has it here and there.
        if prefix == "I" and previous == name:
            spans[-1]["end"] = end
        elif label != OUTSIDE:
            spans.append({"start": start, "end": end, "label": name})
        previous = name if label != OUTSIDE else OUTSIDE
    return spans


def _to_bio(found: List[Found], length: int, report: Optional[Report]) -> List[str]:
    labels = [OUTSIDE] * length
    chosen = resolve_overlaps(found)
    if report is not None and len(chosen) < len(found):
        report.notes["overlapping spans were left out, since BIO labels cannot hold them"] += len(found) - len(chosen)
    for item in chosen:
        labels[item.start] = f"B-{item.label}"
        labels[item.start + 1 : item.end] = [f"I-{item.label}"] * (item.end - item.start - 1)
    return labels


def _label_tokens(record: Record, offsets: Sequence[Tuple[int, int]], report: Report) -> Iterator[Tuple[int, str]]:
    found = []
    starts = {start: number for number, (start, _) in enumerate(offsets)}
    ends = {end: number + 1 for number, (_, end) in enumerate(offsets)}
    for span in record.spans:
        first, last = starts.get(span["start"]), ends.get(span["end"])
        if first is None or last is None:
            _count(report, "expanded", record.id)
            inside = [n for n, (start, end) in enumerate(offsets) if start < span["end"] and end > span["start"]]
            if not inside:
                _count(report, "lost", record.id)
                continue
            first, last = inside[0], inside[-1] + 1
        found.append(Found(first, last, span["label"], 1.0))
    labels = _to_bio(found, len(offsets), report)
    return ((number, label) for number, label in enumerate(labels) if label != OUTSIDE)


def _read_tokens(path: Path) -> Dict[str, List[Tuple[int, int]]]:
    tokens = {}
    for raw in read_objects(path, Report(strict=True)):
        value = check_object(raw)
        tokens[str(value.get("document"))] = _offsets(_tokens(raw, value))
    return tokens


def _read_rows(path: Path, report: Report) -> Dict[str, List[Tuple[int, int, str]]]:
    predicted: Dict[str, List[Tuple[int, int, str]]] = defaultdict(list)
    for file in find_files(path, (".csv",)):
        lines = csv.DictReader(decode(read_bytes(file), file, 1).splitlines())
        for name in COLUMNS[1:]:
            if name not in (lines.fieldnames or ()):
                raise RecordError(file, 1, name, "is not a column of the file")
        for row in lines:
            document, token, label = (row[name] or "" for name in COLUMNS[1:])
            if not token.isdecimal():
                report.reject(RecordError(file, lines.line_num, "token", "is not a whole number"), row)
                continue
            predicted[document].append((lines.line_num, int(token), label))
    return predicted


def _count(report: Optional[Report], counter: str, document: str) -> None:
    if report is not None:
        getattr(report, counter)[document] += 1
