"""The configured service -> a WSGI application and a server that runs it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import waitress
from django.core.wsgi import get_wsgi_application
from whitenoise import WhiteNoise

from core.errors import ReviewError
from core.settings import ReviewSettings

STATIC = Path(__file__).parent / "static"
_STATIC_SECONDS = 3_600


def application() -> Any:
    """Pages by Django, the few static files beside them."""
    return WhiteNoise(get_wsgi_application(), root=STATIC, prefix="static/", max_age=_STATIC_SECONDS, add_headers_function=_harden)


def _harden(headers: Any, path: str, url: str) -> None:
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Content-Security-Policy"] = "default-src 'none'"


def serve(settings: ReviewSettings, ready: Callable[[str, int], None]) -> None:
    """Until it is told to stop; `ready` is told where it listens."""
    proxy = {"trusted_proxy": settings.proxy, "trusted_proxy_headers": {"x-forwarded-for", "x-forwarded-proto"}} if settings.proxy else {}
    try:
        server = waitress.create_server(
            application(),
            host=settings.host,
            port=settings.port,
            threads=settings.threads,
            ident="leakscreen",
            clear_untrusted_proxy_headers=True,
            max_request_body_size=2_000_000,
            **proxy,
        )
    except OSError as error:
        raise ReviewError(f"cannot listen on {settings.host}:{settings.port}: {error.strerror}; see review.host and review.port") from None
    ready(settings.host, server.effective_port if hasattr(server, "effective_port") else settings.port)
    try:
        server.run()
    finally:
        server.close()
