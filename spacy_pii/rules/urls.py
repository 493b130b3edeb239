"""Links that lead to a person: profiles, blogs, private documents, meetings, whiteboards, repositories."""

import re
from functools import lru_cache
from typing import Dict, FrozenSet, Iterator, NamedTuple, Optional, Pattern, Tuple

from .base import Match, Source, any_of, load_table

_CUE_WIDTH = 60
_SCHEME = re.compile(r"(?:https?://|ftp://|www\.)[^\s<>\"“”|]{3,2000}", re.I)
_HOST = re.compile(r"(?:https?://|ftp://)?(?:[^\s/@]{1,80}@)?([^\s/?#:]+)(?::\d{1,5})?([/?#].*)?$", re.I | re.S)
_PATH = re.compile(r"[/?#][^\s<>\"“”|]{0,2000}")
_HOST_SIGNS = frozenset(".-")
_LONGEST_HOST = 100
_CLOSERS = {")": "(", "]": "[", "}": "{"}
_TRAILING = ".,;:!?'’\"”*_…>"
_HOME_FOLDER = re.compile(r"/~[A-Za-z]")


class _Table(NamedTuple):
    paths: Dict[str, Pattern[str]]
    suffixes: FrozenSet[str]
    suffix_hosts_public: FrozenSet[str]
    organisations: FrozenSet[str]
    cue_hosts: FrozenSet[str]
    shorteners: FrozenSet[str]
    public_hosts: FrozenSet[str]
    public_tlds: FrozenSet[str]
    top_level: Pattern[str]
    cue: Pattern[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data = load_table("urls")
    return _Table(
        paths={host: re.compile(path, re.I) for host, path in data["personal_paths"].items()},
        suffixes=frozenset(data["personal_suffixes"]),
        suffix_hosts_public=frozenset(data["suffix_hosts_public"]),
        organisations=frozenset(data["organisations"]),
        cue_hosts=frozenset(data["cue_hosts"]),
        shorteners=frozenset(data["shorteners"]),
        public_hosts=frozenset(data["public_hosts"]),
        public_tlds=frozenset(data["public_tlds"]),
        top_level=re.compile(rf"(?:\.{any_of(data['schemeless_tlds'])}(?![\w@-]))+"),
        cue=re.compile(rf"\b{any_of(data['cues'])}\b"),
    )


def find_urls(source: Source) -> Iterator[Match]:
    """Find links that lead to a person. Public sites, articles and course pages are left out.

    source (Source): The text.
    YIELDS (Match): The links, without the punctuation after them.
    """
    if "." not in source.text:
        return
    # A cue speaks for the next link only.
    last = 0
    for start, end in sorted(_find_links(source.text)):
        rule = _judge(source, start, end, source.before(start, min(_CUE_WIDTH, max(0, start - last))))
        last = end
        if rule is not None:
            yield Match(start, end, "URL", rule, 0.75 if rule == "url_cue" else 0.9)


def _find_links(text: str) -> Iterator[Tuple[int, int]]:
    """Find everything that is written as a link, with a scheme or without."""
    with_scheme = []
    for hit in _SCHEME.finditer(text):
        with_scheme.append((hit.start(), _trim(text, hit.start(), hit.end())))
    yield from with_scheme
    taken = iter([*with_scheme, (len(text), len(text))])
    start, end = next(taken)
    done = 0
    for hit in _table().top_level.finditer(text):
        if hit.start() < done:
            continue
        while end <= hit.start():
            start, end = next(taken)
        if start <= hit.start():
            continue
        first = _host_start(text, hit.start(), done)
        if first == hit.start():
            continue
        path = _PATH.match(text, hit.end())
        done = path.end() if path else hit.end()
        yield first, _trim(text, first, done)


def _host_start(text: str, position: int, limit: int) -> int:
    """Walk left over a host name, a bounded way; give the position itself where there is none."""
    start = position
    while start > limit and position - start < _LONGEST_HOST:
        sign = text[start - 1]
        if not (sign.isascii() and sign.isalnum() or sign in _HOST_SIGNS):
            break
        start -= 1
    # Part of an e-mail address, a file path or a decimal.
    if start > 0 and (text[start - 1] in "@/\\_" or text[start - 1].isalnum()):
        return position
    while start < position and not text[start].isalnum():
        start += 1
    return start


def _trim(text: str, start: int, end: int) -> int:
    """Leave out closing punctuation that belongs to the sentence and not to the link."""
    while end > start:
        sign = text[end - 1]
        opener = _CLOSERS.get(sign)
        if sign in _TRAILING or opener and text.count(opener, start, end) < text.count(sign, start, end):
            end -= 1
        else:
            break
    return end


def _judge(source: Source, start: int, end: int, before: str) -> Optional[str]:
    """Name the rule by which a link leads to a person, or None for a public one."""
    table = _table()
    hit = _HOST.match(source.text, start, end)
    if hit is None:
        return None
    host, path = hit.group(1).lower().rstrip("."), hit.group(2) or ""
    host = host.removeprefix("www.")
    if _leads_to_person(host, path):
        return "url_profile"
    if table.cue.search(before) is None:
        return None
    if host in table.cue_hosts or host in table.shorteners:
        return "url_cue"
    is_public = not table.public_hosts.isdisjoint(_with_parents(host)) or host.rpartition(".")[2] in table.public_tlds
    return None if is_public else "url_cue"


def _leads_to_person(host: str, path: str) -> bool:
    table = _table()
    if _HOME_FOLDER.match(path):
        return True
    for name in _with_parents(host):
        pattern = table.paths.get(name)
        if pattern is not None and pattern.match(path):
            first = path.strip("/").split("/")[0].split("?")[0].lower()
            return first not in table.organisations
        if name != host and name in table.suffixes:
            return host[: -len(name) - 1] not in table.suffix_hosts_public
    # Country versions of a blog host: maria.blogspot.co.uk
    return ".blogspot." in host


def _with_parents(host: str) -> Iterator[str]:
    """Give a host and the domains it belongs to: us02web.zoom.us, zoom.us."""
    yield host
    while host.count(".") > 1:
        host = host.partition(".")[2]
        yield host
