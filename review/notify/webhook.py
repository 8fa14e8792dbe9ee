"""Referrals that wait -> a digest as signed JSON: drafted, and posted to the one address of the settings."""

import http.client
import json
import os
import ssl
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from core.errors import SettingsError
from core.settings import Settings
from core.settings.notify import WebhookSettings
from review.notify.channel import Draft, Drafted, NotTakenError, Sender
from review.notify.mail_address import checked_site
from review.notify.period import period_of
from review.notify.tls import tls_context
from review.notify.webhook_signature import HEADER, sign
from review.secret_files import read_secret

if TYPE_CHECKING:
    from review.models import Outbox

WEBHOOK = "webhook"
EVENT = "queue.digest"
SECRET_IN_ENV = "LEAKSCREEN_WEBHOOK_SECRET"  # noqa: S105 - the name of a variable
_LEAST_SECRET = 32
_ANSWERS = 4


class WebhookChannel:
    """One digest of all queues, for the program behind the address."""

    name = WEBHOOK
    enabled_by = "webhook.url"

    def configured(self, settings: Settings) -> bool:
        return bool(settings.webhook.url)

    def sender(self, settings: Settings, environ: Mapping[str, str]) -> Sender:
        return Webhook(settings.webhook, environ)

    def drafts(self, now: datetime) -> Drafted:
        from django.conf import settings as django_settings

        from review.notify.counts import counts_for_all
        from review.notify.digest import due_digest, queue_link, service_address

        settings: Settings = django_settings.LEAKSCREEN
        period = period_of(now, settings.webhook.period, settings.mail.hour, settings.mail.timezone)
        digest = due_digest(WEBHOOK, period, WEBHOOK, lambda since: counts_for_all(since, now))
        if digest is None:
            return Drafted(())
        queues = [
            {
                "queue": queue.name,
                "wants": queue.awaiting,  # receivers know this key
                "new": queue.new,
                "waiting": queue.waiting,
                "overdue": queue.overdue,
                "link": queue_link(queue),
            }
            for queue in digest.queues
            if not queue.is_cases
        ]
        cases = next((queue for queue in digest.queues if queue.is_cases), None)
        payload = {
            "id": digest.message_id,
            "event": EVENT,
            "site": checked_site(settings.mail.site),
            "period": period,
            "created": now.isoformat(timespec="seconds"),
            "link": service_address() + "/",
            "totals": digest.totals,
            "queues": queues,
            "cases": {
                "new": cases.new if cases else 0,
                "open": cases.waiting if cases else 0,
                "overdue": cases.overdue if cases else 0,
                "link": service_address() + "/cases/",
            },
        }
        body = json.dumps(payload, separators=(",", ":"), ensure_ascii=True)
        return Drafted((Draft(WEBHOOK, digest.message_id, WEBHOOK, None, period, EVENT, body, "", digest.totals),))


class Webhook:
    """Follows no redirect and uses no proxy: what is signed for one host goes to that host alone."""

    def __init__(
        self,
        settings: WebhookSettings,
        environ: Mapping[str, str] = os.environ,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        parts = _parts(settings.url)
        self._secure, self._host, self._port = parts.scheme == "https", str(parts.hostname), parts.port
        self._target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._timeout, self._clock = settings.timeout, clock
        self._tls = tls_context(settings.ca_file, "webhook.ca_file") if self._secure else None
        self._secret = read_secret(SECRET_IN_ENV, settings.secret_file, "webhook.secret_file", environ)
        if len(self._secret) < _LEAST_SECRET:
            raise SettingsError(
                f"webhook.url needs a secret of at least {_LEAST_SECRET} characters:"
                f" set {SECRET_IN_ENV} or webhook.secret_file"
            )
        self.hold_seconds = _ANSWERS * settings.timeout

    def send(self, row: "Outbox") -> None:
        body = row.text.encode()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "leakscreen",
            "Leakscreen-Delivery": row.pk,
            HEADER: sign(body, self._secret, self._clock()),
        }
        connection = self._connection()
        try:
            connection.request("POST", self._target, body, headers)
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            raise NotTakenError(self._explained(error), stop=True) from None
        finally:
            connection.close()
        if 300 <= status < 400:
            raise NotTakenError(
                f"{self._host} redirects ({status}), which is not followed; set webhook.url to the final address",
                stop=True,
            )
        if not 200 <= status < 300:
            raise NotTakenError(f"{self._host} answers {status}; it will be tried again", stop=status >= 500)

    def close(self) -> None:
        """Each post has a connection of its own."""

    def _connection(self) -> http.client.HTTPConnection:
        if self._secure:
            return http.client.HTTPSConnection(self._host, self._port, timeout=self._timeout, context=self._tls)
        return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)

    def _explained(self, error: Exception) -> str:
        if isinstance(error, ssl.SSLCertVerificationError):
            return f"the certificate of {self._host} cannot be trusted: {error.verify_message}; see webhook.ca_file"
        if isinstance(error, TimeoutError):
            return f"{self._host} did not answer within {self._timeout:g} s; see webhook.timeout"
        if isinstance(error, OSError):
            return f"{self._host} cannot be reached: {error.strerror or type(error).__name__}; see webhook.url"
        return f"{self._host} does not answer as expected ({type(error).__name__}); see webhook.url"


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not url.isascii() or not url.isprintable() or " " in url:
        raise SettingsError(f"webhook.url: {url!r} is not of the form https://host/path")
    if parts.username is not None or parts.password is not None:
        raise SettingsError(
            "webhook.url: must not contain a user name or password; posts are signed with a secret instead"
        )
    return parts
