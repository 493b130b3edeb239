import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from spacy_pii.pipeline.pii_merger import PiiMerger
from spacy_pii.spans import Found, read_group, write_group


@pytest.fixture(scope="module")
def nlp():
    return spacy.blank("en")


def make_doc(nlp, text, rules=(), tagger=()):
    """A document with the detectors' groups; spans are (surface, label, score), the first occurrence each."""
    doc = nlp.make_doc(text)
    for key, items in (("pii_rules", rules), ("pii_tagger", tagger)):
        found = []
        for surface, label, score in items:
            start = text.index(surface)
            span = doc.char_span(start, start + len(surface), alignment_mode="expand")
            # What a rule found says which rule it was.
            note = {"rule": "any"} if key == "pii_rules" else {}
            found.append(Found(span.start, span.end, label, score, note))
        write_group(doc, key, found)
    return doc


def surfaces(doc):
    return [(span.text, span.label_) for span in doc.spans["pii"]]


def test_union_keeps_what_any_detector_found_and_sets_the_entities(nlp):
    doc = make_doc(nlp, "mail Ana at ana@x.org", [("ana@x.org", "EMAIL_ADDRESS", 1.0)], [("Ana", "PERSON", 0.6)])
    PiiMerger()(doc)
    assert surfaces(doc) == [("Ana", "PERSON"), ("ana@x.org", "EMAIL_ADDRESS")]
    assert [(ent.text, ent.label_) for ent in doc.ents] == surfaces(doc)


def test_union_joins_overlapping_spans_of_one_label(nlp):
    text = "lives at 14 Mill Lane, Leeds LS2 7EW now"
    doc = make_doc(
        nlp, text, [("14 Mill Lane", "STREET_ADDRESS", 0.7)], [("Lane, Leeds LS2 7EW", "STREET_ADDRESS", 0.9)]
    )
    PiiMerger()(doc)
    assert surfaces(doc) == [("14 Mill Lane, Leeds LS2 7EW", "STREET_ADDRESS")]
    (found,) = read_group(doc, "pii")
    assert [source["group"] for source in found.note["sources"]] == ["pii_rules", "pii_tagger"]
    assert found.score == 0.9


def test_the_more_trusted_detector_wins_between_labels(nlp):
    doc = make_doc(
        nlp,
        "see linkedin.com/in/ana now",
        [("linkedin.com/in/ana", "URL", 0.6)],
        [("linkedin.com/in/ana", "PERSON", 0.99)],
    )
    PiiMerger()(doc)
    assert surfaces(doc) == [("linkedin.com/in/ana", "URL")]
    PiiMerger(groups=["pii_tagger", "pii_rules"])(doc)
    assert surfaces(doc) == [("linkedin.com/in/ana", "PERSON")]


def test_priority_drops_what_overlaps_a_more_trusted_detector(nlp):
    text = "lives at 14 Mill Lane, Leeds"
    doc = make_doc(nlp, text, [("14 Mill Lane", "STREET_ADDRESS", 0.5)], [("Lane, Leeds", "STREET_ADDRESS", 0.9)])
    PiiMerger(policy="priority")(doc)
    assert surfaces(doc) == [("14 Mill Lane", "STREET_ADDRESS")]


def test_vote_needs_agreement_on_the_label(nlp):
    doc = make_doc(
        nlp,
        "Ana Lopez met Tim at Reed",
        [("Ana Lopez", "PERSON", 0.5), ("Reed", "SCHOOL", 0.5)],
        [("Ana", "PERSON", 0.5), ("Tim", "PERSON", 0.9), ("Reed", "LOCATION", 0.9)],
    )
    PiiMerger(policy="vote", repeat_names=False)(doc)
    assert surfaces(doc) == [("Ana Lopez", "PERSON")]


def test_thresholds_by_label(nlp):
    doc = make_doc(nlp, "Ana is 14", [], [("Ana", "PERSON", 0.3), ("14", "AGE", 0.3)])
    PiiMerger(thresholds={"AGE": 0.5})(doc)
    assert surfaces(doc) == [("Ana", "PERSON")]


@pytest.mark.parametrize(
    "text,marked,expected",
    [
        ("Ask Mr. Okonkwo now", "Mr. Okonkwo", "Okonkwo"),  # no title
        ("It is Olivia's turn", "Olivia's", "Olivia"),  # no possessive
        ("It is Olivia’s turn", "Olivia’s", "Olivia"),
        ('the "Olivia" we know', '"Olivia"', "Olivia"),  # no quotes
        ("Thanks (Olivia).", "(Olivia).", "Olivia"),
        ("so Dong-hyun do you agree", "Dong", "Dong-hyun"),  # the tokenizer takes the name apart
        ("with Eluned Parry-Owusu, yes", "Eluned Parry", "Eluned Parry-Owusu"),
        ("Olivia - she said", "Olivia", "Olivia"),
    ],
)
def test_edges_that_are_no_part_of_a_name_are_taken_off(nlp, text, marked, expected):
    doc = make_doc(nlp, text, [], [(marked, "PERSON", 0.9)])
    PiiMerger()(doc)
    assert surfaces(doc) == [(expected, "PERSON")]


def test_a_code_is_found_whole(nlp):
    doc = make_doc(nlp, "certificate NM-0047-3391 .", [], [("NM-0047", "ID_NUM", 0.9)])
    PiiMerger()(doc)
    assert surfaces(doc) == [("NM-0047-3391", "ID_NUM")]


def test_the_bracket_of_a_phone_number_stays(nlp):
    doc = make_doc(nlp, "call (617) 555-0143.", [("(617) 555-0143", "PHONE_NUMBER", 0.9)])
    PiiMerger()(doc)
    assert surfaces(doc) == [("(617) 555-0143", "PHONE_NUMBER")]


@pytest.mark.parametrize(
    "text,expected",
    [
        # Case, possessive, punctuation glued to the token, parts of the name, and a line break between them.
        ("I am Maria Lopez. maria said: MARIA's book", ["Maria Lopez", "maria", "MARIA"]),
        ("I am Maria Lopez.\nLopez, Maria\nMaria\nLopez", ["Maria Lopez", "Lopez", "Maria", "Maria", "Lopez"]),
        # Somebody else of that name, a part inside another word, a word in the middle of a sentence.
        ("I am Maria Lopez. Maria Montessori wrote it, Marianne read it", ["Maria Lopez"]),
    ],
)
def test_an_accepted_name_is_found_again(nlp, text, expected):
    doc = make_doc(nlp, text, [], [("Maria Lopez", "PERSON", 0.9)])
    PiiMerger()(doc)
    assert [surface for surface, _ in surfaces(doc)] == expected


def test_a_name_that_is_a_word_is_found_again_only_where_it_reads_as_a_name(nlp):
    doc = make_doc(
        nlp, "I am Will Hope. I will hope so. Will you? They asked Will again", [], [("Will Hope", "PERSON", 0.9)]
    )
    PiiMerger()(doc)
    assert [surface for surface, _ in surfaces(doc)] == ["Will Hope", "Will"]


def test_a_lower_case_word_needs_a_list_or_a_sure_tagger(nlp):
    text = "thanks olivia and zorbuk , then quillon stumped"
    doc = make_doc(nlp, text, [], [("olivia", "PERSON", 0.3), ("zorbuk", "PERSON", 0.9), ("stumped", "PERSON", 0.3)])
    PiiMerger()(doc)
    assert [surface for surface, _ in surfaces(doc)] == ["olivia", "zorbuk"]


def test_an_unsure_name_is_not_looked_for_again(nlp):
    doc = make_doc(nlp, "Listo said so. Then Listo left", [], [("Listo", "PERSON", 0.2)])
    PiiMerger()(doc)
    assert len(surfaces(doc)) == 1


def test_a_missing_group_is_an_error_and_leaves_no_group_behind(nlp):
    doc = make_doc(nlp, "I am Ana", [], [("Ana", "PERSON", 0.9)])
    merger = PiiMerger()
    merger(doc)
    del doc.spans["pii_rules"]
    with pytest.raises(ValueError, match="pii_rules: a detector failed"):
        merger(doc)
    assert "pii" not in doc.spans


@pytest.mark.parametrize("config,message", [({"policy": "best"}, "'best'"), ({"groups": []}, "at least one")])
def test_wrong_settings_are_errors(config, message):
    with pytest.raises(ValueError, match=message):
        PiiMerger(**config)


@pytest.mark.parametrize("text", ["", " \n ", "🙂" * 50])
def test_documents_without_words(nlp, text):
    doc = make_doc(nlp, text)
    assert surfaces(PiiMerger()(doc)) == []


WORDS = ["Ana", "ana", "Lopez", "said", ".", "Tim", "'s", "Mr.", "14", "\n"]
spans = st.tuples(st.integers(0, 11), st.integers(1, 4), st.sampled_from(["PERSON", "AGE"]), st.floats(0, 1))


@given(
    words=st.lists(st.sampled_from(WORDS), min_size=12, max_size=16),
    rules=st.lists(spans, max_size=4),
    tagger=st.lists(spans, max_size=4),
    policy=st.sampled_from(["union", "priority", "vote"]),
)
def test_the_merged_spans_never_overlap(nlp, words, rules, tagger, policy):
    doc = spacy.tokens.Doc(nlp.vocab, words=words)
    for key, items in (("pii_rules", rules), ("pii_tagger", tagger)):
        found = {(s, min(s + n, 12), label): Found(s, min(s + n, 12), label, score) for s, n, label, score in items}
        write_group(doc, key, found.values())
    PiiMerger(policy=policy)(doc)
    tokens = [token.i for span in doc.spans["pii"] for token in span]
    assert len(tokens) == len(set(tokens))
    assert len(doc.ents) == len(doc.spans["pii"])


@given(words=st.lists(st.sampled_from(WORDS), min_size=12, max_size=16), items=st.lists(spans, max_size=5))
def test_union_loses_no_word_of_a_name(nlp, words, items):
    doc = spacy.tokens.Doc(nlp.vocab, words=words)
    found = {(s, min(s + n, 12)): Found(s, min(s + n, 12), "PERSON", score) for s, n, _, score in items}
    write_group(doc, "pii_rules", [])
    write_group(doc, "pii_tagger", found.values())
    PiiMerger()(doc)
    covered = {token.i for span in doc.spans["pii"] for token in span}
    edges = {"said", ".", "'s", "Mr.", "14", "\n"}
    for start, end in found:
        assert all(i in covered for i in range(start, end) if words[i] not in edges)
