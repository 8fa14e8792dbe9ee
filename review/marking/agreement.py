"""The compared annotations of a session -> how well its people agree: F by entity, kappa by token."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass

from evaluation.agreement import kappa_of
from evaluation.ratios import share
from review.models import MarkingAgreement, MarkingSession


@dataclass(frozen=True, slots=True)
class SessionAgreement:
    """None where undefined: nobody marked anything, or everybody marked everything alike by chance."""

    texts: int  # that two people marked
    entities: int  # that they marked, added up
    tokens: int
    entity_f: float | None
    entity_f_partial: float | None
    kappa: float | None  # same category, by token
    kappa_marked: float | None  # marked at all, by token


def session_agreement(session: MarkingSession) -> SessionAgreement:
    """Pooled over all texts of the session."""
    rows = list(MarkingAgreement.objects.filter(session=session))
    table: Counter[tuple[Hashable, Hashable]] = Counter()
    marked: Counter[tuple[Hashable, Hashable]] = Counter()
    for row in rows:
        for ours, theirs, count in row.tokens:
            table[ours, theirs] += count
            marked[ours is not None, theirs is not None] += count
    either = sum(row.either for row in rows)
    return SessionAgreement(
        texts=len(rows),
        entities=either,
        tokens=table.total(),
        entity_f=share(2 * sum(row.both_exact for row in rows), either),
        entity_f_partial=share(2 * sum(row.both_partial for row in rows), either),
        kappa=kappa_of(table),
        kappa_marked=kappa_of(marked),
    )
