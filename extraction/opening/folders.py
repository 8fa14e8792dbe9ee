"""A server that lists one folder at a time -> all files below a folder, lazily and to any depth."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from extraction.opening.object_store import ObjectError, StoredObject


@dataclass(frozen=True, slots=True)
class Subfolder:
    key: str


ListFolder = Callable[[str], Iterator[StoredObject | Subfolder]]


def files_below(folder: str, list_folder: ListFolder) -> Iterator[StoredObject]:
    """Each folder's files, then its folders, in the server's order. A folder that cannot be listed is a fault of its
    own; only the first one raises ObjectError.
    """
    waiting = [folder]
    while waiting:
        current = waiting.pop()
        below: list[str] = []
        try:
            for entry in list_folder(current):
                if isinstance(entry, Subfolder):
                    below.append(entry.key)
                else:
                    yield entry
        except ObjectError as error:
            if current == folder:
                raise
            yield StoredObject(current, 0, 0, fault=f"folder not listed: {error}")
        waiting += reversed(below)


def join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
