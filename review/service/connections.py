"""The server's open connections -> those that may stay, so that nobody keeps others out by opening many of them."""

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from waitress.channel import HTTPChannel
from waitress.task import ThreadedTaskDispatcher

LOOK_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Connections whose request is being answered are never closed for being many."""

    header_seconds: float = 10.0  # from the first byte, or from the beginning, to the end of the headers
    request_seconds: float = 60.0  # to the end of the body
    idle_seconds: float = 60.0  # between two requests, or without taking anything of the answer
    connections: int = 400
    of_address: int = 40


class Doorkeeper:
    """Closes connections that are late, and of too many those that have waited longest for their request."""

    def __init__(self, limits: ConnectionLimits, proxy: str = "") -> None:
        self._limits = limits
        self._proxy = proxy  # an address, or * for any: speaks for many people
        self._waiting: WeakKeyDictionary[HTTPChannel, float] = WeakKeyDictionary()  # since when, for a request
        self._began: WeakKeyDictionary[HTTPChannel, float] = WeakKeyDictionary()  # when it began to come
        self._served: WeakKeyDictionary[HTTPChannel, bool] = WeakKeyDictionary()  # at least one before
        self._next_look = 0.0

    def look(self, connections: Iterable[object]) -> None:
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + LOOK_SECONDS
        channels = [channel for channel in connections if isinstance(channel, HTTPChannel)]
        late = {channel for channel in channels if self._is_late(channel, now)}
        for channel in late | self._crowding([channel for channel in channels if channel not in late]):
            channel.handle_close()  # `will_close` would wait until the other side takes something

    def _is_late(self, channel: HTTPChannel, now: float) -> bool:
        limits = self._limits
        if channel.requests or channel.total_outbufs_len:
            self._waiting.pop(channel, None)
            self._began.pop(channel, None)
            self._served[channel] = True
            return bool(channel.total_outbufs_len and time.time() - channel.last_activity > limits.idle_seconds)
        waiting = self._waiting.setdefault(channel, now)
        if channel.request is None:
            return now - waiting > (limits.idle_seconds if channel in self._served else limits.header_seconds)
        began = self._began.setdefault(channel, now)
        return now - began > (limits.request_seconds if channel.request.headers_finished else limits.header_seconds)

    def _crowding(self, channels: list[HTTPChannel]) -> set[HTTPChannel]:
        """Of too many connections, those that have waited longest for their request."""
        by_address = Counter(channel.addr[0] for channel in channels)
        too_many = len(channels) - self._limits.connections
        closed: set[HTTPChannel] = set()
        unfinished = [channel for channel in channels if channel in self._waiting]
        for channel in sorted(unfinished, key=lambda channel: self._waiting[channel]):
            address = channel.addr[0]
            if too_many > 0 or (by_address[address] > self._limits.of_address and self._proxy not in (address, "*")):
                closed.add(channel)
                by_address[address] -= 1
                too_many -= 1
        return closed


class Threads:
    """Requests -> the threads that answer them; probes have threads of their own, whatever the others are busy with."""

    def __init__(self, count: int, alone: Iterable[str]) -> None:
        self._others = ThreadedTaskDispatcher()
        self._others.set_thread_count(count)
        self._alone = {path: ThreadedTaskDispatcher() for path in alone}
        for dispatcher in self._alone.values():
            dispatcher.set_thread_count(1)

    def add_task(self, channel: HTTPChannel) -> None:
        path = channel.requests[0].path if channel.requests else ""
        self._alone.get(path, self._others).add_task(channel)

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        for dispatcher in self._alone.values():
            dispatcher.shutdown(cancel_pending, timeout)
        return bool(self._others.shutdown(cancel_pending, timeout))
