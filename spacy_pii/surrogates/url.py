"""Surrogates of URL."""

import re
from typing import List, Optional

from .context import Context
from .handles import replace_handle
from .keys import Stream
from .names import fold
from .shapes import reshape

_URL = re.compile(
    r"^(\W*)([a-z][a-z0-9+.-]*://)?(?:[^/\s@]*@)?([^/\s?#:]+)(:\d+)?([/?#].*)?$", re.IGNORECASE | re.DOTALL
)
# Hosts that many people share; their own name tells nothing about the person.
_SHARED = frozenset(
    """linkedin.com github.com gitlab.com bitbucket.org twitter.com x.com instagram.com facebook.com fb.com tiktok.com
    youtube.com youtu.be vimeo.com snapchat.com reddit.com pinterest.com twitch.tv discord.gg discord.com t.me wa.me
    docs.google.com drive.google.com meet.google.com sites.google.com classroom.google.com jamboard.google.com
    colab.research.google.com forms.gle goo.gl bit.ly zoom.us teams.microsoft.com onedrive.live.com 1drv.ms dropbox.com
    padlet.com miro.com mural.co whiteboard.fi whiteboard.microsoft.com bitpaper.io desmos.com geogebra.org canva.com
    prezi.com flipgrid.com loom.com quizlet.com replit.com codepen.io kaggle.com scratch.mit.edu behance.net medium.com
    soundcloud.com spotify.com orcid.org scholar.google.com researchgate.net webex.com calendly.com linktr.ee about.me
    notion.so trello.com slides.com slideshare.net academia.edu skype.com join.skype.com app.box.com""".split()
)
# Hosts that give everyone a name below theirs.
_SITES = (
    "github.io gitlab.io wordpress.com blogspot.com wixsite.com weebly.com substack.com tumblr.com medium.com "
    "netlify.app vercel.app sharepoint.com webnode.com carrd.co edublogs.org notion.site herokuapp.com livejournal.com"
).split()
_ROUTES = frozenset(
    """in pub u user users d e edit view viewer document documents spreadsheets presentation forms form file files
    folders folder drive open j s w my wc p r c channel watch shorts embed playlist board boards app join l meetup-join
    blob tree main master raw issues pull pulls wiki commit commits projects project site sites home index html htm php
    profile profiles people person posts post status reel stories story tv blog about contact portfolio www com id
    share shared sharing calculator geometry graphing m design usp sh viewform copy preview live room rooms web en es
    fr de pt in-us notebooks notebook gist gists scratch repl add invite document.html readme md""".split()
)
_NEUTRAL_KEYS = frozenset({"usp", "hl", "lang", "ref", "tab", "feature", "utm_source", "utm_medium", "t"})
_SEGMENT = re.compile(r"[^/?#&=;]+")
_OPAQUE = re.compile(
    r"(?=.*\d)(?=.*[A-Za-z])[\w-]{6,}|[A-Za-z0-9_-]{18,}|\d+|(?=.*[a-z][A-Z])(?=.*[A-Z]{2}|.*[a-z][A-Z].*[A-Z])[\w-]{8,}|[a-z]{3}-[a-z]{4}-[a-z]{3}"
)


def canonical(surface: str) -> str:
    """Name the entity of a link.

    surface (str): The link.
    RETURNS (str): The link without scheme, www and final slash. Its case stays: it matters in a path.
    """
    return re.sub(r"^(?:[a-z]+://)?(?:www\.)?", "", surface.strip(), flags=re.IGNORECASE).rstrip("/")


def replace(surface: str, rng: Stream, context: Context) -> Optional[str]:
    """Replace a link. The kind of site and its fixed path words stay, all that is private changes.

    surface (str): The link.
    rng (Stream): Source of randomness.
    context (Context): The document.
    RETURNS (Optional[str]): The surrogate, or None where the surface is no link.
    """
    match = _URL.match(surface)
    if match is None or "." not in match.group(3):
        return None
    lead, scheme, host, port, path = (group or "" for group in match.groups())
    return lead + scheme + _replace_host(host, rng, context) + port + _replace_path(path, rng, context)


def _replace_host(host: str, rng: Stream, context: Context) -> str:
    lowered = host.lower()
    bare = lowered[4:] if lowered.startswith("www.") else lowered
    if bare in _SHARED or bare.split(".", 1)[-1] in _SHARED and bare.endswith("zoom.us"):
        return host
    for site in (*_SITES, *_SHARED):
        if bare.endswith("." + site):
            own = len(host) - len(site) - 1
            prefix = len(host) - len(bare)
            return host[:prefix] + _replace_word(host[prefix:own], rng, context) + host[own:]
    # A site of one's own gets a name that no one can own.
    labels = host.split(".")
    prefix_labels = labels[:1] if labels[0].lower() == "www" else []
    core = labels[len(prefix_labels) : -1]
    if any(label.lower() in ("edu", "ac", "k12") for label in labels):
        return ".".join(
            [*prefix_labels, "university" if "edu" in lowered or ".ac." in lowered else "school", "example"]
        )
    return ".".join([*prefix_labels, *(_replace_word(label, rng, context) for label in core[:1]), "example"])


def _replace_path(path: str, rng: Stream, context: Context) -> str:
    result: List[str] = []
    position = 0
    key = ""
    in_query = False
    for match in _SEGMENT.finditer(path):
        between = path[position : match.start()]
        in_query = in_query or "?" in between
        value = match.group()
        after = path[match.end() : match.end() + 1]
        result.append(between)
        if in_query and after == "=":
            key = fold(value)
            result.append(value)
        elif in_query and between.endswith("=") and key in _NEUTRAL_KEYS:
            result.append(value)
        else:
            result.append(_replace_segment(value, rng, context))
        position = match.end()
    result.append(path[position:])
    return "".join(result)


def _replace_segment(segment: str, rng: Stream, context: Context) -> str:
    if all(part in _ROUTES for part in fold(segment).split(".")):
        return segment
    return _replace_word(segment, rng, context)


def _replace_word(word: str, rng: Stream, context: Context) -> str:
    _, found = context.persons.replace_in_token(word)
    if found:
        return replace_handle(word, context)
    if _OPAQUE.fullmatch(word):
        return reshape(word, rng)
    return replace_handle(word, context)
