"""Find PII in educational text and replace it by realistic surrogates, as spaCy components."""

__version__ = "0.1.0"
