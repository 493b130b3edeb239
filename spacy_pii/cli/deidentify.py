"""`pii deidentify`: files in, the same files with surrogates in the place of PII out."""

import json
import sys
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Callable, Dict, Iterator, List, Optional, Sequence

import typer
from spacy.language import Language
from spacy.tokens import Doc

from ..files import replace_file
from ..transcripts import split_messages
from ._inputs import (
    STANDARD,
    Content,
    Field,
    InputError,
    Item,
    Source,
    TextSource,
    open_sources,
)
from ._pipeline import (
    DEFAULT_MODEL,
    DONE,
    FAILED,
    Places,
    annotate_items,
    load_pipeline,
)
from ._util import PROBLEMS, Arg, Opt, app, clear_errors, progress

_OFFSETS = ("start", "end", "new_start", "new_end")


@dataclass
class Summary:
    """What became of the records.

    written (int): Records that were written.
    set_aside (int): Records that were not.
    labels (Counter): Replaced spans by label.
    """

    written: int = 0
    set_aside: int = 0
    labels: Counter = field(default_factory=Counter)

    def sentence(self) -> str:
        """RETURNS (str): The counts in a line."""
        labels = ", ".join(f"{label} {count}" for label, count in self.labels.most_common())
        spans = f"{self.labels.total()} spans replaced" + (f" ({labels})" if labels else "")
        return f"{self.written + self.set_aside} records, {spans}, {self.set_aside} set aside"


@app.command("deidentify")
def deidentify_cli(
    input_path: str = Arg(
        ..., metavar="IN", help=".txt, .jsonl or .csv file, folder of .txt files, or - for standard input"
    ),
    output_path: str = Opt(STANDARD, "--output", "-o", help="File or folder to write, or - for standard output"),
    model: str = Opt(DEFAULT_MODEL, "--model", "-m", help="Pipeline to use: name of its package or path"),
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
        None,
        "--columns",
        "-c",
        help="Columns of a .csv file that hold text, separated by commas. The others are not touched",
    ),
    map_path: Optional[Path] = Opt(
        None,
        "--map",
        help="File for the replacements of each record: labels, offsets and surrogates, without the original text",
    ),
    roster: Optional[Path] = Opt(
        None, "--roster", help="CSV file of people to find: name, or given and family; email, id, username"
    ),
    allow: Optional[Path] = Opt(None, "--allow", help="File of words and phrases that are never PII, one a line"),
    batch_size: Optional[int] = Opt(None, "--batch-size", "-b", min=1, help="Texts to process at a time"),
    n_process: int = Opt(1, "--n-process", "-n", min=1, help="Processes to use"),
) -> None:
    """Replace PII in files by realistic surrogates.

    A record that cannot be read, or that the pipeline fails on, is left out of the output and counted; the exit code
    is then 1. It is 2 if nothing was done. Keys, columns and file names that hold no chosen text stay as they are.
    """
    with clear_errors():
        chosen = [name.strip() for name in columns.split(",")] if columns else []
        sources = open_sources(input_path, form=form, text_key=text_key, columns=chosen)
        check_output(input_path, output_path, sources, map_path)
        nlp = load_pipeline(model, roster=roster, allow=allow)
        summary = deidentify(
            nlp,
            sources,
            output_path,
            is_folder=Path(input_path).is_dir(),
            map_path=map_path,
            batch_size=batch_size,
            n_process=n_process,
            on_problem=_print_problem,
        )
    typer.echo(f"{FAILED if summary.set_aside else DONE} {summary.sentence()}.", err=True)
    raise typer.Exit(PROBLEMS if summary.set_aside else 0)


def check_output(input_path: str, output_path: str, sources: Sequence[Source], map_path: Optional[Path]) -> None:
    """Check that the output cannot harm the input, before anything is loaded.

    input_path (str): What is read.
    output_path (str): What is to be written.
    sources (Sequence[Source]): The files that are read.
    map_path (Optional[Path]): File for the replacements.
    RAISES (InputError): If they are the same, or one is a folder and the other is not.
    """
    is_folder = Path(input_path).is_dir()
    output = Path(output_path)
    read = {source.path.resolve() for source in sources if source.path is not None}
    written = [output / source.name for source in sources] if is_folder else [output]
    if output_path == STANDARD:
        written = []
        if is_folder:
            raise InputError("A folder is written to a folder: name it with --output.")
    elif is_folder and (
        output.is_file() or Path(input_path).resolve() in (output.resolve(), *output.resolve().parents)
    ):
        raise InputError(f"The output {output_path} has to be a folder outside of the input {input_path}.")
    elif not is_folder and output.is_dir():
        raise InputError(f"The output {output_path} is a folder, but the input is not.")
    if not read.isdisjoint(path.resolve() for path in written):
        raise InputError(f"The output {output_path} would overwrite the input.")
    if map_path is not None and map_path.resolve() in read.union(path.resolve() for path in written):
        raise InputError(f"The file for the replacements, {map_path}, is that of the input or the output.")


def deidentify(
    nlp: Language,
    sources: Sequence[Source],
    output_path: str,
    *,
    is_folder: bool = False,
    map_path: Optional[Path] = None,
    batch_size: Optional[int] = None,
    n_process: int = 1,
    on_problem: Callable[[str], None],
) -> Summary:
    """De-identify files. What fails is left out, never passed through.

    nlp (Language): A pipeline with a component that writes `doc._.deidentified`. Its error handler is set.
    sources (Sequence[Source]): The files.
    output_path (str): File or folder to write, - for the standard output.
    is_folder (bool): Whether the output is a folder, with a file a source.
    map_path (Optional[Path]): File for the replacements, readable by its owner only.
    batch_size (Optional[int]): Texts to buffer; None for the pipeline's own number.
    n_process (int): Processes to use.
    on_problem (Callable[[str], None]): Takes a sentence about each record that is left out.
    RETURNS (Summary): What became of the records.
    RAISES (InputError): If the pipeline does not replace anything, or a file is not what it should be.
    RAISES (OSError): If a file cannot be read or written. No half output is left behind.
    """
    if not any("doc._.deidentified" in nlp.get_pipe_meta(name).assigns for name in nlp.pipe_names):
        raise InputError("The pipeline has no component that replaces PII, such as hips_replacer.")
    summary = Summary()
    items = chain.from_iterable(source.items() for source in sources)
    annotated = annotate_items(
        nlp, progress(items, "records"), find_lack=_find_lack, batch_size=batch_size, n_process=n_process
    )
    with ExitStack() as stack:
        output = stack.enter_context(_Output(output_path, is_folder=is_folder, sources=sources))
        replacements = None if map_path is None else _enter_file(stack, map_path, private=True)
        for item, outcomes in annotated:
            problem = item.error
            contents: List[Content] = []
            for text, outcome in zip(item.fields, outcomes):
                if outcome.doc is None:
                    problem = item.sentence(outcome.failure, text.name)
                    break
                contents.append(_result(text, outcome.doc))
            if problem:
                summary.set_aside += 1
                on_problem(problem)
                continue
            output.write(item, contents)
            docs = [outcome.doc for outcome in outcomes if outcome.doc is not None]
            for doc in docs:
                summary.labels.update(replacement["label"] for replacement in doc._.replacements)
            if replacements is not None:
                line = json.dumps(_map_line(item, docs), ensure_ascii=False)
                replacements.write(f"{line}\n".encode("utf8"))
            summary.written += 1
    return summary


class _Output:
    """Writes records: a text to a file of its own, others one after the other. Nothing is in place before the end."""

    def __init__(self, path: str, *, is_folder: bool, sources: Sequence[Source]) -> None:
        self._path = path
        self._is_folder = is_folder
        self._source = sources[0]
        self._stack = ExitStack()
        self._file: Optional[BinaryIO] = None
        self._has_begun = False

    def __enter__(self) -> "_Output":
        if self._path == STANDARD:
            self._file = sys.stdout.buffer
        elif not isinstance(self._source, TextSource):
            self._file = _enter_file(self._stack, Path(self._path))
        return self

    def __exit__(self, *error: Any) -> Optional[bool]:
        if error[0] is None and self._file is not None:
            self._begin(self._file)
            self._file.flush()
        return self._stack.__exit__(*error)

    def write(self, item: Item, contents: Sequence[Content]) -> None:
        rendered = item.source.render(item, contents)
        if self._file is not None:
            self._begin(self._file)
            self._file.write(rendered.encode("utf8"))
            return
        path = Path(self._path) / item.source.name if self._is_folder else Path(self._path)
        with ExitStack() as stack:
            _enter_file(stack, path).write((item.source.prologue + rendered).encode("utf8"))

    def _begin(self, file: BinaryIO) -> None:
        if not self._has_begun:
            self._has_begun = True
            file.write(self._source.prologue.encode("utf8"))


def _enter_file(stack: ExitStack, path: Path, *, private: bool = False) -> BinaryIO:
    try:
        temporary = stack.enter_context(replace_file(path, private=private))
        return stack.enter_context(temporary.open("wb"))
    except OSError as error:
        # The error itself names the temporary file.
        raise InputError(f"{path} cannot be written: {error.strerror}.") from None


def _find_lack(doc: Doc) -> str:
    is_done = isinstance(doc._.deidentified, str) and doc._.replacements is not None
    return "" if is_done else "has no de-identified text after the pipeline"


def _result(text: Field, doc: Doc) -> Content:
    if isinstance(text.content, str):
        return doc._.deidentified
    return split_messages(doc, doc._.deidentified, messages=text.content)


def _map_line(item: Item, docs: Sequence[Doc]) -> Dict[str, Any]:
    replacements: List[Dict[str, Any]] = []
    for text, doc in zip(item.fields, docs):
        entries = _plain_entries(doc) if isinstance(text.content, str) else _message_entries(doc)
        replacements.extend({"field": text.name, **entry} for entry in entries)
    return {"id": item.id, "file": item.source.name, "record": item.number, "replacements": replacements}


def _plain_entries(doc: Doc) -> Iterator[Dict[str, Any]]:
    for entry in doc._.replacements:
        yield {key: entry[key] for key in ("label", *_OFFSETS, "surrogate")}


def _message_entries(doc: Doc) -> Iterator[Dict[str, Any]]:
    """The replacements with offsets into their messages rather than into the text made of all of them."""
    places = Places(doc)
    moved = 0
    moved_before: Dict[int, int] = {}
    for entry in _plain_entries(doc):
        place = places.find(entry["start"])
        base = moved_before.setdefault(place.start, moved)
        new_base = place.start + base
        moved += (entry["new_end"] - entry["new_start"]) - (entry["end"] - entry["start"])
        yield {
            "message": place.message,
            "part": place.part,
            **entry,
            "start": entry["start"] - place.start,
            "end": entry["end"] - place.start,
            "new_start": entry["new_start"] - new_base,
            "new_end": entry["new_end"] - new_base,
        }


def _print_problem(sentence: str) -> None:
    typer.echo(f"{FAILED} {sentence}", err=True)
