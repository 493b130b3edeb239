"""Surrogates of IP_ADDRESS."""

import ipaddress
import re
from typing import Optional

from .context import Context
from .keys import Stream

_V4 = re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*\d)")
_V6 = re.compile(r"(?<![\w:])(?=[\dA-Fa-f:]*::?[\dA-Fa-f:]*)[\dA-Fa-f:]{2,39}(?![\w:])")
# RFC 5737 and RFC 3849 keep these for documentation.
_NETWORKS = ("192.0.2", "198.51.100", "203.0.113")


def canonical(surface: str) -> str:
    """Name the entity of an address.

    surface (str): The address, with or without a port or prefix length.
    RETURNS (str): The address alone, in lower case.
    """
    match = _V4.search(surface) or _V6.search(surface)
    return match.group().lower() if match else surface.strip().lower()


def replace(surface: str, rng: Stream, context: Context) -> Optional[str]:
    """Replace an address by one of the ranges kept for documentation; a port or prefix length stays.

    surface (str): The address.
    rng (Stream): Source of randomness.
    context (Context): The document.
    RETURNS (Optional[str]): The surrogate, or None where the surface holds no address.
    """
    match = _V4.search(surface)
    if match:
        new = f"{rng.choice(_NETWORKS)}.{rng.randint(1, 254)}"
        return surface[: match.start()] + new + surface[match.end() :]
    match = _V6.search(surface)
    if match is None or match.group().count(":") < 2 or not re.search(r"[\dA-Fa-f]", match.group()):
        return None
    new = str(ipaddress.IPv6Address((0x20010DB8 << 96) + (rng.randint(1, 2**60) << 32) + rng.randint(1, 2**32 - 1)))
    groups = match.group()
    new = new.upper() if groups.isupper() else new
    return surface[: match.start()] + new + surface[match.end() :]
