"""The corpus formats as spaCy corpora: readers for the `[corpora]` block of a training config."""

from itertools import islice
from pathlib import Path
from typing import Callable, Iterable, Iterator, Optional

from spacy.language import Language
from spacy.training import Example
from spacy.util import registry

from .docs import record_to_doc
from .formats import get_format, read_records

Corpus = Callable[[Language], Iterable[Example]]


class RecordCorpus:
    """Examples from the records of a format, tokenized by the pipeline that is trained."""

    def __init__(self, path: Path, *, format: str, scheme: Optional[str] = None, limit: int = 0) -> None:
        """Initialize the corpus.

        path (Path): A file or folder.
        format (str): Name of the format.
        scheme (Optional[str]): Label scheme, by default the format's.
        limit (int): Number of documents after which to stop; 0 for all.
        """
        self.path = Path(path)
        self.format = get_format(format).name
        self.scheme = scheme
        self.limit = limit

    def __call__(self, nlp: Language) -> Iterator[Example]:
        """Read the examples.

        nlp (Language): The pipeline.
        YIELDS (Example): The reference has the gold; both documents have the turns of a transcript.
        RAISES (RecordError): If a record is broken.
        """
        records = read_records(self.path, self.format, scheme=self.scheme)
        for record in islice(records, self.limit or None):
            yield Example(record_to_doc(nlp, record, gold=False), record_to_doc(nlp, record))


@registry.readers("spacy-pii.KaggleReader.v1")
def create_kaggle_reader(path: Path, scheme: str = "crapii", limit: int = 0) -> Corpus:
    """Read the JSON of CRAPII; see `RecordCorpus`."""
    return RecordCorpus(path, format="kaggle", scheme=scheme, limit=limit)


@registry.readers("spacy-pii.SpanJsonlReader.v1")
def create_span_jsonl_reader(path: Path, scheme: str = "canonical", limit: int = 0) -> Corpus:
    """Read text with spans as JSON; see `RecordCorpus`."""
    return RecordCorpus(path, format="span-jsonl", scheme=scheme, limit=limit)


@registry.readers("spacy-pii.TranscriptsReader.v1")
def create_transcripts_reader(path: Path, scheme: str = "canonical", limit: int = 0) -> Corpus:
    """Read transcripts as JSON; see `RecordCorpus`."""
    return RecordCorpus(path, format="transcripts", scheme=scheme, limit=limit)


@registry.readers("spacy-pii.InlineReader.v1")
def create_inline_reader(path: Path, scheme: str = "canonical", limit: int = 0) -> Corpus:
    """Read marked text; see `RecordCorpus`."""
    return RecordCorpus(path, format="inline", scheme=scheme, limit=limit)


@registry.readers("spacy-pii.BratReader.v1")
def create_brat_reader(path: Path, scheme: str = "canonical", limit: int = 0) -> Corpus:
    """Read brat's standoff annotations; see `RecordCorpus`."""
    return RecordCorpus(path, format="brat", scheme=scheme, limit=limit)


@registry.readers("spacy-pii.DocBinReader.v1")
def create_docbin_reader(path: Path, scheme: str = "canonical", limit: int = 0) -> Corpus:
    """Read spaCy's binary documents, tokenized anew; see `RecordCorpus`."""
    return RecordCorpus(path, format="docbin", scheme=scheme, limit=limit)
