"""`pii debug`: what is wrong with a corpus."""

import hashlib
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Dict, Iterator, List, Mapping, Optional, Set, Tuple

import typer

from ._util import (
    PROBLEMS,
    UNUSABLE,
    Arg,
    Opt,
    app,
    clear_errors,
    fail,
    print_counts,
    print_list,
    print_report,
    progress,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from ..corpora.record import Record, Report

_NAME_PART = re.compile(r"[^\W\d_]{2,}")
# Parts that families the world over share point at nobody.
_PARTICLES = frozenset(
    (
        "al",
        "bin",
        "ben",
        "da",
        "das",
        "de",
        "del",
        "della",
        "der",
        "di",
        "do",
        "dos",
        "du",
        "el",
        "ibn",
        "la",
        "le",
        "mc",
        "van",
        "von",
        "y",
    )
)


@dataclass
class Split:
    """What was found in one corpus file.

    name (str): The file.
    documents (int): Number of documents.
    tokens (int): Number of tokens.
    labels (Counter): Spans by label.
    negatives (Counter): Hard negatives by kind.
    misaligned (Counter): Spans off the token boundaries, by document.
    overlaps (Counter): Pairs of neighbouring spans that overlap, by document.
    empty (List[str]): Documents without text.
    duplicates (List[Tuple[str, str]]): Documents whose text an earlier one has, with that one.
    texts (Dict[str, str]): Document by digest of the text.
    sources (Set[str]): The documents that the records were made from.
    names (Dict[str, Set[str]]): Documents by digest of a person's full name.
    parts (Dict[str, Set[str]]): Documents by digest of a part of a person's name.
    """

    name: str
    documents: int = 0
    tokens: int = 0
    labels: Counter = field(default_factory=Counter)
    negatives: Counter = field(default_factory=Counter)
    misaligned: Counter = field(default_factory=Counter)
    overlaps: Counter = field(default_factory=Counter)
    empty: List[str] = field(default_factory=list)
    duplicates: List[Tuple[str, str]] = field(default_factory=list)
    texts: Dict[str, str] = field(default_factory=dict)
    sources: Set[str] = field(default_factory=set)
    names: Dict[str, Set[str]] = field(default_factory=dict)
    parts: Dict[str, Set[str]] = field(default_factory=dict)

    @property
    def problems(self) -> int:
        """Number of problems inside the split."""
        return sum(map(len, (self.misaligned, self.overlaps, self.empty, self.duplicates)))


@dataclass
class Leak:
    """What two splits share.

    first (str): Name of one split.
    second (str): Name of the other.
    texts (List[str]): Pairs of documents with equal texts.
    sources (List[str]): Documents that records of both were made from.
    names (int): Number of full names of persons in both.
    name_documents (List[str]): The documents of the second split that hold them.
    parts (int): Number of parts of persons' names in both.
    part_documents (List[str]): The documents of the second split that hold them.
    """

    first: str
    second: str
    texts: List[str]
    sources: List[str]
    names: int
    name_documents: List[str]
    parts: int
    part_documents: List[str]

    @property
    def problems(self) -> int:
        """Number of things shared."""
        return len(self.texts) + len(self.sources) + self.names + self.parts


@app.command("debug")
def debug_cli(
    # fmt: off
    paths: List[Path] = Arg(..., help="Corpora: .spacy or .jsonl files, one a split"),
    scheme: Optional[str] = Opt(None, "--scheme", "-s", help="Label scheme of the files, by default canonical"),
    lang: str = Opt("en", "--lang", "-l", help="Language whose tokenizer is used for .jsonl"),
    strict: bool = Opt(False, "--strict", help="End with exit code 1 if there are problems"),
    # fmt: on
) -> None:
    """Check corpora: gold off the token boundaries, labels, overlaps, empty and double documents, leaks between splits.

    Documents are named, persons never are.
    """
    from ..corpora.record import Report

    report = Report()
    with clear_errors():
        splits = [debug_split(path, scheme=scheme, lang=lang, report=report) for path in paths]
    for split in splits:
        _print_split(split)
    leaks = find_leaks(splits)
    for leak in leaks:
        _print_leak(leak)
    problems = sum(item.problems for item in (*splits, *leaks))
    # Expansion is told by split above.
    report.expanded.clear()
    code = print_report(report)
    if not sum(split.documents for split in splits) and report.rejected:
        fail("No record could be used.", code=UNUSABLE)
    typer.echo(f"\n{problems} problems" if problems else "\nNo problems")
    raise typer.Exit(PROBLEMS if problems and strict else code)


def debug_split(
    path: Path, *, scheme: Optional[str] = None, lang: str = "en", report: Optional["Report"] = None
) -> Split:
    """Look through one corpus file.

    path (Path): A .spacy or .jsonl file.
    scheme (Optional[str]): Label scheme of the file, by default the format's.
    lang (str): Language whose tokenizer is used for .jsonl.
    report (Optional[Report]): Takes records that cannot be used. Without one the first of them raises.
    RETURNS (Split): What was found.
    """
    split = Split(str(path))
    for record, doc in progress(_read(path, scheme, lang, report), split.name):
        _look_at(split, record, doc)
    return split


def find_leaks(splits: List[Split]) -> List[Leak]:
    """Compare splits with each other.

    splits (List[Split]): The splits.
    RETURNS (List[Leak]): What each pair shares, an item a pair.
    """
    leaks = []
    for first, second in combinations(splits, 2):
        names, parts = first.names.keys() & second.names.keys(), first.parts.keys() & second.parts.keys()
        leaks.append(
            Leak(
                first.name,
                second.name,
                sorted(f"{first.texts[key]} = {second.texts[key]}" for key in first.texts.keys() & second.texts.keys()),
                sorted(first.sources & second.sources),
                len(names),
                sorted(set().union(*(second.names[key] for key in names))),
                len(parts),
                sorted(set().union(*(second.parts[key] for key in parts))),
            )
        )
    return leaks


def _read(path: Path, scheme: Optional[str], lang: str, report: Optional["Report"]) -> Iterator[Tuple["Record", "Doc"]]:
    from ..corpora.docbin import make_tokenizer, read_docs
    from ..corpora.docs import doc_to_record, record_to_doc
    from ..corpora.formats import guess_format, read_records
    from ..corpora.record import map_from_scheme

    source = guess_format(path)
    if source.name == "docbin":
        # The tokens of the file itself are looked at.
        for number, doc in enumerate(read_docs(path, report=report), start=1):
            record = doc_to_record(doc, number)
            for mapped in map_from_scheme([record], scheme or source.scheme, path=path, report=report):
                yield mapped, doc
        return
    nlp = make_tokenizer(lang)
    for record in read_records(path, source.name, scheme=scheme, report=report):
        yield record, record_to_doc(nlp, record, gold=False)


def _look_at(split: Split, record: "Record", doc: "Doc") -> None:
    split.documents += 1
    split.tokens += len(doc)
    split.sources.add(record.document)
    split.labels.update(span["label"] for span in record.spans)
    split.negatives.update(span["label"] for span in record.negatives)
    starts = {token.idx for token in doc}
    ends = {token.idx + len(token) for token in doc}
    misaligned = sum(span["start"] not in starts or span["end"] not in ends for span in record.spans)
    if misaligned:
        split.misaligned[record.id] = misaligned
    reach = overlaps = 0
    for span in sorted(record.spans, key=_position):
        overlaps += span["start"] < reach
        reach = max(reach, span["end"])
    if overlaps:
        split.overlaps[record.id] = overlaps
    if not record.text.strip():
        split.empty.append(record.id)
    else:
        digest = _digest(record.text)
        if digest in split.texts:
            split.duplicates.append((record.id, split.texts[digest]))
        else:
            split.texts[digest] = record.id
    _note_names(split, record)


def _note_names(split: Split, record: "Record") -> None:
    for span in record.spans:
        if span["label"] != "PERSON":
            continue
        parts = _NAME_PART.findall(record.text[span["start"] : span["end"]].casefold())
        if len(parts) > 1:
            split.names.setdefault(_digest(" ".join(parts)), set()).add(record.id)
        for part in set(parts) - _PARTICLES:
            split.parts.setdefault(_digest(part), set()).add(record.id)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf8"), digest_size=16).hexdigest()


def _position(span: Mapping[str, int]) -> Tuple[int, int]:
    return span["start"], span["end"]


def _print_split(split: Split) -> None:
    typer.echo(f"\n=== {split.name}: {split.documents} documents, {split.tokens} tokens")
    if split.labels:
        print_counts(split.labels, header="label")
    if split.negatives:
        print_counts(split.negatives, header="hard negative")
    for counts, sentence in (
        (split.misaligned, "spans do not fall on token boundaries"),
        (split.overlaps, "spans overlap the one before"),
    ):
        if counts:
            typer.echo(f"\u26a0 {sum(counts.values())} {sentence}, in {len(counts)} documents:")
            print_list([f"{name}: {count}" for name, count in sorted(counts.items())])
    if split.empty:
        typer.echo(f"\u26a0 {len(split.empty)} documents are empty:")
        print_list(split.empty)
    if split.duplicates:
        typer.echo(f"\u26a0 {len(split.duplicates)} documents have the text of another one:")
        print_list([f"{name} = {earlier}" for name, earlier in split.duplicates])


def _print_leak(leak: Leak) -> None:
    if not leak.problems:
        typer.echo(f"\n=== {leak.first} and {leak.second} share nothing")
        return
    typer.echo(f"\n=== {leak.first} and {leak.second} share:")
    for number, what, documents in (
        (len(leak.texts), "texts", leak.texts),
        (len(leak.sources), "documents that records were made from", leak.sources),
        (leak.names, f"full names of persons; documents of {leak.second}", leak.name_documents),
        (leak.parts, f"parts of persons' names; documents of {leak.second}", leak.part_documents),
    ):
        if number:
            typer.echo(f"\u26a0 {number} {what}:")
            print_list(documents)
