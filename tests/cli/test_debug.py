import json

import pytest
from typer.testing import CliRunner

from spacy_pii.cli import app
from spacy_pii.cli.convert import convert
from spacy_pii.cli.debug import debug_split, find_leaks


def row(name, text, *names, document=None):
    spans = [[text.index(n), text.index(n) + len(n), "PERSON"] for n in names]
    return {"id": name, "text": text, "spans": spans, "meta": {"document": document} if document else {}}


def dump(path, *rows):
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def invoke(*arguments):
    return CliRunner().invoke(app, ["debug", *map(str, arguments)])


@pytest.fixture
def train(tmp_path):
    return dump(
        tmp_path / "train.jsonl",
        row("a", "I am Ximena Okafor.", "Ximena Okafor"),
        row("b", "xXimenaOkafor", "Ximena"),
        row("c", " \n"),
        row("d", "I am Ximena Okafor.", "Ximena Okafor", "Okafor"),
    )


@pytest.fixture
def dev(tmp_path):
    return dump(
        tmp_path / "dev.jsonl",
        row("k", "XIMENA OKAFOR wrote this", "XIMENA OKAFOR"),
        row("l", "dear okafor", "okafor"),
        row("m", "Ben de la Cruz", "Ben de la Cruz", document="c"),
        row("n", "I am Ximena Okafor."),
    )


@pytest.mark.parametrize("suffix", [".jsonl", ".spacy"])
def test_debug_finds_what_is_wrong_in_a_split(train, suffix):
    path = train
    if suffix == ".spacy":
        path = train.with_suffix(suffix)
        convert(train, path)
    split = debug_split(path)
    assert split.documents == 4
    assert split.labels == {"PERSON": 4}
    assert split.misaligned == {"b": 1}
    assert split.overlaps == {"d": 1}
    assert split.empty == ["c"]
    assert split.duplicates == [("d", "a")]


def test_debug_finds_leaks(train, dev):
    [leak] = find_leaks([debug_split(train), debug_split(dev)])
    assert leak.texts == ["a = n"]
    assert leak.sources == ["c"]
    assert (leak.names, leak.name_documents) == (1, ["k"])
    assert (leak.parts, leak.part_documents) == (2, ["k", "l"])


def test_debug_particles_are_no_leak(tmp_path):
    first = dump(tmp_path / "train.jsonl", row("a", "Ana de la Vega", "Ana de la Vega"))
    second = dump(tmp_path / "dev.jsonl", row("b", "Ben de la Cruz", "Ben de la Cruz"))
    [leak] = find_leaks([debug_split(first), debug_split(second)])
    assert leak.problems == 0


def test_debug_prints_documents_and_never_names(train, dev):
    result = invoke(train, dev)
    assert result.exit_code == 0
    for expected in ("train", "dev", "b: 1", "a = n", "PERSON", "1 full names of persons", "problems"):
        assert expected in result.stdout
    for name in ("ximena", "okafor"):
        assert name not in result.output.casefold()


def test_debug_exit_codes(train, tmp_path):
    assert invoke(train, "--strict").exit_code == 1
    clean = dump(tmp_path / "clean.jsonl", row("a", "I am Ana.", "Ana"))
    result = invoke(clean, "--strict")
    assert (result.exit_code, "No problems" in result.stdout) == (0, True)
    broken = dump(tmp_path / "broken.jsonl", row("a", "I am Ana.", "Ana"), {"text": 3})
    assert invoke(broken).exit_code == 1
    assert invoke(tmp_path / "none.jsonl").exit_code == 2
