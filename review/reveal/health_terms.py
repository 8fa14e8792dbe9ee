"""A revealed text -> the places of its medical terms, as the health stage knows them."""

from collections.abc import Sequence
from functools import lru_cache

from django.conf import settings

from classifiers.health import HealthModel
from classifiers.model_file import load_model_bytes, model_in_use
from core.errors import ModelError
from core.records import Span

HEALTH_TERM = "health_term"


def health_terms_in(text: str, found: Sequence[Span]) -> list[Span]:
    """Those that are not within something else that was found."""
    model = _model()
    if model is None:
        return []
    taken = sorted((span.start, span.end) for span in found)
    terms = []
    at = 0
    for start, end, _ in model.term_places([text])[0]:
        while at < len(taken) and taken[at][1] <= start:
            at += 1
        if at == len(taken) or end <= taken[at][0]:
            terms.append(Span(start, end, HEALTH_TERM, 1.0))
    return terms


@lru_cache(maxsize=1)
def _model() -> HealthModel | None:
    """None where it cannot be read: a reveal without these marks is better than none."""
    try:
        return HealthModel.from_bytes(load_model_bytes(model_in_use(settings.LEAKSCREEN.health)))
    except ModelError:
        return None
