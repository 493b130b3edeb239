import json
import os
from pathlib import Path

import pytest

from spacy_pii.cli.evaluate import evaluate_predictions, read_documents
from spacy_pii.corpora import docbin, entity_csv
from spacy_pii.corpora.record import Record, RecordError, Report

MAIL, PHONE = "mira.quell@gmail.com", "415-555-0132"


def span(text, surface, label, **note):
    start = text.index(surface)
    return {"start": start, "end": start + len(surface), "label": label, **note}


@pytest.fixture
def records():
    """The rules find the addresses, both numbers and the speaker, not the name in the text."""
    first = f"Mira Quell: my mail is {MAIL}, ask Oduya.\nTutor: In it she says: Call me at {PHONE}\nMira Quell: ok"
    second = "I was born on 4 May 2004."
    return [
        Record(
            "a",
            first,
            [
                span(first, "Mira Quell", "PERSON", region="Europe", gender="f"),
                span(first, MAIL, "EMAIL_ADDRESS"),
                span(first, "Oduya", "PERSON", region="Africa", gender="f"),
                {"start": first.rindex("Mira"), "end": first.rindex("Mira") + 10, "label": "PERSON"},
            ],
            [span(first, PHONE, "fictional"), span(first, "Tutor", "title")],
        ),
        Record("b", second, [span(second, "4 May 2004", "DATE")], []),
        Record("c", "", [], []),
    ]


@pytest.fixture(params=["gold.spacy", "gold.jsonl"])
def gold(request, tmp_path, records):
    path = tmp_path / request.param
    if path.suffix == ".spacy":
        docbin.write(records, path)
    else:
        path.write_text("".join(json.dumps(record.to_dict()) + "\n" for record in records), encoding="utf8")
    return path


def test_when_pipeline_is_evaluated_then_counts_are_those_of_the_gold(run, model, gold, tmp_path):
    result = run("evaluate", gold, "--model", model, "--json", tmp_path / "scores.json")
    assert result.exit_code == 0, result.stderr
    scores = json.loads((tmp_path / "scores.json").read_text(encoding="utf8"))
    exact = scores["exact"]
    # The number in the play is a false positive, the name in the text is missed.
    assert [exact["overall"][name] for name in ("tp", "fp", "fn")] == [4, 1, 1]
    assert exact["per_label"]["PHONE_NUMBER"]["fp"] == 1 and exact["per_label"]["PHONE_NUMBER"]["tp"] == 0
    assert exact["per_label"]["PERSON"]["r"] == pytest.approx(2 / 3)
    assert exact["overall"]["p"] == exact["overall"]["r"] == pytest.approx(0.8)
    # Tokens: two names of two, an address, a date of three; the number is three tokens at most.
    assert scores["tokens"]["per_label"]["PERSON"]["tp"] == 4 and scores["tokens"]["per_label"]["DATE"]["tp"] == 3
    assert scores["person_recall"]["region"] == {
        "Africa": {"total": 1, "part": 0, "share": 0.0},
        "Europe": {"total": 1, "part": 1, "share": 1.0},
    }
    assert scores["person_recall"]["gender"]["f"] == {"total": 2, "part": 1, "share": 0.5}
    assert scores["negatives"]["fictional"] == {"total": 1, "part": 1, "share": 1.0}
    assert scores["negatives"]["title"]["part"] == 0
    assert scores["documents"] == 3 and scores["words"] > 30 and scores["words_per_second"] > 0


def test_when_tokens_are_asked_for_then_labels_are_printed_twice(run, model, gold):
    short, long = run("evaluate", gold, "-m", model), run("evaluate", gold, "-m", model, "--tokens")
    assert short.stdout.count("EMAIL_ADDRESS") == 1 and long.stdout.count("EMAIL_ADDRESS") == 2
    assert short.stdout.count("overall") == long.stdout.count("overall") == 2
    for words in ("Recall of PERSON by region", "Hard negatives", "words a second"):
        assert words in short.stdout


def test_when_component_fails_then_there_is_no_score(make_model, gold, run):
    # A document without its predictions would count as one without findings.
    path = make_model(merger=False, replacer=False)
    result = run("evaluate", gold, "-m", path)
    assert result.exit_code == 2 and "pii_merger" in result.stderr and result.stdout == ""


def test_when_gold_is_in_another_scheme_then_it_is_mapped(run, model, tmp_path):
    text = f"Write to {MAIL}."
    line = {"text": text, "spans": [span(text, MAIL, "EMAIL")]}
    (tmp_path / "gold.jsonl").write_text(json.dumps(line), encoding="utf8")
    assert run("evaluate", tmp_path / "gold.jsonl", "-m", model, "-s", "crapii", "-j", tmp_path / "s").exit_code == 0
    assert json.loads((tmp_path / "s").read_text())["exact"]["per_label"]["EMAIL_ADDRESS"]["tp"] == 1
    # As a canonical label it is unknown, so that there is no gold.
    result = run("evaluate", tmp_path / "gold.jsonl", "-m", model)
    assert result.exit_code == 2 and MAIL not in result.stderr


HEADER = "file_idx,entity_text,type,positions\n"
# One name twice, a surface with a comma and a line break, an address.
GOLD = HEADER + (
    '1,Ana,NAME_STUDENT,"(0, 3)"\n1,Ana,NAME_STUDENT,"(9, 12)"\n'
    '2,"Bo,\nLi",NAME_STUDENT,"(5, 11)"\n3,x@y.z,EMAIL,"(1, 6)"\n'
)
# The first is right, the second at another place, the third right, the fourth a type off and the last one too many.
FOUND = HEADER + (
    '1,Ana,PERSON,"(0, 3)"\n1,Ana,PERSON,"(8, 11)"\n'
    '2,"Bo,\nLi",PERSON,"(5, 11)"\n3,x@y.z,URL,"(1, 6)"\n4,Cy,PERSON,"(0, 2)"\n'
)


@pytest.mark.parametrize(
    "match, documents, counts",
    [
        ("position", None, (2, 3, 2)),
        ("text", None, (3, 2, 1)),
        # a document that only the predictions know counts, one that is left out does not
        ("text", {"2", "4"}, (1, 1, 0)),
        ("position", set(), (0, 0, 0)),
    ],
)
def test_when_predictions_are_evaluated_then_they_match_by_place_or_text(tmp_path, match, documents, counts):
    gold, found = tmp_path / "gold.csv", tmp_path / "found.csv"
    gold.write_text(GOLD, encoding="utf8")
    found.write_text("\ufeff" + FOUND.replace("\n", "\r\n").replace("Bo,\r\n", "Bo,\n"), encoding="utf8", newline="")
    report = Report(strict=True)
    scores = evaluate_predictions(gold, found, scheme="crapii", match=match, documents=documents, report=report)
    assert tuple(scores["exact"]["overall"][name] for name in ("tp", "fp", "fn")) == counts


def test_when_a_surface_is_found_more_often_than_it_is_there_then_the_rest_is_wrong(tmp_path):
    (tmp_path / "gold.csv").write_text(GOLD, encoding="utf8")
    (tmp_path / "found.csv").write_text(HEADER + '1,Ana,NAME_STUDENT,"(0, 3)"\n' * 5, encoding="utf8")
    scores = evaluate_predictions(
        tmp_path / "gold.csv", tmp_path / "found.csv", scheme="crapii", match="text", report=Report()
    )
    assert [scores["exact"]["per_label"]["PERSON"][name] for name in ("tp", "fp", "fn")] == [2, 3, 1]


def test_when_ids_are_in_a_file_then_only_these_count(run, tmp_path):
    for name, text in (("gold.csv", GOLD), ("found.csv", FOUND), ("ids.txt", "1\n\n 3 \n")):
        (tmp_path / name).write_text(text, encoding="utf8")
    arguments = ("evaluate", tmp_path / "gold.csv", "-p", tmp_path / "found.csv", "-s", "crapii", "-M", "text")
    result = run(*arguments, "-d", tmp_path / "ids.txt", "-j", tmp_path / "s.json")
    assert result.exit_code == 0, result.stderr
    overall = json.loads((tmp_path / "s.json").read_text())["exact"]["overall"]
    assert (overall["tp"], overall["fp"], overall["fn"]) == (2, 1, 1)


@pytest.mark.parametrize(
    "row, sentence",
    [
        ("1,Ana,NAME_STUDENT,(3)", "record 1: field 'positions' is not a range"),
        ('1,Ana,NAME_STUDENT,"(3, 3)"', "record 1: field 'positions' is not a range"),
        ('1,Ana,NAME_STUDENT,"(0, 3) or so"', "record 1: field 'positions' is not a range"),
        (',Ana,NAME_STUDENT,"(0, 3)"', "record 1: field 'file_idx' is missing"),
        ("1,Ana", "record 1: field 'type' is missing"),
    ],
)
def test_when_row_is_broken_then_it_is_set_aside_without_its_text(tmp_path, row, sentence):
    path = tmp_path / "a.csv"
    path.write_text(f'{HEADER}{row}\n2,Bo,NAME_STUDENT,"(0, 2)"\n', encoding="utf8")
    report = Report()
    assert [record.id for record in entity_csv.read(path, report=report)] == ["2"]
    (rejected,) = report.rejected
    assert sentence in rejected.error and "Ana" not in rejected.error
    with pytest.raises(RecordError, match="record 1"):
        list(entity_csv.read(path))


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (("gold.csv",), "Say what is to be evaluated"),
        (("gold.csv", "-p", "found.csv", "-m", "en"), "Say what is to be evaluated"),
        (("gold.csv", "-p", "found.csv", "-s", "crapii", "-M", "both"), "There is no way to match 'both'"),
        (("gold.csv", "-p", "found.csv", "-s", "nope"), "There is no label scheme 'nope'"),
        (
            ("gold.csv", "-p", "gold.csv", "-s", "azure"),
            "a label 'NAME_STUDENT', which the scheme 'azure' does not know",
        ),
        (("gold.csv", "-p", "missing.csv", "-s", "crapii"), "missing.csv"),
        (("gold.csv", "-p", "empty.csv", "-s", "crapii"), "is no header with the columns file_idx"),
        (("gold.csv", "-p", "found.csv", "-s", "crapii", "-d", "missing.txt"), "missing.txt"),
    ],
)
def test_when_nothing_can_be_evaluated_then_a_sentence_says_why(run, tmp_path, monkeypatch, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    for name, text in (("gold.csv", GOLD), ("found.csv", FOUND), ("empty.csv", "")):
        (tmp_path / name).write_text(text, encoding="utf8")
    result = run("evaluate", *arguments)
    assert result.exit_code == 2 and sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_crapii_splits_are_disjoint_and_have_the_published_sizes():
    splits = entity_csv.crapii_splits()
    assert {name: len(ids) for name, ids in splits.items()} == {
        "crapii-base": 5672,
        "crapii-verifier": 3403,
        "crapii-test": 13613,
    }
    assert len(frozenset().union(*splits.values())) == 22688


PUBLISHED = {
    "1_presidio_lg": ((2055, 11597, 838), (2048, 11604, 845)),
    "2_presidio_trf": ((2421, 9153, 472), (2420, 9154, 473)),
    "3_azure": ((2665, 8160, 228), (2662, 8163, 231)),
    "4_prompting": ((2251, 1163, 642), (1966, 1448, 927)),
    "5_finetuned": ((2774, 1817, 119), (2731, 1860, 162)),
    "6_verifier_I": ((2321, 289, 572), (2297, 313, 596)),
    "7_verifier_II": ((2502, 790, 391), (2476, 816, 417)),
}


@pytest.mark.skipif("SPACY_PII_DATA" not in os.environ, reason="needs SPACY_PII_DATA, the folder of crapii-systems")
@pytest.mark.parametrize("system", PUBLISHED)
def test_published_table_of_seven_systems_is_reproduced(system):
    folder = Path(os.environ["SPACY_PII_DATA"]) / "crapii-systems"
    counts = []
    for match in ("text", "position"):
        report = Report()
        scores = evaluate_predictions(
            folder / "pii_true_entities.csv",
            folder / "output" / f"{system}.csv",
            scheme="crapii",
            predictions_scheme="azure" if "azure" in system else None,
            match=match,
            documents=read_documents("crapii-test"),
            report=report,
        )
        overall = scores["exact"]["overall"]
        counts.append((overall["tp"], overall["fp"], overall["fn"]))
        assert not report.rejected and not report.dropped
    assert tuple(counts) == PUBLISHED[system]
