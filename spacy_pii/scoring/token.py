"""Token match: each token of a span counts on its own, as in the Kaggle competition on CRAPII."""

from typing import Dict, Set

from spacy.tokens import Doc

from ..spans import expand_span
from .exact import Counts, Key, compare


def compare_tokens(doc: Doc, gold: Set[Key], found: Set[Key]) -> Dict[str, Counts]:
    """Count hits and misses of tokens by label.

    doc (Doc): The document, whose tokens are counted. White space does not count.
    gold (Set[Key]): Labels and character offsets of the gold.
    found (Set[Key]): Labels and character offsets found.
    RETURNS (Dict[str, Counts]): Counts by label.
    """
    return compare(_tokens(doc, gold), _tokens(doc, found))


def _tokens(doc: Doc, keys: Set[Key]) -> Set[Key]:
    tokens = set()
    for label, start, end in keys:
        span = expand_span(doc, start, end)
        if span is not None:
            tokens.update((label, token.i, token.i + 1) for token in span if not token.is_space)
    return tokens
