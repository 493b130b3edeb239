import xml.etree.ElementTree as ElementTree

import numpy
import pytest
import spacy

from spacy_pii.pipeline.math_segmenter import MathSegmenter
from spacy_pii.scoring.plots import Mark, draw_lines
from spacy_pii.scoring.segments import (
    GridPoint,
    choose_point,
    compare_messages,
    read_dialogues,
    score_messages,
    search_thresholds,
    split_detections,
)
from spacy_pii.transcripts import make_doc


class Alike:
    """All texts are alike to 0.25."""

    name = "alike"

    def __call__(self, texts, vocab):
        vectors = numpy.zeros((len(texts), len(texts) + 1), dtype="float32")
        vectors[:, 0] = 0.5
        vectors[numpy.arange(len(texts)), numpy.arange(len(texts)) + 1] = 0.75**0.5
        return vectors


def test_compare_messages():
    counts = compare_messages([True, True, False, False], [True, False, True, False])
    assert (counts.tp, counts.fp, counts.fn) == (1, 1, 1)
    assert counts.f_score() == 0.5
    with pytest.raises(ValueError, match="2 messages"):
        compare_messages([True, True], [True])


def test_labelled_messages_are_read_by_document(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"document": "d", "text": "3x = 12", "math": 1}\n{"document": "d", "text": "bye", "math": 0}\n')
    (dialogue,) = read_dialogues(tmp_path)
    assert dialogue == ("d", ["3x = 12", "bye"], [True, False])
    counts = score_messages(spacy.blank("en"), MathSegmenter(Alike()), [dialogue])
    assert counts["d"] == (1, 0, 0)


@pytest.mark.parametrize("line", ['{"document": "d", "text": "x"}', '{"document": "d", "text": "x", "math": 2}', "[]"])
def test_broken_labels_are_named_by_their_line(tmp_path, line):
    path = tmp_path / "a.jsonl"
    path.write_text('{"document": "d", "text": "x", "math": 1}\n' + line + "\n")
    with pytest.raises(ValueError, match="line 2"):
        read_dialogues(path)


@pytest.mark.parametrize(
    "found, gold, true",
    [
        ([(0, 5)], [(0, 5)], [(0, 5)]),
        ([(0, 5)], [(4, 9)], [(0, 5)]),  # a part is enough
        ([(0, 5)], [(5, 9)], []),  # side by side
        ([(2, 3), (8, 9)], [(0, 20), (1, 2)], [(2, 3), (8, 9)]),  # a long one hides a short one
        ([(9, 12), (0, 2)], [(10, 11)], [(9, 12)]),
        ([], [(0, 1)], []),
    ],
)
def test_split_detections(found, gold, true):
    detections = split_detections(found, gold)
    assert detections.true == true
    assert sorted(detections.true + detections.false) == sorted(found)


def test_search_counts_detections_inside_segments():
    nlp = spacy.blank("en")
    segmenter = MathSegmenter(Alike(), min_anchors=1)
    texts = ["my name is mira", "solve 3x = 12345678", "keep walking", "1600 - 14 = 1586", "call 555-0132"]
    doc = make_doc(nlp, [{"text": text} for text in texts])
    text = doc.text
    false = [(text.index(part), text.index(part) + len(part)) for part in ("12345678", "walking", "1586")]
    true = [(text.index(part), text.index(part) + len(part)) for part in ("mira", "555-0132")]
    points = search_thresholds(
        segmenter, segmenter.prepare([doc]), [split_detections(false + true, true)], similarities=(0.0, 0.5)
    )
    assert len(points) == 12
    wide, narrow = points[0], points[1]
    # At 0 everything that says something joins, at 0.5 nothing.
    assert (wide.false_inside, wide.true_inside, wide.text_share) == (3, 2, 1.0)
    assert (narrow.false_inside, narrow.true_inside) == (2, 0)
    assert choose_point(points) == narrow
    assert narrow.objective == pytest.approx(2 / 3)


def test_of_equal_points_the_one_with_less_text_is_chosen():
    points = [GridPoint(0.05, 0.0, 2, 2, 0, 2, 90, 100), GridPoint(0.06, 0.1, 2, 2, 0, 2, 40, 100)]
    assert choose_point(points) is points[1]
    # Nothing detected: no division by zero.
    assert GridPoint(0.05, 0.0, 0, 0, 0, 0, 0, 0).objective == 0


def test_plot_is_svg_and_holds_every_point():
    svg = draw_lines(
        {"a <b>": [(0, 0.1), (0.5, 0.4)], "c": [(0, -0.2)]},
        title="t & u",
        x_label="x",
        y_label="y",
        marks=[Mark(0.5, 0.4, "best")],
    )
    root = ElementTree.fromstring(svg)
    circles = root.findall(".//{http://www.w3.org/2000/svg}circle")
    assert len(circles) == 4
    assert {"a <b>", "c", "best", "t & u"} <= {element.text for element in root.iter()}
    with pytest.raises(ValueError, match="nothing to draw"):
        draw_lines({}, title="t", x_label="x", y_label="y")
