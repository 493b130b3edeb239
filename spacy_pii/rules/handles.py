"""Handles and logins: @handles, and names that follow a word such as username or insta."""

import re
from functools import lru_cache
from typing import FrozenSet, Iterator, List, NamedTuple, Pattern

from .base import Match, Source, any_of, common_words, first_words, load_table
from .names import is_role

_AT_HANDLE = re.compile(r"(?<![\w.@/\\+-])@(\w[\w.]{1,30})")
_TIME = re.compile(r"\d+(?:am|pm|h|hrs?)?$", re.I)
_FILE = re.compile(
    r"\.(?:docx?|pdf|pptx?|xlsx?|py|ipynb|txt|csv|json|ya?ml|html?|js|java|c|cpp|r|md|png|jpe?g|mp[34]|zip|tex|bib)$",
    re.I,
)
_CALL_OR_NEWLINE = re.compile(r"\s*[(\n]")
_TAG = re.compile(r"(?<![\w.#])[^\W\d_][\w.]{1,31}#\d{4}(?!\w)")
_TAG_CUE_WIDTH = 60
# Who wrote a post: the first thing in its line, before a colon, a dot, a time, or a verb of writing.
_BYLINE = re.compile(
    r"^[^\w\n@]{0,12}(?:\[[^\]\n]{4,30}\][ \t]*)?([^\W\d_]\w[\w.-]{1,28}\w)(?=:|[ \t]*(?:$|[•·|(\[—–]|-[ \t])|[ \t]{2,}"
    r"|[ \t]+(?:wrote|said|posted|replied|commented|asked|answered|edited|joined|left|requested|escribió|schrieb"
    r"|a écrit)\b)",
    re.M,
)
_NAMED = re.compile(
    r"(?<!\w)(?:by|user|author|reviewers?|from|mine['’]?s|mine is|called|kakao|kakaotalk|line|[—–~])"
    r"(?:\s+is)?\s*[:=]?\s*(?<![\w@])([^\W\d_]\w[\w.-]{1,28}\w)(?![\w@])",
    re.I,
)


class _Table(NamedTuple):
    not_handles: FrozenSet[str]
    not_tokens: FrozenSet[str]
    triggers: FrozenSet[str]
    strong: FrozenSet[str]
    cued: Pattern[str]
    tag_cue: Pattern[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data = load_table("handles")
    cues = [*data["strong_cues"], *data["cues"]]
    # The cue, what may stand between ("name is", "tag:", "on there is"), and the name itself, at least three signs.
    between = r"(?:\s+(?:name|user|username|tag|id|handle|account|login)\b)?"
    verb = (
        r"(?:[^\n?]{0,40}\?\s*(?:[^\n:>]{0,25}[:>]\s*)?|\s*(?:[:=]|->|—|–|-)\s*"
        r"|\s+(?:is|was|as|on\s+\w+\s+is|it'?s)\s*[:=]?\s+|\s+)"
    )
    return _Table(
        not_handles=frozenset([*data["not_handles"], *data["public"]]),
        not_tokens=frozenset(data["not_tokens"]),
        triggers=first_words(cues),
        strong=frozenset(data["strong_cues"]),
        cued=re.compile(
            rf"(?<!\w)({any_of(cues)}){between}({verb})[\"'“‘`(]?(?![@\d]+\b)([^\W_]?[\w][\w.-]{{1,29}})(?![\w@])", re.I
        ),
        tag_cue=re.compile(rf"\b{any_of(data['tag_cues'])}\b"),
    )


def find_handles(source: Source) -> Iterator[Match]:
    """Find handles and logins of people.

    source (Source): The text.
    YIELDS (Match): The handles, with their @ sign where they have one.
    """
    found = []
    if "@" in source.text:
        found.extend(_find_at_handles(source))
    if source.has_any(_table().triggers):
        found.extend(_find_cued(source))
    if "#" in source.text:
        found.extend(_find_tags(source))
    found.extend(_find_authors(source))
    yield from found
    yield from _find_again(source, found)


def _find_at_handles(source: Source) -> Iterator[Match]:
    text, table = source.text, _table()
    for hit in _AT_HANDLE.finditer(text):
        name = hit.group(1).rstrip(".")
        end = hit.start() + 1 + len(name)
        lowered = name.lower()
        if lowered.partition(".")[0] in table.not_handles or _TIME.match(name) or not _has_letter(name):
            continue
        if text[end : end + 1] == "@" or len(name) < 2 or text[hit.start() - 1 : hit.start()] == "`":
            continue
        # "@Mateo, you promised" calls somebody by name.
        if name.isalpha() and name.istitle():
            yield Match(hit.start(), end, "PERSON", "at_name", 0.6)
            continue
        # A decorator or an annotation: alone at the start of its line of code.
        line = text[max(0, hit.start() - 40) : hit.start()].rpartition("\n")[2]
        if not line.strip() and _CALL_OR_NEWLINE.match(text, end) and _is_code_below(text, end):
            continue
        yield Match(hit.start(), end, "USERNAME", "at_handle", 0.85 if not name.isalpha() else 0.7)


def _is_code_below(text: str, end: int) -> bool:
    below = text[end : end + 200]
    return (
        below.startswith("(")
        or re.search(r"\n\s*(?:def|class|async|public|private|func|function)\b", below) is not None
    )


def _find_cued(source: Source) -> Iterator[Match]:
    table = _table()
    for hit in table.cued.finditer(source.text):
        name = hit.group(3).rstrip(".-")
        if len(name) < 3 or name.lower() in table.not_tokens:
            continue
        cue = " ".join(hit.group(1).lower().split())
        looks_like_handle = is_handle_like(name)
        # A plain word is a name only after a word that promises one and a sign that it follows.
        # The sign may be the question's: "your username?" and the answer in the next line.
        named = cue in table.strong and any(sign in hit.group(2) for sign in ":=") and name.islower()
        if looks_like_handle or named:
            yield Match(
                hit.start(3), hit.start(3) + len(name), "USERNAME", "handle_cue", 0.8 if looks_like_handle else 0.6
            )


def _find_tags(source: Source) -> Iterator[Match]:
    for hit in _TAG.finditer(source.text):
        around = source.before(hit.start(), _TAG_CUE_WIDTH) + " " + source.after(hit.end(), _TAG_CUE_WIDTH)
        if _table().tag_cue.search(around):
            yield Match(hit.start(), hit.end(), "USERNAME", "discord_tag", 0.85)


def _find_authors(source: Source) -> Iterator[Match]:
    """Find handles where an author is named: at the start of a post, after "by" or "called"."""
    for pattern in (_BYLINE, _NAMED):
        for hit in pattern.finditer(source.text):
            name = hit.group(1)
            plain = name.isupper() or _FILE.search(name) or _is_numbered_word(name) or is_role(name)
            if is_handle_like(name) and not plain:
                yield Match(hit.start(1), hit.end(1), "USERNAME", "byline", 0.75)


def _is_numbered_word(name: str) -> bool:
    """Say whether a token is a word with a number, or words joined: week6, lab_3, student_name, e.g."""
    letters = re.split(r"[\d._-]+", name.lower())
    return all(part in common_words() or len(part) < 2 for part in letters if part)


def _find_again(source: Source, found: List[Match]) -> Iterator[Match]:
    """Find further places of handles that are known from one place of the text."""
    known = {source.text[match.start : match.end].lstrip("@") for match in found}
    known = {name for name in known if is_handle_like(name) and "#" not in name}
    if not known:
        return
    for hit in re.finditer(rf"(?<![\w@.-]){any_of(known)}(?![\w@-]|\.\w)", source.text):
        yield Match(hit.start(), hit.end(), "USERNAME", "handle_again", 0.7)


def is_handle_like(name: str) -> bool:
    """Say whether a single token looks like a handle: letters with digits or underscores in it.

    name (str): The token.
    RETURNS (bool): Whether no ordinary word or name is written so.
    """
    if not _has_letter(name) or name.isalpha():
        return False
    letters = sum(map(str.isalpha, name))
    if "_" in name:
        return letters >= 2
    if any(map(str.isdigit, name)):
        # x2, 3rd, 10am, 2x and 5-7 are no handles.
        return letters >= 3 and not name[0].isdigit() and name.replace(".", "").replace("-", "").isalnum()
    return "." in name and name.islower() and all(len(part) > 1 for part in name.split("."))


def _has_letter(name: str) -> bool:
    return any(map(str.isalpha, name))
