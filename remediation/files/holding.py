"""A place -> a private folder beside it, in which a file is while it passes from its old place to its new one."""

import contextlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from remediation.action import LeftAloneError
from remediation.files.metadata import apply_metadata
from remediation.files.place import Place, Unchanged, words
from remediation.files.rename import Name, NoExchangeError, exchange, move_to_free
from remediation.journal import sync_folder

_DRAFT, _NEW, _OLD = b"draft", b"new", b"old"  # a draft may be cut off; the others are whole


@dataclass(frozen=True, slots=True)
class Holding:
    """`.leakscreen-<id>` beside the file, mode 0700: on the same file system, so that a rename takes the file into it.

    A file in it is out of everybody's reach, and still whole.
    """

    place: Place
    folder: int

    def write(self, chunks: Iterator[bytes], metadata: Mapping[str, Any]) -> list[str]:
        """What is to come, whole and on the disk; what of the metadata could not be given to it."""
        descriptor = os.open(
            _DRAFT, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600, dir_fd=self.folder
        )
        with os.fdopen(descriptor, "wb") as file:
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            missed = apply_metadata(descriptor, dict(metadata))
            os.fsync(descriptor)
        os.rename(_DRAFT, _NEW, src_dir_fd=self.folder, dst_dir_fd=self.folder)
        return missed

    def swap_in(self) -> None:
        """What was written takes the file's name, and the file is held instead."""
        try:
            exchange((self.folder, _NEW), self.place.at)
        except NoExchangeError:
            self.take()
            move_to_free((self.folder, _NEW), self.place.at)
        sync_folder(self.place.folder)

    def take(self) -> None:
        """The file itself is held, and nothing is in its place."""
        os.rename(self.place.name, _OLD, src_dir_fd=self.place.folder, dst_dir_fd=self.folder)
        sync_folder(self.place.folder)

    def held(self, sha256: str) -> Name | None:
        """The held file with that content."""
        for name in self._names():
            if Place(self.folder, name).hash() == sha256:
                return self.folder, name
        return None

    def held_one(self, watch: Unchanged, sha256: str) -> Name | None:
        """The file that was watched, if that and nothing else was taken."""
        for name in self._names():
            if watch.holds((self.folder, name), sha256):
                return self.folder, name
        return None

    def foreign(self, known: set[str]) -> Name | None:
        """A file that nobody judged: it came to the place between the last look and the step that took it."""
        for name in self._names():
            if name != _DRAFT and Place(self.folder, name).hash() not in known:
                return self.folder, name
        return None

    def give_back(self, held: Name, ours: set[str]) -> None:
        """Undoes a swap or a take: the held file has its name again."""
        if self.place.is_free():
            move_to_free(held, self.place.at)
        elif self.place.hash() in ours:
            try:
                exchange(held, self.place.at)
            except NoExchangeError:
                os.unlink(self.place.name, dir_fd=self.place.folder)
                move_to_free(held, self.place.at)
        else:
            raise LeftAloneError(
                f"other files came to its place twice; one waits in the folder {folder_name_of(self)} beside it"
            )
        sync_folder(self.place.folder)

    def drop(self, sha256s: set[str]) -> None:
        """Removes what is held if it is one of these contents, or a draft that was cut off."""
        for name in self._names():
            if name == _DRAFT or Place(self.folder, name).hash() in sha256s:
                os.unlink(name, dir_fd=self.folder)

    def place_new(self) -> None:
        """What was written takes the name, where there is nothing."""
        move_to_free((self.folder, _NEW), self.place.at)
        sync_folder(self.place.folder)

    def _names(self) -> list[bytes]:
        descriptor = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=self.folder)
        try:
            return [os.fsencode(name) for name in sorted(os.listdir(descriptor))]
        finally:
            os.close(descriptor)


def _folder_name(id: str) -> bytes:
    return b".leakscreen-" + id.encode("ascii")


def folder_name_of(holding: Holding) -> str:
    return os.path.basename(os.readlink(f"/proc/self/fd/{holding.folder}"))


@contextmanager
def holding_at(place: Place, id: str) -> Iterator[Holding]:
    """Makes the folder, or takes the one that an interrupted run left; removes it when nothing is in it any more."""
    name = _folder_name(id)
    try:
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=place.folder)
        folder = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=place.folder)
    except OSError as error:
        raise LeftAloneError(f"nothing can be written to its folder ({words(error)})") from None
    try:
        status = os.fstat(folder)
        if status.st_uid != os.geteuid() or status.st_mode & 0o077:
            raise LeftAloneError(f"{os.fsdecode(name)} beside it belongs to somebody else")
        yield Holding(place, folder)
    finally:
        os.close(folder)
        with contextlib.suppress(OSError):  # not empty: what is in it waits for --resume
            os.rmdir(name, dir_fd=place.folder)
            sync_folder(place.folder)
