"""`pii segment-search`: thresholds of the math segmenter that capture false detections and leave the true ones out."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple

import srsly
import typer
from wasabi import Printer

from ._util import Arg, Opt, app, clear_errors, print_report, progress

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from ..corpora.record import Report
    from ..pipeline.math_segmenter import MathSegmenter
    from ..scoring.segments import Detections, GridPoint

Range = Tuple[int, int]

_HEADER = ("anchor", "similarity", "false inside", "true inside", "text inside", "objective")


@app.command("segment-search")
def segment_search_cli(
    # fmt: off
    gold: Path = Arg(..., help="Gold: a .spacy file or span JSON"),
    model: Optional[str] = Opt(
        None,
        "--model",
        "-m",
        help="Pipeline whose detections are looked at, and whose math_segmenter is used if it has one",
    ),
    group: str = Opt(
        "pii",
        "--group",
        "-g",
        help="Span group of the detections: of the pipeline, or of the .spacy file without --model",
    ),
    embedder: str = Opt(
        "all-MiniLM-L6-v2",
        "--embedder",
        "-e",
        help="Where the pipeline has no math_segmenter: a model of sentence-transformers, or 'static' for the "
        "pipeline's word vectors",
    ),
    plot: Optional[Path] = Opt(None, "--plot", "-p", help="File for the plot (.svg)"),
    json_path: Optional[Path] = Opt(None, "--json", "-j", help="File for the table as JSON"),
    # fmt: on
) -> None:
    """Search the thresholds of the math segmenter on a grid.

    A detection that overlaps the gold is true. The objective is the share of the false detections inside segments
    less that of the true ones.
    """
    from ..corpora.record import Report
    from ..files import replace_file
    from ..scoring.segments import choose_point

    report = Report()
    with clear_errors():
        points = segment_search(gold, model=model, group=group, embedder=embedder, report=report)
        best = choose_point(points)
        if json_path is not None:
            with replace_file(json_path) as temporary:
                srsly.write_json(temporary, [_to_dict(point) for point in points])
        if plot is not None:
            with replace_file(plot) as temporary:
                temporary.write_text(draw_search(points), encoding="utf8")
    rows = [_row(point) for point in points]
    Printer().table(rows, header=_HEADER, divider=True, aligns=("r",) * len(_HEADER))
    code = print_report(report)
    typer.echo(
        f"\u2714 Best: anchor threshold {best.anchor:.2f}, similarity threshold {best.similarity:.1f} "
        f"({best.false_inside} of {best.false_total} false and {best.true_inside} of {best.true_total} true "
        f"detections inside)"
    )
    raise typer.Exit(code)


def segment_search(
    gold: Path,
    *,
    model: Optional[str] = None,
    group: str = "pii",
    embedder: str = "all-MiniLM-L6-v2",
    report: Optional["Report"] = None,
) -> List["GridPoint"]:
    """Search the thresholds of the math segmenter on the paper's grid.

    gold (Path): A .spacy file or span JSON.
    model (Optional[str]): Pipeline whose detections are looked at. Without one they are a group of the .spacy file.
    group (str): Key of the detections in `doc.spans`.
    embedder (str): Model of sentence-transformers, or `static`; only where the pipeline has no math_segmenter.
    report (Optional[Report]): Takes records that cannot be used. Without one the first of them raises.
    RETURNS (List[GridPoint]): The points of the grid.
    RAISES (ValueError): If the corpus has no detections, or the group is missing.
    """
    from ..corpora.docbin import make_tokenizer
    from ..pipeline.pii_turns import PIITurns
    from ..scoring.segments import search_thresholds
    from ..spans import TURNS
    from ._pipeline import load_pipeline

    nlp = load_pipeline(model) if model else make_tokenizer("en")
    segmenter = _find_segmenter(nlp, embedder)
    turns = PIITurns()
    prepared, detections = [], []
    pairs = _run_pipeline(nlp, gold, group, report) if model else _read_group(gold, group, report)
    for doc, found in progress(pairs, "detect"):
        if TURNS not in doc.spans:
            turns(doc)
        prepared.extend(segmenter.prepare([doc]))
        detections.append(found)
    if not any(found.true or found.false for found in detections):
        raise ValueError(f"{gold}: there are no detections in the group '{group}', so that there is nothing to search.")
    return search_thresholds(segmenter, prepared, detections)


def draw_search(points: List["GridPoint"]) -> str:
    """Draw the objective over the similarity threshold, a line an anchor threshold.

    points (List[GridPoint]): The points of the grid.
    RETURNS (str): The SVG.
    """
    from ..scoring.plots import Mark, draw_lines
    from ..scoring.segments import choose_point

    series: Dict[str, List[Tuple[float, float]]] = {}
    for point in points:
        series.setdefault(f"anchor {point.anchor:.2f}", []).append((point.similarity, point.objective))
    best = choose_point(points)
    return draw_lines(
        series,
        title="False less true detections inside math segments",
        x_label="similarity threshold",
        y_label="objective",
        marks=[Mark(best.similarity, best.objective, "best")],
    )


def _find_segmenter(nlp: "Language", embedder: str) -> "MathSegmenter":
    from ..models.embedders import SentenceTransformerEmbedder, StaticEmbedder
    from ..pipeline.math_segmenter import MathSegmenter

    for _, component in nlp.pipeline:
        if isinstance(component, MathSegmenter):
            return component
    return MathSegmenter(StaticEmbedder() if embedder == "static" else SentenceTransformerEmbedder(embedder))


def _run_pipeline(
    nlp: "Language", gold: Path, group: str, report: Optional["Report"]
) -> Iterator[Tuple["Doc", "Detections"]]:
    from ..corpora.docs import record_to_doc
    from ..corpora.formats import guess_format, read_records
    from ..scoring.segments import split_detections

    for record in read_records(gold, guess_format(gold).name, report=report):
        doc = nlp(record_to_doc(nlp, record, gold=False))
        yield doc, split_detections(_ranges(doc, group), [(span["start"], span["end"]) for span in record.spans])


def _read_group(gold: Path, group: str, report: Optional["Report"]) -> Iterator[Tuple["Doc", "Detections"]]:
    from ..corpora.docbin import read_docs
    from ..corpora.docs import doc_to_record
    from ..scoring.segments import split_detections
    from ..spans import PII

    if group == PII or gold.suffix != ".spacy":
        raise ValueError(
            f"Without a pipeline (--model) the detections are another group than the gold's '{PII}' of a .spacy file."
        )
    for number, doc in enumerate(read_docs(gold, report=report), start=1):
        spans = doc_to_record(doc, number).spans
        yield doc, split_detections(_ranges(doc, group), [(span["start"], span["end"]) for span in spans])


def _ranges(doc: "Doc", group: str) -> List[Range]:
    if group not in doc.spans:
        raise ValueError(f"A document has no span group '{group}': name the group of the detections by --group.")
    return [(span.start_char, span.end_char) for span in doc.spans[group]]


def _row(point: "GridPoint") -> Tuple[str, ...]:
    return (
        f"{point.anchor:.2f}",
        f"{point.similarity:.1f}",
        f"{point.false_share:.3f}",
        f"{point.true_share:.3f}",
        f"{point.text_share:.3f}",
        f"{point.objective:.3f}",
    )


def _to_dict(point: "GridPoint") -> Dict[str, Any]:
    return {**point._asdict(), "objective": round(point.objective, 6)}
