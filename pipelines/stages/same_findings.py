"""Two files of the same content -> whether the one's record may stand for the other: names and paths can tell something too."""

from functools import lru_cache

from pipelines.stages.file_name import name_of
from screening.screen import Screen

_REMEMBERED = 4_096


class Alike:
    """A file's name is screened like its text, and allow lists may name its path."""

    def __init__(self, screen: Screen) -> None:
        self._allowed = screen.allowed
        self._tells = lru_cache(maxsize=_REMEMBERED)(lambda name: bool(screen.spans(name)))

    def __call__(self, uri: str, other: str) -> bool:
        """Names that differ must tell nothing, either of them; where allow lists name paths, each path is examined on its own."""
        names = {name_of(uri), name_of(other)}
        return not self._allowed.paths and (len(names) == 1 or not any(self._tells(name) for name in names))
