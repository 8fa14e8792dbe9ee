"""What a system masked -> weights of the masked tokens by an installed masked language model."""

from collections.abc import Sequence
from pathlib import Path

from evaluation.information import Weights
from evaluation.spans import Marked
from evaluation.tab import Place, Weight, masked_tokens
from leakscreen.benchmarking.other_python import ask

_SCRIPT = Path(__file__).with_name("masked_tokens.py")


def model_weights(
    texts: Sequence[str], marks: Sequence[Sequence[Marked]], model: str, python: str | None = None
) -> Weights:
    """The weights depend on all that a system masked in a text, so every system has its own."""
    places = [masked_tokens(text, [span[:2] for span in spans]) for text, spans in zip(texts, marks, strict=True)]
    rows = [[text, masked] for text, masked in zip(texts, places, strict=True)]
    failed = "the language model failed ({{}}); are transformers and torch installed there, and is {} on this machine?"
    *answers, _ = ask(python, _SCRIPT, [model], rows, failed.format(model.replace("{", "").replace("}", "")))
    return Weights(Path(model).name, [_known(*pair) for pair in zip(places, answers, strict=True)])


def _known(places: Sequence[Place], weights: Sequence[float]) -> Weight:
    by_place = dict(zip(places, weights, strict=True))
    return lambda text, wanted: [by_place[place] for place in wanted]
