"""`pii scan`: what a pipeline finds in files, without replacing it."""

import json
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence

import typer
from spacy.language import Language
from spacy.tokens import Doc, Span

from ..detection import describe_sources, get_replacers
from ..spans import PII, get_provenance
from ._inputs import Field, Source, open_sources
from ._pipeline import (
    DEFAULT_MODEL,
    DONE,
    FAILED,
    Places,
    annotate_items,
    load_pipeline,
)
from ._util import PROBLEMS, Arg, Opt, app, clear_errors, print_counts, progress


@app.command("scan")
def scan_cli(
    input_path: str = Arg(
        ..., metavar="IN", help=".txt, .jsonl or .csv file, folder of .txt files, or - for standard input"
    ),
    model: str = Opt(DEFAULT_MODEL, "--model", "-m", help="Pipeline to use: name of its package or path"),
    as_json: bool = Opt(False, "--json", "-j", help="Print a JSON object a record rather than a line a span"),
    show: bool = Opt(False, "--show", "-S", help="Print the PII itself too"),
    form: Optional[str] = Opt(
        None,
        "--format",
        "-f",
        help="Format of the input: txt, jsonl or csv. By default the end of its name tells; txt for standard input",
    ),
    text_key: Optional[str] = Opt(
        None,
        "--text-key",
        "-k",
        help="Key of the text or the messages in .jsonl records. By default text, messages and transcript",
    ),
    columns: Optional[str] = Opt(
        None, "--columns", "-c", help="Columns of a .csv file that hold text, separated by commas"
    ),
    roster: Optional[Path] = Opt(
        None, "--roster", help="CSV file of people to find: name, or given and family; email, id, username"
    ),
    allow: Optional[Path] = Opt(None, "--allow", help="File of words and phrases that are never PII, one a line"),
    batch_size: Optional[int] = Opt(None, "--batch-size", "-b", min=1, help="Texts to process at a time"),
    n_process: int = Opt(1, "--n-process", "-n", min=1, help="Processes to use"),
) -> None:
    """List the PII in files: record, label, offsets, score and source of each span, and the counts by label.

    Offsets count characters of the field, in transcripts of the message. The exit code is 1 if a record could not be
    read or processed, 2 if nothing was done.
    """
    labels: Counter = Counter()
    problems: List[str] = []
    records = 0
    with clear_errors():
        chosen = [name.strip() for name in columns.split(",")] if columns else []
        sources = open_sources(input_path, form=form, text_key=text_key, columns=chosen)
        nlp = load_pipeline(model, roster=roster, allow=allow)
        for record in scan(
            nlp, sources, show=show, batch_size=batch_size, n_process=n_process, on_problem=problems.append
        ):
            records += 1
            labels.update(span["label"] for span in record["spans"])
            for line in [json.dumps(record, ensure_ascii=False)] if as_json else _to_lines(record):
                typer.echo(line)
    if labels and not as_json:
        print_counts(labels, header="label")
    for problem in problems:
        typer.echo(f"{FAILED} {problem}", err=True)
    counts = f"{records + len(problems)} records, {labels.total()} spans found, {len(problems)} set aside"
    typer.echo(f"{FAILED if problems else DONE} {counts}.", err=True)
    raise typer.Exit(PROBLEMS if problems else 0)


def scan(
    nlp: Language,
    sources: Sequence[Source],
    *,
    show: bool = False,
    batch_size: Optional[int] = None,
    n_process: int = 1,
    on_problem: Callable[[str], None],
) -> Iterator[Dict[str, Any]]:
    """Find the PII in files.

    nlp (Language): A pipeline that writes `doc.spans["pii"]`. Its error handler is set.
    sources (Sequence[Source]): The files.
    show (bool): Whether the spans carry the PII itself.
    batch_size (Optional[int]): Texts to buffer; None for the pipeline's own number.
    n_process (int): Processes to use.
    on_problem (Callable[[str], None]): Takes a sentence about each record that cannot be scanned.
    YIELDS (Dict[str, Any]): A record: id, file, record (its number) and spans: field, label, start, end, score and
        source, of transcripts also message (its number) and part (speaker or text), with `show` also text.
    RAISES (InputError): If a file is not what it should be.
    """
    annotated = annotate_items(
        nlp,
        progress(chain.from_iterable(source.items() for source in sources), "records"),
        find_lack=_find_lack,
        disable=get_replacers(nlp),
        batch_size=batch_size,
        n_process=n_process,
    )
    for item, outcomes in annotated:
        problem = item.error
        spans: List[Dict[str, Any]] = []
        for text, outcome in zip(item.fields, outcomes):
            if outcome.doc is None:
                problem = item.sentence(outcome.failure, text.name)
                break
            spans.extend(_read_spans(text, outcome.doc, show))
        if problem:
            on_problem(problem)
        else:
            yield {"id": item.id, "file": item.source.name, "record": item.number, "spans": spans}


def _find_lack(doc: Doc) -> str:
    return "" if PII in doc.spans else f"has no span group '{PII}' after the pipeline, which a pii_merger writes"


def _read_spans(text: Field, doc: Doc, show: bool) -> Iterator[Dict[str, Any]]:
    group = doc.spans[PII]
    places = None if isinstance(text.content, str) else Places(doc)
    for span in sorted(group, key=_start):
        note = get_provenance(group, span)
        entry: Dict[str, Any] = {"field": text.name}
        offset = 0
        if places is not None:
            place = places.find(span.start_char)
            offset = place.start
            entry.update(message=place.message, part=place.part)
        entry.update(label=span.label_, start=span.start_char - offset, end=span.end_char - offset)
        entry.update(score=note.get("score", 1.0), source=describe_sources(note))
        if show:
            entry["text"] = span.text
        yield entry


def _to_lines(record: Dict[str, Any]) -> Iterator[str]:
    for span in record["spans"]:
        place = span["field"]
        if "message" in span:
            place = f"{place}[{span['message']}].{span['part']}"
        cells = [record["file"], record["record"], place, span["label"], f"{span['start']}-{span['end']}"]
        cells += [f"{span['score']:.2f}", span["source"]]
        if "text" in span:
            # Quoted, so that a line break in it stays on the line.
            cells.append(json.dumps(span["text"], ensure_ascii=False))
        yield "\t".join(map(str, cells))


def _start(span: Span) -> int:
    return span.start_char
