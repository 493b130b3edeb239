"""`pii benchmark`: how fast a pipeline is, on one process and one thread, beside a bare tagger of spaCy's."""

import os
import statistics
import subprocess
import sys
import time
from itertools import chain
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Union,
)

import spacy
import srsly
import typer
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import minibatch
from wasabi import Printer

from ..files import replace_file
from ..transcripts import make_doc
from ._inputs import Content, InputError, Source, open_sources
from ._pipeline import DEFAULT_MODEL, FAILED, load_pipeline
from ._util import NAME, PROBLEMS, Arg, Opt, app, clear_errors, progress

if TYPE_CHECKING:
    from ..corpora.record import Record

THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)
"""What the libraries of linear algebra take their number of threads from, once, when they are imported."""

_VERB = "benchmark"
_TAGGER = "pii_tagger"
_TOKENIZER = "tokenizer"
_PEER_TAGS = 17
_PEER_WIDTH = 96
_PEER_DEPTH = 4

Text = Union[Content, "Record"]


@app.command(_VERB)
def benchmark_cli(
    input_path: str = Arg(
        ...,
        metavar="IN",
        help=".txt, .jsonl, .csv or .spacy file, folder of .txt files, or - for standard input",
    ),
    model: str = Opt(DEFAULT_MODEL, "--model", "-m", help="Pipeline to measure: name of its package or path"),
    repeat: int = Opt(3, "--repeat", "-r", min=1, help="How often to measure. The medians are printed"),
    words: Optional[int] = Opt(
        None, "--words", "-w", min=1, help="Words after which no further text is taken. By default all are"
    ),
    json_path: Optional[Path] = Opt(None, "--json", "-j", help="File for all the times as JSON"),
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
) -> None:
    """Measure how many words a second a pipeline takes, and each of its components, on one process and one thread.

    In the same run a bare pipeline of spaCy's is measured that only tags, with an encoder of the size of the model's
    own and no training: what that costs, any tagger does. The exit code is 1 if a record could not be read, 2 if
    nothing was measured.
    """
    if any(os.environ.get(name) != "1" for name in THREADS):
        # The number of threads is settled by now: a child has it set before it imports anything.
        options = {"--model": model, "--repeat": repeat, "--words": words, "--json": json_path}
        options.update({"--format": form, "--text-key": text_key, "--columns": columns})
        given = [f"{name}={value}" for name, value in options.items() if value is not None]
        command = [sys.executable, "-m", "spacy", NAME, _VERB, *given, "--", input_path]
        child = subprocess.run(command, env={**os.environ, **dict.fromkeys(THREADS, "1")}, check=False)
        raise typer.Exit(child.returncode)
    problems: List[str] = []
    with clear_errors():
        if Path(input_path).suffix == ".spacy" and form is None:
            texts = _read_docbin(Path(input_path))
        else:
            chosen = [name.strip() for name in columns.split(",")] if columns else []
            sources = open_sources(input_path, form=form, text_key=text_key, columns=chosen)
            texts = _read_sources(sources, problems.append)
        results = benchmark(load_pipeline(model), texts, repeat=repeat, words=words)
        if json_path is not None:
            with replace_file(json_path) as temporary:
                srsly.write_json(temporary, results)
    print_results(results)
    for problem in problems:
        typer.echo(f"{FAILED} {problem}", err=True)
    raise typer.Exit(PROBLEMS if problems else 0)


def benchmark(nlp: Language, texts: Iterator[Text], *, repeat: int = 3, words: Optional[int] = None) -> Dict[str, Any]:
    """Measure a pipeline and its peer, in turns, on the same texts.

    A first round, which loads tables and fills caches of words, is not counted.

    nlp (Language): The pipeline.
    texts (Iterator[Text]): Texts, lists of messages, or records.
    repeat (int): How often to measure.
    words (Optional[int]): Words, spaCy's tokens, after which no further text is taken; None for no limit.
    RETURNS (Dict[str, Any]): documents, words, repeat; model: name, components (seconds and share of each), seconds (of
        each round) and words_per_second; peer: name, width, depth, seconds and words_per_second; ratio, of the model's
        speed to the peer's. Speeds and shares are those of the median seconds.
    RAISES (InputError): If there are no words, or the pipeline fails on a text.
    """
    taken, total = _take(nlp, texts, words)
    if not total:
        raise InputError("There is no word in the input.")
    width, depth = find_size(nlp)
    peer = make_peer(nlp.lang, width=width, depth=depth)
    seconds: Dict[str, List[float]] = {"model": [], "peer": []}
    stages: Dict[str, List[float]] = {name: [] for name in (_TOKENIZER, *nlp.pipe_names)}
    for number in progress(range(repeat + 1), "rounds", total=repeat + 1):
        try:
            times = {"model": _time(nlp, taken), "peer": _time(peer, taken, batch_size=nlp.batch_size)}
            parts = _time_stages(nlp, taken)
        except Exception as error:
            # No text of the error is passed on: it may hold what it is about.
            raise InputError(f"The pipeline failed on a text ({type(error).__name__}).") from None
        if number:
            for name, value in chain(times.items(), parts.items()):
                (seconds if name in times else stages)[name].append(value)
    speeds = {name: total / statistics.median(values) for name, values in seconds.items()}
    medians = {name: statistics.median(values) for name, values in stages.items()}
    whole = sum(medians.values())
    return {
        "documents": len(taken),
        "words": total,
        "repeat": repeat,
        "model": {
            "name": f"{nlp.lang}_{nlp.meta['name']}",
            "words_per_second": speeds["model"],
            "seconds": seconds["model"],
            "components": {name: {"seconds": value, "share": value / whole} for name, value in medians.items()},
        },
        "peer": {
            "name": "spacy.HashEmbedCNN.v2 + tagger",
            "width": width,
            "depth": depth,
            "words_per_second": speeds["peer"],
            "seconds": seconds["peer"],
        },
        "ratio": speeds["model"] / speeds["peer"],
    }


def find_size(nlp: Language) -> Tuple[int, int]:
    """Find the size of the tagger's encoder.

    nlp (Language): The pipeline.
    RETURNS (Tuple[int, int]): Width and depth; those of spaCy's small pipelines where there is no tagger with an
        encoder of its own.
    """
    for name in nlp.pipe_names:
        if nlp.get_pipe_meta(name).factory == _TAGGER:
            for block in _blocks(nlp.get_pipe_config(name)):
                if isinstance(block.get("width"), int) and isinstance(block.get("depth"), int):
                    return block["width"], block["depth"]
    return _PEER_WIDTH, _PEER_DEPTH


def make_peer(lang: str, *, width: int, depth: int) -> Language:
    """Make the pipeline that a model is compared with: tok2vec and tagger, initialized and not trained.

    lang (str): Code of the language, for the tokenizer.
    width (int): Width of the encoder.
    depth (int): Number of its layers.
    RETURNS (Language): The pipeline.
    """
    peer = spacy.blank(lang)
    peer.max_length = sys.maxsize
    encoder = {
        "@architectures": "spacy.HashEmbedCNN.v2",
        "width": width,
        "depth": depth,
        "embed_size": 2000,
        "window_size": 1,
        "maxout_pieces": 3,
        "subword_features": True,
        "pretrained_vectors": None,
    }
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": width, "upstream": "tok2vec"}
    peer.add_pipe("tok2vec", config={"model": encoder})
    peer.add_pipe("tagger", config={"model": {"@architectures": "spacy.Tagger.v2", "tok2vec": listener}})
    tags = [f"TAG{number}" for number in range(_PEER_TAGS)]
    sample = Doc(peer.vocab, words=tags, tags=tags)
    peer.initialize(_Constant([Example(sample.copy(), sample)]))
    return peer


def print_results(results: Mapping[str, Any]) -> None:
    """Print what was measured as tables.

    results (Mapping[str, Any]): What `benchmark` gives.
    """
    model, peer = results["model"], results["peer"]
    rows = [
        (name, f"{part['seconds']:.2f}", f"{part['share'] * 100:.1f} %", f"{results['words'] / part['seconds']:.0f}")
        for name, part in model["components"].items()
    ]
    header = ("component", "seconds", "share", "words/s")
    Printer().table(rows, header=header, divider=True, aligns=("l", "r", "r", "r"), title=model["name"])
    rows = [
        (run["name"], f"{min(run['seconds']):.2f}-{max(run['seconds']):.2f}", f"{run['words_per_second']:.0f}")
        for run in (model, peer)
    ]
    rows.append(("ratio", "", f"{results['ratio']:.2f}"))
    Printer().table(rows, header=("pipeline", "seconds", "words/s"), divider=True, aligns=("l", "r", "r"))
    typer.echo(f"The second is not trained; its encoder has width {peer['width']} and depth {peer['depth']}.")
    typer.echo(f"{results['documents']} documents, {results['words']} words, {results['repeat']} rounds, one thread")


class _Constant:
    """Gives the same examples at each call."""

    def __init__(self, examples: List[Example]) -> None:
        self.examples = examples

    def __call__(self) -> List[Example]:
        return self.examples


def _read_docbin(path: Path) -> Iterator["Record"]:
    from ..corpora import docbin

    return docbin.read(path)


def _read_sources(sources: Sequence[Source], on_problem: Callable[[str], None]) -> Iterator[Content]:
    for item in chain.from_iterable(source.items() for source in sources):
        if item.error:
            on_problem(item.error)
        for text in item.fields:
            yield text.content


def _take(nlp: Language, texts: Iterator[Text], limit: Optional[int]) -> Tuple[List[Text], int]:
    """Take texts until they hold enough words. Returns them and the number of their words."""
    taken: List[Text] = []
    total = 0
    for text in texts:
        taken.append(text)
        total += len(_to_doc(nlp, text))
        if limit is not None and total >= limit:
            break
    return taken, total


def _to_doc(nlp: Language, text: Text) -> Doc:
    from ..corpora.docs import record_to_doc

    if isinstance(text, str):
        return nlp.make_doc(text)
    return make_doc(nlp, text) if isinstance(text, list) else record_to_doc(nlp, text, gold=False)


def _time(nlp: Language, texts: Sequence[Text], *, batch_size: Optional[int] = None) -> float:
    """Seconds that the pipeline takes from the texts to the documents, as its users run it."""
    start = time.perf_counter()
    for _ in nlp.pipe((_to_doc(nlp, text) for text in texts), batch_size=batch_size):
        pass
    return time.perf_counter() - start


def _time_stages(nlp: Language, texts: Sequence[Text]) -> Dict[str, float]:
    """Seconds of each component, batch by batch, so that no more documents are held than the pipeline holds."""
    seconds = dict.fromkeys((_TOKENIZER, *nlp.pipe_names), 0.0)
    for batch in minibatch(texts, nlp.batch_size):
        start = time.perf_counter()
        docs = [_to_doc(nlp, text) for text in batch]
        seconds[_TOKENIZER] += time.perf_counter() - start
        for name, component in nlp.pipeline:
            start = time.perf_counter()
            if hasattr(component, "pipe"):
                docs = list(component.pipe(docs, batch_size=nlp.batch_size))
            else:
                docs = [component(doc) for doc in docs]
            seconds[name] += time.perf_counter() - start
    return seconds


def _blocks(config: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A block of a config and those in it, to any depth."""
    yield config
    for value in config.values():
        if isinstance(value, dict):
            yield from _blocks(value)
