"""A server that lists one folder at a time -> all files below a folder, lazily and to any depth."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from extraction.opening.object_store import ObjectError, StoredObject

_DEEPEST = 500


@dataclass(frozen=True, slots=True)
class Subfolder:
    key: str
    identity: str = ""  # by which the server knows it, whatever path leads to it; empty where it does not tell


ListFolder = Callable[[str], Iterator[StoredObject | Subfolder]]


def files_below(folder: str, list_folder: ListFolder) -> Iterator[StoredObject]:
    """Each folder's files, then its folders, in the server's order. A folder that cannot be listed is a fault of its
    own; only the first one raises ObjectError. A server may follow links, so that a folder can contain itself.
    """
    waiting: list[tuple[str, tuple[str, ...]]] = [(folder, ())]
    while waiting:
        current, above = waiting.pop()
        below: list[tuple[str, tuple[str, ...]]] = []
        try:
            for entry in list_folder(current):
                if not isinstance(entry, Subfolder):
                    yield entry
                elif fault := _loop(current, above, entry):
                    yield StoredObject(entry.key, 0, 0, fault=fault)
                else:
                    below.append((entry.key, (*above, entry.identity)))
        except ObjectError as error:
            if current == folder:
                raise
            yield StoredObject(current, 0, 0, fault=f"folder not listed: {error}")
        waiting += reversed(below)


def _loop(current: str, above: tuple[str, ...], entry: Subfolder) -> str:
    if entry.identity and entry.identity in above:
        return "folder not listed: it contains itself"
    if len(above) >= _DEEPEST:
        return "folder not listed: too deep"
    is_below = entry.key.startswith(f"{current}/" if current else "") and entry.key != current
    return "" if is_below and ".." not in entry.key.split("/") else "folder not listed: impossible name"


def join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
