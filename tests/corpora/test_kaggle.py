import json

import pytest
import spacy
from hypothesis import given, settings

from spacy_pii.corpora import kaggle
from spacy_pii.corpora.record import Record, RecordError, Report
from spacy_pii.spans import expand_span

from .test_span_jsonl import records

NLP = spacy.blank("en")
ROW = {
    "document": 7,
    "full_text": "Ana Ruiz, ana@example.org",
    "tokens": ["Ana", "Ruiz", ",", "ana@example.org"],
    "trailing_whitespace": [True, False, True, False],
    "labels": ["B-NAME_STUDENT", "I-NAME_STUDENT", "O", "B-EMAIL"],
}


def dump(path, *rows):
    path.write_text(json.dumps(rows))
    return path


def test_kaggle_reads_the_data_sets_json(tmp_path):
    [record] = kaggle.read(dump(tmp_path / "train.json", ROW))
    assert record == Record(
        "7",
        ROW["full_text"],
        [{"start": 0, "end": 8, "label": "NAME_STUDENT"}, {"start": 10, "end": 25, "label": "EMAIL"}],
    )


def test_kaggle_writes_what_it_reads(tmp_path):
    kaggle.write(kaggle.read(dump(tmp_path / "train.json", ROW)), tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text()) == [ROW]


@pytest.mark.parametrize(
    "labels,spans",
    [
        # Two names side by side
        (["B-NAME_STUDENT", "B-NAME_STUDENT", "O", "O"], [(0, 3), (4, 8)]),
        # An I- that follows nothing, or another label, begins a span
        (["O", "I-NAME_STUDENT", "O", "O"], [(4, 8)]),
        (["B-EMAIL", "I-NAME_STUDENT", "I-NAME_STUDENT", "O"], [(0, 3), (4, 9)]),
        (["O", "O", "O", "O"], []),
        # The test set has no labels
        (None, []),
    ],
)
def test_kaggle_bio(tmp_path, labels, spans):
    row = {**ROW, "labels": labels}
    if labels is None:
        del row["labels"]
    [record] = kaggle.read(dump(tmp_path / "train.json", row))
    assert [(span["start"], span["end"]) for span in record.spans] == spans


@settings(max_examples=60, deadline=None)
@given(records())
def test_kaggle_round_trip(tmp_path_factory, record):
    path = tmp_path_factory.mktemp("round") / "out.json"
    report = Report()
    kaggle.write([record], path, nlp=NLP, report=report)
    [again] = kaggle.read(path)
    assert again.text == record.text
    doc = NLP(record.text)
    whole = [expand_span(doc, span["start"], span["end"]) for span in record.spans]
    assert sum(report.lost.values()) == whole.count(None)
    covered = {token.i for span in whole if span for token in span}
    if not sum(report.notes.values()):
        assert {token.i for span in again.spans for token in doc.char_span(span["start"], span["end"])} == covered


@pytest.mark.parametrize(
    "change,sentence",
    [
        ({"document": None}, "record 2: field 'document' is missing"),
        ({"document": [7]}, "record 2: field 'id' is neither"),
        ({"tokens": None}, "field 'tokens' is missing"),
        ({"tokens": ["Ana", 3, ",", "x"]}, "field 'tokens' is not a list of str"),
        ({"trailing_whitespace": [True]}, "is not as long as the tokens"),
        ({"trailing_whitespace": [1, 0, 1, 0]}, "is not a list of bool"),
        ({"labels": ["O"]}, "field 'labels' is not as long"),
        ({"labels": ["O", "O", "O", "EMAIL"]}, "field 'labels[3]' is neither"),
        ({"full_text": "Ana Ruiz"}, "do not make up the full text"),
    ],
)
def test_kaggle_bad_records(tmp_path, change, sentence):
    row = {key: value for key, value in {**ROW, **change}.items() if value is not None}
    report = Report()
    assert len(list(kaggle.read(dump(tmp_path / "a.json", ROW, row, ROW), report=report))) == 2
    [rejected] = report.rejected
    assert sentence in rejected.error
    assert "Ruiz" not in rejected.error


def test_predictions_round_trip_with_the_references_tokens(tmp_path):
    # Tokens that no tokenizer of ours makes: the reference's numbers count.
    row = {
        **ROW,
        "tokens": ["An", "a", "Ruiz", ",", "ana@example.org"],
        "trailing_whitespace": [False, True, False, True, False],
    }
    row["labels"] = ["B-NAME_STUDENT", "I-NAME_STUDENT", "I-NAME_STUDENT", "O", "B-EMAIL"]
    reference = dump(tmp_path / "test.json", row)
    kaggle.write_predictions(kaggle.read(reference), tmp_path / "out.csv", reference=reference)
    assert (tmp_path / "out.csv").read_text().splitlines() == [
        "row_id,document,token,label",
        "0,7,0,B-NAME_STUDENT",
        "1,7,1,I-NAME_STUDENT",
        "2,7,2,I-NAME_STUDENT",
        "3,7,4,B-EMAIL",
    ]
    assert list(kaggle.read_predictions(tmp_path / "out.csv", reference=reference)) == list(kaggle.read(reference))


def test_predictions_without_reference_number_the_tokenizers_tokens(tmp_path):
    record = Record("a,b", 'Hi "Ana"', [{"start": 4, "end": 7, "label": "NAME_STUDENT"}])
    kaggle.write_predictions([record], tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().splitlines()[1:] == ['0,"a,b",2,B-NAME_STUDENT']


def test_predictions_bad_rows(tmp_path):
    reference = dump(tmp_path / "test.json", ROW)
    path = tmp_path / "a.csv"
    path.write_text("row_id,document,token,label\n0,7,0,B-NAME_STUDENT\n1,7,99,B-EMAIL\n2,7,x,B-EMAIL\n3,8,0,B-EMAIL\n")
    report = Report()
    [record] = kaggle.read_predictions(path, reference=reference, report=report)
    assert [(span["start"], span["end"]) for span in record.spans] == [(0, 3)]
    assert len(report.rejected) == 3
    path.write_text("document,token\n")
    with pytest.raises(RecordError, match="field 'label' is not a column"):
        list(kaggle.read_predictions(path, reference=reference))
