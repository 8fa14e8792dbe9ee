"""A real Chromium: an address of the service -> the page as it is after its scripts ran, and what the browser complained about."""

import contextlib
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from lxml import html

from review.server import application

_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Page:
    tree: Any
    complaints: tuple[str, ...]

    def all(self, path: str) -> list[Any]:
        found: list[Any] = self.tree.xpath(path)
        return found


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@contextlib.contextmanager
def browsing(user: User) -> Iterator[Callable[[str], Page]]:
    """Pages as this user sees them; the cookie of the log-in is put into each request on its way in."""
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    cookie, service = f"sessionid={client.cookies['sessionid'].value}", application()

    def logged_in(environ: dict[str, Any], start_response: Any) -> Any:
        return service({**environ, "HTTP_COOKIE": cookie}, start_response)

    with make_server("127.0.0.1", 0, logged_in, handler_class=_Quiet) as server:
        thread = threading.Thread(target=_serve, args=(server,))
        thread.start()
        try:
            yield lambda path: look_at(f"http://127.0.0.1:{server.server_port}{path}")
        finally:
            server.shutdown()
            thread.join()


def _serve(server: Any) -> None:
    server.serve_forever(poll_interval=0.05)
    connections.close_all()


def look_at(address: str, *more: str) -> Page:
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert program, "Chromium is needed for these tests (Debian: apt-get install chromium)"
    with tempfile.TemporaryDirectory(prefix="leakscreen-chromium-") as profile:
        command = [program, "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={profile}"]
        command += ["--window-size=1280,1000", "--virtual-time-budget=2000", "--enable-logging=stderr", "--log-level=0", *more]
        command += ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium refuses its sandbox to root
        ran = subprocess.run([*command, "--dump-dom", address], capture_output=True, text=True, timeout=_SECONDS, check=True)
    complaints = tuple(line for line in ran.stderr.splitlines() if "CONSOLE" in line)
    return Page(html.fromstring(ran.stdout), complaints)
