"""Which split a document or a name belongs to: decided by a hash, so that it never changes when others are added."""

import hashlib
from typing import Mapping, Tuple

SPLITS: Mapping[str, Tuple[float, float]] = {"train": (0.0, 0.8), "dev": (0.8, 0.9), "test": (0.9, 1.0)}
"""The range of the hash that each split takes: of documents, and of names, so that no split sees another's."""


def stable_fraction(namespace: str, text: str) -> float:
    """Hash a text to a number from 0 to 1, the same on every machine.

    namespace (str): What the text is, so that equal texts of different kinds are independent.
    text (str): The text.
    RETURNS (float): The number, below 1.
    """
    digest = hashlib.blake2b(f"{namespace}\0{text}".encode("utf8"), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64


def split_of(namespace: str, text: str) -> str:
    """Tell the split of a document or a name.

    namespace (str): What the text is.
    text (str): Name of the document, or the name folded.
    RETURNS (str): One of `SPLITS`.
    """
    fraction = stable_fraction(namespace, text)
    return next(name for name, (low, high) in SPLITS.items() if low <= fraction < high)
