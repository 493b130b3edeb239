from typing import Callable, Dict, List, Tuple

import pytest

from spacy_pii.surrogates.generators import Replacer
from spacy_pii.surrogates.keys import KeyedSource

Spans = List[Tuple[str, str]]


@pytest.fixture
def replace_all() -> Callable[..., Dict[Tuple[str, str], str]]:
    """Replaces the spans of an imagined document; gives the surrogate by label and surface."""

    def replace(spans: Spans, *, key: bytes = b"a key of the tests", text: str = "") -> Dict[Tuple[str, str], str]:
        text = text or "\n".join(surface for _, surface in spans)
        replacer = Replacer(source=KeyedSource(key), scope="document 1", text=text, spans=spans)
        return {(label, surface): replacer.replace(label, surface) for label, surface in spans}

    return replace


@pytest.fixture
def replace_one(replace_all: Callable[..., Dict[Tuple[str, str], str]]) -> Callable[..., str]:
    """Replaces a span that is the only one of its document."""

    def replace(label: str, surface: str, *, key: bytes = b"a key of the tests") -> str:
        return replace_all([(label, surface)], key=key)[label, surface]

    return replace
