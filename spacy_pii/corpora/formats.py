"""The table of corpus formats, and reading and writing by its names."""

from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterable, Iterator, Mapping, Optional, Tuple

from spacy.language import Language

from . import brat, docbin, inline, kaggle, span_jsonl, transcripts
from .record import Record, Report, map_from_scheme, map_to_scheme


@dataclass(frozen=True)
class Format:
    """A corpus format.

    name (str): Name on the command line.
    suffixes (Tuple[str, ...]): Ends of file names that mean this format where none is given.
    scheme (str): Label scheme that the format usually has.
    read (Optional[Callable]): Reads records from a path.
    write (Optional[Callable]): Writes records to a path.
    tokenizes (bool): Whether writing needs a tokenizer.
    needs_reference (bool): Whether reading needs the texts from another file.
    """

    name: str
    suffixes: Tuple[str, ...]
    scheme: str
    read: Optional[Callable[..., Iterator[Record]]]
    write: Optional[Callable[..., None]]
    tokenizes: bool = False
    needs_reference: bool = False


FORMATS: Mapping[str, Format] = {
    item.name: item
    for item in (
        Format("docbin", (".spacy",), "canonical", docbin.read, docbin.write, tokenizes=True),
        Format("span-jsonl", (".jsonl", ".ndjson"), "canonical", span_jsonl.read, span_jsonl.write),
        Format("transcripts", (), "canonical", transcripts.read, transcripts.write),
        Format("kaggle", (".json",), "crapii", kaggle.read, kaggle.write, tokenizes=True),
        Format(
            "predictions",
            (".csv",),
            "crapii",
            kaggle.read_predictions,
            kaggle.write_predictions,
            tokenizes=True,
            needs_reference=True,
        ),
        Format("inline", (".txt", ""), "canonical", inline.read, inline.write),
        Format("brat", (".ann", ".tar", ".tar.gz", ".tgz"), "canonical", brat.read, brat.write),
    )
}
"""The formats by name."""


def get_format(name: str) -> Format:
    """Look a format up.

    name (str): Name of the format.
    RETURNS (Format): The format.
    RAISES (ValueError): If there is no format of that name.
    """
    if name not in FORMATS:
        raise ValueError(f"There is no format '{name}'. Known formats: {', '.join(FORMATS)}.")
    return FORMATS[name]


def guess_format(path: Path) -> Format:
    """Tell the format that the end of a file name means.

    path (Path): The path.
    RETURNS (Format): The format. A path without suffix is a folder of marked text.
    RAISES (ValueError): If the end means none.
    """
    name = path.name.removesuffix(".gz") if not path.name.endswith(".tar.gz") else path.name
    for item in FORMATS.values():
        if any(suffix and name.endswith(suffix) for suffix in item.suffixes) or (
            "" in item.suffixes and not path.suffix
        ):
            return item
    raise ValueError(f"The name {path.name} does not tell a format: give one of {', '.join(FORMATS)}.")


def read_records(
    path: Path,
    name: str,
    *,
    scheme: Optional[str] = None,
    reference: Optional[Path] = None,
    report: Optional[Report] = None,
) -> Iterator[Record]:
    """Read records with canonical labels.

    path (Path): A file or folder.
    name (str): Name of the format.
    scheme (Optional[str]): Label scheme of the file, by default the format's.
    reference (Optional[Path]): The file that has the texts, for predictions.
    report (Optional[Report]): Takes records that cannot be used and counts. Without one the first error raises.
    RETURNS (Iterator[Record]): The records.
    RAISES (ValueError): If there is no such format or scheme, or a record is broken and the report missing.
    """
    item = get_format(name)
    if item.needs_reference and reference is None:
        raise ValueError(f"The format '{name}' has no texts: give the file that was predicted on as reference.")
    options = {"reference": Path(reference)} if item.needs_reference and reference is not None else {}
    records = item.read(Path(path), report=report, **options)
    return map_from_scheme(records, scheme or item.scheme, path=path, report=report)


def write_records(
    records: Iterable[Record],
    path: Path,
    name: str,
    *,
    scheme: Optional[str] = None,
    nlp: Optional[Language] = None,
    reference: Optional[Path] = None,
    report: Optional[Report] = None,
) -> None:
    """Write records with canonical labels.

    records (Iterable[Record]): The records.
    path (Path): A file, or a folder for formats with a file a document.
    name (str): Name of the format.
    scheme (Optional[str]): Label scheme of the file, by default the format's.
    nlp (Optional[Language]): Its tokenizer is used where the format has tokens.
    reference (Optional[Path]): The file whose tokens are numbered, for predictions.
    report (Optional[Report]): Counts what does not fit the format.
    RAISES (ValueError): If there is no such format or scheme.
    """
    item = get_format(name)
    options = {"nlp": nlp} if item.tokenizes else {}
    if item.needs_reference:
        options["reference"] = reference
    item.write(map_to_scheme(records, scheme or item.scheme, report=report), Path(path), report=report, **options)
