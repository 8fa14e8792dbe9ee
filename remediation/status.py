"""Scans of the same places, one after the other, and the actions -> what was found, contained and closed, and when."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import median
from typing import Any

from remediation.action import CONTAINING, Action, State, Target

_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Look:
    """What one finished scan says of the places that matter: hashes by uri, None where the content was not read."""

    scan_id: str
    started: datetime
    sources: tuple[str, ...]
    whole: bool  # not a sample
    found: tuple[Target, ...]
    there: Mapping[str, str | None]
    unreadable: Collection[str] = ()

    def covers(self, target: Target) -> bool:
        below = any(target.uri == source or target.uri.startswith(f"{source.rstrip('/')}/") for source in self.sources)
        return self.whole and (below or target.source in self.sources)

    def is_gone(self, target: Target) -> bool | None:
        """None where this scan cannot say."""
        if not self.covers(target):
            return None
        if target.uri in self.there:
            now = self.there[target.uri]
            return None if now is None else now != target.sha256
        return None if any(target.uri.startswith(f"{folder.rstrip('/')}/") for folder in self.unreadable) else True


@dataclass(slots=True)
class Case:
    """One content in one place, from the scan that found it first to the one that no longer did."""

    target: Target
    found: datetime
    contained: datetime | None = None
    by: str = ""
    closed: datetime | None = None

    @property
    def state(self) -> str:
        return "closed" if self.closed else "contained" if self.contained else "open"


@dataclass(slots=True)
class Cases:
    by_place: dict[tuple[str, str], Case] = field(default_factory=dict)

    def see(self, look: Look) -> None:
        """Scans in the order of their times; what comes back is open again."""
        for case in self.by_place.values():
            gone = look.is_gone(case.target)
            if gone:
                case.closed = case.closed or look.started
            elif gone is False:
                case.closed = None
        for target in look.found:
            self.by_place.setdefault((target.uri, target.sha256), Case(target, look.started)).closed = None

    def act(self, actions: Iterable[Action]) -> None:
        for action in actions:
            case = self.by_place.get((action.target.uri, action.target.sha256))
            if case is not None and action.kind in CONTAINING and action.state is State.DONE:
                case.contained, case.by = datetime.fromisoformat(action.done_at), action.kind.value


def figures_of(cases: Iterable[Case]) -> dict[str, Any]:
    listed = list(cases)
    by_source: dict[str, list[Case]] = {}
    for case in listed:
        by_source.setdefault(case.target.source, []).append(case)
    return {
        **_counts(listed),
        "by_source": {source: _counts(some) for source, some in sorted(by_source.items())},
        "over_time": _over_time(listed),
    }


def _counts(cases: Sequence[Case]) -> dict[str, Any]:
    states = Counter(case.state for case in cases)
    days = [(case.closed - case.found).total_seconds() / _DAY for case in cases if case.closed]
    return {
        "found": len(cases),
        "open": states["open"],
        "contained": states["contained"],
        "closed": states["closed"],
        "median_days_to_close": round(median(days), 2) if days else None,
    }


def _over_time(cases: Sequence[Case]) -> dict[str, dict[str, int]]:
    """How many came to each state on each day, in UTC."""
    days: dict[str, Counter[str]] = {}
    for case in cases:
        for what, moment in (("found", case.found), ("contained", case.contained), ("closed", case.closed)):
            if moment is not None:
                days.setdefault(f"{moment.astimezone(UTC):%Y-%m-%d}", Counter())[what] += 1
    return {
        day: {what: counts[what] for what in ("found", "contained", "closed")} for day, counts in sorted(days.items())
    }
