"""A folder on an SSH server -> its files, by asyncssh; the user's own known_hosts, keys and agent count."""

import asyncio
import stat
import threading
from collections.abc import Coroutine, Iterator
from typing import Any, TypeVar

import asyncssh

from core.settings import SourceSettings
from extraction.opening.access_words import from_mode
from extraction.opening.credentials import Credentials, credentials_for, split_port, split_user
from extraction.opening.file_kinds import fault_of_mode
from extraction.opening.folders import Subfolder, files_below, join
from extraction.opening.object_store import Fetched, ObjectError, StoredObject
from extraction.opening.servers import REFUSED, SECONDS, Pool, unreachable

_CHUNK = 1 << 20
_CLOSING_SECONDS = 0.2
_FAULTS = (asyncssh.Error, OSError, asyncio.TimeoutError, ValueError)
Answer = TypeVar("Answer")


def open_store(place: str, settings: SourceSettings) -> "Sftp":
    host = split_user(place.partition("://")[2])[1]
    return Sftp(host, credentials_for(place, settings), settings.connections)


class Sftp:
    """The library is asynchronous: its loop runs in a thread of its own, and callers wait for each answer."""

    def __init__(self, host: str, credentials: Credentials, connections: int) -> None:
        self._host, self._port = split_port(host, 22)
        self._credentials = credentials
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="sftp", daemon=True)
        self._thread.start()
        self._pool: Pool[tuple[Any, Any]] = Pool(connections, self._connect, lambda pair: self._close(pair[0]))

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        if prefix and not prefix.endswith("/"):
            with self._pool.connection() as (_, client):
                try:
                    attributes = self._wait(client.lstat(_path(prefix)))
                except ObjectError as error:
                    if str(error) != "vanished":
                        raise
                    return
            if not stat.S_ISDIR(attributes.permissions or 0):
                yield _stored(prefix, attributes, "")
        else:
            yield from files_below(prefix.strip("/"), self._listed)

    def close(self) -> None:
        self._pool.close()
        asyncio.run_coroutine_threadsafe(self._end(), self._loop)
        self._thread.join(SECONDS)

    async def _end(self) -> None:
        """Connections get a moment to say good-bye; the loop's own threads, which look up names, end with it."""
        await asyncio.sleep(_CLOSING_SECONDS)
        await self._loop.shutdown_default_executor()
        self._loop.call_soon(self._loop.stop)

    def fetch(self, key: str, most: int, start: int = 0, version: str = "") -> Fetched:
        chunks = self._chunks(key, most, start, version)
        size, held = next(chunks)
        return Fetched(size, (chunk for _, chunk in chunks if isinstance(chunk, bytes)), str(held))

    def _chunks(self, key: str, most: int, start: int, version: str) -> Iterator[tuple[int, str | bytes]]:
        with self._pool.connection() as (_, client):
            attributes = self._wait(client.lstat(_path(key)))
            if fault := fault_of_mode(attributes.permissions or 0):
                raise ObjectError(fault)
            file = self._wait(client.open(_path(key), "rb"))
            try:
                attributes = self._wait(file.stat())
                size, held = attributes.size or 0, f"{attributes.mtime or 0}.{attributes.size or 0}"
                if version and version != held:
                    raise ObjectError("changed while it was fetched")
                yield size, held
                at, end = start, min(size, start + most)
                while at < end and (chunk := self._wait(file.read(min(_CHUNK, end - at), at))):
                    at += len(chunk)
                    yield size, chunk
            finally:
                self._close(file)

    def _listed(self, folder: str) -> Iterator[StoredObject | Subfolder]:
        """Some hundred names an answer. Folders that links lead to are not entered."""
        with self._pool.connection() as (_, client):
            names = client.scandir(_path(folder))
            while (entry := self._wait(_next(names))) is not None:
                name = entry.filename.decode("utf-8", "surrogateescape")
                if name in (".", ".."):
                    continue
                if stat.S_ISDIR(entry.attrs.permissions or 0):
                    yield Subfolder(join(folder, name))
                else:
                    yield _stored(join(folder, name), entry.attrs, entry.longname)

    def _connect(self) -> tuple[Any, Any]:
        return self._wait(self._login())

    async def _login(self) -> tuple[Any, Any]:
        known: dict[str, Any] = {"username": self._credentials.user} if self._credentials.user else {}
        if self._credentials.password:
            known["password"] = self._credentials.password
        if self._credentials.key_file:
            known["client_keys"] = [self._credentials.key_file]
        try:
            connection = await asyncssh.connect(self._host, self._port, connect_timeout=SECONDS, **known)
        except asyncssh.PermissionDenied:
            raise ObjectError(REFUSED) from None
        except asyncssh.HostKeyNotVerifiable:
            raise ObjectError("the server's key is not known; add it to known_hosts") from None
        except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError):
            raise ObjectError("the private key cannot be used") from None
        return connection, await connection.start_sftp_client(path_encoding=None)

    def _wait(self, coming: Coroutine[Any, Any, Answer]) -> Answer:
        try:
            return asyncio.run_coroutine_threadsafe(asyncio.wait_for(coming, SECONDS), self._loop).result()
        except ObjectError:
            raise
        except (asyncssh.SFTPNoSuchFile, asyncssh.SFTPNoSuchPath):
            raise ObjectError("vanished") from None
        except asyncssh.SFTPPermissionDenied:
            raise ObjectError("permission denied") from None
        except (asyncssh.SFTPConnectionLost, asyncssh.SFTPNoConnection) as error:
            raise unreachable(error) from None
        except asyncssh.SFTPError as error:
            raise ObjectError(f"the server refused it ({type(error).__name__})") from None
        except _FAULTS as error:
            raise unreachable(error) from None

    def _close(self, what: Any) -> None:
        """Without waiting: what is closed may be broken."""

        async def close() -> None:
            closing = what.close()
            if asyncio.iscoroutine(closing):
                await closing

        asyncio.run_coroutine_threadsafe(close(), self._loop)


async def _next(names: Any) -> Any:
    return await anext(names, None)


def _path(key: str) -> bytes:
    return b"/" + key.encode("utf-8", "surrogateescape")


def _stored(key: str, attributes: Any, longname: Any) -> StoredObject:
    """What `ls -l` would show names the owner; the protocol itself has only a number."""
    mode = attributes.permissions or 0
    words: list[bytes] = longname.split() if longname else []
    owner = words[2].decode("utf-8", "replace") if len(words) > 8 else str(attributes.uid or "")
    return StoredObject(
        key,
        attributes.size or 0,
        (attributes.mtime or 0) * 10**9,
        "",
        owner,
        from_mode(mode) if mode else "",
        fault_of_mode(mode) if mode else "",
    )
