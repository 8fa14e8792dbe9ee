"""What somebody looks for -> one page of referrals, in the order that was asked for, and how many there are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from heapq import merge
from itertools import islice
from typing import Any

from django.db.models import Exists, OuterRef, TextField
from django.db.models.functions import Cast

from review.models import Awaiting, Finding, Referral, ReferralPath, State
from review.referrals.identity import ranks_of

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MOST_DIGITS = 18


@dataclass(frozen=True, slots=True)
class _State:
    """Sets of rows that an index holds in the order of work, to be merged; and their states, to be counted by."""

    parts: tuple[tuple[str, str], ...]
    counted: tuple[State, ...]


STATES: Mapping[str, _State] = {
    "open": _State(
        (("wants", Awaiting.REVIEW), ("wants", Awaiting.ADJUDICATION)), (State.WAITING, State.SECOND, State.DISPUTED)
    ),
    "waiting": _State((("wants", Awaiting.REVIEW),), (State.WAITING, State.SECOND)),
    "disputed": _State((("wants", Awaiting.ADJUDICATION),), (State.DISPUTED,)),
    "decided": _State((("state", State.DECIDED),), (State.DECIDED,)),
    "unsampled": _State((("state", State.UNSAMPLED),), (State.UNSAMPLED,)),
    "superseded": _State((("state", State.SUPERSEDED),), (State.SUPERSEDED,)),
    "any": _State(tuple(("state", state) for state in State), tuple(State)),
}


@dataclass(frozen=True, slots=True)
class _Order:
    words: str
    field: str
    descending: bool = False


ORDERS = {
    "work": _Order("order of work", "rank"),
    "newest": _Order("newest first", "asked", descending=True),
    "oldest": _Order("oldest first", "asked"),
    "decided": _Order("last decided first", "decided_at", descending=True),
}
_TELLS_STAGE = ("risk", "kind", "rule")  # of what is judged blind


@dataclass(frozen=True, slots=True)
class Search:
    """Each field as the address of the list has it; empty where it does not matter."""

    state: str = "open"
    q: str = ""
    owner: str = ""
    access: str = ""
    type: str = ""
    rule: str = ""
    source: str = ""
    scan: str = ""
    queue: str = ""
    risk: str = ""
    kind: str = ""
    verdict: str = ""
    sort: str = "work"


@dataclass(frozen=True, slots=True)
class Page:
    referrals: list[Referral]
    count: int
    after: str  # where the next page begins; empty on the last one


def found(search: Search, queues: Sequence[int], after: str, most: int) -> Page:
    """Of the queues that may be seen."""
    order = ORDERS[search.sort]
    sort = f"-{order.field}" if order.descending else order.field
    parts = []
    for name, value in STATES[search.state].parts:
        rows = _narrowed(Referral.objects.filter(queue__in=queues, **{name: value}), search)
        if search.risk:
            low, high = ranks_of(search.risk)
            rows = rows.filter(rank__gte=low, rank__lt=high)
        if order.field == "decided_at":
            rows = rows.exclude(decided_at=None)
        parts.append(list(_after(rows, order, after).order_by(sort, "pk")[: most + 1]))
    referrals = list(islice(merge(*parts, key=_key(order)), most + 1))
    count = _count(search, queues)
    if len(referrals) <= most:
        return Page(referrals, count, "")
    last = referrals[most - 1]
    return Page(referrals[:most], count, f"{_number(getattr(last, order.field))}-{last.pk}")


def _narrowed(rows: Any, search: Search) -> Any:
    for name, value in (("queue", search.queue), ("kind", search.kind), ("decision", search.verdict)):
        rows = rows.filter(**{name: value}) if value else rows
    if search.source:
        rows = rows.filter(source=search.source)
    if search.scan:
        rows = rows.filter(last_scan=search.scan)
    findings = _findings(search)
    if findings is not None:
        rows = rows.filter(Exists(findings.filter(referral=OuterRef("pk"))))
    if search.q:
        rows = rows.filter(Exists(ReferralPath.objects.filter(referral=OuterRef("pk"), uri__icontains=search.q)))
    if any(getattr(search, name) for name in _TELLS_STAGE):
        rows = rows.exclude(blind=True, state__in=(State.WAITING, State.SECOND, State.DISPUTED))
    return rows


def _findings(search: Search) -> Any:
    """None where nothing is asked that a finding knows."""
    rows = Finding.objects.all()
    if search.owner:
        rows = rows.filter(owner__icontains=search.owner)
    if search.access:
        rows = rows.filter(access__startswith=search.access)
    if search.type:
        rows = rows.filter(media_type=search.type)
    if search.rule:  # as text, since SQLite cannot look into lists of objects
        rows = rows.annotate(fired=Cast("rules", TextField())).filter(fired__contains=f'"rule": "{search.rule}"')
    return rows if search.owner or search.access or search.type or search.rule else None


def _count(search: Search, queues: Sequence[int]) -> int:
    """By the queues that may be seen and their states: a small index holds both, so that without a further filter no
    row is looked at."""
    rows = Referral.objects.filter(queue__in=queues, state__in=STATES[search.state].counted)
    if search.risk:
        rows = rows.filter(risk=search.risk)
    if ORDERS[search.sort].field == "decided_at":
        rows = rows.exclude(decided_at=None)
    return int(_narrowed(rows, search).count())


def _after(rows: Any, order: _Order, after: str) -> Any:
    number, _, pk = after.partition("-")
    if not number.isdecimal() or len(number) > _MOST_DIGITS:
        return rows
    value: Any = int(number) if order.field == "rank" else _EPOCH + timedelta(microseconds=int(number))
    side = "lte" if order.descending else "gte"
    return rows.filter(**{f"{order.field}__{side}": value}).exclude(**{order.field: value, "pk__lte": pk})


def _key(order: _Order) -> Callable[[Referral], tuple[int, str]]:
    sign = -1 if order.descending else 1
    return lambda referral: (sign * _number(getattr(referral, order.field)), str(referral.pk))


def _number(value: Any) -> int:
    return (value - _EPOCH) // timedelta(microseconds=1) if isinstance(value, datetime) else int(value)
