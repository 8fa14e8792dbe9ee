"""The configured service -> a WSGI application, and a server that finishes open requests before it stops."""

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import waitress
from django.core.wsgi import get_wsgi_application
from waitress import wasyncore
from waitress.channel import HTTPChannel
from whitenoise import WhiteNoise

from core.errors import ReviewError
from core.settings import ReviewSettings
from review.service.connections import ConnectionLimits, Doorkeeper, Threads
from review.service.probes import ALONE, Probes

STATIC = Path(__file__).parents[1] / "static"
_STATIC_SECONDS = 3_600
_LOOK_SECONDS = 0.25
_HEADER_BYTES = 32_768
_MOST_DESCRIPTORS = 900  # fewer than a process may have by default; long before, the doorkeeper closes connections
_DRAIN_SECONDS = 25.0  # less than the 30 s after which Docker, Kubernetes and systemd kill a process


@dataclass(slots=True)
class Stopping:
    """Whether the service was asked to stop; a signal handler may set it."""

    requested: bool = False


def application() -> Any:
    """Pages from Django, and the few static files."""
    return WhiteNoise(
        get_wsgi_application(), root=STATIC, prefix="static/", max_age=_STATIC_SECONDS, add_headers_function=_harden
    )


def warm_up() -> None:
    """Loads views, statistics and templates now, so that the first requests need not wait for them."""
    import scipy.stats  # noqa: F401
    from django.template.loader import get_template
    from django.urls import get_resolver

    get_resolver().url_patterns  # noqa: B018 - asking for them imports the views
    for path in sorted((Path(__file__).parents[1] / "templates").rglob("*.html")):
        get_template(str(path.relative_to(Path(__file__).parents[1] / "templates")))


def _harden(headers: Any, path: str, url: str) -> None:
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Content-Security-Policy"] = "default-src 'none'"


def serve(settings: ReviewSettings, ready: Callable[[str, int], None], stopping: Stopping) -> None:
    """Serves until it is asked to stop; then accepts no new connection and answers the open requests.

    `ready` is called with the host and port that it listens on.
    """
    server = listen(Probes(application(), lambda: stopping.requested), settings)
    ready(settings.host, server.effective_port if hasattr(server, "effective_port") else settings.port)
    answer_requests(server, stopping, Doorkeeper(ConnectionLimits(), settings.proxy))


def check_address(settings: ReviewSettings) -> None:
    """Raises the error of `listen` where somebody else listens there already."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((settings.host, settings.port))
        except OSError as error:
            raise _not_listening(settings, error) from None


def _not_listening(settings: ReviewSettings, error: OSError) -> ReviewError:
    return ReviewError(
        f"cannot listen on {settings.host}:{settings.port}: {error.strerror}; see review.host and review.port"
    )


def listen(service: Any, settings: ReviewSettings) -> Any:
    """A server whose probes are answered by threads of their own."""
    proxy = (
        {"trusted_proxy": settings.proxy, "trusted_proxy_headers": {"x-forwarded-for", "x-forwarded-proto"}}
        if settings.proxy
        else {}
    )
    try:
        return waitress.create_server(
            service,
            _dispatcher=Threads(settings.threads, ALONE),
            host=settings.host,
            port=settings.port,
            ident="leakscreen",
            clear_untrusted_proxy_headers=True,
            connection_limit=_MOST_DESCRIPTORS,
            backlog=_MOST_DESCRIPTORS,
            max_request_header_size=_HEADER_BYTES,
            max_request_body_size=2_000_000,
            **proxy,
        )
    except OSError as error:
        raise _not_listening(settings, error) from None


def answer_requests(server: Any, stopping: Stopping, doorkeeper: Doorkeeper) -> None:
    connections = server.map if hasattr(server, "map") else server._map
    try:
        while not stopping.requested:
            wasyncore.loop(timeout=_LOOK_SECONDS, map=connections, count=1, use_poll=True)
            doorkeeper.look(list(connections.values()))
        _drain(connections)
    finally:
        server.close()


def _drain(connections: dict[int, Any]) -> None:
    for listening in [connection for connection in connections.values() if getattr(connection, "accepting", False)]:
        wasyncore.dispatcher.close(listening)
    deadline = time.monotonic() + _DRAIN_SECONDS
    while time.monotonic() < deadline and any(map(_is_busy, connections.values())):
        wasyncore.loop(timeout=_LOOK_SECONDS, map=connections, count=1, use_poll=True)


def _is_busy(connection: Any) -> bool:
    return isinstance(connection, HTTPChannel) and bool(connection.requests or connection.total_outbufs_len)
