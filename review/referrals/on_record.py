"""Votes and decisions in their tables -> what differs from the audit log, which alone is sealed."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from review.audit import Fault, Head, verify
from review.models import AuditEntry, Referral, State, Verdict, Vote

_SUBJECT = "referral:"
_BY_INTAKE = frozenset({State.SUPERSEDED, State.UNSAMPLED})
_AT_ONCE = 2_000


@dataclass(slots=True)
class _OnRecord:
    """What the log says of one referral."""

    number: int = 0  # of the last entry
    round: int = 0
    state: str = ""
    decision: str | None = None  # older entries do not say
    verdicts: list[tuple[int, str]] = field(default_factory=list)


def verify_all(anchors: Iterable[Head] = ()) -> tuple[int, list[Fault]]:
    """The number of entries; every fault of the log, and every vote and decision that is not what the log says."""
    count, faults = verify(anchors)
    return count, [*faults, *_changed_decisions()]


def _changed_decisions() -> Iterator[Fault]:
    on_record = _on_record()
    votes = _votes()
    for pk, known in on_record.items():
        if votes.get(pk, []) != known.verdicts:
            yield Fault(known.number, f"the votes on {_SUBJECT}{pk} are not those on record")
    for pk in votes.keys() - on_record.keys():
        yield Fault(0, f"there are votes on {_SUBJECT}{pk}, and none is on record")
    rows = Referral.objects.order_by("pk").values_list("pk", "round", "state", "decision")
    for pk, number, state, decision in rows.iterator(chunk_size=_AT_ONCE):
        yield from _faults(pk, number, state, decision, on_record.get(pk))


def _faults(pk: str, number: int, state: str, decision: str, known: _OnRecord | None) -> Iterator[Fault]:
    if known is None or known.round != number:
        if decision or state == State.DECIDED:
            yield Fault(known.number if known else 0, f"{_SUBJECT}{pk} is decided, and no decision is on record")
        return
    if state in _BY_INTAKE and not decision:
        return
    verdicts = {verdict for of_round, verdict in known.verdicts if of_round == number}
    possible = {known.decision} if known.decision is not None else {*verdicts, ""}
    if state != known.state or decision not in possible:
        yield Fault(known.number, f"the decision of {_SUBJECT}{pk} is not the one on record")


def _on_record() -> dict[str, _OnRecord]:
    known: defaultdict[str, _OnRecord] = defaultdict(_OnRecord)
    rows = AuditEntry.objects.filter(action__in=("decision", "undo"), subject__startswith=_SUBJECT)
    columns = rows.order_by("number").values_list("number", "action", "subject", "details")
    for number, action, subject, details in columns.iterator(chunk_size=_AT_ONCE):
        try:
            facts = json.loads(details)
        except ValueError:
            continue  # the chain says that it was edited
        entry = known[subject.removeprefix(_SUBJECT)]
        entry.number, entry.round = number, facts.get("round", 0)
        entry.state, entry.decision = facts.get("state", ""), facts.get("decision")
        entry.verdicts.append((entry.round, Verdict.WITHDRAWN if action == "undo" else facts.get("verdict", "")))
    return dict(known)


def _votes() -> dict[str, list[tuple[int, str]]]:
    votes: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    rows = Vote.objects.order_by("referral_id", "number").values_list("referral_id", "round", "verdict")
    for referral, number, verdict in rows.iterator(chunk_size=_AT_ONCE):
        votes[referral].append((number, verdict))
    return dict(votes)
