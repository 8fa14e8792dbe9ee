"""Texts -> how many of them, and of their sentences, cannot do without the model of names."""

from typing import NamedTuple

import numpy as np

from screening.entities.model import EntityModel


class Needs(NamedTuple):
    texts: float
    sentences: float
    words: float  # that stand in those sentences


def needs(model: EntityModel, documents: list[str]) -> Needs:
    """Every sentence of a legal text is decided on, elsewhere those in which something could be a name."""
    readings = [model.read([document]) for document in documents]
    needy = [reading.needy | reading.legal[0] for reading in readings]
    lengths = np.concatenate([reading.sentence_lengths for reading in readings])
    every = np.concatenate(needy)
    return Needs(
        float(np.mean([sentences.any() for sentences in needy])),
        float(every.mean()),
        float(lengths[every].sum() / lengths.sum()),
    )


def print_shares(shares: Needs) -> None:
    print(
        f"needed the model: {shares.texts:.1%} of the texts, {shares.sentences:.1%} of their sentences with "
        f"{shares.words:.1%} of the words"
    )
