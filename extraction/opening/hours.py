"""`20:00-06:00` and the like -> whether a scan may read now, and when it may again."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from core.errors import SettingsError

_SPAN = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)")


@dataclass(frozen=True, slots=True)
class Hours:
    """Spans of a day by the machine's clock; one that ends before it begins goes past midnight. None: at any time."""

    spans: tuple[tuple[time, time], ...] = ()

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Hours":
        spans = []
        for text in texts:
            found = _SPAN.fullmatch(text.strip())
            if found is None:
                raise SettingsError(f"scan.hours: {text!r} is no span of hours such as 20:00-06:00")
            first, last = time(int(found[1]), int(found[2])), time(int(found[3]), int(found[4]))
            if first == last:
                raise SettingsError(f"scan.hours: {text!r} ends when it begins; leave it out to read at any time")
            spans.append((first, last))
        return cls(tuple(spans))

    def allow(self, now: datetime) -> bool:
        clock = now.time()
        return not self.spans or any(
            first <= clock < last if first < last else clock >= first or clock < last for first, last in self.spans
        )

    def opening(self, now: datetime) -> datetime:
        """The next moment at which a span begins."""
        begins = [datetime.combine(now.date(), first) for first, _ in self.spans]
        return min(moment if moment > now else moment + timedelta(days=1) for moment in begins)
