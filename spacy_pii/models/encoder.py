"""Building blocks of the tagger's default encoder: embedded features, and windows over long documents."""

from functools import lru_cache, partial
from typing import Callable, Iterable, List, Mapping, Optional, Tuple

import numpy
from spacy.tokens import Doc
from spacy.util import registry
from thinc.api import HashEmbed, Linear, Maxout, Model, concatenate
from thinc.types import Floats2d, Ints1d, Ints2d

from .features import COLUMNS, DocFeatures
from .lists import pack_lists, unpack_lists

# Rows of the hashed tables: a feature of few values needs few.
_ROWS = {
    "LOWER": 12000,
    "PREFIX": 1000,
    "SUFFIX": 4000,
    "SHAPE": 2000,
    "NAMES": 200,
    "LISTS": 1000,
    "CASING": 200,
    "LINE": 500,
    "PLACE": 200,
}
_LEXICAL = COLUMNS[:4]
# Tokens that are embedded at a time in prediction.
_PART = 2048


@registry.architectures("spacy-pii.PiiEmbed.v1")
def PiiEmbed(
    width: int,
    lexical_width: int = 64,
    context_width: int = 24,
    include_static_vectors: bool = False,
    hide_names: float = 0.5,
    hide_words: float = 0.1,
    lists: Optional[Callable[[], Mapping[str, Iterable[str]]]] = None,
) -> Model[List[Doc], List[Floats2d]]:
    """Embed what names need: the word's form, its static vector, name-list evidence, its casing in the whole document
    and its place in line and document (see `spacy_pii.models.features`).

    width (int): Width of the output.
    lexical_width (int): Width of each feature of the word's form.
    context_width (int): Width of each other feature.
    include_static_vectors (bool): Whether to read the static vectors of the vocabulary.
    hide_names (float): In training, the share of the possible names of a document that are hidden, so that names that
        training never saw are found by form and context.
    hide_words (float): In training, the share of the tokens that are hidden, so that the few contexts of a small
        corpus are not learnt by heart.
    lists (Optional[Callable[[], Mapping[str, Iterable[str]]]]): Gives the word lists that are evidence, by name (see
        `spacy_pii.models.lists`). Called when the model is initialized; the hashes are stored with the model.
    RETURNS (Model[List[Doc], List[Floats2d]]): The embedding layer.
    """
    widths = [lexical_width if name in _LEXICAL else context_width for name in COLUMNS]
    hashed = concatenate(
        *[HashEmbed(widths[i], _ROWS[name], column=i, seed=7 + i, dropout=0.0) for i, name in enumerate(COLUMNS)]
    )
    size = sum(widths) + (width if include_static_vectors else 0)
    layers: List[Model] = [hashed, Maxout(width, size, nP=3, dropout=0.0, normalize=True)]
    if include_static_vectors:
        layers.append(Linear(width))
    return Model(
        "pii_embed",
        _embed_forward,
        init=partial(_embed_init, lists),
        layers=layers,
        dims={"nO": width},
        # The hashes live in the attributes so that they are serialized with the model.
        attrs={"lists": {}, "hide_names": hide_names, "hide_words": hide_words},
    )


@registry.architectures("spacy-pii.WindowedEncoder.v1")
def WindowedEncoder(
    encode: Model[List[Floats2d], List[Floats2d]], window: int = 2048, overlap: int = 16
) -> Model[List[Floats2d], List[Floats2d]]:
    """Run an encoder over overlapping windows of long documents, so that memory stays bounded and nothing is cut off.

    With an `overlap` of at least the encoder's receptive field, the output is that of the whole document.

    encode (Model[List[Floats2d], List[Floats2d]]): The encoder, for example `spacy.MaxoutWindowEncoder.v2`.
    window (int): Tokens of a window whose output is kept.
    overlap (int): Tokens read beyond the window on either side.
    RETURNS (Model[List[Floats2d], List[Floats2d]]): The encoder for documents of any length.
    """
    if window < 1 or overlap < 0:
        raise ValueError(f"A window needs at least one token and no negative overlap, not {window} and {overlap}.")
    return Model(
        "windowed_encoder",
        _windowed_forward,
        init=_windowed_init,
        layers=[encode],
        dims={"nO": encode.get_dim("nO") if encode.has_dim("nO") else None},
        attrs={"window": window, "overlap": overlap},
    )


def _embed_init(
    lists: Optional[Callable[[], Mapping[str, Iterable[str]]]],
    model: Model[List[Doc], List[Floats2d]],
    X: Optional[List[Doc]] = None,
    Y: Optional[List[Floats2d]] = None,
) -> None:
    if lists is not None:
        model.attrs["lists"] = pack_lists(lists())
    hashed, mix, *static = model.layers
    hashed.initialize()
    mix.initialize()
    for layer in static:
        if X:
            if not X[0].vocab.vectors.size:
                raise ValueError(
                    "The embedding reads static vectors, but the vocabulary has none: give initialize.vectors."
                )
            layer.set_dim("nI", X[0].vocab.vectors.shape[1])
        layer.initialize()


@lru_cache(maxsize=4)
def _features_of(packed: Tuple[Tuple[str, bytes], ...]) -> DocFeatures:
    return DocFeatures(unpack_lists(dict(packed)))


def _embed_forward(
    model: Model[List[Doc], List[Floats2d]], docs: List[Doc], is_train: bool
) -> Tuple[List[Floats2d], Callable]:
    ops = model.ops
    compute = _features_of(tuple(sorted(model.attrs["lists"].items())))
    hide = {key: model.attrs[key] if is_train else 0.0 for key in ("hide_names", "hide_words")}
    features = [compute(doc, **hide) for doc in docs]
    lengths = ops.asarray1i([len(doc) for doc in docs])
    columns = ops.asarray2i(numpy.concatenate([matrix for matrix, _ in features]), dtype="uint64")
    rows = ops.asarray1i(numpy.concatenate([found for _, found in features]))
    table = docs[0].vocab.vectors.data
    backprop_tokens = None
    if is_train:
        mixed, backprop_tokens = _embed_tokens(model, columns, rows, table, True)
    else:
        # A part at a time: a token's features take ten times the room of what is made of them.
        parts = [
            _embed_tokens(model, columns[start : start + _PART], rows[start : start + _PART], table, False)[0]
            for start in range(0, max(len(columns), 1), _PART)
        ]
        mixed = ops.xp.concatenate(parts)

    def backprop(d_output: List[Floats2d]) -> List[Doc]:
        if backprop_tokens is None:
            raise ValueError("The embedding cannot pass a gradient through a prediction.")
        backprop_tokens(ops.flatten(d_output))
        return []

    return ops.unflatten(mixed, lengths), backprop


def _embed_tokens(
    model: Model[List[Doc], List[Floats2d]], columns: Ints2d, rows: Ints1d, table: Floats2d, is_train: bool
) -> Tuple[Floats2d, Callable]:
    """Embed tokens by their features and by the rows of their static vectors in the table."""
    ops = model.ops
    hashed, mix, *static = model.layers
    embedded, backprop_hashed = hashed(columns, is_train)
    backprop_static = None
    width = embedded.shape[1]
    if static:
        vectors = ops.asarray2f(table[rows])
        vectors[rows < 0] = 0.0
        projected, backprop_static = static[0](vectors, is_train)
        embedded = ops.xp.hstack((embedded, projected))
    mixed, backprop_mix = mix(embedded, is_train)

    def backprop(d_mixed: Floats2d) -> None:
        d_embedded = backprop_mix(d_mixed)
        backprop_hashed(ops.as_contig(d_embedded[:, :width]))
        if backprop_static is not None:
            backprop_static(ops.as_contig(d_embedded[:, width:]))

    return mixed, backprop


def _windowed_init(
    model: Model[List[Floats2d], List[Floats2d]],
    X: Optional[List[Floats2d]] = None,
    Y: Optional[List[Floats2d]] = None,
) -> None:
    encode = model.layers[0]
    encode.initialize(X=X, Y=Y)
    if encode.has_dim("nO"):
        model.set_dim("nO", encode.get_dim("nO"))


def _windowed_forward(
    model: Model[List[Floats2d], List[Floats2d]], X: List[Floats2d], is_train: bool
) -> Tuple[List[Floats2d], Callable]:
    window, overlap = model.attrs["window"], model.attrs["overlap"]
    encode = model.layers[0]
    if all(len(x) <= window for x in X):
        return encode(X, is_train)
    # One entry a window: the array it belongs to, where its kept part starts and ends, where its read part does.
    cuts = [
        (i, start, min(start + window, len(x)), max(start - overlap, 0), min(start + window + overlap, len(x)))
        for i, x in enumerate(X)
        for start in range(0, max(len(x), 1), window)
    ]
    if not is_train:
        # One window at a time: this is what keeps memory bounded.
        parts = [encode.predict([X[i][low:high]])[0] for i, _, _, low, high in cuts]
        backprop_parts = None
    else:
        parts, backprop_parts = encode([model.ops.as_contig(X[i][low:high]) for i, _, _, low, high in cuts], is_train)
    pieces: List[List[Floats2d]] = [[] for _ in X]
    for (i, start, end, low, _), part in zip(cuts, parts):
        pieces[i].append(part[start - low : end - low])
    output = [model.ops.xp.concatenate(piece) for piece in pieces]

    def backprop(d_output: List[Floats2d]) -> List[Floats2d]:
        if backprop_parts is None:
            raise ValueError("The windowed encoder cannot pass a gradient through a prediction.")
        d_parts = []
        for (i, start, end, low, high), part in zip(cuts, parts):
            d_part = model.ops.alloc2f(*part.shape)
            d_part[start - low : end - low] = d_output[i][start:end]
            d_parts.append(d_part)
        d_X = [model.ops.alloc2f(*x.shape) for x in X]
        for (i, _, _, low, high), d_part in zip(cuts, backprop_parts(d_parts)):
            d_X[i][low:high] += d_part
        return d_X

    return output, backprop
