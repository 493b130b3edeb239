import json

import pytest
import spacy
from typer.testing import CliRunner

from spacy_pii.cli import app
from spacy_pii.cli import segment_search as module
from spacy_pii.corpora.docs import record_to_doc
from spacy_pii.corpora.record import Record
from spacy_pii.pipeline.math_segmenter import MathSegmenter
from spacy_pii.spans import Found, expand_span, write_group

TEXT = "Tutor: hello, I am Mira Quell\nStudent: solve 3x = 20458817 please\nTutor: it is 1600 - 14 = 1586\nTutor: bye"


class Far:
    """No two texts are alike."""

    name = "far"

    def __call__(self, texts, vocab):
        import numpy

        return numpy.eye(len(texts), dtype="float32")


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """A document whose detector found the name and a number of the exercise."""
    monkeypatch.setattr(module, "_find_segmenter", find_segmenter)
    nlp = spacy.blank("en")
    start = TEXT.index("Mira")
    doc = record_to_doc(nlp, Record("a", TEXT, [{"start": start, "end": start + 10, "label": "PERSON"}]))
    found = []
    for surface, label in (("Mira Quell", "PERSON"), ("20458817", "ID_NUM")):
        span = expand_span(doc, TEXT.index(surface), TEXT.index(surface) + len(surface))
        found.append(Found(span.start, span.end, label, 1.0))
    write_group(doc, "pii_rules", found)
    path = tmp_path / "corpus.spacy"
    path.write_bytes(spacy.tokens.DocBin(docs=[doc], store_user_data=True).to_bytes())
    return path


def find_segmenter(nlp, embedder):
    return MathSegmenter(Far())


def run(*args):
    return CliRunner().invoke(app, ["segment-search", *map(str, args)])


def test_it_prints_the_table_and_draws_the_plot(corpus, tmp_path):
    plot, table = tmp_path / "plot.svg", tmp_path / "table.json"
    result = run(corpus, "--group", "pii_rules", "--plot", plot, "--json", table)
    assert result.exit_code == 0, result.output
    assert "objective" in result.output
    assert "1 of 1 false and 0 of 1 true" in result.output
    points = json.loads(table.read_text())
    assert len(points) == 36
    assert {point["objective"] for point in points if point["similarity"] > 0} == {1.0}
    assert plot.read_text(encoding="utf8").startswith("<svg")


def test_without_pipeline_the_gold_is_no_detection(corpus):
    result = run(corpus)
    assert result.exit_code == 2
    assert "--model" in result.output


def test_a_missing_group_is_named(corpus):
    result = run(corpus, "--group", "pii_tagger")
    assert result.exit_code == 2
    assert "'pii_tagger'" in result.output
    assert "Mira" not in result.output
