"""/healthz, /readyz and /metrics -> answers without session or redirect, for orchestrators and Prometheus."""

import hmac
import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.db import DatabaseError, InterfaceError, close_old_connections, connection
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from review.models import Scan
from review.referrals.counts import counts_by_queue

TOKEN = "LEAKSCREEN_METRICS_TOKEN"  # noqa: S105 - the name of the variable
_TEXT = "text/plain; charset=utf-8"
_METRICS_TEXT = "text/plain; version=0.0.4; charset=utf-8"
ALONE = ("/healthz", "/readyz")  # each has a thread of its own
Answer = tuple[str, str, bytes]


class Probes:
    """Wraps the service: counts its answers, and answers probes itself; metrics exist only with a token."""

    def __init__(self, service: Any, stopping: Callable[[], bool]) -> None:
        self._service = service
        self._stopping = stopping
        self._token = os.environ.get(TOKEN, "")
        self._registry = CollectorRegistry()
        self._answers = Counter(
            "leakscreen_http_requests", "Requests by method and status.", ("method", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "leakscreen_http_request_seconds", "Seconds until an answer was made.", registry=self._registry
        )
        self._registry.register(_Work())

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        probe = {"/healthz": self._health, "/readyz": self._readiness, "/metrics": self._metrics}.get(
            environ.get("PATH_INFO", "")
        )
        if probe is not None and environ["REQUEST_METHOD"] in ("GET", "HEAD"):
            status, kind, body = probe(environ)
            start_response(
                status, [("Content-Type", kind), ("Content-Length", str(len(body))), ("Cache-Control", "no-store")]
            )
            return [body]
        return self._counted(environ, start_response)

    def _counted(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        started = time.perf_counter()
        method = environ["REQUEST_METHOD"] if environ["REQUEST_METHOD"] in ("GET", "HEAD", "POST") else "other"

        def starting(status: str, headers: Any, *more: Any) -> Any:
            self._answers.labels(method, status[:3]).inc()
            self._seconds.observe(time.perf_counter() - started)
            return start_response(status, headers, *more)

        answer: Iterable[bytes] = self._service(environ, starting)
        return answer

    def _health(self, environ: dict[str, Any]) -> Answer:
        return "200 OK", _TEXT, b"ok\n"

    def _readiness(self, environ: dict[str, Any]) -> Answer:
        if self._stopping():
            return "503 Service Unavailable", _TEXT, b"stopping\n"
        if not database_answers():
            return "503 Service Unavailable", _TEXT, b"the database does not answer\n"
        return "200 OK", _TEXT, b"ready\n"

    def _metrics(self, environ: dict[str, Any]) -> Answer:
        if not self._token:
            return "404 Not Found", _TEXT, f"set {TOKEN} to enable metrics\n".encode()
        if not hmac.compare_digest(
            environ.get("HTTP_AUTHORIZATION", "").encode("latin-1"), f"Bearer {self._token}".encode()
        ):
            return "401 Unauthorized", _TEXT, b"a bearer token is required\n"
        return "200 OK", _METRICS_TEXT, generate_latest(self._registry)


def database_answers() -> bool:
    close_old_connections()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return True
    except (DatabaseError, InterfaceError):
        return False
    finally:
        close_old_connections()


class _Work(Collector):
    """Waiting and decided referrals, queried when metrics are scraped."""

    def describe(self) -> Iterator[Any]:
        """Fixed, so that registering does not query the database at start."""
        yield GaugeMetricFamily("leakscreen_database_up", "")

    def collect(self) -> Iterator[Any]:
        referrals = GaugeMetricFamily(
            "leakscreen_referrals", "Referrals by queue and state.", labels=("queue", "state")
        )
        newest = GaugeMetricFamily(
            "leakscreen_last_scan_timestamp_seconds", "When the newest scan that was referred had started."
        )
        up = database_answers()
        if up:
            try:
                for counts in counts_by_queue():
                    for state in ("waiting", "disputed", "decided"):
                        referrals.add_metric((counts.queue.name, state), getattr(counts, state))
                last = Scan.objects.order_by("-started").values_list("started", flat=True).first()
                if last is not None:
                    newest.add_metric((), last.timestamp())
            except (DatabaseError, InterfaceError):
                up = False
            finally:
                close_old_connections()
        yield GaugeMetricFamily("leakscreen_database_up", "Whether the review database answers.", value=up)
        if up:
            yield referrals
            yield newest
