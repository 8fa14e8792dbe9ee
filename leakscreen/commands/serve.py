"""`leakscreen serve`: settings -> the running review service, set up on first start."""

import contextlib
import ipaddress
import logging
import signal
from pathlib import Path
from types import FrameType
from typing import Any

from core.log import log_event
from core.settings import ReviewSettings, load_and_configure_log
from review.service.configuration import configure


def run(flags: dict[str, Any], config: Path | None, quiet: bool) -> None:
    settings = load_and_configure_log(flags, config)
    configure(settings)
    from review.service.anchor import keep_head
    from review.service.first_start import ensure_database, ensure_manager
    from review.service.server import Stopping, serve, warm_up

    ensure_database()
    made = ensure_manager()
    keep_head(settings.review)
    if made and not quiet:
        log_event("service.manager", f"{made} is the first manager")
    _warn(settings.review)
    warm_up()
    stopping = Stopping()

    def stop(number: int, frame: FrameType | None) -> None:
        stopping.requested = True

    signal.signal(signal.SIGTERM, stop)
    with contextlib.suppress(KeyboardInterrupt):
        serve(settings.review, lambda host, port: _announce(settings.review, host, port, quiet), stopping)
    log_event("service.stopped")


def _announce(review: ReviewSettings, host: str, port: int, quiet: bool) -> None:
    if not quiet:
        shown = f"[{host}]" if ":" in host else host
        address = review.url or f"http://{shown}:{port}"
        log_event("service.started", f"leakscreen review is at {address}; stop it with Ctrl-C", host=host, port=port)


def _warn(review: ReviewSettings) -> None:
    if not review.url.startswith("https://") and not _is_loopback(review.host):
        words = "warning: others can reach the service without TLS; put a TLS proxy in front of it and set review.url"
        log_event("service.without_tls", words, level=logging.WARNING)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
