import pickle

import pytest

from spacy_pii.surrogates.keys import KeyedSource, fresh_key, read_key


def draw(source, *parts):
    stream = source.stream(*parts)
    return [stream.randint(0, 10**9) for _ in range(20)]


def test_stream_depends_on_key_and_every_part():
    one, other = KeyedSource(b"one"), KeyedSource(b"other")
    assert draw(one, "doc", "PERSON", "ana") == draw(KeyedSource(b"one"), "doc", "PERSON", "ana")
    assert draw(one, "doc", "PERSON", "ana") != draw(other, "doc", "PERSON", "ana")
    assert draw(one, "doc", "PERSON", "ana") != draw(one, "doc2", "PERSON", "ana")
    # The border between the parts counts.
    assert draw(one, "ab", "c") != draw(one, "a", "bc")


def test_randint_covers_its_range_and_nothing_else():
    stream = KeyedSource(b"key").stream("x")
    assert {stream.randint(3, 7) for _ in range(500)} == {3, 4, 5, 6, 7}
    assert stream.randint(4, 4) == 4
    with pytest.raises(ValueError):
        stream.randint(2, 1)
    with pytest.raises(ValueError):
        stream.choice([])


def test_lone_surrogate_characters_do_not_fail():
    assert draw(KeyedSource(b"key"), "\ud800")


def test_key_is_neither_shown_nor_pickled():
    source = KeyedSource(b"very secret")
    assert "secret" not in repr(source)
    with pytest.raises(TypeError):
        pickle.dumps(source)


def test_key_comes_from_the_environment(monkeypatch):
    monkeypatch.setenv("SOME_KEY", "abc")
    assert read_key("SOME_KEY") == b"abc"
    monkeypatch.setenv("SOME_KEY", "")
    assert read_key("SOME_KEY") is None
    monkeypatch.delenv("SOME_KEY")
    assert read_key("SOME_KEY") is None
    assert fresh_key() != fresh_key()
