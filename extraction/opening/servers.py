"""What every client of a server needs: a few connections that threads take in turn, and faults in plain words."""

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Generic, TypeVar

from extraction.opening.object_store import ObjectError

SECONDS = 60.0  # that a server may take for one answer
REFUSED = "permission denied (the server refused user or password)"
Connection = TypeVar("Connection")


def unreachable(error: BaseException) -> ObjectError:
    """Class names and what OpenSSL says of a certificate: other messages quote addresses and names."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return ObjectError(f"the server's certificate is not valid ({error.verify_message})")
    return ObjectError(f"the server cannot be reached ({type(error).__name__})")


class Pool(Generic[Connection]):
    """At most `most` connections at a time, made when one is wanted. One that raises ObjectError is not used again."""

    def __init__(self, most: int, connect: Callable[[], Connection], close: Callable[[Connection], Any]) -> None:
        self._connect = connect
        self._close = close
        self._idle: list[Connection] = []
        self._free = threading.BoundedSemaphore(most)

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        with self._free:
            try:
                connection = self._idle.pop()
            except IndexError:
                connection = self._connect()
            try:
                yield connection
            except ObjectError as error:
                self._drop(connection, *(self._take_idle() if error.is_passing else ()))
                raise
            except BaseException:
                self._drop(connection)
                raise
            self._idle.append(connection)

    def close(self) -> None:
        self._drop(*self._take_idle())

    def _take_idle(self) -> list[Connection]:
        """The others are as old as the one that broke, so a second try must not meet them."""
        idle, self._idle = self._idle, []
        return idle

    def _drop(self, *connections: Connection) -> None:
        for connection in connections:
            with suppress(Exception):
                self._close(connection)
