"""Loads a pipeline and runs it over records so that none is lost or passed on half done."""

import sys
from bisect import bisect_right
from collections import deque
from pathlib import Path
from typing import (
    Callable,
    Deque,
    Iterable,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
)

import spacy
from spacy.language import Language
from spacy.tokens import Doc

from ..spans import TURNS
from ..transcripts import make_doc
from ._inputs import Content, InputError, Item

DEFAULT_MODEL = "en_pii_edu"
DONE, FAILED = "\u2714", "\u2718"

_FAILED = "pii_failed"
_RULER = "pii_ruler"


class Outcome(NamedTuple):
    """What became of a text.

    doc (Optional[Doc]): The document, None where the pipeline failed.
    failure (str): Why there is none, as the end of a sentence.
    """

    doc: Optional[Doc]
    failure: str = ""


class Place(NamedTuple):
    """A stretch of the text that a document made from messages has.

    start (int): Its first character.
    message (int): Number of the message, counted from 1.
    part (str): speaker or text.
    """

    start: int
    message: int
    part: str


class Places:
    """Tells which message a character of a document belongs to."""

    def __init__(self, doc: Doc) -> None:
        """Collect the messages.

        doc (Doc): A document made from messages.
        """
        attrs = doc.spans[TURNS].attrs
        places = []
        for number, (speaker, said) in enumerate(zip(attrs["speaker_offsets"], attrs["offsets"]), start=1):
            if speaker:
                places.append(Place(speaker[0], number, "speaker"))
            places.append(Place(said[0], number, "text"))
        self._places = places
        self._starts = [place.start for place in places]

    def find(self, start: int) -> Place:
        """Find the message.

        start (int): Character of the document.
        RETURNS (Place): The part of a message that it lies in.
        """
        return self._places[bisect_right(self._starts, start) - 1]


def load_pipeline(model: str, *, roster: Optional[Path] = None, allow: Optional[Path] = None) -> Language:
    """Load a pipeline for texts of any length.

    model (str): Name of its package, or path of its folder.
    roster (Optional[Path]): CSV file of people to find (see `Roster.from_csv`).
    allow (Optional[Path]): File of words and phrases that are never PII, one a line.
    RETURNS (Language): The pipeline.
    RAISES (InputError): If there is no such pipeline, it cannot be loaded, or has no use for the lists.
    """
    try:
        nlp = spacy.load(model)
    except OSError:
        if Path(model).exists():
            raise InputError(f"{model} is no folder of a spaCy pipeline.") from None
        raise InputError(
            f"There is no pipeline '{model}'. Install its package with pip, build it with 'python -m spacy project run "
            f"all', or give the path of a pipeline with --model."
        ) from None
    except ValueError as error:
        raise InputError(f"The pipeline '{model}' cannot be loaded: {str(error).strip().splitlines()[0]}") from None
    # The limit is there for parsers, whose memory grows with the text.
    nlp.max_length = sys.maxsize
    if roster is not None or allow is not None:
        from ..rules.roster import Roster

        rulers = [component for name, component in nlp.pipeline if nlp.get_pipe_meta(name).factory == _RULER]
        if not rulers:
            raise InputError(f"The pipeline '{model}' has no {_RULER}, which a roster or allow list is for.")
        for ruler in rulers:
            if roster is not None:
                ruler.set_roster(Roster.from_csv(roster))
            if allow is not None:
                ruler.set_allow_list(allow.read_text(encoding="utf-8-sig").splitlines())
    return nlp


def annotate_items(
    nlp: Language,
    items: Iterable[Item],
    *,
    find_lack: Callable[[Doc], str],
    disable: Sequence[str] = (),
    batch_size: Optional[int] = None,
    n_process: int = 1,
) -> Iterator[Tuple[Item, List[Outcome]]]:
    """Annotate the texts of records as a stream.

    nlp (Language): The pipeline. Its error handler is set.
    items (Iterable[Item]): The records.
    find_lack (Callable[[Doc], str]): What a document lacks of what the pipeline is run for, as the end of a sentence.
    disable (Sequence[str]): Names of the components to leave out.
    batch_size (Optional[int]): Texts to buffer; None for the pipeline's own number.
    n_process (int): Processes to use.
    YIELDS (Tuple[Item, List[Outcome]]): The records in their order, with an outcome a field.
    """
    waiting: Deque[Item] = deque()
    outcomes: List[Outcome] = []
    contents = _take_contents(items, waiting)
    for outcome in annotate(
        nlp, contents, find_lack=find_lack, disable=disable, batch_size=batch_size, n_process=n_process
    ):
        outcomes.append(outcome)
        while waiting and len(outcomes) >= len(waiting[0].fields):
            item = waiting.popleft()
            yield item, outcomes[: len(item.fields)]
            del outcomes[: len(item.fields)]
    for item in waiting:
        yield item, []


def annotate(
    nlp: Language,
    contents: Iterable[Content],
    *,
    find_lack: Callable[[Doc], str],
    disable: Sequence[str] = (),
    batch_size: Optional[int] = None,
    n_process: int = 1,
) -> Iterator[Outcome]:
    """Annotate texts as a stream. Where a component fails on a batch, each text of it is tried again alone.

    nlp (Language): The pipeline. Its error handler is set.
    contents (Iterable[Content]): Texts and lists of messages.
    find_lack (Callable[[Doc], str]): What a document lacks of what the pipeline is run for, as the end of a sentence.
    disable (Sequence[str]): Names of the components to leave out.
    batch_size (Optional[int]): Texts to buffer; None for the pipeline's own number.
    n_process (int): Processes to use.
    YIELDS (Outcome): An outcome a text, in order.
    RAISES (Exception): What reading the contents raises, after the outcomes of those before.
    """
    nlp.set_error_handler(_mark_failure)
    feed = _Feed(nlp, contents)
    while not feed.is_empty:
        taken = feed.taken
        try:
            stream = nlp.pipe(feed.docs(), as_tuples=True, disable=disable, batch_size=batch_size, n_process=n_process)
            for doc, number in stream:
                # spaCy drops the documents that a component failed on.
                while feed.pending and feed.pending[0][0] < number:
                    yield _try_alone(nlp, feed.pending.popleft()[1], disable, find_lack)
                _, content = feed.pending.popleft()
                yield Outcome(doc) if _is_clean(doc, find_lack) else _try_alone(nlp, content, disable, find_lack)
        except Exception:
            # A component that does not keep to spaCy's error handling ends the stream. A new one takes the rest.
            if feed.taken == taken:
                raise
        while feed.pending:
            yield _try_alone(nlp, feed.pending.popleft()[1], disable, find_lack)
    if feed.error is not None:
        raise feed.error


class _Feed:
    """Hands contents to the pipeline and remembers those that have not come out of it."""

    def __init__(self, nlp: Language, contents: Iterable[Content]) -> None:
        self.pending: Deque[Tuple[int, Content]] = deque()
        self.is_empty = False
        self.error: Optional[Exception] = None
        self._nlp = nlp
        self._contents = iter(contents)
        self.taken = 0

    def docs(self) -> Iterator[Tuple[Doc, int]]:
        while True:
            try:
                content = next(self._contents)
            except StopIteration:
                self.is_empty = True
                return
            except Exception as error:
                self.error, self.is_empty = error, True
                return
            self.taken += 1
            self.pending.append((self.taken, content))
            try:
                doc = _make_doc(self._nlp, content)
            except Exception:
                # It is tried again alone, where the failure is reported.
                continue
            yield doc, self.taken


def _take_contents(items: Iterable[Item], waiting: Deque[Item]) -> Iterator[Content]:
    for item in items:
        waiting.append(item)
        for text in item.fields:
            yield text.content


def _make_doc(nlp: Language, content: Content) -> Doc:
    return nlp.make_doc(content) if isinstance(content, str) else make_doc(nlp, content)


def _try_alone(nlp: Language, content: Content, disable: Sequence[str], find_lack: Callable[[Doc], str]) -> Outcome:
    try:
        doc = nlp(_make_doc(nlp, content), disable=list(disable))
    except Exception as error:
        return Outcome(None, f"could not be processed ({type(error).__name__})")
    if _is_clean(doc, find_lack):
        return Outcome(doc)
    return Outcome(None, doc.user_data.get(_FAILED) or find_lack(doc))


def _is_clean(doc: Doc, find_lack: Callable[[Doc], str]) -> bool:
    return _FAILED not in doc.user_data and not find_lack(doc)


def _mark_failure(name: str, component: object, docs: Optional[Sequence[Doc]], error: Exception) -> None:
    """Note the failure on the documents: spaCy would hand them on looking finished. No text of the error is kept."""
    for doc in docs or ():
        doc.user_data[_FAILED] = f"could not be processed: '{name}' failed ({type(error).__name__})"
