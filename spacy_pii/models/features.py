"""Integer features of tokens that say whether a name may stand there."""

from typing import Dict, List, Mapping, NamedTuple, Tuple

import numpy
from spacy.attrs import IS_SPACE, LOWER, PREFIX, SHAPE, SUFFIX
from spacy.tokens import Doc
from spacy.vocab import Vocab

from ..surrogates.names import fold
from .lists import LONGEST, NAMES, OTHERS, HashedList, hash_word

COLUMNS = ("LOWER", "PREFIX", "SUFFIX", "SHAPE", "NAMES", "LISTS", "CASING", "LINE", "PLACE")
"""The columns of the feature matrix."""

UNKNOWN_WORD = 1
"""LOWER of a word that has no static vector: what a name looks like has to be learned from its form and its context,
not from the few thousand names that the training text happened to hold."""

_SENTENCE_END = frozenset(".!?…")
_OPENERS = frozenset("\"'“‘([{*-–—•>#")
_LINE_BUCKETS = numpy.array([0, 1, 2, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 6], dtype="uint64")


class Evidence(NamedTuple):
    """What the lists say of a word.

    name (int): 0 no name; 1 a name; 2 made of names, as in Anne-Marie or maria.lopez.
    others (int): A bit for each of the other lists that holds it.
    opens (int): A bit for each of the other lists that holds a phrase beginning with it.
    """

    name: int = 0
    others: int = 0
    opens: int = 0


class DocFeatures:
    """Computes the feature matrix of a document.

    The word's own attributes stand beside evidence of lists, and of the whole document, which a window of a few words
    cannot see: how often the word is written in lower case, capitalised or in capitals here, and where in its line and
    in the document it stands. A word that is always capitalised is a name more often than one that is so once.
    """

    def __init__(self, lists: Mapping[str, HashedList]) -> None:
        """Initialize the features.

        lists (Mapping[str, HashedList]): Lists of words; a list that is missing gives no evidence.
        """
        nothing = HashedList(frozenset(), frozenset())
        self._names = lists.get(NAMES, nothing)
        self._others = [lists.get(name, nothing) for name in OTHERS]
        self._evidence: Dict[int, Evidence] = {}

    def __call__(
        self, doc: Doc, *, hide_names: float = 0.0, hide_words: float = 0.0
    ) -> Tuple[numpy.ndarray, numpy.ndarray]:
        """Compute the features of a document.

        In training, what a word is can be hidden, so that it is its context and its form that tell what it is: of a
        small corpus, the model would else learn the names and the contexts by heart. The numbers are drawn from
        numpy's global generator, the one that a training run seeds.

        doc (Doc): The document.
        hide_names (float): Share of the possible names (words of the name lists, and words without a static vector)
            that are hidden throughout the document.
        hide_words (float): Share of the tokens that are hidden.
        RETURNS (Tuple[numpy.ndarray, numpy.ndarray]): Features of shape (tokens, len(COLUMNS)), uint64; and for each
            token the row of its static vector, -1 for none, int64.
        """
        length = len(doc)
        features = numpy.zeros((length, len(COLUMNS)), dtype="uint64")
        if not length:
            return features, numpy.zeros(0, dtype="int64")
        attrs = doc.to_array([LOWER, PREFIX, SUFFIX, SHAPE, IS_SPACE])
        words, inverse = numpy.unique(attrs[:, 0], return_inverse=True)
        rows = self._rows(doc.vocab, words)
        evidence = self._look_up_all(doc.vocab, words)
        names = evidence[:, 0]
        others = self._other_lists(doc, evidence, inverse)
        hidden = numpy.zeros(length, dtype=bool)
        if hide_names:
            possible = (names > 0) | (rows < 0)
            drawn = possible & (numpy.random.uniform(size=len(words)) < hide_names)
            hidden |= drawn[inverse]
            # The evidence alone is hidden as well: most names of the world, and most places, are in no list.
            unlisted = drawn | (numpy.random.uniform(size=len(words)) < hide_names)
            names[unlisted] = 0
            others[unlisted[inverse]] = 0
        if hide_words:
            hidden |= numpy.random.uniform(size=length) < hide_words
        token_rows = numpy.where(hidden, -1, rows[inverse])
        shapes = self._shape_classes(doc.vocab, attrs[:, 3])
        features[:, 0:4] = attrs[:, 0:4]
        features[token_rows < 0, 0] = UNKNOWN_WORD
        features[hidden, 1:3] = UNKNOWN_WORD
        features[:, 4] = (names[inverse] * 2 + (token_rows >= 0)) * 8 + shapes
        features[:, 5] = others * 8 + shapes
        features[:, 6] = self._casing(inverse, len(words), shapes)
        features[:, 7], features[:, 8] = self._layout(doc, attrs[:, 4].astype(bool))
        return features, token_rows

    def _rows(self, vocab: Vocab, words: numpy.ndarray) -> numpy.ndarray:
        if not vocab.vectors.size:
            return numpy.full(len(words), -1, dtype="int64")
        return numpy.asarray(vocab.vectors.find(keys=words), dtype="int64")

    def _look_up_all(self, vocab: Vocab, words: numpy.ndarray) -> numpy.ndarray:
        """What the lists say of each distinct word: name, others, opens."""
        known = self._evidence
        found = numpy.zeros((len(words), 3), dtype="uint64")
        for i, word in enumerate(words.tolist()):
            value = known.get(word)
            if value is None:
                value = self._look_up(vocab.strings[word])
                # Bounded, for a long-lived process sees ever new words.
                if len(known) < 1_000_000:
                    known[word] = value
            found[i] = value
        return found

    def _look_up(self, word: str) -> Evidence:
        if not any(char.isalpha() for char in word):
            return Evidence()
        folded = fold(word)
        key = hash_word(folded)
        others = sum(1 << i for i, other in enumerate(self._others) if key in other.entries)
        opens = sum(1 << i for i, other in enumerate(self._others) if key in other.openings)
        if key in self._names.entries:
            return Evidence(1, others, opens)
        parts = [part for part in _split_word(folded) if len(part) > 2]
        composed = 0 < len(parts) < 6 and any(hash_word(part) in self._names.entries for part in parts)
        return Evidence(2 if composed else 0, others, opens)

    def _other_lists(self, doc: Doc, evidence: numpy.ndarray, inverse: numpy.ndarray) -> numpy.ndarray:
        """Bits of the other lists for each token: a bit for an entry of one word, a higher one for a phrase."""
        bits = evidence[inverse, 1]
        opens = evidence[inverse, 2]
        for first in numpy.flatnonzero(opens).tolist():
            words = [fold(doc[i].text) for i in range(first, min(first + LONGEST, len(doc)))]
            for size in range(len(words), 1, -1):
                key = hash_word(" ".join(words[:size]))
                found = [i for i, other in enumerate(self._others) if key in other.entries]
                for i in found:
                    bits[first : first + size] |= numpy.uint64(1 << (len(self._others) + i))
                if found:
                    break
        return bits

    @staticmethod
    def _shape_classes(vocab: Vocab, shapes: numpy.ndarray) -> numpy.ndarray:
        """Class of the letter case of each token: 0 none, 1 lower, 2 capitalised, 3 capitals, 4 initial, 5 mixed."""
        distinct, inverse = numpy.unique(shapes, return_inverse=True)
        classes = numpy.array([_case_class(vocab.strings[shape]) for shape in distinct.tolist()], dtype="uint64")
        return classes[inverse]

    @staticmethod
    def _casing(inverse: numpy.ndarray, size: int, classes: numpy.ndarray) -> numpy.ndarray:
        """How the word is written in the whole document: counts in lower case, capitalised and in all, in classes."""
        lower = numpy.bincount(inverse[classes == 1], minlength=size)
        title = numpy.bincount(inverse[classes == 2], minlength=size)
        total = numpy.bincount(inverse, minlength=size)
        joined = numpy.minimum(lower, 2) * 16 + numpy.minimum(title, 3) * 4 + numpy.minimum(total - lower - title, 3)
        return joined[inverse].astype("uint64")

    @staticmethod
    def _layout(doc: Doc, is_space: numpy.ndarray) -> Tuple[numpy.ndarray, numpy.ndarray]:
        """Where the token stands in its line and after what, and where the line stands in the document."""
        texts = [token.text for token in doc]
        length = len(texts)
        breaks = numpy.zeros(length, dtype=bool)
        for i in numpy.flatnonzero(is_space).tolist():
            breaks[i] = "\n" in texts[i]
        line = numpy.cumsum(breaks) - breaks
        last = int(line[-1])
        starts = numpy.concatenate([[0], numpy.flatnonzero(breaks) + 1])
        ends = numpy.append(starts[1:], length)
        in_line = numpy.arange(length) - starts[line]
        size = (ends - starts)[line]
        after = numpy.zeros(length, dtype="uint64")
        previous = 3
        for i, text in enumerate(texts):
            after[i] = previous
            if is_space[i]:
                previous = 3 if breaks[i] else previous
            elif text[-1] in _SENTENCE_END:
                previous = 1
            elif text == ":":
                previous = 2
            elif previous == 0 or text not in _OPENERS:
                previous = 0
        from_top = _LINE_BUCKETS[numpy.minimum(line, 16)]
        from_end = _LINE_BUCKETS[numpy.minimum(last - line, 16)]
        place = numpy.minimum(in_line, 3).astype("uint64")
        width = numpy.digitize(size, [2, 4, 7, 12, 30]).astype("uint64")
        return (place * 8 + width) * 4 + after, from_top * 8 + from_end


def _case_class(shape: str) -> int:
    if "x" not in shape and "X" not in shape:
        return 0
    if "X" not in shape:
        return 1
    if shape[0] == "X" and "X" not in shape[1:]:
        return 2 if "x" in shape else 4
    return 5 if "x" in shape else 3


def _split_word(word: str) -> List[str]:
    return "".join(char if char.isalpha() else " " for char in word).split()
