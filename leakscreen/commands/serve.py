"""`leakscreen serve`: settings -> the running review service, set up on first start."""

import contextlib
import ipaddress
import logging
import signal
from pathlib import Path
from types import FrameType
from typing import Any

from core.log import log_event
from core.settings import ReviewSettings, Settings, load_and_configure_log
from leakscreen.commands.browser_breach import BrowserBreach
from leakscreen.commands.browser_scans import BrowserScans
from review.breach import reporting
from review.scanning.desk import install
from review.service.configuration import configure


def run(flags: dict[str, Any], config: Path | None, quiet: bool) -> None:
    settings = load_and_configure_log(flags, config)
    start(settings, quiet, BrowserScans(settings, config, flags))


def start(settings: Settings, quiet: bool, scans: BrowserScans, with_link: bool = False) -> None:
    """Runs until it is stopped; with a link that logs in whoever started it, instead of a question for a manager."""
    configure(settings)
    install(scans)
    report = BrowserBreach()
    reporting.install(report)
    from review.service.anchor import keep_head
    from review.service.first_start import ensure_database, ensure_manager
    from review.service.server import Stopping, serve, warm_up

    ensure_database()
    link = _link() if with_link else ""
    made = None if link else ensure_manager()
    keep_head(settings.review)
    if made and not quiet:
        log_event("service.manager", f"{made} is the first manager")
    _warn(settings.review)
    warm_up()
    report.begin()
    stopping = Stopping()

    def stop(number: int, frame: FrameType | None) -> None:
        stopping.requested = True

    signal.signal(signal.SIGTERM, stop)
    with contextlib.suppress(KeyboardInterrupt):
        serve(settings.review, lambda host, port: _announce(settings.review, host, port, quiet, link), stopping)
    log_event("service.stopped")


def _link() -> str:
    """The path of a one-time link; empty where others decide who may log in."""
    from review.accounts.one_time import first_account, link_for

    user = first_account()
    return "" if user is None else link_for(user)


def _announce(review: ReviewSettings, host: str, port: int, quiet: bool, link: str) -> None:
    shown = f"[{host}]" if ":" in host else host
    address = review.url.rstrip("/") or f"http://{shown}:{port}"
    if link:  # never to the log: it is a key
        print(f"Open {address}{link}   (works once, within an hour)", flush=True)
    if not quiet:
        log_event("service.started", f"leakscreen review is at {address}; stop it with Ctrl-C", host=host, port=port)


def _warn(review: ReviewSettings) -> None:
    if not review.url.startswith("https://") and not _is_loopback(review.host):
        words = "warning: others can reach the service without TLS; put a TLS proxy in front of it and set review.url"
        log_event("service.without_tls", words, level=logging.WARNING)
    if review.url.startswith("https://") and not review.proxy:
        words = "warning: every page redirects to itself until review.proxy names the TLS proxy in front of the service"
        log_event("service.without_proxy", words, level=logging.WARNING)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
