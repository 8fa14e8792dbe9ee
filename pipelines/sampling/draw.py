"""`1%` or `5000` of the files that were walked -> which of them are scanned, decided by seed and path alone."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.errors import SettingsError
from evaluation.draw import allocate, scan_numbers
from pipelines.sampling.strata import top_folder

_LEAST = 10  # files drawn of each part, as far as the sample and the part have so many


@dataclass(frozen=True, slots=True)
class Drawn:
    """A random sample: all walked files, or all files of one top folder, had the same probability of being drawn."""

    walked: int
    drawn: int
    seed: int
    strata: tuple[tuple[str, int, int], ...] = ()  # the name of each part, its files, and how many of them were drawn

    def as_dict(self) -> dict[str, Any]:
        share = Fraction(self.drawn, self.walked) if self.walked else Fraction(1)
        facts = {"walked": self.walked, "drawn": self.drawn, "seed": self.seed, "probability": str(share)}
        parts = [{"name": name, "walked": walked, "drawn": drawn} for name, walked, drawn in self.strata]
        return {**facts, "strata": parts} if parts else facts


def check_sample(requested: str) -> None:
    """Refuses what is neither a share nor a number of files."""
    size_of(requested, 1)


def size_of(requested: str, files: int) -> int:
    """How many of so many files are to be drawn: at least one, at most all."""
    words = requested.strip()
    try:
        wanted = (
            files * Fraction(words.removesuffix("%").strip()) / 100
            if words.endswith("%")
            else Fraction(int(words.replace("_", "")))
        )
    except (ValueError, ZeroDivisionError):
        wanted = Fraction(0)
    if wanted <= 0 or (words.endswith("%") and wanted > files):
        raise SettingsError(
            f"scan.sample is {requested!r}, but must be a share such as 1% (at most 100%) or a number such as 5000"
        )
    return min(files, max(1, round(wanted)))


def draw(
    files: pa.Table, requested: str, seed: int, roots: Sequence[str] | None = None
) -> tuple[NDArray[np.bool_], Drawn]:
    """The files with the smallest numbers; a file's number depends on seed and path alone, not on the order of a walk.

    With the roots of the sources: those of each top folder, as many as are allocated to it.
    """
    chosen = np.zeros(files.num_rows, dtype=bool)
    if not files.num_rows:
        return chosen, Drawn(0, 0, seed)
    count = size_of(requested, files.num_rows)
    numbers = np.frombuffer(
        b"".join(scan_numbers(seed, chunk.to_pylist()) for chunk in files["uri"].chunks), dtype="<u8"
    )
    order = np.argsort(numbers, kind="stable")
    if roots is None:
        chosen[order[:count]] = True
        return chosen, Drawn(files.num_rows, count, seed)
    names = [top_folder(uri, roots) for chunk in files["uri"].chunks for uri in chunk.to_pylist()]
    sizes = Counter(names)
    wanted = allocate(sizes, count, least_of_each(count, len(sizes)))
    left = dict(wanted)
    for row in order.tolist():
        if left[names[row]]:
            left[names[row]] -= 1
            chosen[row] = True
    return chosen, Drawn(
        files.num_rows, int(chosen.sum()), seed, tuple((name, sizes[name], wanted[name]) for name in sorted(sizes))
    )


def least_of_each(count: int, parts: int) -> int:
    """At least one: a part that nobody looked at could not be estimated, so with many parts the sample is larger."""
    return max(1, min(_LEAST, count // parts))
