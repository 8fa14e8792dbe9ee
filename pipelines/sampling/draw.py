"""`1%` or `5000` of the files that were walked -> which of them are scanned, decided by seed and path alone."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.columns import Reader, names_for
from core.errors import SettingsError
from core.records import NOT_EXAMINED
from pipelines.results.folder import ScanFolder
from pipelines.results.top_level import top_level_file_of
from pipelines.sampling.strata import Strata, allotted, top_folder

_COLUMNS = names_for(Reader.ESTIMATE)
_MISSED = pa.array(sorted(status.value for status in NOT_EXAMINED))
_NUMBER_BYTES = 8
_FOUND = "found"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A random sample: every file that was walked had the same probability of being scanned, or every file of one part of the source."""

    walked: int
    drawn: int
    seed: int
    strata: tuple[tuple[str, int, int], ...] = ()  # the name of each part, its files, and how many of them were drawn

    def as_dict(self) -> dict[str, Any]:
        share = Fraction(self.drawn, self.walked) if self.walked else Fraction(1)
        told = {"walked": self.walked, "drawn": self.drawn, "seed": self.seed, "probability": str(share)}
        parts = [{"name": name, "walked": walked, "drawn": drawn} for name, walked, drawn in self.strata]
        return {**told, "strata": parts} if parts else told


def check_sample(asked: str) -> None:
    """Refuses what is neither a share nor a number of files."""
    size_of(asked, 1)


def size_of(asked: str, files: int) -> int:
    """How many of so many files are to be drawn: at least one, at most all."""
    words = asked.strip()
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
            f"scan.sample is {asked!r}, but must be a share such as 1% (up to 100%) or a number of files such as 5000"
        )
    return min(files, max(1, round(wanted)))


def draw(files: pa.Table, asked: str, seed: int, roots: Sequence[str] | None = None) -> tuple[NDArray[np.bool_], Drawn]:
    """The files with the smallest numbers; a file's number depends on seed and path alone, not on the order of a walk.

    With the roots of the sources: those of each top folder, as many as are allotted to it.
    """
    chosen = np.zeros(files.num_rows, dtype=bool)
    if not files.num_rows:
        return chosen, Drawn(0, 0, seed)
    count = size_of(asked, files.num_rows)
    numbers = np.concatenate([_numbers(chunk, seed) for chunk in files["uri"].chunks])
    order = np.argsort(numbers, kind="stable")
    if roots is None:
        chosen[order[:count]] = True
        return chosen, Drawn(files.num_rows, count, seed)
    names = [top_folder(uri, roots) for chunk in files["uri"].chunks for uri in chunk.to_pylist()]
    wanted = allotted(names, count)
    left = dict(wanted)
    for row in order.tolist():
        if left[names[row]]:
            left[names[row]] -= 1
            chosen[row] = True
    sizes = Counter(names)
    return chosen, Drawn(
        files.num_rows, int(chosen.sum()), seed, tuple((name, sizes[name], wanted[name]) for name in sorted(sizes))
    )


def _numbers(uris: pa.Array, seed: int) -> NDArray[np.uint64]:
    start = hashlib.blake2b(f"{seed}\0".encode(), digest_size=_NUMBER_BYTES)
    digests = []
    for uri in uris.to_pylist():
        digest = start.copy()
        digest.update(uri.encode("utf-8", "surrogatepass"))
        digests.append(digest.digest())
    return np.frombuffer(b"".join(digests), dtype=np.uint64)


def estimates(folder: ScanFolder, manifest: dict[str, Any]) -> dict[str, dict[str, float | None]]:
    """Files of the whole source in which something was found, from those that were drawn: each counts with one over its probability."""
    sample, strata = manifest["walk"]["sample"], Strata.of(manifest)
    counts: dict[str, Counter[str]] = {"referred": Counter(), "screened_positive": Counter(), "not_examined": Counter()}
    for unit in folder.unit_names():
        table = folder.unit_table(unit, _COLUMNS)
        files = table.filter(table["container_uri"].is_null())["uri"]
        parts = [strata.of_file(uri) for uri in files.to_pylist()] if strata else [""] * len(files)
        file_of = top_level_file_of(table, files)
        found = {name: table[name].to_numpy() for name in ("referred", "screened_positive")}
        found["not_examined"] = pc.is_in(table["status"], value_set=_MISSED).to_numpy()
        for name, records in found.items():
            counts[name].update(parts[row] for row in np.unique(file_of[records]).tolist())
    if strata is None:
        return {name: _estimate(count[""], sample["drawn"], sample["walked"]) for name, count in counts.items()}
    return {name: _stratified(count, strata, sample["drawn"], sample["walked"]) for name, count in counts.items()}


def _estimate(count: int, drawn: int, walked: int) -> dict[str, float | None]:
    from evaluation.rates import interval  # brings scipy, which takes a second

    limits = interval(count, drawn)
    weighted = float(count / Fraction(drawn, walked)) if drawn else None
    return _told(count, weighted, limits, drawn, walked)


def _stratified(counts: Counter[str], strata: Strata, drawn: int, walked: int) -> dict[str, float | None]:
    from evaluation.sampling import Stratum, sampled_interval, total

    parts = [Stratum(name, strata.share(name), strata.drawn[name], {_FOUND: counts[name]}) for name in strata.walked]
    return _told(counts.total(), float(total(parts, _FOUND)), sampled_interval(parts, _FOUND, walked), drawn, walked)


def _told(
    count: int, files: float | None, limits: tuple[float, float] | None, drawn: int, walked: int
) -> dict[str, float | None]:
    low, high = (None, None) if limits is None else (limits[0] * walked, limits[1] * walked)
    if low is not None and high is not None:
        low, high = max(float(count), low), min(float(walked - drawn + count), high)
    return {"drawn_files": count, "files": files, "low": low, "high": high}
