"""Surrogates of EMAIL_ADDRESS."""

import re
from typing import Optional

from .context import Context
from .handles import replace_handle
from .keys import Stream
from .names import fold
from .shapes import match_case

_AT = re.compile(r"\s*(?:@|[\[({<]\s*at\s*[\])}>])\s*|\s+at\s+", re.IGNORECASE)
_DOT = r"(?:\.|\s*[\[({<]\s*(?:dot|\.)\s*[\])}>]\s*|\s+(?:dot|punto|point)\s+)"
_SEPARATOR = re.compile(_DOT, re.IGNORECASE)
_DOMAIN = re.compile(rf"[\w-]+(?:{_DOT}[\w-]+)*", re.IGNORECASE)
# Millions share them: they tell nothing.
_PROVIDERS = frozenset(
    """gmail googlemail yahoo ymail hotmail outlook live msn icloud me mac aol proton protonmail gmx web mail yandex qq
    163 126 foxmail naver daum hanmail rediffmail zoho fastmail orange wanadoo free laposte libero uol bol
    terra""".split()
)
_SECOND_LEVEL = frozenset({"co", "com", "org", "net", "ac", "edu", "gov"})
_GENERIC = frozenset({"student", "students", "stu", "mail", "my", "alumni", "staff", "faculty", "g", "online", "m"})
_SCHOOLISH = re.compile(r"school|k12|isd|academy|college|univ|escuela|colegio|ecole|schule")


def canonical(surface: str) -> str:
    """Name the entity of an address.

    surface (str): The address, obfuscated or not.
    RETURNS (str): The plain address, folded.
    """
    plain = _SEPARATOR.sub(".", _AT.sub("@", surface.strip()))
    return fold(re.sub(r"\s+", "", plain))


def replace(surface: str, rng: Stream, context: Context) -> Optional[str]:
    """Replace an address. It follows its person and keeps a public provider; institutions become reserved domains.

    surface (str): The address.
    rng (Stream): Source of randomness.
    context (Context): The document.
    RETURNS (Optional[str]): The surrogate, or None where the surface is no address.
    """
    at = _AT.search(surface)
    if at is None or not re.search(r"\w", surface[: at.start()]):
        return None
    domain = _DOMAIN.match(surface, at.end())
    if domain is None:
        return None
    local = replace_handle(surface[: at.start()], context)
    return local + at.group() + _replace_domain(domain.group()) + surface[domain.end() :]


def _replace_domain(domain: str) -> str:
    labels = _SEPARATOR.split(domain)
    separators = _SEPARATOR.findall(domain)
    if is_provider(labels):
        return domain
    kept = []
    for label in labels[:-1]:
        if fold(label) not in _GENERIC:
            break
        kept.append(fold(label))
    new = kept + reserved_domain(labels)
    joint = separators[0] if separators else "."
    return match_case(domain, joint.join(new)) if domain.isupper() else joint.join(new)


def is_provider(labels: "list[str]") -> bool:
    """Whether a domain is a public mail provider's.

    labels (list[str]): The domain's labels.
    RETURNS (bool): Whether it is.
    """
    lowered = [label.lower() for label in labels]
    core = [label for label in lowered[:-1] if label not in _SECOND_LEVEL] or lowered
    return len(core) == 1 and core[0] in _PROVIDERS


def reserved_domain(labels: "list[str]") -> "list[str]":
    """Choose the reserved domain of the same kind, which no one can own.

    labels (list[str]): The domain's labels.
    RETURNS (list[str]): Labels of the reserved domain.
    """
    lowered = [label.lower() for label in labels]
    if lowered[-1] == "edu":
        return ["example", "edu"]
    if "ac" in lowered[-2:] or "edu" in lowered[-2:] or any("uni" in label for label in lowered):
        return ["university", "example"]
    if any(_SCHOOLISH.search(label) for label in lowered):
        return ["school", "example"]
    return ["example", lowered[-1] if lowered[-1] in ("com", "org", "net") else "com"]
