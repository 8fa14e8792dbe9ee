"""The routing table of the settings, and a file's source, path and owner -> the name of its queue."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from core.errors import SettingsError

GENERAL = "general"
_FIELDS = ("source", "folder", "owner")
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Route:
    queue: str
    field: str
    glob: str

    def takes(self, source: str, uri: str, owner: str) -> bool:
        if self.field == "folder":
            return fnmatchcase(uri, self.glob) or uri.startswith(self.glob.rstrip("/") + "/")
        return fnmatchcase(source if self.field == "source" else owner, self.glob)


def routes(entries: Iterable[str]) -> tuple[Route, ...]:
    return tuple(_route(entry) for entry in entries)


def queue_of(table: Sequence[Route], source: str, uri: str, owner: str) -> str:
    """The first route that takes the file; a folder takes everything below it."""
    return next((route.queue for route in table if route.takes(source, uri, owner)), GENERAL)


def _route(entry: str) -> Route:
    queue, _, rest = entry.partition("=")
    field, _, glob = rest.partition(":")
    queue, field, glob = queue.strip(), field.strip(), glob.strip()
    if not queue or len(queue) > _LONGEST_NAME or field not in _FIELDS or not glob:
        raise SettingsError(
            f"review.queues: {entry!r} is not of the form QUEUE=source:GLOB, QUEUE=folder:GLOB or QUEUE=owner:GLOB"
        )
    return Route(queue, field, glob)
