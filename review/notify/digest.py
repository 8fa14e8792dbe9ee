"""Counts of queues -> what every digest has: whether it is due, its Message-ID, and links into the service."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.conf import settings
from django.utils.crypto import salted_hmac

from core.errors import SettingsError
from review.models import Awaiting, DigestMark
from review.notify.counts import CASES_OF_NOBODY, CASES_OF_USER, QueueDigest, totals
from review.notify.period import is_over


@dataclass(frozen=True, slots=True)
class DueDigest:
    """Counts for one recipient and one period, with the Message-ID that they are sent under."""

    message_id: str
    queues: list[QueueDigest]
    totals: dict[str, int]


def due_digest(
    key: str, period: str, domain: str, counts_since: Callable[[datetime | None], list[QueueDigest]]
) -> DueDigest | None:
    """None where this recipient has had the digest of this period, and where nothing waits."""
    mark = DigestMark.objects.filter(key=key).first()
    if mark is not None and not is_over(mark.period, period):
        return None
    queues = counts_since(mark.until if mark else None)
    return DueDigest(_message_id(key, period, domain), queues, totals(queues)) if queues else None


def service_address() -> str:
    """The address that links lead to; a digest without links would be useless, so it is required."""
    url: str = settings.LEAKSCREEN.review.url.rstrip("/")
    if not url:
        raise SettingsError("review.url: must be set before anything is sent, because digests link to the service")
    return url


def queue_link(queue: QueueDigest) -> str:
    if queue.is_cases:
        whose = {CASES_OF_USER: "?assignee=me", CASES_OF_NOBODY: "?assignee=nobody"}.get(queue.awaiting, "")
        return f"{service_address()}/cases/{whose}"
    state = "disputed" if queue.awaiting == Awaiting.ADJUDICATION else "waiting"
    return f"{service_address()}/referrals/?{urlencode({'queue': queue.number, 'state': state})}"


def _message_id(key: str, period: str, domain: str) -> str:
    """The same for the same recipient and period, and different in every installation."""
    name = salted_hmac("leakscreen.message-id", f"{key}\0{period}", algorithm="sha256").hexdigest()[:32]
    return f"<{period.replace(':', '.').lower()}.{name}@{domain}>"
