"""`pii evaluate`: how well a pipeline, or the predictions of another system, agree with the gold."""

import time
from collections import Counter
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    AbstractSet,
    Any,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Set,
    Tuple,
)

import srsly
import typer
from spacy.language import Language
from spacy.tokens import Doc
from wasabi import Printer

from ..detection import get_replacers
from ..files import replace_file
from ..scoring.exact import Counts, Key, add_up, compare, merge_counts, span_keys
from ..scoring.token import compare_tokens
from ..spans import NEGATIVES, PII, get_provenance
from ._inputs import InputError
from ._pipeline import load_pipeline
from ._util import PROBLEMS, Arg, Opt, app, clear_errors, print_report, progress

if TYPE_CHECKING:
    from ..corpora.record import Report

MATCHES = ("position", "text")
TRAITS = ("region", "gender")

_HEADER = ("", "TP", "FP", "FN", "P", "R", "F1", "F5")


@app.command("evaluate")
def evaluate_cli(
    gold: Path = Arg(
        ..., help="Gold: a .spacy file, span JSON (.jsonl, .json), or for --predictions a .csv of entities"
    ),
    model: Optional[str] = Opt(None, "--model", "-m", help="Pipeline to evaluate: name of its package or path"),
    json_path: Optional[Path] = Opt(None, "--json", "-j", help="File for all the scores as JSON"),
    tokens: bool = Opt(False, "--tokens", "-t", help="Print the scores of the labels by tokens too"),
    predictions: Optional[Path] = Opt(
        None,
        "--predictions",
        "-p",
        help="A .csv of entities (file_idx, entity_text, type, positions) to evaluate in the place of a pipeline",
    ),
    scheme: str = Opt(
        "canonical",
        "--scheme",
        "-s",
        help="Label scheme of the gold (canonical, crapii, mathed, presidio, azure, hipaa, meddocan)",
    ),
    predictions_scheme: Optional[str] = Opt(
        None, "--predictions-scheme", "-S", help="Label scheme of the predictions. By default that of the gold"
    ),
    match: str = Opt(
        "position",
        "--match",
        "-M",
        help="What makes an entity of a .csv right: its type and position, or its type and text",
    ),
    documents: Optional[str] = Opt(
        None,
        "--documents",
        "-d",
        help="Documents that count: file of ids, one a line, or crapii-base, crapii-verifier or crapii-test, the sets "
        "of the published split. By default all",
    ),
) -> None:
    """Evaluate a pipeline on gold documents, or the predictions of another system on the same documents.

    Precision, recall, F1 and F5 are in percent. The exit code is 1 if a part of the gold or the predictions could not
    be used, 2 if nothing was evaluated.
    """
    from ..corpora.record import Report

    report = Report()
    with clear_errors():
        if (model is None) == (predictions is None):
            raise InputError("Say what is to be evaluated: a pipeline with --model, or a file with --predictions.")
        if predictions is not None:
            results = evaluate_predictions(
                gold,
                predictions,
                scheme=scheme,
                predictions_scheme=predictions_scheme,
                match=match,
                documents=read_documents(documents),
                report=report,
            )
        else:
            results = evaluate(load_pipeline(str(model)), gold, scheme=scheme, report=report)
        if json_path is not None:
            with replace_file(json_path) as temporary:
                srsly.write_json(temporary, results)
    print_results(results, tokens=tokens)
    raise typer.Exit(PROBLEMS if print_report(report) else 0)


def evaluate(nlp: Language, gold_path: Path, *, scheme: str = "canonical", report: "Report") -> Dict[str, Any]:
    """Evaluate a pipeline.

    nlp (Language): A pipeline that writes `doc.spans["pii"]`. What it replaces is not looked at.
    gold_path (Path): A .spacy file or span JSON.
    scheme (str): Label scheme of the gold.
    report (Report): Takes gold that cannot be used.
    RETURNS (Dict[str, Any]): The scores: documents, words (spaCy's tokens), seconds, words_per_second, exact, tokens,
        person_recall by region and gender, negatives.
    RAISES (InputError): If there is no gold, or the pipeline does not write the group.
    """
    from ..corpora import docbin, span_jsonl
    from ..corpora.docs import record_to_doc
    from ..corpora.record import map_from_scheme

    reader = docbin if gold_path.suffix == ".spacy" else span_jsonl
    records = list(map_from_scheme(reader.read(gold_path, report=report), scheme, path=gold_path, report=report))
    if not records:
        raise InputError(f"{gold_path}: there is no document that could be used.")
    blank = (record_to_doc(nlp, record, gold=False) for record in records)
    docs = _Timed(nlp.pipe(blank, disable=get_replacers(nlp)))
    exact: List[Mapping[str, Counts]] = []
    tokens: List[Mapping[str, Counts]] = []
    people: Dict[str, Counter] = {trait: Counter() for trait in TRAITS}
    found_people: Dict[str, Counter] = {trait: Counter() for trait in TRAITS}
    negatives, hit_negatives, words = Counter(), Counter(), 0
    for record, doc in progress(zip(records, docs), "documents", total=len(records)):
        if PII not in doc.spans:
            raise InputError(f"The pipeline writes no span group '{PII}': it lacks a pii_merger.")
        reference = record_to_doc(nlp, record, report=report)
        gold, found = span_keys(reference, PII), span_keys(doc, PII)
        exact.append(compare(gold, found))
        tokens.append(compare_tokens(doc, gold, found))
        _count_people(reference, found, people, found_people)
        _count_negatives(reference, found, negatives, hit_negatives)
        words += len(doc)
    return {
        "documents": len(records),
        "words": words,
        "seconds": docs.seconds,
        "words_per_second": words / docs.seconds if docs.seconds else 0.0,
        "exact": _to_scores(merge_counts(exact)),
        "tokens": _to_scores(merge_counts(tokens)),
        "person_recall": {trait: _to_shares(people[trait], found_people[trait]) for trait in TRAITS if people[trait]},
        "negatives": _to_shares(negatives, hit_negatives),
    }


def evaluate_predictions(
    gold_path: Path,
    predictions_path: Path,
    *,
    scheme: str = "canonical",
    predictions_scheme: Optional[str] = None,
    match: str = "position",
    documents: Optional[AbstractSet[str]] = None,
    report: "Report",
) -> Dict[str, Any]:
    """Evaluate entities that another system found.

    gold_path (Path): Table of the gold entities.
    predictions_path (Path): Table of the entities found.
    scheme (str): Label scheme of the gold.
    predictions_scheme (Optional[str]): Label scheme of the predictions, None for that of the gold.
    match (str): position, where type and offsets have to be equal, or text, where type and surface have to be equal
        and are counted a document.
    documents (Optional[AbstractSet[str]]): Ids of the documents that count, None for all.
    report (Report): Takes rows that cannot be used.
    RETURNS (Dict[str, Any]): The scores: documents (those with an entity), exact.
    RAISES (InputError): If there is no such way to match.
    """
    if match not in MATCHES:
        raise InputError(f"There is no way to match '{match}'. Known ways: {', '.join(MATCHES)}.")
    gold = _read_entities(gold_path, scheme, documents, report)
    found = _read_entities(predictions_path, predictions_scheme or scheme, documents, report)
    names = sorted({*gold, *found})
    surfaces: Dict[str, int] = {}
    to_keys = _position_keys if match == "position" else _text_keys
    parts = (compare(to_keys(gold.get(name, ()), surfaces), to_keys(found.get(name, ()), surfaces)) for name in names)
    return {"documents": len(names), "exact": _to_scores(merge_counts(parts))}


def read_documents(name: Optional[str]) -> Optional[AbstractSet[str]]:
    """Read which documents count.

    name (Optional[str]): File with an id a line, or a set of the published split of CRAPII; None for all.
    RETURNS (Optional[AbstractSet[str]]): The ids, None for all.
    """
    from ..corpora.entity_csv import crapii_splits

    if name is None:
        return None
    splits = crapii_splits()
    if name in splits:
        return splits[name]
    return frozenset(line.strip() for line in Path(name).read_text(encoding="utf8").splitlines() if line.strip())


def print_results(results: Mapping[str, Any], *, tokens: bool = False) -> None:
    """Print scores as tables.

    results (Mapping[str, Any]): What `evaluate` or `evaluate_predictions` gives.
    tokens (bool): Print the scores of the labels by tokens too.
    """
    _print_scores("Exact match", results["exact"])
    if "tokens" in results:
        _print_scores("Tokens", results["tokens"] if tokens else {**results["tokens"], "per_label": {}})
    for trait, shares in results.get("person_recall", {}).items():
        _print_shares(f"Recall of PERSON by {trait}", (trait, "names", "found", "recall"), shares)
    if results.get("negatives"):
        header = ("kind", "spans", "taken", "share")
        _print_shares("Hard negatives taken for PII", header, results["negatives"])
    line = f"{results['documents']} documents"
    if "words" in results:
        line += f", {results['words']} words, {results['words_per_second']:.0f} words a second"
    typer.echo(f"\n{line}")


class _Timed:
    """Passes documents on and sums up how long they took."""

    def __init__(self, docs: Iterable[Doc]) -> None:
        self.seconds = 0.0
        self._docs = iter(docs)

    def __iter__(self) -> Iterator[Doc]:
        return self

    def __next__(self) -> Doc:
        start = time.perf_counter()
        try:
            return next(self._docs)
        finally:
            self.seconds += time.perf_counter() - start


def _count_people(
    reference: Doc, found: Set[Key], people: Mapping[str, Counter], found_people: Mapping[str, Counter]
) -> None:
    group = reference.spans[PII]
    for span in group:
        if span.label_ != "PERSON":
            continue
        note = get_provenance(group, span)
        for trait in TRAITS:
            if note.get(trait):
                people[trait][note[trait]] += 1
                found_people[trait][note[trait]] += ("PERSON", span.start_char, span.end_char) in found


def _count_negatives(reference: Doc, found: Set[Key], negatives: Counter, hit_negatives: Counter) -> None:
    if NEGATIVES not in reference.spans:
        return
    # As a mask of characters, so that many spans cost no more than the text.
    taken = bytearray(len(reference.text))
    for _, start, end in found:
        taken[start:end] = b"\1" * (end - start)
    for span in reference.spans[NEGATIVES]:
        negatives[span.label_] += 1
        hit_negatives[span.label_] += 1 in taken[span.start_char : span.end_char]


def _read_entities(
    path: Path, scheme: str, documents: Optional[AbstractSet[str]], report: "Report"
) -> Dict[str, List[Dict[str, Any]]]:
    from ..corpora import entity_csv
    from ..corpora.record import Report, map_from_scheme

    # A label that the scheme does not know is an error of the command, not of a row.
    strict = Report(strict=True)
    records = entity_csv.read(path, report=report)
    chosen = (record for record in records if documents is None or record.id in documents)
    mapped = {record.id: record.spans for record in map_from_scheme(chosen, scheme, path=path, report=strict)}
    report.dropped.update(strict.dropped)
    return mapped


def _position_keys(spans: Sequence[Mapping[str, Any]], surfaces: Dict[str, int]) -> Set[Key]:
    return {(span["label"], span["start"], span["end"]) for span in spans}


def _text_keys(spans: Sequence[Mapping[str, Any]], surfaces: Dict[str, int]) -> Set[Key]:
    """Number the surfaces and their occurrences, so that a surface counts as often as it is there."""
    counts: Counter = Counter()
    keys: Set[Key] = set()
    for span in spans:
        key = (span["label"], surfaces.setdefault(span["text"], len(surfaces)))
        keys.add((*key, counts[key]))
        counts[key] += 1
    return keys


def _to_scores(by_label: Mapping[str, Counts]) -> Dict[str, Any]:
    return {
        "overall": _to_dict(add_up(by_label)),
        "per_label": {label: _to_dict(counts) for label, counts in by_label.items()},
    }


def _to_dict(counts: Counts) -> Dict[str, float]:
    return {**counts._asdict(), **counts.to_dict()}


def _to_shares(total: Counter, part: Counter) -> Dict[str, Dict[str, float]]:
    return {
        name: {"total": total[name], "part": part[name], "share": part[name] / total[name]} for name in sorted(total)
    }


def _print_scores(title: str, scores: Mapping[str, Any]) -> None:
    rows: List[Tuple[str, ...]] = []
    for label, values in [*scores["per_label"].items(), ("overall", scores["overall"])]:
        counts = [str(values[name]) for name in ("tp", "fp", "fn")]
        rows.append((label, *counts, *(_percent(values[name]) for name in ("p", "r", "f", "f5"))))
    Printer().table(rows, header=_HEADER, divider=True, aligns=("l", *"rrrrrrr"), title=title)


def _print_shares(title: str, header: Tuple[str, ...], shares: Mapping[str, Mapping[str, float]]) -> None:
    rows = [(name, item["total"], item["part"], _percent(item["share"])) for name, item in shares.items()]
    Printer().table(rows, header=header, divider=True, aligns=("l", "r", "r", "r"), title=title)


def _percent(share: float) -> str:
    return f"{share * 100:.2f}"
