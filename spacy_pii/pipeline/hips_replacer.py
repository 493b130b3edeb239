"""Hides PII in plain sight: writes the text anew with realistic surrogates."""

import warnings
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional

from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc, SpanGroup

from ..spans import PII
from ..surrogates.generators import Replacer
from ..surrogates.keys import KeyedSource, fresh_key, read_key

SCOPES = ("document",)

DEFAULT_KEY_ENV = "SPACY_PII_KEY"


class _Cover(NamedTuple):
    """A stretch of text that is replaced at once.

    start (int): First character.
    end (int): Character after the last.
    label (str): Label of the longest span in it.
    length (int): Length of that span in characters.
    """

    start: int
    end: int
    label: str
    length: int


@Language.factory(
    "hips_replacer",
    assigns=["doc._.deidentified", "doc._.replacements"],
    requires=["doc.spans"],
    default_config={"spans_key": PII, "scope": "document", "key_env": DEFAULT_KEY_ENV},
)
def make_hips_replacer(nlp: Language, name: str, spans_key: str, scope: str, key_env: str) -> "HipsReplacer":
    """Create a replacer.

    nlp (Language): The pipeline.
    name (str): Name of the component.
    spans_key (str): Key in `doc.spans` of the group whose spans are replaced.
    scope (str): Within what one entity keeps one surrogate: "document".
    key_env (str): Name of the environment variable that holds the secret key.
    RETURNS (HipsReplacer): The component.
    """
    return HipsReplacer(name, spans_key=spans_key, scope=scope, key_env=key_env)


class HipsReplacer(Pipe):
    """Replace every span of a group by a surrogate of its kind.

    The text with surrogates is in `doc._.deidentified`, the list of replacements in `doc._.replacements`: plain dicts
    with label, start and end in the source, new_start and new_end in the result, and the surrogate. Both are None
    until a document is replaced. Everything outside the spans stays as it is. Nothing is written where the group is
    missing or says that it is not complete.

    name (str): Name of the component.
    spans_key (str): Key in `doc.spans` of the group whose spans are replaced.
    scope (str): Within what one entity keeps one surrogate: "document".
    key_env (str): Name of the environment variable that holds the secret key. Where it is missing, a key is drawn that
        lives as long as the component, so that no run gives the same surrogates again.
    RAISES (ValueError): If the scope is unknown.

    DOCS: docs/components.md
    """

    def __init__(
        self,
        name: str = "hips_replacer",
        *,
        spans_key: str = PII,
        scope: str = "document",
        key_env: str = DEFAULT_KEY_ENV,
    ) -> None:
        if scope not in SCOPES:
            raise ValueError(f"The scope '{scope}' is unknown: expected {', '.join(SCOPES)}.")
        self.name = name
        self.spans_key = spans_key
        self.scope = scope
        self.key_env = key_env
        self._open()

    def __getstate__(self) -> Dict[str, Any]:
        # The key stays in the process: another one reads it from its own environment.
        return {"name": self.name, "spans_key": self.spans_key, "scope": self.scope, "key_env": self.key_env}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._open()

    def __reduce__(self) -> Any:
        return (_blank, (), self.__getstate__())

    def _open(self) -> None:
        """Take the key and declare the extensions, which a fresh process lacks."""
        key = read_key(self.key_env)
        self._warn = key is None
        self._source = KeyedSource(key or fresh_key())
        for extension in ("deidentified", "replacements"):
            if not Doc.has_extension(extension):
                Doc.set_extension(extension, default=None)

    def __call__(self, doc: Doc) -> Doc:
        """Replace the spans of a document.

        doc (Doc): The document.
        RETURNS (Doc): The same document, with `doc._.deidentified` and `doc._.replacements`.
        RAISES (ValueError): If the group is missing or not complete.
        """
        # What an earlier call wrote must not outlive a failure of this one.
        doc._.deidentified = None
        doc._.replacements = None
        group = self._read_group(doc)
        if self._warn:
            self._warn = False
            warnings.warn(
                f"[W_PII] '{self.name}' found no secret key in the environment variable '{self.key_env}' and drew one: "
                "the surrogates of this run cannot be repeated.",
                stacklevel=2,
            )
        text = doc.text
        covers = _merge(group)
        replacer = Replacer(
            source=self._source,
            scope=self._source.digest(text),
            text=text,
            spans=[(cover.label, text[cover.start : cover.end]) for cover in covers],
        )
        parts: List[str] = []
        replacements: List[Dict[str, Any]] = []
        position = length = 0
        for cover in covers:
            surrogate = replacer.replace(cover.label, text[cover.start : cover.end])
            parts.append(text[position : cover.start])
            parts.append(surrogate)
            new_start = length + cover.start - position
            length = new_start + len(surrogate)
            position = cover.end
            replacements.append(
                {
                    "label": cover.label,
                    "start": cover.start,
                    "end": cover.end,
                    "new_start": new_start,
                    "new_end": length,
                    "surrogate": surrogate,
                }
            )
        parts.append(text[position:])
        doc._.replacements = replacements
        doc._.deidentified = "".join(parts)
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Replace the spans of a stream of documents.

        stream (Iterable[Doc]): The documents.
        batch_size (int): Taken for spaCy's sake; every document is its own scope.
        YIELDS (Doc): The documents in order; one that fails goes to the error handler and not on.
        """
        handle_error = self.get_error_handler()
        for doc in stream:
            try:
                replaced = self(doc)
            except Exception as error:
                handle_error(self.name, self, [doc], error)
            else:
                yield replaced

    def _read_group(self, doc: Doc) -> SpanGroup:
        if self.spans_key not in doc.spans:
            raise ValueError(
                f"'{self.name}' found no span group '{self.spans_key}': nothing says what is PII in this document, so "
                "no text was written. Add the detectors and a 'pii_merger' before it."
            )
        group = doc.spans[self.spans_key]
        if group.attrs.get("complete", True) is not True:
            raise ValueError(
                f"The span group '{self.spans_key}' says that it is not complete, so '{self.name}' wrote no text: a "
                "detector is missing or failed on this document."
            )
        return group


def _blank() -> HipsReplacer:
    return HipsReplacer.__new__(HipsReplacer)


def _merge(group: SpanGroup) -> List[_Cover]:
    """Merge spans that overlap; the longest gives the label."""
    spans = sorted((span.start_char, -span.end_char, span.label_) for span in group)
    covers: List[_Cover] = []
    current: Optional[_Cover] = None
    for start, negative_end, label in spans:
        end = -negative_end
        if current is None or start >= current.end:
            if current is not None:
                covers.append(current)
            current = _Cover(start, end, label, end - start)
            continue
        longer = end - start > current.length
        current = _Cover(
            current.start,
            max(end, current.end),
            label if longer else current.label,
            max(end - start, current.length),
        )
    if current is not None:
        covers.append(current)
    return covers
