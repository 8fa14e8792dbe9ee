"""`--include` and `--exclude` -> which paths below a source are skipped."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import translate


@dataclass(frozen=True, slots=True)
class Globs:
    """`*` also matches `/`; a pattern without `/` is tried on the name alone as well."""

    include: tuple[re.Pattern[str], ...] = ()
    exclude: tuple[re.Pattern[str], ...] = ()

    @classmethod
    def of(cls, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> "Globs":
        return cls(
            tuple(re.compile(translate(glob)) for glob in include),
            tuple(re.compile(translate(glob)) for glob in exclude),
        )

    def skips(self, relative: str, *, folder: bool) -> bool:
        name = relative.rpartition("/")[2]
        if any(glob.match(relative) or glob.match(name) for glob in self.exclude):
            return True
        if folder or not self.include:
            return False
        return not any(glob.match(relative) or glob.match(name) for glob in self.include)
