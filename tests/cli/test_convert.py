import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from spacy_pii.cli import app
from spacy_pii.cli.convert import convert
from spacy_pii.corpora import docbin
from spacy_pii.corpora.record import RecordError

GOOD = {"id": "one", "text": "Ana Ruiz, 14", "spans": [[0, 8, "PERSON"], [10, 12, "AGE"]]}
BAD = {"id": "two", "text": "Zebulon", "spans": [[0, 99, "PERSON"]]}


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text("\n".join(map(json.dumps, (GOOD, BAD, GOOD))))
    return path


def invoke(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_verbs_are_part_of_spacys_command_line():
    def run(*arguments):
        return subprocess.run([sys.executable, "-m", "spacy", *arguments], capture_output=True, text=True)

    assert "pii" in run("--help").stdout
    result = run("pii", "--help")
    assert result.returncode == 0
    assert "convert" in result.stdout and "debug" in result.stdout


def test_importing_the_verbs_imports_nothing_heavy():
    heavy = (
        "{'torch', 'transformers', 'presidio_analyzer', 'spacy_llm', 'faker', 'phonenumbers', 'sentence_transformers'}"
    )
    code = f"import sys, spacy_pii.cli; print(sorted({heavy} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_convert_goes_on_after_a_bad_record_and_says_so(source, tmp_path):
    result = invoke("convert", source, tmp_path / "out.spacy")
    assert result.exit_code == 1
    assert f"{source}: record 2: field 'spans[0]' covers 0 to 99" in result.stderr
    assert "Zebulon" not in result.output
    assert [doc.text for doc in docbin.read_docs(tmp_path / "out.spacy")] == [GOOD["text"]] * 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "out.spacy"]


def test_convert_sets_bad_records_aside_on_request(source, tmp_path):
    result = invoke("convert", source, tmp_path / "out.spacy", "--rejected", tmp_path / "bad.jsonl")
    assert result.exit_code == 1
    [row] = [json.loads(line) for line in (tmp_path / "bad.jsonl").read_text().splitlines()]
    assert row["record"] == BAD and "record 2" in row["error"]


def test_convert_without_problems(source, tmp_path):
    source.write_text(json.dumps(GOOD))
    result = invoke("convert", source, tmp_path / "out.json")
    assert result.exit_code == 0
    # What the scheme of the output has no word for is counted, not dropped without a word.
    assert "AGE: 1" in result.stderr
    [row] = json.loads((tmp_path / "out.json").read_text())
    assert row["labels"] == ["B-NAME_STUDENT", "I-NAME_STUDENT", "O", "O"]


def test_convert_there_and_back(source, tmp_path):
    source.write_text(json.dumps(GOOD))
    invoke("convert", source, tmp_path / "a.spacy")
    invoke("convert", tmp_path / "a.spacy", tmp_path / "b", "--to", "brat", "--to-scheme", "azure")
    invoke("convert", tmp_path / "b", tmp_path / "c.txt", "--format", "brat", "--scheme", "azure")
    assert (tmp_path / "c.txt").read_text() == "{{PERSON|Ana Ruiz}}, {{AGE|14}}"


def test_convert_names_expanded_documents(source, tmp_path):
    source.write_text(json.dumps({"id": "essay 9", "text": "AnaRuiz", "spans": [[0, 3, "PERSON"]]}))
    result = invoke("convert", source, tmp_path / "a.spacy")
    assert result.exit_code == 0
    assert "1 spans do not fall on token boundaries" in result.stderr and "essay 9: 1" in result.stderr


@pytest.mark.parametrize(
    "arguments,sentence",
    [
        (["none.jsonl", "out.spacy"], "There is no file or folder"),
        (["in.jsonl", "out.docx"], "does not tell a format"),
        (["in.jsonl", "out.spacy", "--format", "docx"], "There is no format 'docx'"),
        (["in.jsonl", "out.spacy", "--scheme", "nope"], "There is no label scheme 'nope'"),
        (["in.csv", "out.spacy"], "give the file that was predicted on"),
        (["in.jsonl", "out.txt"], "holds one document"),
    ],
)
def test_convert_that_cannot_be_done(source, tmp_path, arguments, sentence):
    result = invoke("convert", tmp_path / arguments[0], tmp_path / arguments[1], *arguments[2:])
    assert result.exit_code == 2
    assert sentence in result.stderr and "Traceback" not in result.output


def test_convert_as_a_function(source, tmp_path):
    with pytest.raises(RecordError, match="record 2"):
        convert(source, tmp_path / "out.spacy")
    assert not (tmp_path / "out.spacy").exists()
    source.write_text(json.dumps(GOOD))
    assert convert(source, tmp_path / "out.spacy") == 1
