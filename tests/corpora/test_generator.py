import random
import re
from pathlib import Path

import pytest
import spacy

from spacy_pii.corpora.generator import Generator, cut_excerpt, expand_to_tokens
from spacy_pii.corpora.identity import World, fill_pattern, misspell
from spacy_pii.corpora.record import Record
from spacy_pii.corpora.splits import SPLITS, split_of, stable_fraction
from spacy_pii.corpora.templates import Slot, parse_pieces, read_template, read_templates
from spacy_pii.labels import LABELS
from spacy_pii.surrogates.names import fold

CORPUS = Path(__file__).parent.parent.parent / "assets" / "corpus"

ESSAY = """---
genre: essay
people:
  w: {gender: f, region: africa}
  q: {given_of: w}
---
By {{PERSON:w.full}}

I, {{PERSON:w.given}}, read {{!cited_author|Brown (2009)}}.{{!word_problem:q.given}} has 3 apples.
Nothing here.
Nor here.
Write to {{EMAIL_ADDRESS:w.email}}."""

CHAT = """---
genre: math
form: messages
people:
  t: {role: tutor}
  s: {stage: k12}
---
t> hi {{PERSON:s.given}}
s> hi
is it {{!number|9351/7}}
system> joined"""


@pytest.fixture
def write(tmp_path):
    def write(text, name="a.txt"):
        path = tmp_path / "essay" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf8")
        return read_template(path)

    return write


@pytest.fixture(scope="module")
def templates():
    return read_templates(CORPUS)


def text_of(template):
    pieces = [piece for message in template.messages for piece in message.pieces]
    return "".join("_" if isinstance(piece, Slot) else piece for piece in pieces)


def test_offsets_point_at_what_the_slots_gave(write):
    template = write(ESSAY)
    for number in range(30):
        record = Generator().fill(template, split="train", number=number)
        assert [span["label"] for span in record.spans] == ["PERSON", "PERSON", "EMAIL_ADDRESS"]
        assert "@" in record.text[record.spans[2]["start"] : record.spans[2]["end"]]
        author, child = record.negatives
        assert record.text[author["start"] : author["end"]].lower() == "brown (2009)"
        assert record.spans[0]["region"] == "africa"
        assert record.spans[0]["gender"] == "f"
        assert "{{" not in record.text


def test_a_namesake_bears_the_same_name_with_another_label(write):
    template = write(ESSAY)
    world = World(template.people, split="train", rng=random.Random(3))
    assert world.value("w", "given") == world.value("q", "given")


def test_the_same_seed_gives_the_same_text_and_another_one_another(write):
    template = write(ESSAY)
    texts = [Generator(seed=seed).fill(template, split="train", number=0).text for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def test_messages_keep_their_continuation_lines_and_offsets(write):
    template = write(CHAT)
    assert [message.speaker for message in template.messages] == ["t", "s", "system"]
    layouts = set()
    for number in range(200):
        record = Generator().fill(template, split="train", number=number)
        layouts.add(record.meta["layout"])
        (quotient,) = record.negatives
        assert record.text[quotient["start"] : quotient["end"]] == "9351/7"
        assert all(record.text[span["start"] : span["end"]].strip() for span in record.spans)
    assert layouts == {"roles", "names", "plain", "stamps", "handles", "numbers"}


def test_gold_is_expanded_to_the_tokens_that_hold_it():
    nlp = spacy.blank("en")
    text = "see file_ana_lopez.docx now"
    spans = [{"start": 9, "end": 12, "label": "PERSON"}, {"start": 9, "end": 18, "label": "PERSON"}]
    record = expand_to_tokens(Record("x", text, spans), nlp)
    assert [text[span["start"] : span["end"]] for span in record.spans] == ["file_ana_lopez.docx"]


def test_an_excerpt_keeps_every_slot(write):
    template = write(ESSAY)
    for seed in range(10):
        excerpt = cut_excerpt(template, random.Random(seed))
        assert excerpt.slots == template.slots
        lines = text_of(excerpt).split("\n")
        assert all(line in text_of(template).split("\n") for line in lines)


def test_splits_share_no_name():
    people = {f"p{i}": {} for i in range(40)}
    seen = {}
    for split in SPLITS:
        rng = random.Random(5)
        world = World(people, split=split, rng=rng)
        seen[split] = {fold(person.given) for person in world.people.values()}
    assert not seen["train"] & seen["dev"] and not seen["train"] & seen["test"] and not seen["dev"] & seen["test"]


def test_splits_cover_everything_once():
    fractions = [stable_fraction("x", str(i)) for i in range(2000)]
    assert all(0 <= fraction < 1 for fraction in fractions)
    shares = {name: sum(split_of("x", str(i)) == name for i in range(2000)) / 2000 for name in SPLITS}
    assert shares["train"] == pytest.approx(0.8, abs=0.04)


@pytest.mark.parametrize(
    "text,message",
    [
        ("no head", "no head"),
        ("---\ngenre: novel\n---\nx", "genre"),
        ("---\ngenre: essay\n---\n{{PERSONS:w.full}}", "slot 1.*PERSONS"),
        ("---\ngenre: essay\n---\n{{!villain|x}}", "kind 'villain'"),
        ("---\ngenre: essay\n---\n{{PERSON:w}}", "does not name an entity"),
        ("---\ngenre: essay\n---\n{{PERSON:w.full", "not closed"),
        ("---\ngenre: math\nform: messages\n---\nhello", "does not begin with"),
        ("---\ngenre: math\nform: messages\n---\nt> hello", "speaker 't'"),
    ],
)
def test_a_broken_document_is_an_error_that_names_the_file(write, text, message):
    with pytest.raises(ValueError, match=f"(?s)a.txt.*{message}"):
        write(text)


def test_an_unknown_attribute_names_the_document(write):
    template = write("---\ngenre: essay\npeople:\n  w: {}\n---\n{{PERSON:w.shoe_size}}")
    with pytest.raises(ValueError, match="essay/a: .*shoe_size"):
        Generator().fill(template, split="train", number=0)


def test_pieces_put_together_are_the_text():
    text = "a {{PERSON|Ana}} b\n{{!place|Rome}}."
    parts = [piece.surface if isinstance(piece, Slot) else piece for piece in parse_pieces(text, "x")]
    assert "".join(parts) == "a Ana b\nRome."


def test_patterns_and_misspellings():
    rng = random.Random(1)
    assert re.fullmatch(r"[A-Z]{2}\d{2}-\d{4}", fill_pattern("@@##-####", rng))
    for word in ("Olivia", "Ngozi", "José", "Anne-Marie"):
        assert misspell(word, rng)[0] == word[0]
    assert misspell("Li", rng) == "Li"


def test_every_document_of_the_corpus_can_be_filled(templates):
    generator = Generator()
    labels, names = set(), set()
    for template in templates:
        record = generator.fill(template, split=split_of("corpus-document", template.name), number=0)
        for span in [*record.spans, *record.negatives]:
            surface = record.text[span["start"] : span["end"]]
            assert surface.strip() == surface != "", f"{template.name}: a value with outer white space"
        labels |= {span["label"] for span in record.spans}
        names.add(template.name)
    assert labels == set(LABELS)
    assert len(names) == len(templates)
