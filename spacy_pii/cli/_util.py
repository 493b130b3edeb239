"""What the verbs share: the typer group, messages, progress and exit codes."""

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    NoReturn,
    Optional,
    TypeVar,
)

import srsly
import typer
from wasabi import Printer

if TYPE_CHECKING:
    from ..corpora.record import Report

NAME = "pii"
HELP = """Find personally identifiable information in text and replace it by realistic surrogates."""

PROBLEMS = 1
"""Exit code: the work is done, but some of the input could not be used, or checks found problems."""
UNUSABLE = 2
"""Exit code: nothing was done, because of the arguments or because a file cannot be read or written."""

MAX_LINES = 20
"""How many sentences of one kind are printed before the rest is only counted."""

Arg = typer.Argument
Opt = typer.Option

app = typer.Typer(name=NAME, help=HELP, no_args_is_help=True, rich_markup_mode=None)

Item = TypeVar("Item")


def fail(message: str, *, code: int = UNUSABLE) -> NoReturn:
    """End the command with a sentence on stderr.

    message (str): The sentence.
    code (int): Exit code.
    RAISES (typer.Exit): Always.
    """
    typer.echo(f"\u2718 {message}", err=True)
    raise typer.Exit(code)


@contextmanager
def clear_errors() -> Iterator[None]:
    """Turn errors of the input and of files into one sentence on stderr and the exit code `UNUSABLE`."""
    try:
        yield
    except OSError as error:
        # Errors of the system carry their file apart from their text; those of the package are whole sentences.
        fail(f"{error.filename}: {error.strerror}." if error.strerror and error.filename else str(error))
    except ValueError as error:
        fail(str(error))


def progress(items: Iterable[Item], description: str, total: Optional[int] = None) -> Iterator[Item]:
    """Show how far the work is, on stderr and only if that is a terminal.

    items (Iterable[Item]): What is worked through.
    description (str): What stands before the bar.
    total (Optional[int]): Number of items, if it is known.
    YIELDS (Item): The items.
    """
    from tqdm import tqdm

    yield from tqdm(items, desc=description, total=total, file=sys.stderr, disable=None, leave=False)


def print_list(lines: List[str], *, err: bool = False) -> None:
    """Print lines, the first `MAX_LINES` of them.

    lines (List[str]): The lines.
    err (bool): Print to stderr.
    """
    for line in lines[:MAX_LINES]:
        typer.echo(f"  {line}", err=err)
    if len(lines) > MAX_LINES:
        typer.echo(f"  ... and {len(lines) - MAX_LINES} more", err=err)


def print_counts(counts: Mapping[str, int], *, header: str) -> None:
    """Print a table of counts, the largest first.

    counts (Mapping[str, int]): The counts.
    header (str): What is counted.
    """
    rows = sorted(counts.items(), key=_by_count)
    Printer().table(rows, header=(header, "count"), divider=True, aligns=("l", "r"))


def print_report(report: "Report") -> int:
    """Print what happened to records on their way, on stderr.

    report (Report): The report.
    RETURNS (int): The exit code that it calls for: 0, or `PROBLEMS` if records were set aside or gold was lost.
    """
    for counts, sentence in (
        (report.dropped, "spans have a label that the scheme leaves out"),
        (report.expanded, "spans do not fall on token boundaries and were expanded to whole tokens"),
        (report.lost, "spans hold nothing but white space and were left out"),
    ):
        if counts:
            typer.echo(f"\u26a0 {sum(counts.values())} {sentence}:", err=True)
            print_list([f"{name}: {count}" for name, count in sorted(counts.items(), key=_by_count)], err=True)
    for note, count in sorted(report.notes.items()):
        typer.echo(f"\u26a0 {count} {note}.", err=True)
    if report.rejected:
        typer.echo(f"\u2718 {len(report.rejected)} records were set aside:", err=True)
        print_list([rejected.error for rejected in report.rejected], err=True)
    return PROBLEMS if report.rejected or report.lost else 0


def write_rejected(report: "Report", path: Path) -> None:
    """Write the records that were set aside, each with its error. They hold the text of the input.

    report (Report): A report that keeps records.
    path (Path): The file.
    """
    from ..files import replace_file

    rows: List[Dict[str, Any]] = [{"error": item.error, "record": item.raw} for item in report.rejected]
    with replace_file(path) as temporary, temporary.open("w", encoding="utf8", newline="\n") as file:
        # ASCII, since what was set aside may be no valid Unicode.
        file.writelines(f"{srsly.json_dumps(row)}\n" for row in rows)


def _by_count(item: Any) -> Any:
    return -item[1], item[0]
