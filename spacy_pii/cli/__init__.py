"""`python -m spacy pii`: the entry point group `spacy_cli` has this module imported, which adds the verbs to spaCy's.

A verb is a file beside this one: a typer function, registered on `_util.app`, over a plain function of the same work.
Every call of spaCy's command line imports all of them, so what is heavy is imported where it is used.
"""

from spacy.cli._util import app as spacy_app

from . import (  # noqa: F401, each registers its verb
    benchmark,
    convert,
    debug,
    deidentify,
    distill,
    evaluate,
    generate,
    scan,
    segment_search,
    split,
)
from ._util import app

spacy_app.add_typer(app)
