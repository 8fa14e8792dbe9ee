"""Hyperscan expressions -> their compiled database, from the user's cache folder where it was kept before."""

import contextlib
import hashlib
import json
import os
import stat
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import hyperscan

from core.atomic import write_atomically

MODE = hyperscan.HS_MODE_BLOCK
Expression = tuple[str, int]
_DIGEST_BYTES = hashlib.sha256().digest_size
_LARGEST = 64_000_000
_WORTH_KEEPING = 20  # fewer expressions compile faster than a file is read
_SHIPPED = Path(__file__).with_name("compiled")  # of an image, filled when it is built
_KEPT = 48  # three for each rule set and for each of its languages


def cached_database(expressions: Sequence[object], compiled: Callable[[], hyperscan.Database]) -> hyperscan.Database:
    """The database of these expressions and this Hyperscan; any doubt about the cached one means compiling."""
    if len(expressions) < _WORTH_KEEPING:
        return compiled()
    path = cache_folder() / f"{_name(expressions)}.hsdb"
    database = _kept(path, os.geteuid(), 0o077)
    if database is None and _SHIPPED.exists():  # as trustworthy as the code beside it
        database = _kept(_SHIPPED / path.name, Path(__file__).stat().st_uid, 0o022)
    if database is None:
        database = compiled()
        with contextlib.suppress(OSError):  # a cache that cannot be written is no fault
            _keep(path, hyperscan.dumpb(database))
    return database


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    configured = environ.get("XDG_CACHE_HOME", "")
    folder = Path(configured) if Path(configured).is_absolute() else Path(environ.get("HOME") or Path.home()) / ".cache"
    return folder / "leakscreen"


def _name(expressions: Sequence[object]) -> str:
    identity = json.dumps([version("hyperscan"), os.uname().machine, MODE, list(expressions)])
    return hashlib.sha256(identity.encode()).hexdigest()[:40]


def _kept(path: Path, owner: int, refused: int) -> hyperscan.Database | None:
    """None, unless the file is whole and the owner's alone: a database is almost code, so no foreign one is loaded."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if (
            not stat.S_ISREG(status.st_mode)
            or status.st_uid != owner
            or status.st_mode & refused
            or status.st_size > _LARGEST
        ):
            return None
        content = file.read()
    digest, payload = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
    if hashlib.sha256(payload).digest() != digest:
        return None
    try:
        return hyperscan.loadb(payload, MODE)
    except hyperscan.error:  # made for another processor
        return None


def _keep(path: Path, payload: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = path.parent.stat()
    if folder.st_uid != os.geteuid() or folder.st_mode & 0o022:
        return
    write_atomically(path, hashlib.sha256(payload).digest() + payload)
    _forget_old(path.parent)


def _forget_old(folder: Path) -> None:
    """Each rule set leaves a database behind; the newest few are enough."""
    kept = sorted(folder.glob("*.hsdb"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in kept[_KEPT:]:
        path.unlink(missing_ok=True)
