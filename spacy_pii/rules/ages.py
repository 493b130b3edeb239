"""Ages of the people in the conversation: the speaker's own and those of "my" kin and friends.

"Tom is 5 years old" is as good as always a word problem, so a name alone never makes an age.
"""

import re
from functools import lru_cache
from typing import FrozenSet, Iterator, NamedTuple, Optional, Pattern, Tuple

from .base import Match, Source, any_of, load_table

_TRIGGERS = frozenset("i im iam my our we age aged yo years year yr yrs y años ans old shes hes she he".split())
_WIDTH, _FAR = 90, 300
_YOUNGEST_BARE = 4
_SELF = re.compile(r"\b(?:i|i['’]?m|im|my|me|we)\b")
_HOW_OLD = re.compile(r"\bhow old\b|\b(?:your|his|her|their|and)\s+age\b|^\W*(?:\w+\W+)?age\s*\?")
_NEXT_WORD = re.compile(r"\s*([^\W\d_]+|[^\w\s])")
_ENDS = ".,;:!?)\"”'’…—"


class _Table(NamedTuple):
    age: Pattern[str]
    cues: Tuple[Tuple[str, Pattern[str], float], ...]
    unit_cues: Tuple[Tuple[str, Pattern[str], float], ...]
    aged: Pattern[str]
    pronoun: Pattern[str]
    kin: Pattern[str]
    followers: FrozenSet[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data, people = load_table("ages"), load_table("people")
    tens, units = any_of(data["tens"]), any_of(data["units"])
    number = (
        r"(?:(?<![\d.,$/-])[1-9]?\d(?!\d|[.,:/]\d|%|\s?[ap]m\b)"
        rf"|\b(?=[efnst])(?:{tens}(?:[\s-]{units})?|{any_of(data['number_words'])})\b)"
    )
    unit = (
        r"(?:[\s-]{0,2}(?:years?|yrs?|months?|weeks?)[\s-]{1,2}(?:old|of\s+age|young)\b"
        r"|[\s-]?(?:y/o|yo|y\.o\.|yrs?)(?!\w)|\s+(?:años|ans)\b)"
    )
    # All that follows is matched at the end of the lower-case text before the number.
    adverb = rf"\s*,?\s+(?:{any_of(data['adverbs'])}\s+){{0,2}}$"
    kin = rf"(?:{any_of(people['kin_adjectives'])}\s+){{0,2}}{any_of(people['kin'])}"
    # "my sister", "my sister Ana", "my sister, Ana," and "my friend who"
    named_kin = rf"\b(?:my|our)\s+{kin}(?:,?\s+[^\W\d_][\w'’-]+){{0,2}},?(?:\s+who)?"
    will_be = r"(?:\s+will\s+be|['’]ll\s+be)"
    i_am = rf"\b(?:i(?:\s*['’]?m|\s+am|{will_be})|iam|we(?:\s+are|['’]re)\s+(?:all|both))"
    i_was = r"\b(?:when|since|until|till?|before|that)\s+(?:i|we)\s+(?:was|were)"
    turned = r"(?:\s+(?:just|recently))?(?:\s+will|['’]ll)?\s+(?:turned|turns?|(?:am|be)\s+turning)"
    is_ = rf"(?:\s+(?:is|was|are|were|turned|turns|just\s+turned|has)|{will_be}|['’]?s)"
    an = r"(?:\s+(?:just|only))?(?:\s+an?)?"
    return _Table(
        age=re.compile(rf"({number})({unit})?", re.I),
        cues=(
            ("age_self", re.compile(rf"(?:{i_am}|{i_was}){adverb}"), 0.85),
            ("age_self", re.compile(rf"\bi{turned}\s+$"), 0.85),
            ("age_kin", re.compile(rf"{named_kin}{is_}{adverb}"), 0.85),
            ("age_kin", re.compile(rf"{named_kin}\s*,?\s+\(?(?:aged?\s+)?$"), 0.8),
            ("age_named", re.compile(r"\bmy\s+age\s*(?:is|was|:|=)?\s+$"), 0.9),
            ("age_form", re.compile(r"(?:^|\n|\s{2,})[\t >*-]*age(?:\s+[a-z]+){0,3}\s*[:=–-]\s*$"), 0.85),
        ),
        unit_cues=(
            ("age_unit", re.compile(rf"\b(?:i\s+was|we\s+were){adverb}"), 0.85),
            ("age_unit", re.compile(r"\b(?:tengo|j['’]ai)\s+$"), 0.85),
            ("age_unit", re.compile(rf"\b(?:my|our)\s+(?:{any_of(people['kin_adjectives'])}\s+)?$"), 0.85),
            ("age_unit", re.compile(rf"\b(?:i(?:\s+am|\s+was|\s*['’]?m)|me|as|being)[,(]?{an}\s+$"), 0.85),
        ),
        aged=re.compile(r"\b(?:aged|(?:at|by|since|from)\s+(?:the\s+)?age(?:\s+of)?)\s+$"),
        pronoun=re.compile(rf"\b(?:s?he|they){is_}{adverb}"),
        kin=re.compile(rf"\b(?:my|our)\s+{kin}\b"),
        followers=frozenset(data["followers"]),
    )


def find_ages(source: Source) -> Iterator[Match]:
    """Find ages that are said of the speaker or of the speaker's kin and friends.

    source (Source): The text.
    YIELDS (Match): The ages, with their unit where it is written.
    """
    if not source.has_any(_TRIGGERS):
        return
    for hit in _table().age.finditer(source.text):
        has_unit = hit.group(2) is not None
        if not has_unit and not _is_complete(source, hit.group(1), hit.end(1)):
            continue
        judged = _judge(source, hit.start(), hit.end(), has_unit)
        if judged is not None:
            yield Match(hit.start(), hit.end(), "AGE", *judged)


def _judge(source: Source, start: int, end: int, has_unit: bool) -> Optional[Tuple[str, float]]:
    """Name the rule by which a number is somebody's age, with its score."""
    table = _table()
    before = source.before(start, _WIDTH)
    for rule, cue, score in table.cues + (table.unit_cues if has_unit else ()):
        if cue.search(before):
            return rule, score
    if table.aged.search(before):
        sentence = before.rpartition(".")[2] + " " + source.after(end, 40).partition(".")[0]
        return ("age_aged", 0.75) if _SELF.search(sentence) else None
    # "My daughter is in your group. She is 7." Without her it is a child of a story.
    if table.pronoun.search(before) and table.kin.search(source.before(start, _FAR)):
        return "age_pronoun", 0.65 if has_unit else 0.55
    return ("age_answer", 0.75) if _HOW_OLD.search(source.asked(start)) else None


def _is_complete(source: Source, age: str, end: int) -> bool:
    """Tell "I am 14." from "I am 14 minutes late": a number without its unit has to end there."""
    if age.isdigit() and int(age) < _YOUNGEST_BARE:
        return False
    follower = _NEXT_WORD.match(source.text, end)
    if follower is None:
        return source.text[end : end + 40].strip() == ""
    word = follower.group(1)
    if word.isalpha():
        return "\n" in follower.group() or word.lower() in _table().followers
    return word in _ENDS and not source.text[follower.end() : follower.end() + 1].isdigit()
