"""Trainable detector: BIO tags with an O-threshold."""

from itertools import islice
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

import numpy
from spacy.language import Language
from spacy.pipeline.trainable_pipe import TrainablePipe
from spacy.tokens import Doc
from spacy.training import Example, validate_examples, validate_get_examples
from spacy.util import registry
from thinc.api import Config, Model, Optimizer, set_dropout_rate
from thinc.types import Floats2d

from ..models import encoder as _encoder  # noqa: F401, registers the blocks of the default model
from ..models import tagger as _tagger  # noqa: F401
from ..scoring.exact import score_group
from ..spans import NEGATIVES, PII, TAGGER, Found, expand_span, trim_spaces, write_group

OUTSIDE = "O"

default_model_config = """
[model]
@architectures = "spacy-pii.PiiTagger.v1"
lstm_width = 0

[model.tok2vec]
@architectures = "spacy.Tok2Vec.v2"

[model.tok2vec.embed]
@architectures = "spacy-pii.PiiEmbed.v1"
width = 96
lexical_width = 64
context_width = 24
include_static_vectors = false
hide_names = 0.5

[model.tok2vec.embed.lists]
@misc = "spacy-pii.WordLists.v1"

[model.tok2vec.encode]
@architectures = "spacy-pii.WindowedEncoder.v1"
window = 2048
overlap = 16

[model.tok2vec.encode.encode]
@architectures = "spacy.MaxoutWindowEncoder.v2"
width = 96
window_size = 1
maxout_pieces = 3
depth = 4
"""
DEFAULT_PII_TAGGER_MODEL = Config().from_str(default_model_config)["model"]


@Language.factory(
    "pii_tagger",
    assigns=["doc.spans"],
    default_config={
        "model": DEFAULT_PII_TAGGER_MODEL,
        "spans_key": TAGGER,
        "gold_key": PII,
        "threshold": 0.85,
        "label_thresholds": {},
        "outside_weight": 1.0,
        "negative_weight": 1.0,
        "scorer": {"@scorers": "spacy-pii.pii_tagger_scorer.v1"},
    },
    default_score_weights={"pii_tagger_f5": 1.0, "pii_tagger_p": 0.0, "pii_tagger_r": 0.0, "pii_tagger_per_type": None},
)
def make_pii_tagger(
    nlp: Language,
    name: str,
    model: Model[List[Doc], List[Floats2d]],
    spans_key: str,
    gold_key: str,
    threshold: float,
    label_thresholds: Dict[str, float],
    outside_weight: float,
    negative_weight: float,
    scorer: Optional[Callable],
) -> "PiiTagger":
    """Create a PII tagger.

    model (Model[List[Doc], List[Floats2d]]): Gives the probabilities of the BIO tags of each token.
    spans_key (str): Key of the span group that is written.
    gold_key (str): Key of the span group of the reference documents that is learnt.
    threshold (float): A token is PII where the probability of O is under this threshold.
    label_thresholds (Dict[str, float]): Thresholds of single labels, in place of `threshold`.
    outside_weight (float): Weight of tokens outside PII in the loss.
    negative_weight (float): Weight of the tokens of hard negatives, the group `negatives` of the references.
    scorer (Optional[Callable]): The scoring method.
    """
    return PiiTagger(
        nlp.vocab,
        model,
        name,
        spans_key=spans_key,
        gold_key=gold_key,
        threshold=threshold,
        label_thresholds=label_thresholds,
        outside_weight=outside_weight,
        negative_weight=negative_weight,
        scorer=scorer,
    )


def pii_tagger_score(examples: Iterable[Example], **kwargs: Any) -> Dict[str, Any]:
    """Score the tagger's own group against the gold, before any merging."""
    return score_group(
        examples,
        spans_key=kwargs.get("spans_key", TAGGER),
        gold_key=kwargs.get("gold_key", PII),
        prefix="pii_tagger",
    )


@registry.scorers("spacy-pii.pii_tagger_scorer.v1")
def make_pii_tagger_scorer() -> Callable:
    """Create the tagger's scorer."""
    return pii_tagger_score


class PiiTagger(TrainablePipe):
    """Label tokens with BIO tags of PII and write the spans they form, with scores, to a span group.

    Where the probability of O is under a threshold, the best other label wins, however small its own probability is:
    the O-threshold of the Longformer systems on CRAPII, which trades precision for recall after training.
    """

    def __init__(
        self,
        vocab: Any,
        model: Model[List[Doc], List[Floats2d]],
        name: str = "pii_tagger",
        *,
        spans_key: str = TAGGER,
        gold_key: str = PII,
        threshold: float = 0.85,
        label_thresholds: Optional[Dict[str, float]] = None,
        outside_weight: float = 1.0,
        negative_weight: float = 1.0,
        scorer: Optional[Callable] = pii_tagger_score,
    ) -> None:
        """Initialize the tagger. See `make_pii_tagger` for the arguments."""
        self.vocab = vocab
        self.model = model
        self.name = name
        self.scorer = scorer
        self.cfg: Dict[str, Any] = {
            "labels": [],
            "spans_key": spans_key,
            "gold_key": gold_key,
            "threshold": threshold,
            "label_thresholds": dict(label_thresholds or {}),
            "outside_weight": outside_weight,
            "negative_weight": negative_weight,
        }

    @property
    def labels(self) -> Tuple[str, ...]:
        """RETURNS (Tuple[str, ...]): The labels that the tagger knows."""
        return tuple(self.cfg["labels"])

    @property
    def label_data(self) -> Tuple[str, ...]:
        """RETURNS (Tuple[str, ...]): The labels, for `spacy init labels`."""
        return self.labels

    def set_threshold(self, threshold: float, label: Optional[str] = None) -> None:
        """Set the O-threshold, also after loading. It is saved with the pipeline.

        threshold (float): Probability of O under which a token is PII, from 0 (nothing is) to 1.
        label (Optional[str]): The label that it holds for; None for all that have none of their own.
        RAISES (ValueError): If the threshold is no probability or the label unknown.
        """
        if not 0.0 <= threshold <= 1.0:
            raise ValueError(f"The O-threshold is a probability from 0 to 1, not {threshold}.")
        if label is None:
            self.cfg["threshold"] = threshold
        elif label in self.labels:
            self.cfg["label_thresholds"][label] = threshold
        else:
            raise ValueError(f"The tagger does not know the label '{label}'. It knows: {', '.join(self.labels)}.")

    def predict(self, docs: Iterable[Doc]) -> List[Floats2d]:
        """Compute the probabilities of the tags, without changing the documents.

        docs (Iterable[Doc]): The documents.
        RETURNS (List[Floats2d]): Probabilities of shape (tokens, 1 + 2 * labels) for each document.
        """
        docs = list(docs)
        if not any(len(doc) for doc in docs):
            return [self.model.ops.alloc2f(0, 1 + 2 * len(self.labels)) for _ in docs]
        return self.model.predict(docs)

    def set_annotations(self, docs: Iterable[Doc], scores: Sequence[Floats2d]) -> None:
        """Write the spans that the probabilities give.

        docs (Iterable[Doc]): The documents.
        scores (Sequence[Floats2d]): Their probabilities, as `predict` gives them.
        """
        own = self.cfg["label_thresholds"]
        thresholds = numpy.array([own.get(label, self.cfg["threshold"]) for label in self.labels], dtype="float32")
        for doc, probabilities in zip(docs, scores):
            found = self._decode(numpy.asarray(self.model.ops.to_numpy(probabilities)), thresholds)
            write_group(doc, self.cfg["spans_key"], _trim(doc, found), detector=self.name)

    def _decode(self, probabilities: numpy.ndarray, thresholds: numpy.ndarray) -> Iterable[Found]:
        if not len(probabilities) or not len(self.labels):
            return
        begin, inside = probabilities[:, 1::2], probabilities[:, 2::2]
        joint = begin + inside
        best = joint.argmax(axis=1)
        outside = probabilities[:, 0]
        hits = numpy.flatnonzero(outside < thresholds[best]).tolist()
        start = 0
        while start < len(hits):
            first = hits[start]
            label = int(best[first])
            end = start + 1
            while (
                end < len(hits)
                and hits[end] == hits[end - 1] + 1
                and best[hits[end]] == label
                and inside[hits[end], label] >= begin[hits[end], label]
            ):
                end += 1
            tokens = slice(first, hits[end - 1] + 1)
            yield Found(first, tokens.stop, self.labels[label], float(1.0 - outside[tokens].mean()))
            start = end

    def update(
        self,
        examples: Iterable[Example],
        *,
        drop: float = 0.0,
        sgd: Optional[Optimizer] = None,
        losses: Optional[Dict[str, float]] = None,
    ) -> Dict[str, float]:
        """Learn from a batch of examples.

        examples (Iterable[Example]): The batch.
        drop (float): Dropout rate.
        sgd (Optional[Optimizer]): The optimizer.
        losses (Optional[Dict[str, float]]): Record of the loss, updated under the component's name.
        RETURNS (Dict[str, float]): The record.
        """
        losses = {} if losses is None else losses
        losses.setdefault(self.name, 0.0)
        examples = list(examples)
        validate_examples(examples, "PiiTagger.update")
        if not any(len(example.predicted) for example in examples):
            return losses
        set_dropout_rate(self.model, drop)
        scores, backprop = self.model.begin_update([example.predicted for example in examples])
        loss, gradient = self.get_loss(examples, scores)
        backprop(gradient)
        if sgd is not None:
            self.finish_update(sgd)
        losses[self.name] += loss
        return losses

    def get_loss(self, examples: Iterable[Example], scores: Sequence[Floats2d]) -> Tuple[float, List[Floats2d]]:
        """Weighted cross-entropy. The gradient is divided by the weight of the batch's PII and hard negatives rather
        than by its tokens, of which 99.9 % are O: the step does not fade with the length of the documents.

        examples (Iterable[Example]): The examples.
        scores (Sequence[Floats2d]): The probabilities of their predicted documents.
        RETURNS (Tuple[float, List[Floats2d]]): Loss and gradients.
        """
        ops = self.model.ops
        gold = [self._gold(example) for example in examples]
        total = sum(float(weights.sum()) for _, weights in gold) or 1.0
        loss, gradients = 0.0, []
        for (tags, weights), probabilities in zip(gold, scores):
            truth = ops.alloc2f(*probabilities.shape)
            truth[ops.xp.arange(len(tags)), ops.asarray1i(tags)] = 1.0
            column = ops.reshape2f(ops.asarray1f(weights), len(weights), 1)
            gradients.append((probabilities - truth) * column / total)
            likely = (probabilities * truth).sum(axis=1)
            loss -= float((ops.xp.log(likely + 1e-8) * column[:, 0]).sum())
        return loss / total, gradients

    def _gold(self, example: Example) -> Tuple[numpy.ndarray, numpy.ndarray]:
        """Tags and weights of the predicted tokens. Without a gold group the document teaches nothing."""
        doc, reference = example.predicted, example.reference
        tags = numpy.zeros(len(doc), dtype="int32")
        if self.cfg["gold_key"] not in reference.spans:
            return tags, numpy.zeros(len(doc), dtype="float32")
        weights = numpy.full(len(doc), self.cfg["outside_weight"], dtype="float32")
        for span in reference.spans[NEGATIVES] if NEGATIVES in reference.spans else ():
            target = expand_span(doc, span.start_char, span.end_char)
            if target is not None:
                weights[target.start : target.end] = self.cfg["negative_weight"]
        index = {label: i for i, label in enumerate(self.labels)}
        for span in reference.spans[self.cfg["gold_key"]]:
            target = expand_span(doc, span.start_char, span.end_char)
            if target is None or span.label_ not in index:
                continue
            tag = 1 + 2 * index[span.label_]
            tags[target.start] = tag
            tags[target.start + 1 : target.end] = tag + 1
            weights[target.start : target.end] = 1.0
        return tags, weights

    def add_label(self, label: str) -> int:
        """Add a label before the model is initialized.

        label (str): The label.
        RETURNS (int): 1 if it was added, 0 if it was there.
        """
        if not isinstance(label, str):
            raise ValueError(f"A label is a string, not {type(label).__name__}.")
        if label in self.labels:
            return 0
        self._allow_extra_label()
        self.cfg["labels"].append(label)
        self.vocab.strings.add(label)
        return 1

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Optional[Language] = None,
        labels: Optional[Sequence[str]] = None,
    ) -> None:
        """Initialize the model and take the labels from the data.

        get_examples (Callable[[], Iterable[Example]]): Gives a representative sample.
        nlp (Optional[Language]): The pipeline.
        labels (Optional[Sequence[str]]): The labels, so that the data need not be read.
        """
        validate_get_examples(get_examples, "PiiTagger.initialize")
        if labels is None:
            gold_key = self.cfg["gold_key"]
            labels = sorted(
                {
                    span.label_
                    for example in get_examples()
                    for span in (example.reference.spans[gold_key] if gold_key in example.reference.spans else ())
                }
            )
        for label in labels:
            self.add_label(label)
        if not self.labels:
            raise ValueError(
                f"The PII tagger '{self.name}' found no labels: no example has spans under '{self.cfg['gold_key']}'."
            )
        sample = [example.reference for example in islice(get_examples(), 10)]
        self.model.get_ref("output_layer").set_dim("nO", 1 + 2 * len(self.labels))
        self.model.initialize(X=sample)


def _trim(doc: Doc, found: Iterable[Found]) -> Iterable[Found]:
    """Take white space off the edges; a span of nothing else is none."""
    for item in found:
        start, end = trim_spaces(doc, item.start, item.end)
        if start < end:
            yield item._replace(start=start, end=end)
