"""Word lists as evidence for the tagger: names, well-known people, places, peoples, and words of other languages."""

import hashlib
from typing import Callable, Dict, FrozenSet, Iterable, List, Mapping, NamedTuple

import numpy
from spacy.util import registry

from ..surrogates.countries import countries
from ..surrogates.names import fold, name_parts
from ..tables import load_table

NAMES = "names"
OTHERS = ("public", "places", "peoples", "foreign", "words")
"""The lists beside that of the names: well-known people, places, peoples and religions, words of other languages, and
English words that are too rare to have a static vector."""

LONGEST = 4
"""Words of the longest entry that is looked up as a whole."""


@registry.misc("spacy-pii.WordLists.v1")
def create_word_lists() -> Callable[[], Mapping[str, Iterable[str]]]:
    """The lists that the package holds: Faker's and the project's own names, and the project's own other tables.

    RETURNS (Callable[[], Mapping[str, Iterable[str]]]): Gives the entries by list.
    """
    return read_word_lists


def read_word_lists() -> Mapping[str, Iterable[str]]:
    """Read the lists that the package holds.

    RETURNS (Mapping[str, Iterable[str]]): The entries by list, names as single parts.
    """
    places = load_table("places")
    known = countries()
    return {
        NAMES: name_parts(),
        "public": [name for names in load_table("public_people").values() for name in names],
        "places": [
            *(place for kind in ("cities", "regions", "countries") for place in places[kind]),
            *(place for country in known for place in (country.name, *country.aliases, *country.cities)),
        ],
        "peoples": [*places["peoples"], *(country.nationality for country in known)],
        "foreign": [word for words in load_table("foreign_words").values() for word in words],
        "words": rare_words(),
    }


def rare_words() -> List[str]:
    """English words that are too rare for most vocabularies, from the project's own tables.

    RETURNS (List[str]): The words in lower case, the terms of mathematics with their plurals among them.
    """
    topics = load_table("math_vocabulary")["topics"].values()
    terms = [word for topic in topics for term in topic["terms"] for word in (term, f"{term}s")]
    return [*load_table("words_academic"), *load_table("words_everyday"), *terms]


class HashedList(NamedTuple):
    """A list as hashes, so that a pipeline does not carry its entries in clear.

    entries (FrozenSet[int]): Hashes of the entries, folded.
    openings (FrozenSet[int]): Hashes of the first words of those that have several.
    """

    entries: FrozenSet[int]
    openings: FrozenSet[int]


def hash_word(text: str) -> int:
    """Hash a folded word or phrase, the same on every machine.

    text (str): The folded text.
    RETURNS (int): A 32-bit unsigned hash.
    """
    return int.from_bytes(hashlib.blake2b(text.encode("utf8"), digest_size=4).digest(), "big")


def pack_lists(lists: Mapping[str, Iterable[str]]) -> Dict[str, bytes]:
    """Turn lists into what a model can store.

    lists (Mapping[str, Iterable[str]]): Entries by list.
    RETURNS (Dict[str, bytes]): For each list its hashes, and under `{list}:openings` those of first words.
    """
    packed = {}
    for name, entries in lists.items():
        words = [fold(entry).split() for entry in entries]
        packed[name] = _pack({hash_word(" ".join(entry)) for entry in words if entry})
        packed[f"{name}:openings"] = _pack({hash_word(entry[0]) for entry in words if 1 < len(entry) <= LONGEST})
    return packed


def unpack_lists(packed: Mapping[str, bytes]) -> Dict[str, HashedList]:
    """Read what `pack_lists` stored.

    packed (Mapping[str, bytes]): The stored hashes.
    RETURNS (Dict[str, HashedList]): The lists.
    """
    hashes = {name: frozenset(numpy.frombuffer(data, dtype="uint32").tolist()) for name, data in packed.items()}
    return {name: HashedList(hashes[name], hashes[f"{name}:openings"]) for name in hashes if ":" not in name}


def _pack(hashes: Iterable[int]) -> bytes:
    return numpy.array(sorted(hashes), dtype="uint32").tobytes()
