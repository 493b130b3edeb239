import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

from spacy_pii.transcripts import make_doc, split_messages

NLP = spacy.blank("en")


@pytest.fixture
def replacements():
    """The extensions of the replacer, taken away again if the test set them."""
    missing = [name for name in ("replacements", "deidentified") if not Doc.has_extension(name)]
    for name in missing:
        Doc.set_extension(name, default=None)
    yield
    for name in missing:
        Doc.remove_extension(name)


def replace(doc, found):
    """Replace stretches of the text, as the replacer writes it down."""
    pieces, written, position, length = [], [], 0, 0
    for start, end, surrogate in found:
        pieces += [doc.text[position:start], surrogate]
        new_start = length + start - position
        length = new_start + len(surrogate)
        written.append(
            {
                "label": "PERSON",
                "start": start,
                "end": end,
                "new_start": new_start,
                "new_end": length,
                "surrogate": surrogate,
            }
        )
        position = end
    doc._.replacements = written
    doc._.deidentified = "".join(pieces) + doc.text[position:]
    return doc


def test_make_doc_renders_messages():
    doc = make_doc(NLP, [{"role": "tutor", "text": "hi"}, {"text": "no label"}, {"speaker": "Ana", "content": "x:\n3"}])
    assert doc.text == "tutor: hi\nno label\nAna: x:\n3"
    group = doc.spans["turns"]
    assert group.attrs["source"] == "messages"
    assert group.attrs["speakers"] == ["tutor", None, "Ana"]
    assert group.attrs["roles"] == ["tutor", None, None]
    assert group.attrs["speaker_offsets"] == [[0, 5], None, [19, 22]]
    assert [doc.text[a:b] for a, b in group.attrs["offsets"]] == ["hi", "no label", "x:\n3"]


def test_make_doc_names_come_before_roles():
    doc = make_doc(NLP, [{"role": "student", "name": "Ana Ruiz", "text": "hi"}])
    assert doc.text == "Ana Ruiz: hi"
    assert doc.spans["turns"].attrs["roles"] == ["student"]


@pytest.mark.parametrize("count", [0, 1, 3, 2000])
def test_make_doc_empty_messages(count):
    doc = NLP(make_doc(NLP, [{"text": ""}] * count))
    assert len(doc.spans["turns"]) == count
    assert doc.spans["turns"].attrs["offsets"] == [[i, i] for i in range(count)]
    assert [message["text"] for message in split_messages(doc)] == [""] * count


@pytest.mark.parametrize(
    "messages,number",
    [
        (["secret"], 1),
        ([{"text": "ok"}, {"role": "tutor"}], 2),
        ([{"text": None}], 1),
        ([{"text": 3}], 1),
    ],
)
def test_make_doc_bad_messages(messages, number):
    with pytest.raises(ValueError, match=f"Message {number} ") as error:
        make_doc(NLP, messages)
    assert "secret" not in str(error.value)


def test_split_messages_keeps_other_keys_and_order():
    messages = [{"id": 7, "role": "tutor", "at": "10:32", "message": "hi"}, {"message": "", "role": None, "id": 8}]
    doc = make_doc(NLP, messages)
    out = split_messages(doc, messages=messages)
    assert out == messages
    assert [list(message) for message in out] == [list(message) for message in messages]
    assert out[0] is not messages[0]


def test_split_messages_of_deidentified_text(replacements):
    messages = [
        {"speaker": "Ana", "text": "hi Ben"},
        {"speaker": "Ben", "text": "Ana\nAna: fake"},
        {"speaker": "Ana", "text": ""},
    ]
    doc = make_doc(NLP, messages)
    text = doc.text
    names = {"Ana": "Rosalind", "Ben": "Xu"}
    starts = [(i, i + 3, names[text[i : i + 3]]) for i in range(len(text)) if text[i : i + 3] in names]
    replace(doc, starts)
    assert split_messages(doc, doc._.deidentified, messages=messages) == [
        {"speaker": "Rosalind", "text": "hi Xu"},
        {"speaker": "Xu", "text": "Rosalind\nRosalind: fake"},
        {"speaker": "Rosalind", "text": ""},
    ]
    # The source is still there.
    assert split_messages(doc) == messages


def test_split_messages_replacement_across_messages_gets_no_source_out(replacements):
    doc = make_doc(NLP, [{"text": "call 555"}, {"text": "0143 now"}])
    replace(doc, [(5, 13, "555-0199")])
    out = [message["text"] for message in split_messages(doc, doc._.deidentified)]
    assert out == ["call 555-0199", " now"]


def test_split_messages_second_name_gets_no_name_out(replacements):
    messages = [{"speaker": "Ana Ruiz", "author": "aruiz07", "role": "student", "text": "hi"}]
    doc = replace(make_doc(NLP, messages), [(0, 8, "Mia Ode")])
    out = split_messages(doc, doc._.deidentified, messages=messages)
    assert out == [{"speaker": "Mia Ode", "author": "Mia Ode", "role": "student", "text": "hi"}]


def test_split_messages_refuses_what_does_not_belong(replacements):
    with pytest.raises(ValueError, match="no turns"):
        split_messages(NLP("Ana: hi"))
    doc = make_doc(NLP, [{"text": "hi Ana"}])
    with pytest.raises(ValueError, match="characters"):
        split_messages(doc, "hi Rosalind")
    with pytest.raises(ValueError, match="1 turns, but 0 messages"):
        split_messages(doc, messages=[])


MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"text": st.text(st.sampled_from("aé😀 \n\r:"), max_size=8)},
        optional={"speaker": st.sampled_from(["Ana", "tutor", "S 1", "😀"]), "n": st.integers()},
    ),
    max_size=6,
)


@settings(max_examples=200, deadline=None)
@given(MESSAGES, st.data())
def test_split_messages_round_trip(messages, data):
    doc = make_doc(NLP, messages)
    assert split_messages(doc, messages=messages) == messages
    missing = not Doc.has_extension("replacements")
    if missing:
        Doc.set_extension("replacements", default=None)
        Doc.set_extension("deidentified", default=None)
    try:
        # Replace inside messages only: the result must be what replacing in each message gives.
        found, expected = [], []
        for message, (start, end) in zip(messages, doc.spans["turns"].attrs["offsets"]):
            said = message["text"]
            if said and data.draw(st.booleans()):
                a = data.draw(st.integers(0, len(said) - 1))
                b = data.draw(st.integers(a + 1, len(said)))
                surrogate = data.draw(st.sampled_from(["", "Q", "ÖÖÖ\n😀"]))
                found.append((start + a, start + b, surrogate))
                said = said[:a] + surrogate + said[b:]
            expected.append({**message, "text": said})
        replace(doc, found)
        assert split_messages(doc, doc._.deidentified, messages=messages) == expected
    finally:
        if missing:
            Doc.remove_extension("replacements")
            Doc.remove_extension("deidentified")
