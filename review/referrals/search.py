"""What somebody looks for -> one page of referrals, in the order that was asked for, and how many there are."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from heapq import merge
from itertools import islice
from typing import Any

from django.db.models import Exists, OuterRef

from review.models import Finding, FiredRules, Referral, ReferralPath, State
from review.referrals.identity import ranks_of

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MOST_DIGITS = 18


STATES: Mapping[str, tuple[State, ...]] = {
    "open": (State.WAITING, State.SECOND, State.DISPUTED),
    "waiting": (State.WAITING, State.SECOND),
    "disputed": (State.DISPUTED,),
    "decided": (State.DECIDED,),
    "unsampled": (State.UNSAMPLED,),
    "superseded": (State.SUPERSEDED,),
    "any": tuple(State),
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
_TELLS_STAGE = ("risk", "kind", "rule", "people")  # of what is judged blind
_SOUGHT = ("q", "rule", "owner", "type", "people")  # in paths and findings
_FEW = 5_000
_MOST_COUNTED = 1_000


@dataclass(frozen=True, slots=True)
class Search:
    """Each field as the address of the list has it; empty where it does not matter."""

    state: str = "open"
    q: str = ""
    owner: str = ""
    type: str = ""
    rule: str = ""
    people: str = ""  # at least so many
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
    more_than: bool = False  # whether there are more than `count`, of a filter that many rows pass


def found(search: Search, queues: Sequence[int], after: str, most: int) -> Page:
    """Of the queues that may be seen."""
    order = ORDERS[search.sort]
    sort = f"-{order.field}" if order.descending else order.field
    narrow = _narrowing(search)
    parts = []
    for state in STATES[search.state]:  # an index holds each of them in every order
        rows = narrow(Referral.objects.filter(queue__in=queues, state=state))
        if search.risk:
            low, high = ranks_of(search.risk)
            rows = rows.filter(rank__gte=low, rank__lt=high)
        if order.field == "decided_at":
            rows = rows.exclude(decided_at=None)
        parts.append(list(_after(rows, order, after).order_by(sort, "pk")[: most + 1]))
    referrals = list(islice(merge(*parts, key=_key(order)), most + 1))
    count, more_than = _count(search, narrow(_counted(search, queues)))
    if len(referrals) <= most:
        return Page(referrals, count, "", more_than)
    last = referrals[most - 1]
    return Page(referrals[:most], count, f"{_number(getattr(last, order.field))}-{last.pk}", more_than)


def _narrowing(search: Search) -> Callable[[Any], Any]:
    """What paths and findings are asked for is looked up once: few hits are named by their ids. Many are sought row by
    row in the order that was asked for, where a page of them comes soon."""
    few: set[str] | None = None
    many = []
    for rows in _contents(search):
        ids = set(rows.values_list("referral", flat=True)[: _FEW + 1]) if few is None or few else set()
        if len(ids) <= _FEW:
            few = ids if few is None else few & ids
        else:
            many.append(rows)
    return lambda referrals: _narrowed(referrals, search, few, many)


def _narrowed(rows: Any, search: Search, few: set[str] | None, many: Sequence[Any]) -> Any:
    for name, value in (("queue", search.queue), ("kind", search.kind), ("decision", search.verdict)):
        rows = rows.filter(**{name: value}) if value else rows
    if search.source:
        rows = rows.filter(source=search.source)
    if search.scan:
        rows = rows.filter(last_scan=search.scan)
    if few is not None:
        rows = rows.filter(pk__in=few)
    for contents in many:
        rows = rows.filter(Exists(contents.filter(referral=OuterRef("pk"))))
    if any(getattr(search, name) for name in _TELLS_STAGE):
        rows = rows.exclude(blind=True, state__in=(State.WAITING, State.SECOND, State.DISPUTED))
    return rows


def _contents(search: Search) -> Iterator[Any]:
    """Paths and findings, each as narrow as one filter makes them."""
    if search.q:
        yield ReferralPath.objects.filter(uri__icontains=search.q)
    if search.rule:
        sets = FiredRules.objects.values_list("pk", "rules")
        yield Finding.objects.filter(fired__in=[pk for pk, rules in sets if search.rule in json.loads(rules)])
    if search.owner:
        yield Finding.objects.filter(owner__icontains=search.owner)
    if search.type:
        yield Finding.objects.filter(media_type=search.type)
    if search.people:
        yield Finding.objects.filter(people__gte=int(search.people))


def _counted(search: Search, queues: Sequence[int]) -> Any:
    """By the queues that may be seen and their states: a small index holds both, so that without a further filter no
    row is looked at."""
    rows = Referral.objects.filter(queue__in=queues, state__in=STATES[search.state])
    if search.risk:
        rows = rows.filter(risk=search.risk)
    return rows.exclude(decided_at=None) if ORDERS[search.sort].field == "decided_at" else rows


def _count(search: Search, rows: Any) -> tuple[int, bool]:
    if not any(getattr(search, name) for name in _SOUGHT):
        return int(rows.count()), False
    count = len(rows.values_list("pk", flat=True)[: _MOST_COUNTED + 1])
    return min(count, _MOST_COUNTED), count > _MOST_COUNTED


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
