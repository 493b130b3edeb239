import pytest
import spacy
from spacy.training import Example

from spacy_pii.scoring.exact import Counts, add_up, compare, score_group
from spacy_pii.spans import Found, write_group


@pytest.fixture(scope="module")
def nlp():
    return spacy.blank("en")


def make_example(nlp, text, gold, found):
    reference, predicted = nlp.make_doc(text), nlp.make_doc(text)
    write_group(reference, "pii", [Found(*item, 1.0) for item in gold])
    write_group(predicted, "pii", [Found(*item, 1.0) for item in found])
    return Example(predicted, reference)


def test_f5_is_nearly_recall():
    counts = Counts(tp=60, fp=40, fn=5)
    assert counts.precision == 0.6
    assert counts.recall == pytest.approx(60 / 65)
    assert counts.f_score() == pytest.approx(120 / 165)
    # From the definition, (1 + b²)pr / (b²p + r).
    precision, recall = counts.precision, counts.recall
    assert counts.f_score(5) == pytest.approx(26 * precision * recall / (25 * precision + recall))


@pytest.mark.parametrize("counts", [Counts(), Counts(fp=3), Counts(fn=3)])
def test_nothing_right_is_zero_and_no_error(counts):
    assert (counts.precision, counts.recall, counts.f_score(5)) == (0.0, 0.0, 0.0)


def test_type_and_both_offsets_have_to_match():
    gold = {("PERSON", 0, 11), ("URL", 20, 30)}
    found = {("PERSON", 0, 5), ("USERNAME", 20, 30), ("URL", 20, 30)}
    counts = compare(gold, found)
    assert counts["PERSON"] == Counts(0, 1, 1)
    assert counts["URL"] == Counts(1, 0, 0)
    assert counts["USERNAME"] == Counts(0, 1, 0)
    assert add_up(counts) == Counts(1, 2, 1)


def test_tokens_give_credit_for_parts(nlp):
    example = make_example(nlp, "I am Maria\nLopez Ruiz .", [(2, 6, "PERSON")], [(2, 3, "PERSON")])
    scores = score_group([example])
    assert scores["pii_r"] == 0.0
    # The line break inside the name is no token of its own.
    assert scores["pii_token_r"] == pytest.approx(1 / 3)
    assert scores["pii_token_p"] == 1.0


def test_scores_by_label(nlp):
    example = make_example(nlp, "Ana in Lima", [(0, 1, "PERSON"), (2, 3, "LOCATION")], [(0, 1, "PERSON")])
    scores = score_group([example])
    assert scores["pii_per_type"]["PERSON"]["f"] == 1.0
    assert scores["pii_per_type"]["LOCATION"]["r"] == 0.0
    assert (scores["pii_p"], scores["pii_r"]) == (1.0, 0.5)


def test_a_reference_without_gold_is_not_scored(nlp):
    example = make_example(nlp, "Ana in Lima", [(0, 1, "PERSON")], [(0, 1, "PERSON")])
    bare = Example(example.predicted, nlp.make_doc("Ana in Lima"))
    assert score_group([example, bare])["pii_p"] == 1.0


def test_tokenization_of_gold_and_prediction_may_differ(nlp):
    reference = spacy.tokens.Doc(nlp.vocab, words=["J.", "Smith", "said"], spaces=[False, True, False])
    write_group(reference, "pii", [Found(0, 2, "PERSON", 1.0)])
    predicted = nlp.make_doc("J.Smith said")
    write_group(predicted, "pii", [Found(0, 1, "PERSON", 1.0)])
    assert score_group([Example(predicted, reference)])["pii_f"] == 1.0
