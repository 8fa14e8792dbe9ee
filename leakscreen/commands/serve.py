"""`leakscreen serve`: the review service, from an empty place to a page in the browser."""

import contextlib
import ipaddress
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from core.settings import ReviewSettings, load_settings
from review.configuration import configure


def run(flags: dict[str, Any], config: Path | None, quiet: bool) -> None:
    settings = load_settings(flags, config=config)
    configure(settings)
    from review.server import serve
    from review.start import ready_database, ready_manager

    ready_database()
    made = ready_manager()
    if made and not quiet:
        print(f"{made} is the first manager", file=sys.stderr)
    _warn(settings.review)
    signal.signal(signal.SIGTERM, _stop)
    with contextlib.suppress(KeyboardInterrupt):
        serve(settings.review, lambda host, port: _tell(settings.review, host, port, quiet))


def _tell(review: ReviewSettings, host: str, port: int, quiet: bool) -> None:
    if not quiet:
        shown = f"[{host}]" if ":" in host else host
        print(f"leakscreen review is at {review.url or f'http://{shown}:{port}'}; stop it with Ctrl-C", file=sys.stderr, flush=True)


def _warn(review: ReviewSettings) -> None:
    if not review.url.startswith("https://") and not _is_loopback(review.host):
        print("warning: others can reach the service without TLS; put a TLS proxy before it and set review.url", file=sys.stderr)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _stop(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
