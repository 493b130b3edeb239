"""Architectures of the PII tagger."""

from typing import List, Optional

from spacy.tokens import Doc
from spacy.util import registry
from thinc.api import LSTM, Model, Softmax, chain, with_array, with_padded
from thinc.types import Floats2d


@registry.architectures("spacy-pii.PiiTagger.v1")
def PiiTagger(
    tok2vec: Model[List[Doc], List[Floats2d]], lstm_width: int = 0, nO: Optional[int] = None
) -> Model[List[Doc], List[Floats2d]]:
    """Label each token with a softmax over BIO tags, on top of a tok2vec or transformer listener.

    tok2vec (Model[List[Doc], List[Floats2d]]): The encoder: one of the pipeline's own, or a listener.
    lstm_width (int): Width of a bidirectional LSTM between encoder and softmax, 0 for none. It is the head that the
        Longformer systems put on their encoder; on CPU it costs more time than the encoder itself.
    nO (Optional[int]): Number of tags, set when the component is initialized.
    RETURNS (Model[List[Doc], List[Floats2d]]): Probabilities of shape (tokens, tags) for each document.
    """
    width = tok2vec.maybe_get_dim("nO")
    layers = [tok2vec]
    if lstm_width:
        if lstm_width % 2:
            raise ValueError(f"A bidirectional LSTM needs an even width, not {lstm_width}.")
        layers.append(with_padded(LSTM(lstm_width, width, bi=True, dropout=0.0)))
        width = lstm_width
    output = Softmax(nO, width)
    model = chain(*layers, with_array(output))
    model.set_ref("tok2vec", tok2vec)
    model.set_ref("output_layer", output)
    return model
