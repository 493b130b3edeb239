import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, SpanGroup

from spacy_pii.labels import LABELS
from spacy_pii.rules.roster import Roster
from spacy_pii.spans import read_group

TEXT = "I'm 14, olivia.m@gmail.com, call 617-555-0143. My student ID is S-204881, due March 3, 2021."


def _make(**config):
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_ruler", config=config)
    return nlp


@pytest.fixture(scope="module")
def nlp():
    return _make()


def _found(doc, key="pii_rules"):
    return [(doc[item.start : item.end].text, item.label) for item in read_group(doc, key)]


EXPECTED = [
    ("14", "AGE"),
    ("olivia.m@gmail.com", "EMAIL_ADDRESS"),
    ("617-555-0143", "PHONE_NUMBER"),
    ("S-204881", "ID_NUM"),
    ("March 3, 2021", "DATE"),
]


def test_spans_carry_their_score_and_rule(nlp):
    doc = nlp(TEXT)
    assert _found(doc) == EXPECTED
    for item in read_group(doc, "pii_rules"):
        assert 0 < item.score <= 1
        assert list(item.note) == ["rule"]


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "\u200b", "x" * 100_000, "7" * 100_000, "a@" * 20_000, "1-" * 20_000]
)
def test_texts_without_pii_get_an_empty_group(nlp, text):
    doc = nlp.make_doc("") if not text else Doc(nlp.vocab, words=[text])
    assert _found(nlp.get_pipe("pii_ruler")(doc)) == []


def test_a_hit_inside_a_mathematical_token_is_none(nlp):
    # One token of the tokenizer, in which the number is an operand
    doc = Doc(nlp.vocab, words=["call", "617-555-0143=x^2", "tel:617-555-0143"], spaces=[True, True, False])
    assert _found(nlp.get_pipe("pii_ruler")(doc)) == [("tel:617-555-0143", "PHONE_NUMBER")]


def test_a_hit_inside_a_token_takes_the_whole_token(nlp):
    doc = Doc(nlp.vocab, words=["mail:olivia.m@gmail.com!"])
    assert _found(nlp.get_pipe("pii_ruler")(doc)) == [("mail:olivia.m@gmail.com!", "EMAIL_ADDRESS")]


def test_overlaps_go_to_the_surer_rule(nlp):
    # The handle and the host name within the address are part of it.
    doc = nlp("write @ olivia07@linkedin.com/in/olivia07 or https://linkedin.com/in/liv_m?date=2021-03-03")
    spans = list(doc.spans["pii_rules"])
    taken = [token.i for span in spans for token in span]
    assert len(taken) == len(set(taken))
    assert "URL" in {span.label_ for span in spans}


def test_speakers_are_read_from_the_turns(nlp):
    doc = nlp.make_doc("Olivia: hi\nliv_m: hey\nTutor: hello")
    spans = [doc[2:3], doc[5:6], doc[8:9]]
    offsets = [[span.start_char, span.end_char] for span in spans]
    attrs = {
        "source": "transcript",
        "speakers": ["Olivia", "liv_m", "Tutor"],
        "roles": [None, None, "tutor"],
        "speaker_offsets": [[0, 6], [11, 16], [22, 27]],
        "offsets": offsets,
    }
    doc.spans["turns"] = SpanGroup(doc, name="turns", attrs=attrs, spans=spans)
    doc = nlp.get_pipe("pii_ruler")(doc)
    assert ("Olivia", "PERSON") in _found(doc) and len(_found(doc)) == 2
    assert doc.spans["pii_rules"][1].label_ == "USERNAME"


def test_labels_choose_what_is_found():
    nlp = _make(labels=["EMAIL_ADDRESS", "AGE"], spans_key="mine")
    doc = nlp(TEXT)
    assert {label for _, label in _found(doc, "mine")} == {"EMAIL_ADDRESS", "AGE"}
    assert nlp.get_pipe("pii_ruler").labels == ("EMAIL_ADDRESS", "AGE")
    assert "pii_rules" not in doc.spans


@pytest.mark.parametrize("config", [{"labels": ["EMAIL"]}, {"phone_regions": ["usa"]}, {"phone_regions": ["us"]}])
def test_wrong_config_is_refused(config):
    with pytest.raises(ValueError):
        _make(**config)


def test_phone_regions_decide_on_national_numbers():
    text = "my mobile is 81234567"
    assert _found(_make(phone_regions=["SG"])(text)) == [("81234567", "PHONE_NUMBER")]
    assert _found(_make(phone_regions=["US"])(text)) == []


def test_allowed_words_are_dropped_and_counted():
    nlp = _make()
    ruler = nlp.get_pipe("pii_ruler")
    ruler.set_roster(Roster.from_names(["Olivia Marchetti", "Ada Lovelace"]))
    ruler.set_allow_list(["ADA  lovelace", " "])
    doc = nlp("Ada Lovelace, Ada and Olivia")
    # The whole surface is allowed, a part of it is not.
    assert _found(doc) == [("Ada", "PERSON"), ("Olivia", "PERSON")]
    assert doc.spans["pii_rules"].attrs["allowed"] == 1
    ruler.set_roster(None)
    assert _found(nlp("Olivia")) == []


def test_results_do_not_depend_on_the_way_they_are_made(tmp_path):
    nlp = _make(phone_regions=["US", "GB"])
    texts = [TEXT, "", "nothing here", "@oliviam07 " * 30, "14 Mill Lane, Leeds LS2 7EW\n" * 3]
    alone = [_found(nlp(text)) for text in texts]
    assert alone[0] == EXPECTED
    assert [_found(doc) for doc in nlp.pipe(texts, batch_size=2)] == alone
    assert [_found(doc) for doc in nlp.pipe(texts, n_process=2)] == alone
    nlp.to_disk(tmp_path)
    assert [_found(doc) for doc in spacy.load(tmp_path).pipe(texts)] == alone
    copy = spacy.load(tmp_path).from_bytes(nlp.to_bytes())
    assert [_found(doc) for doc in copy.pipe(texts)] == alone


def test_a_roster_is_not_written_with_the_pipeline(tmp_path):
    nlp = _make()
    nlp.get_pipe("pii_ruler").set_roster(Roster.from_names(["Olivia Marchetti"]))
    assert _found(nlp("Olivia")) == [("Olivia", "PERSON")]
    nlp.to_disk(tmp_path)
    assert _found(spacy.load(tmp_path)("Olivia")) == []
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and b"Marchetti" in path.read_bytes()]


def test_results_survive_the_bytes_of_a_document(nlp):
    doc = nlp(TEXT)
    copy = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert read_group(copy, "pii_rules") == read_group(doc, "pii_rules")


PIECES = [
    "I am 14",
    "@liv_m",
    "617-555-0143",
    "=",
    "\n",
    "(",
    "March 3",
    "ID: S-204881",
    "a@b.co",
    "é",
    "😀",
    "http://",
    "my sister is",
    ",",
]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=12)), max_size=12), st.sampled_from(["", " "]))
def test_spans_are_canonical_ordered_and_apart(nlp, pieces, joint):
    doc = nlp(joint.join(pieces))
    end = 0
    for item in read_group(doc, "pii_rules"):
        assert item.label in LABELS
        assert end <= item.start < item.end <= len(doc)
        assert not doc[item.start].is_space and not doc[item.end - 1].is_space
        end = item.end


def test_a_turn_of_a_conversation_is_no_form():
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_turns")
    nlp.add_pipe("pii_ruler")
    chat = "Tutor: Okay\nStudent: Perfect\nTutor: Great\nStudent: Done\nTutor: Sure\nStudent: Bye"
    doc = nlp(chat)
    assert not doc.spans["pii_rules"]
    form = nlp("Registration\nStudent: Mia Torres\nGrade: 7")
    assert "Mia Torres" in [span.text for span in form.spans["pii_rules"]]


@pytest.mark.parametrize(
    "labels,expected",
    [
        (("Speaker A", "Speaker B"), set()),  # counted by letters
        (("Anon1", "Anon2"), set()),
        (("Proctor", "Candidate"), set()),  # roles and other words that name nobody
        (("benzenebabe", "lil_mito"), {"USERNAME"}),  # one long word that is no name
        (("night_owl_x", "GrahamT_52"), {"USERNAME"}),
        (("Ngozi", "Teo Vass"), {"PERSON"}),
    ],
)
def test_speaker_labels_by_what_they_are(labels, expected):
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_turns")
    nlp.add_pipe("pii_ruler")
    lines = ["is it four", "no it is five", "why", "because two and three", "oh", "see"]
    chat = "\n".join(f"{labels[i % 2]}: {line}" for i, line in enumerate(lines))
    doc = nlp(chat)
    assert {span.label_ for span in doc.spans["pii_rules"]} == expected
