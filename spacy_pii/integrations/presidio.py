"""A pipeline's PII as a recognizer of Presidio's analyzer."""

from typing import Any, List, Optional

import spacy
from spacy.language import Language

from ..detection import describe_sources, get_replacers
from ..labels import LABELS, get_scheme
from ..spans import PII, get_provenance

try:
    from presidio_analyzer import (
        AnalysisExplanation,
        EntityRecognizer,
        RecognizerResult,
    )
except ImportError as error:
    raise ImportError(
        "The recognizer needs presidio-analyzer. Install it with: pip install 'spacy-pii[presidio]'"
    ) from error

DEFAULT_MODEL = "en_pii_edu"


class SpacyPiiRecognizer(EntityRecognizer):
    """Hand the spans of a pipeline to Presidio, with their scores and the rules that found them.

    Text is only searched: components that replace are left out. What the pipeline cannot process raises, so that it
    does not look like text without PII.

    EXAMPLE:
        >>> analyzer.registry.add_recognizer(SpacyPiiRecognizer(model="en_pii_edu"))
    """

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        *,
        nlp: Optional[Language] = None,
        scheme: str = "presidio",
        supported_language: str = "en",
        name: str = "SpacyPiiRecognizer",
    ) -> None:
        """Initialize the recognizer and load the pipeline.

        model (str): Name of the pipeline's package, or path of its folder.
        nlp (Optional[Language]): A pipeline that is loaded already, in place of the model.
        scheme (str): Scheme of the entities' names: `presidio` or `canonical`.
        supported_language (str): Language that the analyzer asks the recognizer for.
        name (str): Name of the recognizer in results and explanations.
        RAISES (ValueError): If there is no such scheme.
        RAISES (OSError): If there is no such pipeline.
        """
        self._model = model
        self._nlp = nlp
        self._scheme = get_scheme(scheme)
        names = {self._scheme.from_canonical(label) for label in LABELS}
        super().__init__(
            supported_entities=sorted(entity for entity in names if entity is not None),
            name=name,
            supported_language=supported_language,
        )

    def load(self) -> None:
        """Load the pipeline. Presidio calls this once."""
        if self._nlp is None:
            self._nlp = spacy.load(self._model)
        self._disabled = get_replacers(self._nlp)

    def analyze(self, text: str, entities: List[str], nlp_artifacts: Any = None) -> List[RecognizerResult]:
        """Find PII.

        text (str): The text.
        entities (List[str]): Names of the entities to find; all if there are none.
        nlp_artifacts (Any): What Presidio's own pipeline found. It is not needed here.
        RETURNS (List[RecognizerResult]): What was found, in the order of the text.
        RAISES (ValueError): If the pipeline writes no `doc.spans["pii"]`.
        """
        doc = self._nlp(text, disable=self._disabled)
        if PII not in doc.spans:
            raise ValueError(f"The pipeline wrote no span group '{PII}': it lacks a pii_merger, or a component failed.")
        wanted = set(entities or self.supported_entities)
        group = doc.spans[PII]
        results = []
        for span in group:
            entity = self._scheme.from_canonical(span.label_)
            if entity is None or entity not in wanted:
                continue
            note = get_provenance(group, span)
            score = note.get("score", EntityRecognizer.MAX_SCORE)
            explanation = AnalysisExplanation(
                recognizer=self.name,
                original_score=score,
                textual_explanation=f"Found as {span.label_} by {describe_sources(note) or 'the pipeline'}",
            )
            results.append(
                RecognizerResult(
                    entity_type=entity,
                    start=span.start_char,
                    end=span.end_char,
                    score=score,
                    analysis_explanation=explanation,
                    recognition_metadata={
                        RecognizerResult.RECOGNIZER_NAME_KEY: self.name,
                        RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: self.id,
                    },
                )
            )
        return sorted(results, key=_start)


def _start(result: RecognizerResult) -> int:
    return result.start
