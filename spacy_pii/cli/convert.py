"""`pii convert`: from one corpus format to another."""

from pathlib import Path
from typing import TYPE_CHECKING, Optional

import typer

from ._util import Arg, Opt, app, clear_errors, print_report, progress, write_rejected

if TYPE_CHECKING:
    from ..corpora.record import Report


@app.command("convert")
def convert_cli(
    # fmt: off
    input_path: Path = Arg(..., help="File or folder to read"),
    output_path: Path = Arg(..., help="File to write, or folder for formats with a file a document"),
    format: Optional[str] = Opt(
        None,
        "--format",
        "-f",
        help="docbin, span-jsonl, transcripts, kaggle, predictions, inline or brat; by default as the name ends",
    ),
    to: Optional[str] = Opt(None, "--to", "-t", help="Format of the output, one of the same"),
    scheme: Optional[str] = Opt(
        None,
        "--scheme",
        "-s",
        help="canonical, crapii, mathed, presidio, azure, hipaa or meddocan; by default the format's",
    ),
    to_scheme: Optional[str] = Opt(
        None, "--to-scheme", "-S", help="Label scheme of the output. By default the format's"
    ),
    lang: str = Opt("en", "--lang", "-l", help="Language whose tokenizer is used"),
    reference: Optional[Path] = Opt(
        None, "--reference", "-r", help="For predictions: the JSON that was predicted on, with its tokens"
    ),
    rejected: Optional[Path] = Opt(
        None, "--rejected", help="File to which records that cannot be used are written, with their text"
    ),
    # fmt: on
) -> None:
    """Convert a corpus from one format to another.

    Records that cannot be used are set aside and counted; the exit code is then 1. It is 2 if nothing was done.
    """
    from ..corpora.record import Report

    report = Report(keep=rejected is not None)
    with clear_errors():
        count = convert(
            input_path,
            output_path,
            format=format,
            to=to,
            scheme=scheme,
            to_scheme=to_scheme,
            lang=lang,
            reference=reference,
            report=report,
        )
        if rejected is not None and report.rejected:
            write_rejected(report, rejected)
    code = print_report(report)
    typer.echo(f"\u2714 {count} documents: {output_path}")
    raise typer.Exit(code)


def convert(
    input_path: Path,
    output_path: Path,
    *,
    format: Optional[str] = None,
    to: Optional[str] = None,
    scheme: Optional[str] = None,
    to_scheme: Optional[str] = None,
    lang: str = "en",
    reference: Optional[Path] = None,
    report: Optional["Report"] = None,
) -> int:
    """Convert a corpus from one format to another.

    input_path (Path): File or folder to read.
    output_path (Path): File or folder to write.
    format (Optional[str]): Format of the input. By default the end of its name tells.
    to (Optional[str]): Format of the output. By default the end of its name tells.
    scheme (Optional[str]): Label scheme of the input, by default the format's.
    to_scheme (Optional[str]): Label scheme of the output, by default the format's.
    lang (str): Language whose tokenizer is used.
    reference (Optional[Path]): For predictions: the JSON that was predicted on, with its tokens.
    report (Optional[Report]): Takes records that cannot be used and counts. Without one the first of them raises.
    RETURNS (int): Number of documents written.
    RAISES (ValueError): If a format or scheme is unknown, or a record broken and the report missing.
    """
    from ..corpora.docbin import make_tokenizer
    from ..corpora.formats import get_format, guess_format, read_records, write_records
    from ..corpora.record import Report

    report = Report(strict=True) if report is None else report
    source = get_format(format) if format else guess_format(input_path)
    target = get_format(to) if to else guess_format(output_path)
    nlp = make_tokenizer(lang) if target.tokenizes else None
    records = read_records(input_path, source.name, scheme=scheme, reference=reference, report=report)
    write_records(
        progress(records, "convert"),
        output_path,
        target.name,
        scheme=to_scheme,
        nlp=nlp,
        reference=reference,
        report=report,
    )
    return report.records
