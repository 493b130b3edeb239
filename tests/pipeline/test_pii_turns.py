import re

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from spacy_pii.pipeline.pii_turns import PIITurns
from spacy_pii.transcripts import canonical_role, make_doc

BLANK = spacy.blank("xx")


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy.blank("en")
    nlp.max_length = 10_000_000
    nlp.add_pipe("pii_turns")
    return nlp


def turns_of(nlp, text):
    """What is said and by whom, checked against the offsets and spans of the group."""
    group = nlp(text).spans["turns"]
    attrs = group.attrs
    said = [text[start:end] for start, end in attrs["offsets"]]
    assert len(group) == len(said) == len(attrs["roles"]) == len(attrs["speakers"]) == len(attrs["speaker_offsets"])
    for speaker, offsets in zip(attrs["speakers"], attrs["speaker_offsets"]):
        assert (speaker is None) == (offsets is None)
        assert speaker is None or text[offsets[0] : offsets[1]] == speaker
    return attrs["source"], list(zip(attrs["speakers"], said))


TRANSCRIPTS = [
    ("Tutor: hi there\nStudent: hello", [("Tutor", "hi there"), ("Student", "hello")]),
    # Names in any case, the same person twice
    ("Ana Ruiz: one\nben: two\nANA RUIZ: three\nBen: 4", [("Ana Ruiz", "one"), ("ben", "two"), ("ANA RUIZ", "three"), ("Ben", "4")]),
    # Clock times, with and without dates and brackets
    ("[10:32] ana: a\n[10:33] ben: b\n[10:34] ana: c", [("ana", "a"), ("ben", "b"), ("ana", "c")]),
    ("2021-03-14 10:32:05 Ana: a\n2021-03-14 10:33:00 Ben: b", None),
    ("2021-03-14 10:32:05 Ana: a\n2021-03-14 10:33:00 Ben: b\n2021-03-14 10:33:09 Ana: c\n2021-03-14 10:33:10 Ben: d", [("Ana", "a"), ("Ben", "b"), ("Ana", "c"), ("Ben", "d")]),
    ("3/14/21, 10:32 PM - Ana: a\n3/14/21, 10:33 PM - Ben: b\n3/14/21, 10:34 PM - Ana: c\n3/14/21, 10:35 PM - Ben left", [("Ana", "a"), ("Ben", "b"), ("Ana", "c"), (None, "Ben left")]),
    ("10:32:05 From Ana Ruiz to Everyone: a\n10:33:05 From Ben Ode: b\n10:34:05 From Ana Ruiz to Ben Ode: c", [("Ana Ruiz", "a"), ("Ben Ode", "b"), ("Ana Ruiz", "c")]),
    ("Ana Ruiz 10:32 AM\nhi\nBen Ode 10:33 AM\nhello\nAna Ruiz 10:34 AM\nok", [("Ana Ruiz", "hi"), ("Ben Ode", "hello"), ("Ana Ruiz", "ok")]),
    # Other separators
    ("S1 - hi\nS2 - hello\nS1 - what", [("S1", "hi"), ("S2", "hello"), ("S1", "what")]),
    ("tutor> hi\nstudent> x > 3\ntutor> why", [("tutor", "hi"), ("student", "x > 3"), ("tutor", "why")]),
    ("<ana> hi\n<ben> hello\n<ana> ok", [("ana", "hi"), ("ben", "hello"), ("ana", "ok")]),
    ("Ana\thi\nBen\thello\nAna\tok\nBen\tno", [("Ana", "hi"), ("Ben", "hello"), ("Ana", "ok"), ("Ben", "no")]),
    ("**Tutor:** hi\n**Student:** hello", [("Tutor", "hi"), ("Student", "hello")]),
    ("[STUDENT_7]: hi\n[STUDENT_2]: hello\n[STUDENT_7]: ok", [("[STUDENT_7]", "hi"), ("[STUDENT_2]", "hello"), ("[STUDENT_7]", "ok")]),
    # The label alone on its line, with and without colon; answers repeat and are no labels
    ("Tutor\nwhat is 2+2?\nStudent\n4\nTutor\nand 2*2?\nStudent\n4", [("Tutor", "what is 2+2?"), ("Student", "4"), ("Tutor", "and 2*2?"), ("Student", "4")]),
    ("Ana:\nhi\nBen:\nhello\nAna:\nok\nBen:\nok", [("Ana", "hi"), ("Ben", "hello"), ("Ana", "ok"), ("Ben", "ok")]),
    # Messages of several lines, empty lines and windows line ends
    ("Tutor: a\r\nb\r\n\r\nStudent: c\r\nTutor: d\r\n", [("Tutor", "a\r\nb"), ("Student", "c"), ("Tutor", "d")]),
    # An empty message
    ("Tutor: a\nStudent:\nTutor: b\nStudent: c", [("Tutor", "a"), ("Student", ""), ("Tutor", "b"), ("Student", "c")]),
    # What stands before the first speaker
    ("Session 4\nTutor: a\nStudent: b\nTutor: c", [(None, "Session 4"), ("Tutor", "a"), ("Student", "b"), ("Tutor", "c")]),
    # Who speaks once among people who speak often
    ("Ana: a\nBen: b\nAna: c\nBen: d\nIrma Vale: e", [("Ana", "a"), ("Ben", "b"), ("Ana", "c"), ("Ben", "d"), ("Irma Vale", "e")]),
    # A heading inside a message is no speaker
    ("Tutor: a\nHint: b\nStudent: c\nTutor: d\nStudent: e\nTutor: f", [("Tutor", "a\nHint: b"), ("Student", "c"), ("Tutor", "d"), ("Student", "e"), ("Tutor", "f")]),
    # Beyond the basic plane, and scripts without case
    ("Ana😀: 𝑥=2\nBen: 😀\nAna😀: 😀😀\nBen: ok", [("Ana😀", "𝑥=2"), ("Ben", "😀"), ("Ana😀", "😀😀"), ("Ben", "ok")]),
    ("先生: 你好\n小王: 老师好\n先生: 二加二\n小王: 四", [("先生", "你好"), ("小王", "老师好"), ("先生", "二加二"), ("小王", "四")]),
]  # fmt: skip


@pytest.mark.parametrize("text,expected", TRANSCRIPTS)
def test_pii_turns_transcripts(nlp, text, expected):
    source, turns = turns_of(nlp, text)
    if expected is None:
        # Two people who each speak once: only the clock times could tell, and labels have to recur.
        assert source == "lines"
    else:
        assert (source, turns) == ("transcript", expected)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t\n",
        "My name is Ana and I like maps.",
        # Headings of an essay: each occurs once
        "Challenge: we had no time.\nSelection: I chose the mind map.\nApplication: I drew it.\nInsight: it helped.",
        "Note: do not copy.\nI wrote this alone.\nNote: see the list.",
        # A form, and two of them
        "Name: Ana Ruiz\nAge: 14\nTeacher: Mr. Ode\nStudent: yes",
        "Student: Ana\nGrade: 7\nTeacher: Ode\nStudent: Ben\nGrade: 8\nTeacher: Ode",
        # Equations, ratios, links
        "x: 3\ny: 4\nx: 5\ny: 6",
        "a:b = 3:4\nb:c = 4:5\na:b = 1:2",
        "https://example.org/a\nhttps://example.org/b\nhttps://example.org/c",
        "x > 3\nx > 4\ny > 3",
        # A chat without labels whose short answers recur
        "ok\nwhat is 3/4\nyes\n0.75\nok\nand 1/4\nyes\n0.25",
        "Perimeter\n12\nhow\nPerimeter\n14",
        # Sentences with a colon
        "I think the answer is: 5\nno wait it is: 6\nI think the answer is: 7",
        # Steps recur, nobody is called step
        "Step 1: add\nStep 2: divide\nStep 1: check\nStep 2: stop",
    ],
)
def test_pii_turns_other_texts_are_lines(nlp, text):
    source, turns = turns_of(nlp, text)
    assert source == "lines"
    assert turns == [(None, line.strip()) for line in text.splitlines() if line.strip()]


def test_pii_turns_span_holds_no_label(nlp):
    doc = nlp("Tutor: hi Ana\nStudent: hello there\nTutor: ok")
    assert [span.text for span in doc.spans["turns"]] == ["hi Ana", "hello there", "ok"]
    assert doc.spans["turns"].attrs["roles"] == ["tutor", "student", "tutor"]


def test_pii_turns_leaves_messages_alone(nlp):
    # The second message looks like two: what the messages were is known better than any text can tell.
    messages = [{"role": "tutor", "text": "hi"}, {"role": "student", "text": "ok\nTutor: said this"}]
    doc = nlp(make_doc(nlp, messages))
    assert doc.spans["turns"].attrs["source"] == "messages"
    assert doc.spans["turns"].attrs["speakers"] == ["tutor", "student"]


def test_pii_turns_replaces_its_own_turns(nlp):
    doc = nlp("Tutor: a\nStudent: b")
    before = dict(doc.spans["turns"].attrs)
    assert dict(PIITurns()(doc).spans["turns"].attrs) == before


@pytest.mark.parametrize(
    "text", ["a" * 1_000_000, "a b: " * 200_000, ": " * 500_000, "[" * 1_000_000, "Ana: hi\n" * 30_000]
)
def test_pii_turns_huge_texts(text):
    # Not through the tokenizer, which is itself quadratic in a run of brackets.
    words = re.findall(r"\S+|\s+", text)
    doc = PIITurns()(Doc(Vocab(), words=words, spaces=[False] * len(words)))
    assert doc.spans["turns"].attrs["offsets"][-1][1] == len(text.rstrip())


def test_pii_turns_pipe_and_processes_agree(nlp):
    texts = [text for text, _ in TRANSCRIPTS] + ["", "one line"]
    expected = [dict(nlp(text).spans["turns"].attrs) for text in texts]
    for processes in (1, 2):
        docs = nlp.pipe(texts, batch_size=5, n_process=processes)
        assert [dict(doc.spans["turns"].attrs) for doc in docs] == expected


def test_pii_turns_survives_docbin_and_disk(nlp, tmp_path):
    nlp.to_disk(tmp_path / "nlp")
    text = "Tutor: a\nStudent:\nTutor: b\nStudent: c"
    doc = spacy.load(tmp_path / "nlp")(text)
    assert doc.spans["turns"].attrs == nlp(text).spans["turns"].attrs
    again = list(DocBin(docs=[doc]).get_docs(nlp.vocab))[0]
    assert [(s.start, s.end) for s in again.spans["turns"]] == [(s.start, s.end) for s in doc.spans["turns"]]
    assert again.spans["turns"].attrs == doc.spans["turns"].attrs


def test_pii_turns_min_share_is_a_setting():
    text = "Ana: a\nBen: b\nAna: c\nBen: d\n" + "\n".join(f"the line number {i} of the essay" for i in range(12))
    assert PIITurns(min_share=0.2)(spacy.blank("en")(text)).spans["turns"].attrs["source"] == "transcript"
    assert PIITurns(min_share=0.5)(spacy.blank("en")(text)).spans["turns"].attrs["source"] == "lines"


@pytest.mark.parametrize(
    "label,role",
    [
        ("Tutor", "tutor"),
        ("Volunteer", "tutor"),
        ("STUDENT 2", "student"),
        ("student_3", "student"),
        ("[STUDENT_7]", "student"),
        ("S1", "student"),
        ("T", "tutor"),
        ("P3", "speaker"),
        ("SPEAKER_01", "speaker"),
        ("Ana (Teacher)", "teacher"),
        ("Academic Advisor", "advisor"),
        ("Mom", "parent"),
        ("system", "system"),
        ("TA", "teacher"),
        # Names
        ("Ta", None),
        ("Ai", None),
        ("Ana", None),
        ("Sam", None),
        ("s1mon", None),
        ("Mr. Tutor Jones", None),
        ("", None),
        ("123", None),
    ],
)
def test_canonical_role(label, role):
    assert canonical_role(label) == role


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=st.sampled_from("aB :>\n\r\t-[]0é😀\u2028."), max_size=60))
def test_pii_turns_offsets_lie_in_the_text(text):
    doc = PIITurns()(BLANK(text))
    attrs = doc.spans["turns"].attrs
    last = 0
    for (start, end), speaker, place in zip(attrs["offsets"], attrs["speakers"], attrs["speaker_offsets"]):
        assert last <= start <= end <= len(text)
        last = end
        assert place is None or text[place[0] : place[1]] == speaker
    # Nothing but labels and their separators lies outside the turns.
    if attrs["source"] == "lines":
        assert "".join(text[a:b] for a, b in attrs["offsets"]).split() == text.split() or len(attrs["offsets"]) > 1
