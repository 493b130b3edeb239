import csv
import io
import json
import stat

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

MAIL, PHONE = "mira.quell@gmail.com", "415-555-0132"
CALL = f"Please call me at {PHONE} after 3/4 of the lesson."
BOOM = "kaboom"


def write_jsonl(path, records):
    path.write_text("".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records), encoding="utf8")
    return path


def read_jsonl(path):
    return [json.loads(line) for line in path.read_text(encoding="utf8").split("\n") if line]


def apply_map(text, replacements):
    """What the replacements make of a text. Their places in the result are checked on the way."""
    parts, position = [], 0
    for item in replacements:
        parts.append(text[position : item["start"]])
        assert len("".join(parts)) == item["new_start"]
        parts.append(item["surrogate"])
        assert len("".join(parts)) == item["new_end"]
        position = item["end"]
    return "".join([*parts, text[position:]])


@pytest.mark.parametrize(
    "text",
    [
        f"Write to {MAIL}.\n",
        # line ends of another system, and one missing at the end
        f"Write to {MAIL}.\r\n{CALL}\r\nBye",
        # byte order mark, astral and combining characters, right-to-left text, a line separator, a zero byte
        f"\ufeffZo\u0308e \U0001f600\u2028{MAIL} שלום\0 \U0001d4d0 {CALL}",
        # nothing to replace
        "2/3 + 4/5 = 22/15\n",
        "",
        "\ufeff",
        "\n \n",
    ],
)
def test_when_text_is_replaced_then_all_else_stays_byte_by_byte(run, model, tmp_path, text):
    source, target, mapping = tmp_path / "a.txt", tmp_path / "out" / "b.txt", tmp_path / "map.jsonl"
    source.write_bytes(text.encode("utf8"))
    result = run("deidentify", source, "-o", target, "-m", model, "--map", mapping)
    assert result.exit_code == 0, result.stderr
    written = target.read_bytes().decode("utf8")
    assert MAIL not in written and PHONE not in written
    mark = text[:1] if text.startswith("\ufeff") else ""
    (line,) = read_jsonl(mapping)
    assert written == mark + apply_map(text.removeprefix("\ufeff"), line["replacements"])
    assert (line["id"], line["file"]) == ("a.txt", "a.txt")


def test_when_map_is_written_then_only_the_owner_reads_it_and_it_holds_no_original(run, model, tmp_path):
    source, mapping = write_jsonl(tmp_path / "a.jsonl", [{"text": CALL, "id": "r-1"}, {"text": "no"}]), tmp_path / "map"
    assert run("deidentify", source, "-o", tmp_path / "b.jsonl", "-m", model, "--map", mapping).exit_code == 0
    assert stat.S_IMODE(mapping.stat().st_mode) == 0o600
    assert PHONE not in mapping.read_text(encoding="utf8")
    lines = read_jsonl(mapping)
    assert [line["id"] for line in lines] == ["r-1", 2]
    (entry,) = lines[0]["replacements"]
    assert set(entry) == {"field", "label", "start", "end", "new_start", "new_end", "surrogate"}


def test_when_input_is_a_folder_then_it_is_mirrored(run, model, tmp_path):
    source, target = tmp_path / "in", tmp_path / "out"
    (source / "deep" / "er").mkdir(parents=True)
    (source / "a.txt").write_text(CALL, encoding="utf8")
    (source / "deep" / "er" / "ü.txt").write_text(MAIL, encoding="utf8")
    (source / "deep" / "broken.txt").write_bytes(b"caf\xe9 " + MAIL.encode())
    (source / "notes.md").write_text(MAIL, encoding="utf8")
    result = run("deidentify", source, "-o", target, "-m", model)
    assert result.exit_code == 1
    written = {path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()}
    assert written == {"a.txt", "deep/er/ü.txt"}
    assert "deep/broken.txt: is not valid UTF-8." in result.stderr
    assert "3 records, 2 spans replaced (" in result.stderr and "1 set aside" in result.stderr
    assert PHONE not in (target / "a.txt").read_text(encoding="utf8")


def test_when_record_is_a_transcript_then_speakers_are_replaced_and_other_keys_stay(run, model, tmp_path):
    record = {
        "session": 12345678901234567890,
        "messages": [
            {"t": 0.5, "role": "Mira Quell", "text": f"mail {MAIL}\nor {CALL}", "tags": ["a"]},
            {"t": 1, "role": "tutor", "text": "Sure, 2/3 + 1"},
            {"t": 2, "role": "Mira Quell", "text": ""},
        ],
        "note": None,
    }
    source = write_jsonl(tmp_path / "a.jsonl", [record])
    assert run("deidentify", source, "-o", tmp_path / "b.jsonl", "-m", model, "--map", tmp_path / "m").exit_code == 0
    (written,) = read_jsonl(tmp_path / "b.jsonl")
    assert list(written) == list(record) and (written["session"], written["note"]) == (record["session"], None)
    first, second, third = written["messages"]
    assert second == record["messages"][1]
    assert first["role"] == third["role"] != "Mira Quell"
    assert (first["t"], first["tags"], third["text"]) == (0.5, ["a"], "")
    assert MAIL not in first["text"] and PHONE not in first["text"] and first["text"].count("\n") == 1
    # The map's offsets are those of each message and part.
    (line,) = read_jsonl(tmp_path / "m")
    for number, (old, new) in enumerate(zip(record["messages"], written["messages"]), start=1):
        for part, key in (("speaker", "role"), ("text", "text")):
            entries = [e for e in line["replacements"] if (e["message"], e["part"]) == (number, part)]
            assert apply_map(old[key], entries) == new[key]


def test_when_record_has_text_and_messages_then_neither_gets_out(run, model, tmp_path):
    record = {"text": MAIL, "messages": [{"content": CALL}], "transcript": MAIL}
    source = write_jsonl(tmp_path / "a.jsonl", [record])
    assert run("deidentify", source, "-o", tmp_path / "b.jsonl", "-m", model).exit_code == 0
    written = (tmp_path / "b.jsonl").read_text(encoding="utf8")
    assert MAIL not in written and PHONE not in written


def test_when_key_is_named_then_it_is_taken(run, model, tmp_path):
    source = write_jsonl(tmp_path / "a.jsonl", [{"essay": CALL, "text": "kept"}, {"text": "kept"}])
    result = run("deidentify", source, "-o", tmp_path / "b.jsonl", "-m", model, "--text-key", "essay")
    assert result.exit_code == 1
    (written,) = read_jsonl(tmp_path / "b.jsonl")
    assert written["text"] == "kept" and PHONE not in written["essay"]
    assert "a.jsonl: record 2: field 'essay' is missing." in result.stderr


@pytest.mark.parametrize(
    "line, sentence",
    [
        (b'{"text": "secret', "is not valid JSON at column 17"),
        (b"secret", "is not valid JSON at column 1"),
        (b'["secret"]', "is not a JSON object"),
        (b'{"secret": 1}', "field 'text' is missing"),
        (b'{"text": null}', "field 'text' is neither a string nor a list of messages"),
        (b'{"text": {"secret": 1}}', "field 'text' is neither a string nor a list of messages"),
        (b'{"text": "secret \xff"}', "is not valid UTF-8"),
        # half of a surrogate pair, which no UTF-8 file can hold, in the text and beside it
        (b'{"text": "secret \\ud800"}', "holds half of a surrogate pair"),
        (b'{"text": "", "secret": "\\ud800"}', "holds half of a surrogate pair"),
        (b'{"messages": ["secret"]}', "field 'messages' holds a message, number 1, that is not an object"),
        (b'{"messages": [{"role": "secret"}]}', "with no text under any of text, content, message"),
        (b'{"messages": [{"text": ""}, {"text": ["secret"]}]}', "number 2, whose text is not a string"),
        # a second text would be passed on as it is
        (b'{"messages": [{"text": "", "content": "secret"}]}', "number 1, with texts under text and content"),
        (b"[" * 100_000, "is not JSON that can be read"),
    ],
)
def test_when_line_cannot_be_used_then_it_is_set_aside_and_the_rest_done(run, model, tmp_path, line, sentence):
    source = tmp_path / "a.jsonl"
    good = json.dumps({"text": CALL}).encode()
    source.write_bytes(b"\xef\xbb\xbf" + good + b"\r\n\n" + line + b"\n" + good)
    result = run("deidentify", source, "-o", tmp_path / "b.jsonl", "-m", model)
    assert result.exit_code == 1
    (problem,) = [line for line in result.stderr.splitlines() if "a.jsonl: record 3: " in line]
    assert sentence in problem
    assert "secret" not in result.stderr
    written = (tmp_path / "b.jsonl").read_text(encoding="utf-8-sig")
    assert len(written.splitlines()) == 2 and "secret" not in written and PHONE not in written
    assert "3 records, 2 spans replaced (PHONE_NUMBER 2), 1 set aside" in result.stderr


def test_when_strings_hold_line_separators_then_records_stay_whole(run, model, tmp_path):
    # U+2028 and U+0085 end a line for str.splitlines, not for JSON lines.
    source = write_jsonl(tmp_path / "a.jsonl", [{"text": f"a\u2028b\u0085c {CALL}"}])
    assert run("deidentify", source, "-o", tmp_path / "b.jsonl", "-m", model).exit_code == 0
    (written,) = read_jsonl(tmp_path / "b.jsonl")
    assert written["text"].startswith("a\u2028b\u0085c Please call me at ")


TABLES = {
    # quotes, delimiters and line breaks in cells
    "comma": 'id,essay,mark\n1,"He said ""hi"", then\nleft. MAIL",5\n2,"CALL, ok",\n',
    # what Excel writes in many countries
    "semicolon": '\ufeffid;essay;mark\r\n1;"a;b\r\nMAIL";5,0\r\n2;CALL;6\r\n',
    "tab": "id\tessay\tmark\n1\tMAIL\t5\n2\tCALL, ok\t6\n",
    "quoted": '"id","essay","mark"\n"1","MAIL","5"\n"2","CALL",""\n',
    # no line end at the end, spaces in the header, a blank line between
    "loose": "id, essay ,mark\n1,MAIL,5\n\n2,CALL,6",
}


def rows_of(text, delimiter):
    return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]


@pytest.mark.parametrize("name, delimiter", list(zip(TABLES, (",", ";", "\t", ",", ","))))
def test_when_table_is_replaced_then_other_cells_and_the_dialect_stay(run, model, tmp_path, name, delimiter):
    text = TABLES[name].replace("MAIL", MAIL).replace("CALL", CALL)
    source, target = tmp_path / "a.csv", tmp_path / "b.csv"
    source.write_bytes(text.encode("utf8"))
    result = run("deidentify", source, "-o", target, "-m", model, "--columns", "essay")
    assert result.exit_code == 0, result.stderr
    written = target.read_bytes().decode("utf8")
    assert MAIL not in written and PHONE not in written
    assert written.startswith("\ufeff") == text.startswith("\ufeff")
    assert ("\r\n" in written) == ("\r\n" in text)
    if name == "quoted":
        assert written.endswith(',""\n')
    old, new = rows_of(text, delimiter), rows_of(written, delimiter)
    assert len(old) == len(new) == 3
    assert old[0] == new[0]
    for before, after in zip(old[1:], new[1:]):
        assert (before[0], before[2]) == (after[0], after[2])
        assert before[1] != after[1] and before[1].count("\n") == after[1].count("\n")


def test_when_two_columns_are_named_then_both_are_replaced(run, model, tmp_path):
    source, target = tmp_path / "a.csv", tmp_path / "b.csv"
    source.write_text(f"a,b,c\n{MAIL},{MAIL},{MAIL}\n", encoding="utf8")
    assert (
        run("deidentify", source, "-o", target, "-m", model, "--columns", "a, c", "--map", tmp_path / "m").exit_code
        == 0
    )
    a, b, c = rows_of(target.read_text(encoding="utf8"), ",")[1]
    assert b == MAIL and MAIL not in (a, c)
    assert [entry["field"] for entry in read_jsonl(tmp_path / "m")[0]["replacements"]] == ["a", "c"]


@pytest.mark.parametrize(
    "rows, sentence, kept",
    [
        # cells that slipped into another column
        (f"1,x,{MAIL}\n2,ok\n", "record 1: has 3 cells where the header has 2", 1),
        (f"1\n2,{CALL}\n", "record 1: has 1 cells where the header has 2", 1),
        # a quote that is never closed swallows the rest
        (f'1,ok\n2,"{MAIL}\n3,ok\n', "record 2: has quotes that do not pair, the file is not read any further", 1),
        (f'1,"ok" {MAIL}\n2,ok\n', "record 1: has quotes that do not pair, the file is not read any further", 0),
        ("1,\udcff\n2,ok\n", "record 1: is not valid UTF-8", 1),
    ],
)
def test_when_row_cannot_be_used_then_it_is_set_aside(run, model, tmp_path, rows, sentence, kept):
    source, target = tmp_path / "a.csv", tmp_path / "b.csv"
    source.write_bytes(f"id,essay\n{rows}".encode("utf8", "surrogateescape"))
    result = run("deidentify", source, "-o", target, "-m", model, "--columns", "essay")
    assert result.exit_code == 1
    assert f"a.csv: {sentence}." in result.stderr
    written = target.read_text(encoding="utf8")
    assert MAIL not in written and MAIL not in result.stderr
    assert len(written.splitlines()) == 1 + kept


@pytest.mark.parametrize("form", ["txt", "jsonl", "csv"])
def test_when_paths_are_dashes_then_standard_streams_are_used(run, model, form):
    text = {"txt": f"é {CALL}\r\n", "jsonl": f'{{"text": "é {CALL}"}}\n', "csv": f"essay\né {CALL}\n"}[form]
    result = run("deidentify", "-", "-o", "-", "-m", model, "-f", form, "-c", "essay", stdin=text.encode("utf8"))
    assert result.exit_code == 0, result.stderr
    head, tail = text.split(PHONE)
    written = result.stdout_bytes.decode("utf8")
    assert written.startswith(head) and written.endswith(tail) and PHONE not in written


@pytest.mark.parametrize(
    "name, text, written", [("a.jsonl", "", ""), ("a.jsonl", "\n\n", ""), ("a.csv", "essay\n", "essay\n")]
)
def test_when_there_are_no_records_then_the_output_has_none(run, model, tmp_path, name, text, written):
    source, target = tmp_path / name, tmp_path / "out"
    source.write_text(text, encoding="utf8")
    result = run("deidentify", source, "-o", target, "-m", model, "-c", "essay")
    assert result.exit_code == 0 and "0 records, 0 spans replaced, 0 set aside" in result.stderr
    assert target.read_text(encoding="utf8") == written


def test_when_line_is_longer_than_spacys_limit_then_it_is_processed_whole(run, model, tmp_path):
    filler = "The sum of the series is one half. " * 29_000
    source, target = tmp_path / "a.txt", tmp_path / "b.txt"
    source.write_text(filler + CALL, encoding="utf8")
    result = run("deidentify", source, "-o", target, "-m", model)
    assert result.exit_code == 0, result.stderr
    written = target.read_text(encoding="utf8")
    assert len(filler) > 1_000_000 and written.startswith(filler) and PHONE not in written


@pytest.mark.parametrize(
    "component", ["test_fail_on_word", "test_fail_quietly", "test_fail_and_pass_on", "test_stream_breaker"]
)
@pytest.mark.parametrize("n_process", [1, 2])
def test_when_component_fails_then_record_is_set_aside_and_the_rest_done(
    run, make_model, tmp_path, component, n_process
):
    bad = {1, 4, 5, 9}
    records = [{"n": n, "text": f"{BOOM if n in bad else 'Well'} {n}: {CALL}"} for n in range(10)]
    source, target = write_jsonl(tmp_path / "a.jsonl", records), tmp_path / "b.jsonl"
    model = make_model(before_replacer=component)
    result = run("deidentify", source, "-o", target, "-m", model, "-b", 3, "-n", n_process, "--map", tmp_path / "m")
    assert result.exit_code == 1
    written = read_jsonl(target)
    assert [record["n"] for record in written] == [n for n in range(10) if n not in bad]
    assert all(PHONE not in record["text"] and BOOM not in record["text"] for record in written)
    sentences = [line for line in result.stderr.splitlines() if "could not be processed" in line]
    assert [line.split(": ")[1] for line in sentences] == [f"record {n + 1}" for n in sorted(bad)]
    assert "field 'text'" in sentences[0]
    assert BOOM not in result.stderr and PHONE not in result.stderr
    assert len(read_jsonl(tmp_path / "m")) == 6


def test_when_one_field_fails_then_the_whole_record_is_set_aside(run, make_model, tmp_path):
    source, target = tmp_path / "a.csv", tmp_path / "b.csv"
    source.write_text(f"a,b\n{CALL},{BOOM}\n{CALL},x\n", encoding="utf8")
    model = make_model(before_replacer="test_fail_on_word")
    result = run("deidentify", source, "-o", target, "-m", model, "-c", "a,b")
    assert result.exit_code == 1 and "a.csv: record 1: field 'b' could not be processed" in result.stderr
    assert len(rows_of(target.read_text(encoding="utf8"), ",")) == 2


def test_when_the_only_text_fails_then_nothing_is_written(run, make_model, tmp_path):
    (tmp_path / "a.txt").write_text(f"{BOOM} {MAIL}", encoding="utf8")
    result = run(
        "deidentify",
        tmp_path / "a.txt",
        "-o",
        tmp_path / "b.txt",
        "-m",
        make_model(before_replacer="test_fail_on_word"),
    )
    assert result.exit_code == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_when_a_detector_is_missing_then_nothing_gets_out(run, make_model, tmp_path):
    source, target = write_jsonl(tmp_path / "a.jsonl", [{"text": CALL}]), tmp_path / "b.jsonl"
    result = run("deidentify", source, "-o", target, "-m", make_model(merger=False))
    assert result.exit_code == 1 and "'hips_replacer' failed" in result.stderr
    assert target.read_text(encoding="utf8") == ""


def test_when_roster_and_allow_list_are_given_then_they_are_kept_to(run, model, tmp_path):
    source = write_jsonl(tmp_path / "a.jsonl", [{"text": f"Zorvelda Quimbrand wrote to {MAIL} and {CALL}"}])
    roster, allow = tmp_path / "people.csv", tmp_path / "words.txt"
    roster.write_text("given,family\nZorvelda,Quimbrand\n", encoding="utf8")
    allow.write_text(f"\ufeff{MAIL.upper()}\n\n", encoding="utf8")
    result = run("deidentify", source, "-o", "-", "-m", model, "--roster", roster, "--allow", allow)
    assert result.exit_code == 0, result.stderr
    written = json.loads(result.stdout)["text"]
    assert "Zorvelda" not in written and "Quimbrand" not in written and PHONE not in written
    assert MAIL in written


def test_when_the_key_is_the_same_then_so_is_the_output(run, model, tmp_path):
    source = write_jsonl(tmp_path / "a.jsonl", [{"text": f"{CALL} {MAIL}"}] * 3)
    once, twice = (run("deidentify", source, "-m", model, "-b", size).stdout for size in (1, 2))
    assert once == twice and len(once.splitlines()) == 3


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (("IN.jsonl", "-o", "IN.jsonl"), "would overwrite the input"),
        (("IN.jsonl", "-o", "sub/../IN.jsonl"), "would overwrite the input"),
        (("folder", "-o", "folder"), "has to be a folder outside of the input"),
        (("folder", "-o", "folder/out"), "has to be a folder outside of the input"),
        (("folder", "-o", "IN.jsonl"), "has to be a folder outside of the input"),
        (("folder",), "name it with --output"),
        (("IN.jsonl", "-o", "folder"), "is a folder, but the input is not"),
        (("IN.jsonl", "-o", "x", "--map", "IN.jsonl"), "is that of the input or the output"),
        (("IN.jsonl", "-o", "x", "--map", "x"), "is that of the input or the output"),
        (("missing.txt", "-o", "x"), "There is no file or folder"),
        (("empty", "-o", "x"), "There is no .txt file in the folder"),
        (("IN.pdf", "-o", "x"), "name the format with --format"),
        (("IN.jsonl", "-o", "x", "-f", "xml"), "There is no format 'xml'"),
        (("IN.csv", "-o", "x"), "name the columns that hold text with --columns"),
        (("IN.csv", "-o", "x", "-c", "a,nope"), "the header lacks the columns nope"),
        (("empty.csv", "-o", "x", "-c", "a"), "there is no header in the first line"),
        (("IN.jsonl", "-o", "IN.csv/x"), "cannot be written"),
        (("IN.jsonl", "-o", "x", "-m", "en_no_such_pipeline"), "Install its package with pip"),
        (("IN.jsonl", "-o", "x", "-m", "folder"), "is no folder of a spaCy pipeline"),
        (("IN.jsonl", "-o", "x", "--roster", "IN.csv"), "names none of the columns"),
        (("IN.jsonl", "-o", "x", "--roster", "missing.csv"), "missing.csv"),
    ],
)
def test_when_nothing_can_be_done_then_a_sentence_says_why(run, model, tmp_path, monkeypatch, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    for folder in ("folder", "empty", "sub"):
        (tmp_path / folder).mkdir()
    write_jsonl(tmp_path / "IN.jsonl", [{"text": CALL}])
    (tmp_path / "folder" / "a.txt").write_text(CALL, encoding="utf8")
    (tmp_path / "IN.csv").write_text(f"a,b\n{CALL},2\n", encoding="utf8")
    (tmp_path / "IN.pdf").touch()
    (tmp_path / "empty.csv").touch()
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    result = run("deidentify", *arguments, *(() if "-m" in arguments else ("-m", model)))
    assert result.exit_code == 2
    assert sentence in result.stderr and "Traceback" not in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_when_pipeline_does_not_replace_then_nothing_is_written(run, make_model, tmp_path):
    source = write_jsonl(tmp_path / "a.jsonl", [{"text": CALL}])
    result = run("deidentify", source, "-o", tmp_path / "b.jsonl", "-m", make_model(replacer=False))
    assert result.exit_code == 2 and "hips_replacer" in result.stderr
    assert not (tmp_path / "b.jsonl").exists()


words = st.sampled_from(
    [MAIL, PHONE, f"call {PHONE}", "ok", "\u2028", "e\u0301", "\U0001f600", "\n", "Mira:", "2/3", "", " "]
)
texts = st.lists(words, max_size=6).map(" ".join)
messages = st.lists(
    st.fixed_dictionaries({"speaker": st.sampled_from(["Mira Quell", "tutor", "", "Bo: Li\u0301"]), "text": texts}),
    max_size=5,
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.fixed_dictionaries({"text": texts, "messages": messages}), min_size=1, max_size=3))
def test_map_leads_from_any_input_to_its_output(run, model, tmp_path, records):
    source = write_jsonl(tmp_path / "a.jsonl", records)
    assert run("deidentify", source, "-o", tmp_path / "b.jsonl", "-m", model, "--map", tmp_path / "m").exit_code == 0
    for old, new, line in zip(records, read_jsonl(tmp_path / "b.jsonl"), read_jsonl(tmp_path / "m"), strict=True):
        plain = [entry for entry in line["replacements"] if entry["field"] == "text"]
        assert apply_map(old["text"], plain) == new["text"]
        for number, (said, written) in enumerate(zip(old["messages"], new["messages"], strict=True), start=1):
            for part in ("speaker", "text"):
                entries = [e for e in line["replacements"] if (e.get("message"), e.get("part")) == (number, part)]
                # Without a label there is no speaker to replace.
                assert apply_map(said[part], entries) == (written[part] or "")
