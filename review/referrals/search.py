"""What somebody looks for -> one page of referrals, in the order that was asked for, and how many there are."""

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from heapq import merge
from itertools import islice
from typing import Any

from django.db.models import OuterRef, Subquery

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
_FEW = 5_000
_MOST_COUNTED = 1_000


@dataclass(frozen=True, slots=True)
class Search:
    """Each field as the address of the list has it; empty where it does not matter."""

    state: str = "open"
    q: str = ""
    owner: str = ""
    access: str = ""
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
    """Of the queues that may be seen.

    What paths and findings are asked for is looked up once: few hits are named by their ids and sorted here. Many are
    sought row by row in the order that was asked for, where a page of them comes soon.
    """
    few, many = _hits(search)
    order = ORDERS[search.sort]
    counted = _narrowed(_counted(search, queues), search, many)
    if few is not None:
        return _page_of_few(counted.filter(pk__in=few), order, after, most)
    sort = f"-{order.field}" if order.descending else order.field
    parts = []
    for state in STATES[search.state]:  # an index holds each of them in every order
        rows = _narrowed(Referral.objects.filter(queue__in=queues, state=state), search, many)
        if search.risk:
            low, high = ranks_of(search.risk)
            rows = rows.filter(rank__gte=low, rank__lt=high)
        if order.field == "decided_at":
            rows = rows.exclude(decided_at=None)
        parts.append(list(_after(rows, order, after).order_by(sort, "pk")[: most + 1]))
    referrals = list(islice(merge(*parts, key=lambda row: _key(order, row.pk, getattr(row, order.field))), most + 1))
    if not many:
        return _page(referrals, order, most, int(counted.count()))
    count = len(counted.values_list("pk", flat=True)[: _MOST_COUNTED + 1])
    return _page(referrals, order, most, min(count, _MOST_COUNTED), count > _MOST_COUNTED)


def _page(referrals: list[Referral], order: _Order, most: int, count: int, more_than: bool = False) -> Page:
    if len(referrals) <= most:
        return Page(referrals, count, "", more_than)
    last = referrals[most - 1]
    return Page(referrals[:most], count, f"{_number(getattr(last, order.field))}-{last.pk}", more_than)


def _page_of_few(rows: Any, order: _Order, after: str, most: int) -> Page:
    keys = sorted(_key(order, pk, value) for pk, value in rows.values_list("pk", order.field))
    number, _, pk = after.partition("-")
    begins = bisect_right(keys, (_sign(order) * int(number), pk)) if _is_place(number) else 0
    ids = [pk for _, pk in keys[begins : begins + most + 1]]
    referrals = Referral.objects.in_bulk(ids)
    return _page([referrals[pk] for pk in ids], order, most, len(keys))


def _hits(search: Search) -> tuple[set[str] | None, list[Any]]:
    """The ids of what passes the filters that few rows pass, and the others."""
    few: set[str] | None = None
    many = []
    for rows in _contents(search):
        ids = set(rows.values_list("referral", flat=True)[: _FEW + 1]) if few is None or few else set()
        if len(ids) <= _FEW:
            few = ids if few is None else few & ids
        else:
            many.append(rows)
    return few, many


def _narrowed(rows: Any, search: Search, many: Sequence[Any]) -> Any:
    for name, value in (("queue", search.queue), ("kind", search.kind), ("decision", search.verdict)):
        rows = rows.filter(**{name: value}) if value else rows
    if search.source:
        rows = rows.filter(source=search.source)
    if search.scan:
        rows = rows.filter(last_scan=search.scan)
    for number, contents in enumerate(many):
        # Not EXISTS, which PostgreSQL would turn into a join of all rows.
        first = Subquery(contents.filter(referral=OuterRef("pk")).values("pk")[:1])
        rows = rows.alias(**{f"hit_{number}": first}).filter(**{f"hit_{number}__isnull": False})
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
    if search.access:
        yield Finding.objects.filter(access__startswith=search.access)
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


def _after(rows: Any, order: _Order, after: str) -> Any:
    number, _, pk = after.partition("-")
    if not _is_place(number):
        return rows
    value: Any = int(number) if order.field == "rank" else _EPOCH + timedelta(microseconds=int(number))
    side = "lte" if order.descending else "gte"
    return rows.filter(**{f"{order.field}__{side}": value}).exclude(**{order.field: value, "pk__lte": pk})


def _is_place(number: str) -> bool:
    return number.isdecimal() and len(number) <= _MOST_DIGITS


def _key(order: _Order, pk: str, value: Any) -> tuple[int, str]:
    return _sign(order) * _number(value), pk


def _sign(order: _Order) -> int:
    return -1 if order.descending else 1


def _number(value: Any) -> int:
    return (value - _EPOCH) // timedelta(microseconds=1) if isinstance(value, datetime) else int(value)
