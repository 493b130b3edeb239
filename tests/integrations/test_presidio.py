"""The recognizer inside a real analyzer, with an engine that needs no trained pipeline."""

import builtins
import importlib
import sys

import pytest
import spacy

TEXT = "Write to mira.quell@gmail.com or call 415-555-0132, not before 3/4 + 1.\nI was born on 4 May 2004."


def make_nlp(*names):
    nlp = spacy.blank("en")
    for name in names or ("pii_turns", "pii_ruler", "pii_merger", "hips_replacer"):
        nlp.add_pipe(name, config={"groups": ["pii_rules"]} if name == "pii_merger" else {})
    return nlp


@pytest.fixture
def presidio():
    pytest.importorskip("presidio_analyzer", reason="needs the [presidio] extra")
    return importlib.import_module("spacy_pii.integrations.presidio")


@pytest.fixture
def make_analyzer(presidio):
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    class BlankEngine(SpacyNlpEngine):
        """Presidio's engine over a blank pipeline: nothing is downloaded."""

        def __init__(self):
            super().__init__(models=[{"lang_code": "en", "model_name": "blank"}])
            self.nlp = {"en": spacy.blank("en")}

    def make(recognizer):
        registry = RecognizerRegistry(recognizers=[recognizer], supported_languages=["en"])
        return AnalyzerEngine(nlp_engine=BlankEngine(), registry=registry, supported_languages=["en"])

    return make


def found(results, text=TEXT):
    return {(result.entity_type, text[result.start : result.end]) for result in results}


@pytest.mark.presidio
def test_when_analyzer_runs_then_entities_have_presidio_names(presidio, make_analyzer):
    analyzer = make_analyzer(presidio.SpacyPiiRecognizer(nlp=make_nlp()))
    results = analyzer.analyze(TEXT, language="en")
    assert found(results) == {
        ("EMAIL_ADDRESS", "mira.quell@gmail.com"),
        ("PHONE_NUMBER", "415-555-0132"),
        ("DATE_TIME", "4 May 2004"),
    }


@pytest.mark.presidio
def test_when_entities_are_requested_then_others_are_left_out(presidio, make_analyzer):
    analyzer = make_analyzer(presidio.SpacyPiiRecognizer(nlp=make_nlp()))
    results = analyzer.analyze(TEXT, language="en", entities=["PHONE_NUMBER", "PERSON"])
    assert found(results) == {("PHONE_NUMBER", "415-555-0132")}


@pytest.mark.presidio
def test_when_scheme_is_canonical_then_names_are_canonical(presidio):
    recognizer = presidio.SpacyPiiRecognizer(nlp=make_nlp(), scheme="canonical")
    assert ("DATE", "4 May 2004") in found(recognizer.analyze(TEXT, []))
    assert "SCHOOL" in recognizer.supported_entities


@pytest.mark.presidio
def test_when_explanation_is_asked_for_then_it_names_rule_and_recognizer(presidio, make_analyzer):
    analyzer = make_analyzer(presidio.SpacyPiiRecognizer(nlp=make_nlp()))
    result = analyzer.analyze(TEXT, language="en", entities=["EMAIL_ADDRESS"], return_decision_process=True)[0]
    assert result.analysis_explanation.recognizer == "SpacyPiiRecognizer"
    assert "pii_rules:email" in result.analysis_explanation.textual_explanation
    assert "mira" not in str(result.analysis_explanation)
    assert 0 < result.score == result.analysis_explanation.original_score <= 1


@pytest.mark.presidio
def test_when_model_is_a_path_then_it_is_loaded_once(presidio, make_analyzer, tmp_path, monkeypatch):
    make_nlp().to_disk(tmp_path / "model")
    loaded = []
    load = spacy.load

    def count(name, **kwargs):
        loaded.append(name)
        return load(name, **kwargs)

    monkeypatch.setattr(spacy, "load", count)
    analyzer = make_analyzer(presidio.SpacyPiiRecognizer(str(tmp_path / "model")))
    for _ in range(2):
        assert analyzer.analyze(TEXT, language="en")
    assert loaded == [str(tmp_path / "model")]


@pytest.mark.presidio
def test_when_text_is_analyzed_then_nothing_is_replaced(presidio, monkeypatch):
    nlp = make_nlp()

    def refuse(self, doc):
        raise AssertionError("The replacer was called.")

    monkeypatch.setattr(type(nlp.get_pipe("hips_replacer")), "__call__", refuse)
    assert presidio.SpacyPiiRecognizer(nlp=nlp).analyze(TEXT, [])
    with pytest.raises(AssertionError):
        nlp(TEXT)


@pytest.mark.presidio
@pytest.mark.parametrize("text", ["", " \n", "2/3 + 4/5 = 22/15"])
def test_when_there_is_no_pii_then_nothing_is_found(presidio, text):
    assert presidio.SpacyPiiRecognizer(nlp=make_nlp()).analyze(text, []) == []


@pytest.mark.presidio
def test_when_text_has_astral_characters_then_offsets_count_code_points(presidio):
    text = "\U0001f600\u0301 " + TEXT
    results = presidio.SpacyPiiRecognizer(nlp=make_nlp()).analyze(text, ["EMAIL_ADDRESS"])
    assert found(results, text) == {("EMAIL_ADDRESS", "mira.quell@gmail.com")}


@pytest.mark.presidio
def test_when_pipeline_does_not_merge_then_it_raises_rather_than_find_nothing(presidio):
    with pytest.raises(ValueError, match="pii_merger"):
        presidio.SpacyPiiRecognizer(nlp=make_nlp("pii_ruler")).analyze(TEXT, [])


def test_when_presidio_is_missing_then_the_extra_is_named(monkeypatch):
    import_module = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name.startswith("presidio_analyzer"):
            raise ImportError(name)
        return import_module(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    monkeypatch.delitem(sys.modules, "spacy_pii.integrations.presidio", raising=False)
    with pytest.raises(ImportError, match=r"spacy-pii\[presidio\]"):
        importlib.import_module("spacy_pii.integrations.presidio")
