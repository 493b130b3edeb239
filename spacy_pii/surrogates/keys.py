"""Keyed randomness: every surrogate is drawn from a stream that only the holder of the secret key can draw again."""

import hashlib
import hmac
import os
from typing import Optional, Sequence, TypeVar

T = TypeVar("T")

_BLOCK = 64
_KEY_BYTES = 32


class Stream:
    """Random numbers that follow from a seed alone.

    seed (bytes): The seed.
    """

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._counter = 0
        self._buffer = b""

    def randint(self, low: int, high: int) -> int:
        """Draw a whole number.

        low (int): Smallest number.
        high (int): Largest number, included.
        RETURNS (int): The number.
        RAISES (ValueError): If the range is empty.
        """
        if high < low:
            raise ValueError(f"Empty range: {low} to {high}.")
        # The bias of the remainder is below 2**-50 for every range that is used here.
        return low + int.from_bytes(self._take(8), "big") % (high - low + 1)

    def choice(self, items: Sequence[T]) -> T:
        """Draw an item.

        items (Sequence[T]): The items.
        RETURNS (T): One of them.
        RAISES (ValueError): If there are none.
        """
        return items[self.randint(0, len(items) - 1)]

    def _take(self, count: int) -> bytes:
        if len(self._buffer) < count:
            block = hashlib.blake2b(self._counter.to_bytes(8, "big"), key=self._seed, digest_size=_BLOCK)
            self._counter += 1
            self._buffer += block.digest()
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken


class KeyedSource:
    """Hands out streams that depend on the secret key and on what they are for.

    key (bytes): The secret key. It is neither shown nor pickled.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    def __repr__(self) -> str:
        return "KeyedSource()"

    def __getstate__(self) -> None:
        raise TypeError("A keyed source holds a secret and is not pickled.")

    def stream(self, *parts: str) -> Stream:
        """Make the stream of some purpose.

        parts (str): What the stream is for: scope, label, canonical form of the entity.
        RETURNS (Stream): A fresh stream, the same for the same key and parts.
        """
        # Each part goes with its length, so that ("ab", "c") and ("a", "bc") differ.
        encoded = [part.encode("utf8", "surrogatepass") for part in parts]
        message = b"".join(len(part).to_bytes(8, "big") + part for part in encoded)
        return Stream(hmac.new(self._key, message, hashlib.sha256).digest())

    def digest(self, text: str) -> str:
        """Sum a text up, as the name of a scope.

        text (str): Any text.
        RETURNS (str): Hexadecimal digest that says nothing without the key.
        """
        return hmac.new(self._key, text.encode("utf8", "surrogatepass"), hashlib.sha256).hexdigest()


def read_key(variable: str) -> Optional[bytes]:
    """Read the secret key from the environment.

    variable (str): Name of the environment variable.
    RETURNS (Optional[bytes]): The key, or None where the variable is missing or empty.
    """
    value = os.environ.get(variable, "")
    return value.encode("utf8", "surrogateescape") if value else None


def fresh_key() -> bytes:
    """Draw a key from the operating system.

    RETURNS (bytes): 32 random bytes.
    """
    return os.urandom(_KEY_BYTES)
