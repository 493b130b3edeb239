"""spaCy's binary documents (.spacy)."""

from pathlib import Path
from typing import Iterable, Iterator, Optional

import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from ..files import replace_file
from .docs import doc_to_record, record_to_doc
from .reading import find_files
from .record import Record, RecordError, Report

# Tokenizing takes memory in proportion to the text; spaCy's own limit is meant for parsers.
_MAX_LENGTH = 1_000_000_000


def make_tokenizer(lang: str) -> Language:
    """Make a pipeline that does nothing but tokenize, texts of any length.

    lang (str): Code of the language.
    RETURNS (Language): The pipeline.
    """
    nlp = spacy.blank(lang)
    nlp.max_length = _MAX_LENGTH
    return nlp


def read(path: Path, *, report: Optional[Report] = None) -> Iterator[Record]:
    """Read .spacy files.

    path (Path): A file, or a folder of files.
    report (Optional[Report]): Takes files that cannot be read. Without one the first of them raises.
    YIELDS (Record): The records.
    RAISES (RecordError): If a file is broken and the report strict or missing.
    """
    for number, doc in enumerate(read_docs(path, report=report), start=1):
        yield doc_to_record(doc, number)


def read_docs(path: Path, *, report: Optional[Report] = None) -> Iterator[Doc]:
    """Read the documents of .spacy files.

    path (Path): A file, or a folder of files.
    report (Optional[Report]): Takes files that cannot be read. Without one the first of them raises.
    YIELDS (Doc): The documents.
    RAISES (RecordError): If a file is broken and the report strict or missing.
    """
    report = Report(strict=True) if report is None else report
    vocab = Vocab()
    for file in find_files(path, (".spacy",)):
        try:
            docs = DocBin(store_user_data=True).from_bytes(file.read_bytes())
        # The unpackers of zlib and msgpack each raise errors of their own for what is no DocBin.
        except Exception:
            report.reject(RecordError(file, 1, "", "is not a file of spaCy documents"))
            continue
        yield from docs.get_docs(vocab)


def write(
    records: Iterable[Record], path: Path, *, nlp: Optional[Language] = None, report: Optional[Report] = None
) -> None:
    """Write a .spacy file with gold in `doc.spans["pii"]` and `doc.ents`.

    records (Iterable[Record]): Records with canonical labels.
    path (Path): The file.
    nlp (Optional[Language]): Its tokenizer is used, by default that of English.
    report (Optional[Report]): Counts gold that does not fall on token boundaries.
    """
    nlp = make_tokenizer("en") if nlp is None else nlp
    docs = DocBin(attrs=("ENT_IOB", "ENT_TYPE"), store_user_data=True)
    for record in records:
        docs.add(record_to_doc(nlp, record, report=report))
    with replace_file(path) as temporary:
        temporary.write_bytes(docs.to_bytes())
