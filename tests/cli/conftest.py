"""A pipeline of rules alone, saved to disk, and a way to call the verbs."""

import pytest
import spacy
from spacy.language import Language
from spacy.pipeline import Pipe
from typer.testing import CliRunner

from spacy_pii.cli import app

BOOM = "kaboom"


@Language.component("test_fail_on_word")
def fail_on_word(doc):
    if BOOM in doc.text:
        raise RuntimeError(f"The text was: {doc.text}")
    return doc


@Language.component("test_fail_quietly")
def fail_quietly(doc):
    """Drops what the detectors found, as a component that failed under an error handler that does not raise."""
    if BOOM in doc.text:
        doc.spans.pop("pii", None)
    return doc


class _StreamBreaker:
    """Its `pipe` does not keep to spaCy's error handling: one bad text ends the stream."""

    def __call__(self, doc):
        return fail_on_word(doc)

    def pipe(self, stream, *, batch_size=1):
        for doc in stream:
            yield self(doc)


@Language.factory("test_stream_breaker")
def make_stream_breaker(nlp, name):
    return _StreamBreaker()


class _PassingOn(Pipe):
    """Reports its failure to the error handler and hands the document on, as spaCy's own components do."""

    def __init__(self, name):
        self.name = name

    def __call__(self, doc):
        try:
            return fail_on_word(doc)
        except RuntimeError as error:
            self.get_error_handler()(self.name, self, [doc], error)
        return doc


@Language.factory("test_fail_and_pass_on")
def make_passing_on(nlp, name):
    return _PassingOn(name)


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("SPACY_PII_KEY", "only for tests")


@pytest.fixture
def make_model(tmp_path_factory):
    """Save a pipeline of rules with a component before the replacer, and give its path."""

    def make(*, before_replacer=None, replacer=True, merger=True):
        nlp = spacy.blank("en")
        nlp.add_pipe("pii_turns")
        nlp.add_pipe("pii_ruler")
        if merger:
            nlp.add_pipe("pii_merger", config={"groups": ["pii_rules"]})
        if before_replacer:
            nlp.add_pipe(before_replacer)
        if replacer:
            nlp.add_pipe("hips_replacer")
        path = tmp_path_factory.mktemp("pipeline")
        nlp.to_disk(path)
        return str(path)

    return make


@pytest.fixture
def model(make_model):
    return make_model()


@pytest.fixture
def run():
    """Call a verb; its result has exit_code, stdout, stdout_bytes and stderr."""

    def call(*arguments, stdin=None):
        result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call
