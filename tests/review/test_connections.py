"""The server with real sockets: whoever sends slowly, or opens many connections, keeps nobody out."""

import dataclasses
import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from core.settings import ReviewSettings
from review.service.connections import ConnectionLimits, Doorkeeper
from review.service.server import Stopping, answer_requests, listen

SHORT = ConnectionLimits(header_seconds=1.0, request_seconds=2.0, idle_seconds=1.5, connections=30, of_address=20)
SLOW_SECONDS = 4.0


def service(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    if environ["PATH_INFO"] == "/slow":
        time.sleep(SLOW_SECONDS)
    body = b"x" * 30_000_000 if environ["PATH_INFO"] == "/large" else b"fine"
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


@contextmanager
def serving(limits: ConnectionLimits, threads: int = 2, proxy: str = "") -> Iterator[int]:
    server = listen(service, ReviewSettings(port=0, threads=threads))
    stopping = Stopping()
    thread = threading.Thread(target=answer_requests, args=(server, stopping, Doorkeeper(limits, proxy)))
    thread.start()
    try:
        yield server.effective_port
    finally:
        stopping.requested = True
        thread.join(40)


def answer(port: int, path: str, timeout: float = 3.0) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request("GET", path)
        return connection.getresponse().read(10).decode()
    finally:
        connection.close()


def is_closed(connection: socket.socket, seconds: float) -> bool:
    connection.settimeout(seconds)
    try:
        return connection.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


@pytest.mark.parametrize("sent", [b"", b"GET", b"GET / HTTP/1.1\r\nHost: a\r\nX-A: "])
def test_unfinished_requests_keep_nobody_out(sent: bytes) -> None:
    with serving(dataclasses.replace(SHORT, header_seconds=60)) as port, ExitStack() as stack:
        for _ in range(300):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))
            connection.sendall(sent)
        for path in ("/healthz", "/page"):
            assert answer(port, path) == "fine"


@pytest.mark.parametrize(("proxy", "left"), [("", 20), ("127.0.0.2", 20), ("127.0.0.1", 25), ("*", 25)])
def test_a_proxy_speaks_for_many(proxy: str, left: int) -> None:
    with serving(dataclasses.replace(SHORT, header_seconds=60), proxy=proxy) as port, ExitStack() as stack:
        connections = [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(25)]
        time.sleep(1)
        assert sum(not is_closed(connection, 0.01) for connection in connections) == left


def test_a_request_that_comes_byte_by_byte_meets_the_deadline() -> None:
    with serving(SHORT) as port, socket.create_connection(("127.0.0.1", port)) as connection:
        started = time.monotonic()
        connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n")
        while time.monotonic() < started + 6 and not is_closed(connection, 0.1):
            with pytest.MonkeyPatch.context():
                try:
                    connection.sendall(b"X")
                except OSError:
                    break
        assert time.monotonic() - started < 3


def test_a_body_that_never_ends_meets_the_deadline() -> None:
    with serving(SHORT) as port, socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
        started = time.monotonic()
        assert is_closed(connection, 6) and 1.5 < time.monotonic() - started < 5


def test_an_idle_connection_is_closed_and_a_busy_one_is_not() -> None:
    with serving(SHORT) as port, socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.settimeout(SLOW_SECONDS + 5)
        assert connection.recv(1000).startswith(b"HTTP/1.1 200")
        started = time.monotonic()
        while connection.recv(1000):
            pass
        assert time.monotonic() - started < 4


def test_an_answer_that_nobody_takes_is_given_up() -> None:
    with serving(SHORT) as port, socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        time.sleep(4)
        connection.settimeout(5)
        taken = 0
        with pytest.raises(ConnectionError):
            while piece := connection.recv(1 << 20):
                taken += len(piece)
            raise ConnectionError  # an orderly end before the whole answer
        assert taken < 30_000_000


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_probes_are_answered_while_all_threads_are_busy(path: str) -> None:
    with serving(ConnectionLimits(), threads=2) as port:
        asking = [threading.Thread(target=answer, args=(port, "/slow", 30)) for _ in range(6)]
        for thread in asking:
            thread.start()
        time.sleep(0.5)
        started = time.monotonic()
        assert answer(port, path) == "fine"
        assert time.monotonic() - started < 1
        for thread in asking:
            thread.join()
