"""Transcripts as JSON: a list of messages with the spans of each, also in the spelling of MathEd-PII."""

from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple

import srsly

from ..files import replace_file
from ..spans import TURNS
from ..transcripts import TEXT_KEYS, render_messages, turn_attrs
from .reading import (
    Raw,
    check_object,
    check_record,
    check_spans,
    check_text,
    first_key,
    read_objects,
)
from .record import Record, RecordError, Report

MESSAGES = "messages"
_MESSAGE_KEYS = (MESSAGES, "transcript", "turns", "conversation", "dialogue")
_SPAN_KEYS = ("spans", "annotations", "entities", "pii")
_SPEAKER_SPANS = "speaker_spans"
_ID_KEYS = ("id", "transcript_id", "conversation_id", "session_id")


def read(path: Path, *, report: Optional[Report] = None) -> Iterator[Record]:
    """Read transcripts. Offsets of a span are those of its message.

    path (Path): A .jsonl file with a transcript a line, a .json file with one or a list of them, either of them
        gzipped, or a folder of such files.
    report (Optional[Report]): Takes records that cannot be used. Without one the first of them raises.
    YIELDS (Record): The records: the messages as one text (`spacy_pii.transcripts`), the turns and the messages'
        other keys in `meta`.
    RAISES (RecordError): If a record is broken and the report strict or missing.
    """
    report = Report(strict=True) if report is None else report
    for raw in _transcripts(read_objects(path, report)):
        try:
            record = _read_object(raw)
        except RecordError as error:
            report.reject(error, raw.value)
            continue
        yield record


def write(records: Iterable[Record], path: Path, *, report: Optional[Report] = None) -> None:
    """Write transcripts: a line each, or a list where the path ends in .json.

    records (Iterable[Record]): Records that were read from transcripts or from documents made of messages.
    path (Path): The file.
    report (Optional[Report]): Takes records that are no transcripts; counts spans that cross messages.
    """
    report = Report(strict=True) if report is None else report
    rows = []
    for number, record in enumerate(records, start=1):
        if TURNS not in record.meta:
            report.reject(RecordError(path, number, "turns", "is missing: it is no transcript"), record.to_dict())
            report.records -= 1
            continue
        rows.append(_to_object(record, report))
    with replace_file(path) as temporary:
        if path.suffix == ".json":
            srsly.write_json(temporary, rows)
        else:
            with temporary.open("w", encoding="utf8", newline="\n") as file:
                file.writelines(f"{srsly.json_dumps(row)}\n" for row in rows)


def _transcripts(objects: Iterator[Raw]) -> Iterator[Raw]:
    """Gather messages that stand in a list of their own, without an object around them."""
    loose: List[Any] = []
    first: Optional[Raw] = None
    for raw in objects:
        value = raw.value
        if isinstance(value, dict) and first_key(value, _MESSAGE_KEYS) is None and first_key(value, TEXT_KEYS):
            if first is not None and first.path != raw.path:
                yield Raw(first.path, first.number, {MESSAGES: loose})
                loose, first = [], None
            first = first or raw
            loose.append(value)
            continue
        yield raw if not isinstance(value, list) else Raw(raw.path, raw.number, {MESSAGES: value})
    if first is not None:
        yield Raw(first.path, first.number, {MESSAGES: loose})


def _read_object(raw: Raw) -> Record:
    value = check_object(raw)
    key = first_key(value, _MESSAGE_KEYS)
    if key is None:
        raise RecordError(raw.path, raw.number, MESSAGES, "is missing")
    messages = value[key]
    if not isinstance(messages, list):
        raise RecordError(raw.path, raw.number, key, "is not a list")
    spans, others, texts = [], [], []
    for number, message in enumerate(messages):
        name = f"{key}[{number}]"
        if not isinstance(message, dict):
            raise RecordError(raw.path, raw.number, name, "is not an object")
        text_key = first_key(message, TEXT_KEYS) or TEXT_KEYS[0]
        text = check_text(raw, message.get(text_key), f"{name}.{text_key}")
        span_key = first_key(message, _SPAN_KEYS) or _SPAN_KEYS[0]
        spans.append(check_spans(raw, text, message.get(span_key), f"{name}.{span_key}"))
        texts.append({name: item for name, item in message.items() if name != span_key})
        others.append(
            {name: item for name, item in message.items() if name not in (text_key, span_key, _SPEAKER_SPANS)}
        )
    text, turns = render_messages(texts)
    gold: List[Dict[str, Any]] = []
    for number, (turn, found) in enumerate(zip(turns, spans)):
        gold += (_shift(span, turn.start) for span in found)
        labelled = texts[number].get(_SPEAKER_SPANS)
        name = f"{key}[{number}].{_SPEAKER_SPANS}"
        gold += (_shift(span, turn.speaker_start) for span in check_spans(raw, turn.speaker or "", labelled, name))
    rest = {name: item for name, item in value.items() if name != key and name not in _ID_KEYS[:1]}
    id_key = first_key(value, _ID_KEYS)
    meta = {**rest, TURNS: turn_attrs(turns), MESSAGES: others}
    return check_record(raw, text, gold, record_id=value[id_key] if id_key else None, meta=meta)


def _to_object(record: Record, report: Report) -> Dict[str, Any]:
    turns = record.meta[TURNS]
    places: List[Tuple[int, int, int, str]] = []
    messages: List[Dict[str, Any]] = []
    others = record.meta.get(MESSAGES) or [{}] * len(turns["offsets"])
    for number, ((start, end), speaker) in enumerate(zip(turns["offsets"], turns["speaker_offsets"])):
        message = {"text": record.text[start:end], "spans": [], **others[number]}
        if speaker is not None:
            if not others[number]:
                message["speaker"] = record.text[speaker[0] : speaker[1]]
            places.append((speaker[0], speaker[1], number, _SPEAKER_SPANS))
        places.append((start, end, number, "spans"))
        messages.append(message)
    position = 0
    for span in sorted(record.spans, key=_start):
        while position < len(places) and places[position][1] <= span["start"]:
            position += 1
        if position == len(places) or not places[position][0] <= span["start"] < span["end"] <= places[position][1]:
            report.notes["spans were left out, since they do not lie in one message"] += 1
            continue
        start, _, number, key = places[position]
        messages[number].setdefault(key, []).append(_shift(span, -start))
    rest = {key: value for key, value in record.meta.items() if key not in (TURNS, MESSAGES)}
    return {"id": record.id, **rest, MESSAGES: messages}


def _shift(span: Mapping[str, Any], distance: int) -> Dict[str, Any]:
    return {**span, "start": span["start"] + distance, "end": span["end"] + distance}


def _start(span: Mapping[str, Any]) -> Tuple[int, int]:
    return span["start"], span["end"]
