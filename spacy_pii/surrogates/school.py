"""Surrogates of SCHOOL."""

import re
from typing import Optional

from .context import Context
from .keys import Stream
from .location import kind_of, replace_place
from .names import fold
from .shapes import LETTERS, match_case, reshape

# Words that say what kind of school it is, in the languages whose schools English texts name most.
_KIND_WORDS = frozenset(
    """school schools high middle elementary primary secondary junior senior intermediate preparatory prep grammar
    academy academic college university universities institute polytechnic technical technology vocational community
    state city national public private international day boarding girls boys girl's girls' boys' boy's christian
    catholic charter magnet montessori kindergarten preschool nursery department faculty campus
    teachers teacher education science sciences arts art medical law business agriculture engineering management
    online open central north south east west northern southern eastern western the of for and at in de la le les des
    du del da do di saint st sainte santa san são no ps hs ms es jhs isd usd k12 k-12
    universidad universidade université università universität universiteit univ uni escuela colegio instituto
    preparatoria secundaria primaria liceo lycée collège école escola colégio liceu scuola istituto schule gymnasium
    grundschule hochschule faculdade facultad madrasa madrassa""".split()
)
_FIRST = (
    "Alder Ash Birch Brook Cedar Clear Copper Crest Eagle East Elm Fair Falcon Fern Glen Golden Green Harbor Haven "
    "Hazel Heron High Hollow Iron Juniper Lake Lark Linden Maple Meadow Mill North Oak Orchard Pine Prairie Quarry "
    "Raven Red River Rose Sage Silver Spring Stone Summer Sunny Thorn Timber Valley West White Wild Willow"
).split()
_SECOND = (
    "bank bridge brook crest dale field ford gate grove haven hill mont mount point ridge side stead vale view ville "
    "ward water wood"
).split()
_SAINTS = "Agatha Alban Brendan Clare Cuthbert Dunstan Edith Gabriel Hilda Jerome Lucy Monica Oswald Ursula".split()
_SAINT = re.compile(r"\b(?:st\.?|saint|sainte|san|santa|são)\s+$", re.IGNORECASE)
_WORD = re.compile(rf"(?:{LETTERS})+(?:['’](?:{LETTERS})*)?(?:-(?:{LETTERS})+)*|\d+")
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)


def canonical(surface: str) -> str:
    """Name the entity of a school.

    surface (str): Its name, whole or short.
    RETURNS (str): The words that are its own, folded; all words where none is.
    """
    own = [fold(_POSSESSIVE.sub("", word)) for word in _WORD.findall(surface) if not _is_kind(word)]
    return " ".join(own) or " ".join(fold(surface).split())


def replace(surface: str, rng: Stream, context: Context) -> Optional[str]:
    """Replace a school by another of the same stage: the words of the kind stay, the name changes.

    surface (str): Its name, whole, short or as an acronym.
    rng (Stream): Source of randomness.
    context (Context): The document.
    RETURNS (Optional[str]): The surrogate, or None where the surface has no word.
    """
    matches = list(_WORD.finditer(surface))
    own = [match for match in matches if not _is_kind(match.group())]
    if not matches:
        return None
    if not own:
        return _name_the_kind(surface, rng)
    acronym = surface.strip()
    if len(matches) == 1 and acronym.isupper() and 2 <= len(acronym) <= 6 and acronym.isalpha():
        return surface.replace(acronym, _acronym(acronym, rng, context))
    result = []
    position = 0
    at = 0
    while at < len(own):
        # Words of a name that stand side by side are one name.
        last = at
        while last + 1 < len(own) and surface[own[last].end() : own[last + 1].start()] in (" ", "-"):
            last += 1
        start, end = own[at].start(), own[last].end()
        possessive = _POSSESSIVE.search(surface[start:end])
        if possessive:
            end -= len(possessive.group())
        result.append(surface[position:start])
        if _SAINT.search(surface[:start]):
            saint = rng.choice([name for name in _SAINTS if fold(name) != fold(surface[start:end])])
            result.append(match_case(surface[start:end], saint))
        else:
            result.append(_replace_name(surface[start:end], rng, context))
        position = end
        at = last + 1
    result.append(surface[position:])
    return "".join(result)


def _replace_name(name: str, rng: Stream, context: Context) -> str:
    if name.isdigit():
        return reshape(name, rng)
    if kind_of(fold(name))[0]:
        # The University of Nairobi lies where the text says Nairobi.
        return replace_place(name, context.stream("LOCATION", fold(name)), context)
    folded = fold(name)
    new = rng.choice(_FIRST) + rng.choice(_SECOND)
    while fold(new)[0] == folded[0]:
        new = rng.choice(_FIRST) + rng.choice(_SECOND)
    return match_case(name, new) if name.isupper() or name.islower() else new


def _name_the_kind(surface: str, rng: Stream) -> str:
    """Give a name to a school that is called by its kind alone ("the high school")."""
    article = re.match(r"\s*(?:the\s+)?", surface, re.IGNORECASE).group()
    name = rng.choice(_FIRST) + rng.choice(_SECOND)
    rest = surface[len(article) :]
    return f"{article}{match_case(rest, name) if rest.islower() or rest.isupper() else name} {rest}"


def _acronym(acronym: str, rng: Stream, context: Context) -> str:
    """Shorten the surrogate of the school that an acronym stands for; else change its letters."""
    for school in context.schools:
        if len(school) > len(acronym) and _initials(school) == acronym:
            new = _initials(replace(school, context.stream("SCHOOL", canonical(school)), context) or "")
            if new and new != acronym:
                return new
    # U and C as in university and college stay.
    letters = [char if char in "UC" and len(acronym) > 2 else reshape(char, rng) for char in acronym]
    new = "".join(letters)
    return new if new != acronym else reshape(acronym, rng)


def _initials(school: str) -> str:
    words = [word for word in _WORD.findall(school) if fold(word) not in ("of", "the", "for", "and", "at", "in", "de")]
    return "".join(word[0] for word in words).upper()


def _is_kind(word: str) -> bool:
    return word.lower() in _KIND_WORDS or word.lower().replace("’", "'") in _KIND_WORDS
