"""Handles: what e-mail addresses, user names and links to profiles have in common."""

import re
from functools import partial

from .context import Context
from .keys import Stream
from .names import fold
from .shapes import match_case, other_digit, other_letter

# Words that no one is recognized by, for the parts of a handle that are no name.
_WORDS = (
    "amber aqua atlas aurora azure bamboo basil beacon birch bloom breeze brook candle canyon cedar chess cinder "
    "citrus clover cobalt comet copper coral cosmo cricket crimson dawn delta dune echo ember falcon fern finch flint "
    "forest frost galaxy ginger glacier granite harbor hazel heron hollow indigo ivory jade jasper jet kite lagoon "
    "lark lemon lilac lotus lunar lynx mango maple marble meadow mellow mint misty mocha moss nimbus north oak oasis "
    "ocean olive onyx opal orbit otter owl panda pearl pebble pepper pine pixel plum prairie quartz quill raven reef "
    "ripple river robin rocket saffron sage sierra silver sky solar spark sprout star stone storm summit sunny swift "
    "thunder tiger timber topaz tulip velvet violet walnut wave willow winter zephyr"
).split()
_SPOKEN = frozenset({"dot", "underscore", "dash", "hyphen", "at", "u", "www"})
_LONG = 9


def replace_handle(text: str, context: Context) -> str:
    """Replace a handle: names follow their person, other words and digits become others; the pattern stays.

    text (str): The handle.
    context (Context): The document.
    RETURNS (str): The new handle.
    """
    # One stream wherever it stands: the login, the address and the profile of one person share their handle.
    rng = context.stream("USERNAME", canonical_handle(text))
    replaced, _ = context.persons.replace_in_token(text, replace_rest=partial(_other_word, rng))
    return "".join(other_digit(char, rng) if char.isdigit() else char for char in replaced)


def canonical_handle(text: str) -> str:
    """Name the entity of a handle.

    text (str): The handle.
    RETURNS (str): Its letters and digits, folded.
    """
    return re.sub(r"[\W_]+", "", fold(text))


def _other_word(rng: Stream, word: str) -> str:
    if fold(word) in _SPOKEN:
        return word
    if len(word) <= 2:
        return "".join(other_letter(char, rng) for char in word)
    count = 2 if len(word) >= _LONG else 1
    words = [rng.choice(_WORDS) for _ in range(count)]
    while fold(word) in ("".join(words), *words):
        words = [rng.choice(_WORDS) for _ in range(count)]
    return match_case(word, "".join(words))
