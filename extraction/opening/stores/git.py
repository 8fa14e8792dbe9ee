"""A git repository on this machine -> every version of every file, once, deleted ones too, without a checkout.

The repository is not trusted: git runs without its hooks, filters, signatures, replacements and remotes.
"""

import os
import re
import subprocess
import threading
from collections.abc import Iterator
from typing import IO, NamedTuple

from core.settings import SourceSettings
from extraction.opening.object_store import Fetched, ObjectError, StoredObject
from extraction.opening.servers import Pool

_CHUNK = 1 << 20
_KEY = re.compile(r".*~g(?P<blob>[0-9a-f]{40}|[0-9a-f]{64})", re.S)
_SAFE = (
    *("--no-replace-objects", "--no-optional-locks"),
    *("-c", "safe.directory=*", "-c", "protocol.allow=never", "-c", "log.showSignature=false"),
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false"),
)
_LOG = (
    *("log", "--all", "--reflog", "-m", "--root", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff"),
    *("--no-textconv", "--no-mailmap", "--format=%x01%ct%x02%an"),
)
_CHANGE = re.compile(rb":\d+ (?P<mode>\d+) [0-9a-f]+ (?P<blob>[0-9a-f]+) [A-Z]\d*")
_LINK, _OTHER_REPOSITORY = b"120000", b"160000"
LOST = "in no commit"  # the folder of what no commit holds any more


class _Version(NamedTuple):
    blob: str
    path: str
    seconds: int
    author: str


def open_store(place: str, settings: SourceSettings) -> "Repository":
    return Repository(place.partition("://")[2])


class Repository:
    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._pool: Pool[_Batch] = Pool(2, lambda: _Batch(folder, "--batch"), lambda batch: batch.close())
        try:
            done = subprocess.run(
                _command(folder, "rev-parse", "--git-dir"), capture_output=True, env=_environment(), timeout=60
            )
        except (OSError, subprocess.TimeoutExpired):
            raise ObjectError("git is not installed, or does not answer") from None
        if done.returncode:
            raise ObjectError("not a git repository, or one that must not be read")

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        """Newest first; a version that several paths or commits have comes once, with the newest of them."""
        seen: set[bytes] = set()
        check = _Batch(self._folder, "--batch-check")
        try:
            for version in self._versions():
                raw = bytes.fromhex(version.blob)
                if raw in seen:
                    continue
                seen.add(raw)
                key = f"{version.path}~g{version.blob}"
                if not _is_below(key, prefix):
                    continue
                _, size = check.asked(version.blob)
                yield StoredObject(
                    key,
                    max(size, 0),
                    version.seconds * 10**9,
                    version.blob,
                    version.author,
                    fault="" if size >= 0 else "missing from the repository",
                )
            if _is_below(f"{LOST}/", prefix):
                yield from self._lost(seen)
        finally:
            check.close()

    def close(self) -> None:
        self._pool.close()

    def fetch(self, key: str, most: int, start: int = 0, version: str = "") -> Fetched:
        named = _KEY.fullmatch(key)
        if named is None:
            raise ObjectError("vanished")
        chunks = self._chunks(named["blob"], start, most)
        return Fetched(int(next(chunks)), chunks, named["blob"])

    def _chunks(self, blob: str, start: int, most: int) -> Iterator[bytes]:
        """At first the size, as text; then the content. What was not asked for is read and forgotten."""
        with self._pool.connection() as batch:
            kind, size = batch.asked(blob)
            if kind != "blob":
                raise ObjectError("missing from the repository")
            yield str(size).encode()
            at = 0
            while at < size:
                chunk = batch.read(min(_CHUNK, size - at))
                if not chunk:
                    raise ObjectError("the repository cannot be read")
                wanted = chunk[max(0, start - at) : max(0, start + most - at)]
                at += len(chunk)
                if wanted:
                    yield wanted
            batch.read(1)

    def _versions(self) -> Iterator[_Version]:
        with _running(self._folder, *_LOG) as out:
            seconds, author = 0, ""
            fields = _fields(out)
            for field in fields:
                if field.startswith(b"\x01"):
                    moment, _, name = field[1:].partition(b"\x02")
                    seconds, author = int(moment or 0), name.decode("utf-8", "replace")
                elif change := _CHANGE.match(field.lstrip(b"\n")):
                    path = next(fields, b"").decode("utf-8", "surrogateescape")
                    blob = change["blob"].decode()
                    if change["mode"] not in (_LINK, _OTHER_REPOSITORY) and blob.strip("0"):
                        yield _Version(blob, path, seconds, author)

    def _lost(self, seen: set[bytes]) -> Iterator[StoredObject]:
        """Blobs that no commit holds: of amended commits, of files that were added and never committed."""
        listing = ("cat-file", "--batch-all-objects", "--unordered", "--batch-check")
        with _running(self._folder, *listing) as out:
            for line in out:
                blob, kind, size = line.decode("ascii").split()
                if kind == "blob" and bytes.fromhex(blob) not in seen:
                    yield StoredObject(f"{LOST}/~g{blob}", int(size), 0, blob)


class _Batch:
    """One `git cat-file` that answers for one object after the other."""

    def __init__(self, folder: str, how: str) -> None:
        self._process = subprocess.Popen(
            _command(folder, "cat-file", how),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        self._asking = threading.Lock()

    def asked(self, blob: str) -> tuple[str, int]:
        """Kind and size of an object; a size of -1 where it is missing."""
        with self._asking:
            try:
                self._in.write(f"{blob}\n".encode())
                self._in.flush()
                words = self._out.readline().split()
            except OSError:
                words = []
        if not words:
            raise ObjectError("the repository cannot be read")
        return (words[1].decode(), int(words[2])) if len(words) == 3 else ("missing", -1)

    def read(self, count: int) -> bytes:
        return self._out.read(count)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._in.close()
        self._out.close()


class _running:  # noqa: N801 - used as a function
    """A git command, and what it prints; it ends with the block."""

    def __init__(self, folder: str, *words: str) -> None:
        self._process = subprocess.Popen(
            _command(folder, *words), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=_environment()
        )

    def __enter__(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if kind is not None:
            self._process.kill()
        assert self._process.stdout is not None
        self._process.stdout.close()
        if self._process.wait() and kind is None:
            raise ObjectError("the history of the repository cannot be read to its end")


def _fields(out: IO[bytes]) -> Iterator[bytes]:
    """What zero bytes part; the words of a commit also end in one."""
    rest = b""
    while block := out.read(_CHUNK):
        *whole, rest = (rest + block).split(b"\0")
        yield from whole
    if rest:
        yield rest


def _is_below(key: str, prefix: str) -> bool:
    return key.startswith(prefix) if prefix.endswith("/") or not prefix else key == prefix


def _command(folder: str, *words: str) -> list[str]:
    return ["git", "-C", folder, *_SAFE, *words]


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "LEAKSCREEN_"))}
    return {**kept, "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_CONFIG_NOSYSTEM": "1"}
