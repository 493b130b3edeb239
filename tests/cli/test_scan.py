import json

import pytest

MAIL, PHONE = "mira.quell@gmail.com", "415-555-0132"
CALL = f"Please call me at {PHONE} after 3/4 of the lesson."


def read_lines(text):
    return [json.loads(line) for line in text.split("\n") if line]


@pytest.mark.parametrize("text", [CALL, f"\ufeff\U0001f600e\u0301\r\n{CALL}", f"{MAIL}\n{CALL} {MAIL}"])
def test_when_text_is_scanned_then_offsets_point_at_what_is_shown(run, model, tmp_path, text):
    source = tmp_path / "a.txt"
    source.write_bytes(text.encode("utf8"))
    result = run("scan", source, "-m", model, "--json", "--show")
    assert result.exit_code == 0, result.stderr
    (record,) = read_lines(result.stdout)
    text = text.removeprefix("\ufeff")
    assert [text[span["start"] : span["end"]] for span in record["spans"]] == [span["text"] for span in record["spans"]]
    assert {span["text"] for span in record["spans"]} == {item for item in (MAIL, PHONE) if item in text}
    assert source.read_bytes().decode("utf8").removeprefix("\ufeff") == text


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_when_show_is_not_given_then_no_pii_is_printed(run, model, tmp_path, options):
    (tmp_path / "a.txt").write_text(f"{CALL} {MAIL}", encoding="utf8")
    result = run("scan", tmp_path / "a.txt", "-m", model, *options)
    assert result.exit_code == 0
    assert "PHONE_NUMBER" in result.stdout and "pii_rules:email" in result.stdout
    assert PHONE not in result.output and MAIL not in result.output


def test_when_lines_are_printed_then_there_is_one_a_span_and_a_table_of_counts(run, model, tmp_path):
    records = [{"text": f"{MAIL} and {MAIL}"}, {"messages": [{"role": "Mira Quell", "text": f"ok\n{CALL}"}]}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf8")
    result = run("scan", tmp_path / "a.jsonl", "-m", model, "--show")
    lines = [line.split("\t") for line in result.stdout.splitlines() if "\t" in line]
    assert [(line[1], line[2], line[3], line[4]) for line in lines[:2]] == [
        ("1", "text", "EMAIL_ADDRESS", "0-20"),
        ("1", "text", "EMAIL_ADDRESS", "25-45"),
    ]
    # Offsets in a transcript are those of the message.
    assert ["messages[1].speaker", "PERSON", "0-10"] == lines[2][2:5]
    start = f"ok\n{CALL}".index(PHONE)
    assert ["messages[1].text", "PHONE_NUMBER", f"{start}-{start + len(PHONE)}"] == lines[3][2:5]
    assert json.loads(lines[3][7]) == PHONE
    table = [line.split() for line in result.stdout.splitlines() if "\t" not in line]
    assert ["EMAIL_ADDRESS", "2"] in table and ["PHONE_NUMBER", "1"] in table
    assert "2 records, 4 spans found, 0 set aside" in result.stderr


def test_when_pipeline_cannot_replace_then_it_can_still_scan(run, make_model, tmp_path):
    (tmp_path / "a.csv").write_text(f"id,essay\n1,{CALL}\n", encoding="utf8")
    result = run("scan", tmp_path / "a.csv", "-c", "essay", "-m", make_model(replacer=False), "--json")
    assert result.exit_code == 0
    (record,) = read_lines(result.stdout)
    assert [(span["field"], span["label"]) for span in record["spans"]] == [("essay", "PHONE_NUMBER")]


def test_when_component_fails_then_the_record_is_named_and_the_rest_scanned(run, make_model, tmp_path):
    (tmp_path / "a.jsonl").write_text(f'{{"text": "kaboom {PHONE}"}}\n{{"text": "{CALL}"}}\nx\n', encoding="utf8")
    result = run("scan", tmp_path / "a.jsonl", "-m", make_model(before_replacer="test_fail_on_word"), "--json")
    assert result.exit_code == 1
    assert [record["record"] for record in read_lines(result.stdout)] == [2]
    assert "record 1: field 'text' could not be processed: 'test_fail_on_word' failed (RuntimeError)." in result.stderr
    assert "record 3: is not valid JSON" in result.stderr and PHONE not in result.stderr


def test_when_pipeline_has_no_merger_then_it_does_not_look_clean(run, make_model, tmp_path):
    (tmp_path / "a.txt").write_text(CALL, encoding="utf8")
    result = run("scan", tmp_path / "a.txt", "-m", make_model(merger=False, replacer=False))
    assert result.exit_code == 1 and "has no span group 'pii'" in result.stderr


@pytest.mark.parametrize("text", ["", "\ufeff", " \n"])
def test_when_text_is_empty_then_nothing_is_found(run, model, tmp_path, text):
    (tmp_path / "a.txt").write_text(text, encoding="utf8")
    result = run("scan", tmp_path / "a.txt", "-m", model)
    assert result.exit_code == 0 and result.stdout == ""
    assert "1 records, 0 spans found, 0 set aside" in result.stderr
