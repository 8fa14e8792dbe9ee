"""Attacks on the review service over the wire, without an account -> refused, and the service still answers."""

import http.client
import re
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.attack.case import Tried
from tests.end_to_end.serving import Service, serving

_UNFINISHED = {
    "nothing": b"",
    "half a line": b"GET / HT",
    "endless headers": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ",
    "a body that never comes": b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n",
    "a chunk that never comes": b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n",
}
_PATHS = (
    *("/", "/referrals/", "/referral/abc/", "/referral/abc/reveal/", "/people/", "/audit/", "/labels/", "/dashboard/"),
    *(
        "/static/../review/settings.py",
        "/static/%2e%2e/%2e%2e/etc/passwd",
        "/static//etc/passwd",
        "/metrics",
        "/admin/",
    ),
    *("/..%2f..%2fetc%2fpasswd", "/.git/config", "/static/review/%00", "/password/", "/agreement/", "/samples/"),
)
_REQUESTS = {
    "another host": b"GET / HTTP/1.1\r\nHost: evil.example.org\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two lengths": b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    "length and chunks": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
    "a negative length": b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
    "a length beyond all limits": b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n",
    "a header of 100 kB": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
    "a line of 100 kB": b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "TRACE": b"TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "CONNECT": b"CONNECT evil.example.org:443 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "no HTTP at all": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 200,
    "a forged forward": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Host: evil.example.org\r\n\r\n",
}
_SPELLINGS = ("mia", " mia", "mia ", "MIA", "\uff4dia", "\u3000mia", "m\u0069a", "\u24dcia", "mia\t", "\xa0mia")


def service() -> Iterator[Tried]:
    with tempfile.TemporaryDirectory() as home, serving(Path(home), "--quiet") as started:
        for path in _PATHS:
            status, page = started.ask(path)
            yield Tried(
                f"GET {path} without an account", status in (302, 400, 401, 403, 404, 405) and "Queue" not in page
            )
        for name, request in _REQUESTS.items():
            answer = _raw(started, request)
            yield Tried(name, not re.match(rb"HTTP/1.[01] 200", answer) and b"evil.example.org/" not in answer)
        for name, sent in _UNFINISHED.items():
            yield from _unfinished(started, name, sent)
        yield Tried("a form without a token", _post(started, "mia", "wrong", with_token=False) == 403)
        yield from _guessing(started)
        yield Tried("the service lives", started.ask("/healthz")[0] == 200 and started.process.poll() is None)


def _unfinished(started: Service, name: str, sent: bytes) -> Iterator[Tried]:
    with ExitStack() as stack:
        for _ in range(200):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", started.port), timeout=5))
            with suppress(OSError):
                connection.sendall(sent)
        for path in ("/healthz", "/readyz", "/login/"):
            before = time.monotonic()
            try:
                status = started.ask(path)[0]
            except OSError:
                status = 0
            yield Tried(f"200 times {name}, then {path}", status == 200 and time.monotonic() - before < 5)


def _guessing(started: Service) -> Iterator[Tried]:
    """The right password, after five wrong ones under other spellings of the name, must not do."""
    for number in range(5):
        _post(started, _SPELLINGS[number], "wrong")
    for spelling in _SPELLINGS:
        yield Tried(f"log-in as {spelling!r} after guessing", _post(started, spelling, "correct horse battery") == 429)


def _post(started: Service, name: str, password: str, *, with_token: bool = True) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", started.port, timeout=30)
    try:
        connection.request("GET", "/login/", headers={"Host": "localhost"})
        answer = connection.getresponse()
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', answer.read().decode())
        cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
        fields = {"username": name, "password": password}
        if token and with_token:
            fields["csrfmiddlewaretoken"] = token[1]
        headers = {"Host": "localhost", "Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/login/", urlencode(fields), headers)
        return connection.getresponse().status
    finally:
        connection.close()


def _raw(started: Service, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", started.port), timeout=15) as connection, suppress(OSError):
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        return connection.recv(4096)
    return b""
