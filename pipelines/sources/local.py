"""Local folder or file -> FileRefs, walked by descriptor without following links, to any depth."""

import os
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from core.errors import SourceError
from extraction.opening.access_words import from_mode
from extraction.opening.file_kinds import fault_of_mode
from pipelines.sources.access import from_acl
from pipelines.sources.globs import Globs
from pipelines.sources.paths import escape, owner_name, plain_reason

if TYPE_CHECKING:
    from core.records import FileRef

_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OPEN_FOLDERS_AT_MOST = 100
_LISTED_AT_ONCE = 1_000
_KIND = 0o170000  # the bits of a mode that tell a file from a folder
_mode_of = itemgetter(stat.ST_MODE)
_name_of = attrgetter("name")


@dataclass(frozen=True, slots=True)
class FolderListing:
    """Regular files of one folder, some thousands at most, as listing it gave them."""

    folder: bytes
    shown: bytes  # the folder as the user named it, where a link led to it
    names: list[str]
    seen: list[os.stat_result]
    source: str
    listed: list[str] | None = None  # who may read each, by its access list; without, the modes tell

    @property
    def access(self) -> list[str]:
        return [from_mode(status.st_mode) for status in self.seen] if self.listed is None else self.listed

    def refs(self) -> Iterator["FileRef"]:
        for name, seen, access in zip(self.names, self.seen, self.access, strict=True):
            path = _join(self.folder, os.fsencode(name))
            ref = file_ref(path, seen, self.source, access)
            yield ref if self.folder == self.shown else replace(ref, uri=escape(_join(self.shown, os.fsencode(name))))


@dataclass(slots=True)
class _Folder:
    path: bytes
    relative: str
    identity: tuple[int, int]
    descriptor: int | None
    below: list[bytes] = field(default_factory=list)


@dataclass(slots=True)
class Walk:
    """One pass over a local source; `skipped` counts what was seen and left out."""

    source: bytes
    globs: Globs = field(default_factory=Globs)
    never_enter: frozenset[tuple[int, int]] = frozenset()
    skipped: Counter[str] = field(default_factory=Counter)
    access_lists: bool = False

    def __iter__(self) -> Iterator["FileRef"]:
        for listing in self.listings():
            if isinstance(listing, FolderListing):
                yield from listing.refs()
            else:
                yield listing

    def listings(self) -> Iterator["FolderListing | FileRef"]:
        """Regular files by the folder, and everything else one by one."""
        named = os.path.abspath(self.source)
        root = os.path.realpath(named)  # links that the user named are followed, once; no other is
        try:
            seen = os.lstat(root)
        except OSError as error:
            raise SourceError(
                f"{escape(named)}: {plain_reason(error)}; name a folder or file that exists and can be read"
            ) from None
        if not stat.S_ISDIR(seen.st_mode):
            yield file_ref(root, seen, escape(root), from_acl(seen.st_mode, root) if self.access_lists else None)
            return
        try:
            descriptor = os.open(root, _OPEN_FOLDER)
        except OSError as error:
            raise SourceError(f"{escape(named)}: {plain_reason(error)}; the folder cannot be listed") from None
        listings = self._descend(_Folder(root, "", (seen.st_dev, seen.st_ino), descriptor))
        yield from listings if named == root else (_shown_below(named, root, listing) for listing in listings)

    def _descend(self, root: _Folder) -> Iterator["FolderListing | FileRef"]:
        stack = [root]
        yield from self._list(root)
        try:
            while stack:
                folder = stack[-1]
                if not folder.below:
                    self._leave(stack)
                    continue
                name = folder.below.pop()
                path = _join(folder.path, name)
                try:
                    assert folder.descriptor is not None
                    descriptor = os.open(name, _OPEN_FOLDER, dir_fd=folder.descriptor)
                    seen = os.fstat(descriptor)
                except OSError as error:
                    yield unreadable_ref(path, f"folder not listed: {plain_reason(error)}", escape(self.source))
                    continue
                inner = _Folder(path, _relative(folder.relative, name), (seen.st_dev, seen.st_ino), descriptor)
                stack.append(inner)
                if len(stack) > _OPEN_FOLDERS_AT_MOST:
                    _close(stack[-1 - _OPEN_FOLDERS_AT_MOST])
                yield from self._list(inner)
        finally:
            for folder in stack:
                _close(folder)

    def _list(self, folder: _Folder) -> Iterator["FolderListing | FileRef"]:
        """Some entries at a time, so that large folders need little memory; entries before an error are kept."""
        fault: OSError | None = None
        try:
            entries = os.scandir(folder.descriptor)
        except OSError as error:
            fault = error
        else:
            with entries:
                while fault is None:
                    some: list[os.DirEntry[str]] = []
                    try:
                        some.extend(islice(entries, _LISTED_AT_ONCE))
                    except OSError as error:
                        fault = error
                    yield from self._looked_at(folder, some)
                    if len(some) < _LISTED_AT_ONCE:
                        break
        if fault is not None:
            yield unreadable_ref(folder.path, f"folder not listed: {plain_reason(fault)}", escape(self.source))

    def _looked_at(self, folder: _Folder, entries: list[os.DirEntry[str]]) -> Iterator["FolderListing | FileRef"]:
        everything = not self.globs.include and not self.globs.exclude
        try:
            stats = [entry.stat(follow_symlinks=False) for entry in entries]
        except OSError:
            entries, stats, gone = _with_stats(entries)
            for name, why in gone:
                yield unreadable_ref(_join(folder.path, os.fsencode(name)), why, escape(self.source))
        if everything and all(mode & _KIND == stat.S_IFREG for mode in set(map(_mode_of, stats))):
            names, regular = list(map(_name_of, entries)), stats
        else:
            names, regular = [], []
            for entry, seen in zip(entries, stats, strict=True):
                is_regular = seen.st_mode & _KIND == stat.S_IFREG
                if (everything and is_regular) or self._wanted(folder, entry.name, seen):
                    if is_regular:
                        names.append(entry.name)
                        regular.append(seen)
                    else:
                        yield file_ref(_join(folder.path, os.fsencode(entry.name)), seen, escape(self.source))
        if names:
            yield FolderListing(
                folder.path, folder.path, names, regular, escape(self.source), self._access(folder, names, regular)
            )

    def _access(self, folder: _Folder, names: list[str], stats: list[os.stat_result]) -> list[str] | None:
        if not self.access_lists:
            return None
        here = f"/proc/self/fd/{folder.descriptor}"
        return [from_acl(seen.st_mode, f"{here}/{name}") for name, seen in zip(names, stats, strict=True)]

    def _wanted(self, folder: _Folder, name: str, seen: os.stat_result) -> bool:
        """Whether an entry is a file to be recorded; folders are noted for later, all else is counted."""
        relative = f"{folder.relative}/{name}" if folder.relative else name
        if stat.S_ISLNK(seen.st_mode):
            self.skipped["symbolic links"] += 1
        elif stat.S_ISDIR(seen.st_mode):
            if (seen.st_dev, seen.st_ino) in self.never_enter or self.globs.skips(relative, folder=True):
                self.skipped["excluded folders"] += 1
            else:
                folder.below.append(os.fsencode(name))
        elif self.globs.skips(relative, folder=False):
            self.skipped["excluded files"] += 1
        else:
            return True
        return False

    def _leave(self, stack: list[_Folder]) -> None:
        """Goes up; a parent that was closed on the way down is reopened as `..`, and must be the same folder."""
        left = stack.pop()
        if stack and stack[-1].descriptor is None:
            parent = stack[-1]
            assert left.descriptor is not None
            parent.descriptor = os.open("..", _OPEN_FOLDER, dir_fd=left.descriptor)
            seen = os.fstat(parent.descriptor)
            if (seen.st_dev, seen.st_ino) != parent.identity:
                _close(left)
                raise SourceError(
                    f"{escape(parent.path)}: was moved while it was being listed; scan again when it is at rest"
                )
        _close(left)


def _with_stats(
    entries: list[os.DirEntry[str]],
) -> tuple[list[os.DirEntry[str]], list[os.stat_result], list[tuple[str, str]]]:
    """The entries that can be looked at with what they are, and the names of the others with the reason."""
    there, stats, gone = [], [], []
    for entry in entries:
        try:
            stats.append(entry.stat(follow_symlinks=False))
            there.append(entry)
        except OSError as error:
            gone.append((entry.name, plain_reason(error)))
    return there, stats, gone


def _shown_below(named: bytes, root: bytes, listing: "FolderListing | FileRef") -> "FolderListing | FileRef":
    """What lies below a link that the user named keeps the name that the user knows."""
    at = len(root.rstrip(b"/"))
    if isinstance(listing, FolderListing):
        return replace(listing, shown=named + listing.folder[at:])
    return replace(listing, uri=escape(named + listing.path[at:]))


def file_ref(path: bytes, seen: os.stat_result, source: str, access: str | None = None) -> "FileRef":
    from core.records import FileRef

    return FileRef(
        uri=escape(path),
        path=path,
        size=seen.st_size,
        mtime_ns=seen.st_mtime_ns,
        inode=seen.st_ino,
        owner=owner_name(seen.st_uid),
        source=source,
        fault=fault_of_mode(seen.st_mode),
        device=seen.st_dev,
        access=from_mode(seen.st_mode) if access is None else access,
    )


def unreadable_ref(path: bytes, fault: str, source: str) -> "FileRef":
    from core.records import FileRef

    return FileRef(uri=escape(path), path=path, size=0, mtime_ns=0, source=source, fault=fault)


def _join(folder: bytes, name: bytes) -> bytes:
    return folder + name if folder.endswith(b"/") else folder + b"/" + name


def _relative(folder: str, name: bytes) -> str:
    text = name.decode("utf-8", "surrogateescape")
    return f"{folder}/{text}" if folder else text


def _close(folder: _Folder) -> None:
    if folder.descriptor is not None:
        os.close(folder.descriptor)
        folder.descriptor = None
