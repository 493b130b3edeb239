"""From records to spaCy documents with their gold, and back."""

from typing import Any, Dict, List, Mapping, Optional

from spacy.language import Language
from spacy.tokens import Doc

from ..spans import (
    NEGATIVES,
    PII,
    TURNS,
    Found,
    expand_span,
    read_group,
    resolve_overlaps,
    write_group,
)
from ..transcripts import read_turns, write_turns
from .record import Record, Report

ID = "pii_id"
META = "pii_meta"
# Where gold does not fall on token boundaries its span group holds whole tokens and the provenance the offsets.
EXACT = "exact"


def record_to_doc(nlp: Language, record: Record, *, gold: bool = True, report: Optional[Report] = None) -> Doc:
    """Make a document from a record.

    nlp (Language): Its tokenizer is used.
    record (Record): A record with canonical labels.
    gold (bool): Whether the document gets the gold: `doc.spans["pii"]`, `doc.spans["negatives"]` and `doc.ents`, the
        last without overlaps.
    report (Optional[Report]): Counts gold that does not fall on token boundaries.
    RETURNS (Doc): The document. Turns of a transcript are in `doc.spans["turns"]`, id and meta in `doc.user_data`.
    """
    doc = nlp.make_doc(record.text)
    report = Report() if report is None else report
    meta = dict(record.meta)
    turns = meta.pop(TURNS, None)
    if turns is not None:
        write_turns(doc, turns, source="messages")
    doc.user_data[ID] = record.id
    doc.user_data[META] = meta
    if not gold:
        return doc
    found = _align(doc, record.spans, record, report)
    write_group(doc, PII, found)
    write_group(doc, NEGATIVES, _align(doc, record.negatives, record, report))
    group = doc.spans[PII]
    chosen = resolve_overlaps(found)
    taken = {(item.start, item.end, item.label) for item in chosen}
    ents = {(span.start, span.end, span.label_): span for span in group}
    doc.set_ents([span for key, span in ents.items() if key in taken])
    if len(chosen) < len(found):
        report.notes["overlapping spans are in doc.spans only, not in doc.ents"] += len(found) - len(chosen)
    return doc


def doc_to_record(doc: Doc, number: int) -> Record:
    """Make a record from a document.

    doc (Doc): The document. Where it has no `doc.spans["pii"]`, the gold is that of `doc.ents`.
    number (int): Number of the document, its id where it has none.
    RETURNS (Record): The record.
    """
    meta = dict(doc.user_data.get(META) or {})
    if TURNS in doc.spans and doc.spans[TURNS].attrs.get("source") == "messages":
        meta[TURNS] = read_turns(doc)
    if PII in doc.spans:
        spans = _read_spans(doc, PII)
    else:
        spans = [{"start": ent.start_char, "end": ent.end_char, "label": ent.label_} for ent in doc.ents]
    negatives = _read_spans(doc, NEGATIVES) if NEGATIVES in doc.spans else []
    return Record(str(doc.user_data.get(ID, f"document-{number}")), doc.text, spans, negatives, meta)


def _align(doc: Doc, spans: List[Dict[str, Any]], record: Record, report: Report) -> List[Found]:
    found = []
    for span in spans:
        start, end, label = span["start"], span["end"], span["label"]
        tokens = expand_span(doc, start, end, label)
        if tokens is None:
            report.lost[record.id] += 1
            continue
        note = _note(span)
        if (tokens.start_char, tokens.end_char) != (start, end):
            note[EXACT] = [start, end]
            report.expanded[record.id] += 1
        found.append(Found(tokens.start, tokens.end, label, 1.0, note))
    return found


def _note(span: Mapping[str, Any]) -> Dict[str, Any]:
    return {key: value for key, value in span.items() if key not in ("start", "end", "label", "score", EXACT)}


def _read_spans(doc: Doc, key: str) -> List[Dict[str, Any]]:
    spans = []
    for span, found in zip(doc.spans[key], read_group(doc, key)):
        note = dict(found.note)
        start, end = note.pop(EXACT, (span.start_char, span.end_char))
        spans.append({"start": start, "end": end, "label": found.label, **note})
    return spans
