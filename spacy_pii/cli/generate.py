"""`pii generate`: fill the slots of the project's own documents."""

from pathlib import Path
from typing import Dict

import typer

from ._util import Arg, Opt, app, clear_errors, progress


@app.command("generate")
def generate_cli(
    # fmt: off
    documents: Path = Arg(..., help="Folder of the documents, as assets/corpus"),
    output_path: Path = Arg(..., help="Folder to write train.jsonl, dev.jsonl and test.jsonl to"),
    fills: int = Opt(4, "--fills", help="How often a document of the training split is filled"),
    held_out_fills: int = Opt(2, "--held-out-fills", help="How often one of dev and test is filled"),
    seed: int = Opt(0, "--seed", help="Seed of all randomness"),
    # fmt: on
) -> None:
    """Fill the slots of the project's own documents with invented people, split by document and by name."""
    with clear_errors():
        counts = generate(documents, output_path, fills=fills, held_out_fills=held_out_fills, seed=seed)
    for split, count in counts.items():
        typer.echo(f"\u2714 {count} documents: {output_path / split}.jsonl")


def generate(documents: Path, output_path: Path, *, fills: int, held_out_fills: int, seed: int = 0) -> Dict[str, int]:
    """Fill the slots of the project's own documents.

    documents (Path): Folder of the documents.
    output_path (Path): Folder to write a file a split to.
    fills (int): How often a document of the training split is filled.
    held_out_fills (int): How often one of dev and test is filled.
    seed (int): Seed of all randomness.
    RETURNS (Dict[str, int]): Number of records by split.
    RAISES (ValueError): If a document does not keep to the format.
    """
    from ..corpora.docbin import make_tokenizer
    from ..corpora.generator import Generator, expand_to_tokens
    from ..corpora.span_jsonl import write
    from ..corpora.splits import SPLITS
    from ..corpora.templates import read_templates

    templates = read_templates(documents)
    generator, nlp = Generator(seed=seed), make_tokenizer("en")
    counts = {}
    for split in SPLITS:
        times = fills if split == "train" else held_out_fills
        filled = progress(generator.generate(templates, split=split, fills=times), f"fill {split}")
        records = [expand_to_tokens(record, nlp) for record in filled]
        write(records, output_path / f"{split}.jsonl")
        counts[split] = len(records)
    return counts
