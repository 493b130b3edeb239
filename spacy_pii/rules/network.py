"""Network addresses of a person's connection."""

import ipaddress
import re
from functools import lru_cache
from typing import Iterator, NamedTuple, Pattern

from .base import Match, Source, any_of, load_table

_V4 = re.compile(r"(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)")
_V6 = re.compile(r"(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?![\w:])")
_PREFIX_LENGTH = re.compile(r"\s?/\s?\d{1,3}(?!\d)")
_VERSION = re.compile(r"\bversions?\b|\brelease\b")
_WIDTH = 80


class _Table(NamedTuple):
    version: Pattern[str]
    exercise: Pattern[str]
    personal: Pattern[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data = load_table("network")
    return _Table(
        version=re.compile(rf"(?:\b{any_of(data['version_cues'])}\.?|§)\s*$"),
        exercise=re.compile(rf"\b{any_of(data['exercise_cues'])}\b"),
        personal=re.compile(rf"\b{any_of(data['personal_cues'])}\b"),
    )


def find_network_addresses(source: Source) -> Iterator[Match]:
    """Find the addresses of a person's connection; masks, loopback, exercises and versions are left out.

    source (Source): The text.
    YIELDS (Match): The addresses.
    """
    if "." in source.text:
        for hit in _V4.finditer(source.text):
            if _is_address(source, hit.start(), hit.end(), version=4):
                yield Match(hit.start(), hit.end(), "IP_ADDRESS", "ipv4", 0.9)
    if ":" in source.text:
        for hit in _V6.finditer(source.text):
            groups = [group for group in hit.group().split(":") if group]
            # C++ and clock times have colons too: four groups and a few digits make an address.
            if len(groups) < 4 or sum(map(str.isdigit, hit.group())) < 4:
                continue
            if _is_address(source, hit.start(), hit.end(), version=6):
                yield Match(hit.start(), hit.end(), "IP_ADDRESS", "ipv6", 0.9)


def _is_address(source: Source, start: int, end: int, *, version: int) -> bool:
    try:
        address = ipaddress.ip_address(source.text[start:end])
    except ValueError:
        return False
    if address.is_loopback or address.is_unspecified or address.is_multicast or address.is_link_local:
        return False
    if version == 4 and (source.text[start:end].startswith(("0.", "255.")) or source.text[start:end].endswith(".0")):
        return False
    if str(address) in load_table("network")["public_addresses"]:
        return False
    table = _table()
    before, after = source.before(start, _WIDTH), source.after(end, _WIDTH)
    line = before.rpartition("\n")[2]
    if table.version.search(before) or _VERSION.search(line):
        return False
    if table.personal.search(before) or table.personal.search(after):
        return True
    if _PREFIX_LENGTH.match(after) or table.exercise.search(before) or table.exercise.search(after):
        return False
    # is_private is true of the documentation ranges too, which invented text uses for people.
    return not any(address in network for network in _private_networks() if network.version == version)


@lru_cache(maxsize=1)
def _private_networks() -> tuple:
    return tuple(map(ipaddress.ip_network, load_table("network")["private_networks"]))
