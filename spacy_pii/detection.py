"""What those share that run a pipeline for its spans alone."""

from typing import Any, List, Mapping

from spacy.language import Language

_REPLACER = "hips_replacer"


def get_replacers(nlp: Language) -> List[str]:
    """List the components that write surrogate text, which detection does not need.

    nlp (Language): The pipeline.
    RETURNS (List[str]): Their names.
    """
    return [name for name in nlp.pipe_names if nlp.get_pipe_meta(name).factory == _REPLACER]


def describe_sources(note: Mapping[str, Any]) -> str:
    """Say in short which detectors found a span, and by which rules.

    note (Mapping[str, Any]): What `spans.get_provenance` or `spans.Found.note` holds.
    RETURNS (str): Such as `pii_rules:email+pii_tagger`; empty where nothing is known.
    """
    names: List[str] = []
    for source in note.get("sources", [note]):
        parts = [str(source[key]) for key in ("group", "rule") if source.get(key)]
        if parts and ":".join(parts) not in names:
            names.append(":".join(parts))
    return "+".join(names)
