"""`pii split`: split a user's own corpus by document."""

from pathlib import Path
from typing import TYPE_CHECKING, Dict, List

import typer

from ._util import Arg, Opt, app, clear_errors, print_report

if TYPE_CHECKING:
    from ..corpora.record import Report


@app.command("split")
def split_cli(
    # fmt: off
    input_path: Path = Arg(..., help="Corpus in any format that convert reads"),
    output_path: Path = Arg(..., help="Folder to write train.spacy, dev.spacy and test.spacy to"),
    lang: str = Opt("en", "--lang", "-l", help="Language whose tokenizer is used"),
    # fmt: on
) -> None:
    """Split a corpus by document: 80 % train, 10 % dev, 10 % test, by a hash of the document's name."""
    from ..corpora.record import Report

    report = Report()
    with clear_errors():
        counts = split(input_path, output_path, lang=lang, report=report)
    code = print_report(report)
    for name, count in counts.items():
        typer.echo(f"\u2714 {count} documents: {output_path / name}.spacy")
    raise typer.Exit(code)


def split(input_path: Path, output_path: Path, *, lang: str, report: "Report") -> Dict[str, int]:
    """Split a corpus by document.

    input_path (Path): Corpus in any format that convert reads.
    output_path (Path): Folder to write to.
    lang (str): Language whose tokenizer is used.
    report (Report): Takes records that cannot be used.
    RETURNS (Dict[str, int]): Number of documents by split.
    """
    from ..corpora.docbin import make_tokenizer
    from ..corpora.formats import guess_format, read_records, write_records
    from ..corpora.record import Record
    from ..corpora.splits import SPLITS, split_of

    parts: Dict[str, List[Record]] = {name: [] for name in SPLITS}
    for record in read_records(input_path, guess_format(input_path).name, report=report):
        parts[split_of("corpus-document", record.document)].append(record)
    nlp = make_tokenizer(lang)
    for name, records in parts.items():
        write_records(records, output_path / f"{name}.spacy", "docbin", nlp=nlp, report=report)
    return {name: len(records) for name, records in parts.items()}
