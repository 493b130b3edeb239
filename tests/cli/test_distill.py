import gzip
import json
import struct

import numpy
import pytest

from spacy_pii.models import distill

VOCABULARY = {"[PAD]": 0, "[CLS]": 1, "!": 2, "7": 3, "the": 4, "##ing": 5, "maria": 6, "lima": 7}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A model of eight words, taken for the published one."""
    path = tmp_path / "model"
    path.mkdir()
    (path / "tokenizer.json").write_text(json.dumps({"model": {"vocab": VOCABULARY}}), encoding="utf8")
    rows = numpy.random.RandomState(0).normal(size=(len(VOCABULARY), 6)).astype("<f4")
    data = rows.tobytes()
    entry = {"dtype": "F32", "shape": rows.shape, "data_offsets": [0, len(data)]}
    header = json.dumps({"embeddings.word_embeddings.weight": entry}).encode("utf8")
    (path / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + data)
    monkeypatch.setattr(distill, "check_files", print)
    return path


def read_table(path):
    with gzip.open(path, "rt", encoding="utf8") as file:
        return [line.split() for line in file]


@pytest.mark.parametrize(
    "options, words",
    [((), ["the", "maria", "lima"]), (("--static",), ["!", "7", "the", "maria", "lima"])],
)
def test_the_flag_chooses_the_table(run, folder, tmp_path, options, words):
    result = run("distill", tmp_path / "out.gz", "--model", folder, "--width", 2, *options)
    assert result.exit_code == 0, result.stderr
    assert f"{len(words)} words of width 2" in result.stdout
    header, *rows = read_table(tmp_path / "out.gz")
    assert header == [str(len(words)), "2"]
    assert [row[0] for row in rows] == words
    largest = numpy.abs(numpy.array([row[1:] for row in rows], dtype=int)).max(axis=0)
    # The tagger's vectors use the whole range in each component, the static ones keep what each component weighs.
    assert largest[0] == 127
    assert (largest[1] < 127) == bool(options)


@pytest.mark.parametrize("options", [(), ("--static",)])
@pytest.mark.parametrize(
    "files, sentence",
    [
        ((), "No such file"),
        (("model.safetensors", "tokenizer.json"), "is not the published file"),
    ],
)
def test_a_wrong_model_folder_is_one_sentence(run, tmp_path, files, sentence, options):
    for name in files:
        (tmp_path / name).write_bytes(b"another model")
    result = run("distill", tmp_path / "out.gz", "--model", tmp_path, *options)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert sentence in result.stderr and "model.safetensors" in result.stderr
    assert not (tmp_path / "out.gz").exists()
