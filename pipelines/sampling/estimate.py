"""Records of a sample -> how many files of the whole source would be referred, with an interval."""

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.columns import Reader, names_for
from core.records import NOT_EXAMINED
from pipelines.results.folder import ScanFolder
from pipelines.results.top_level import top_level_file_of
from pipelines.sampling.strata import Strata

_COLUMNS = names_for(Reader.ESTIMATE)
_MISSED = pa.array(sorted(status.value for status in NOT_EXAMINED))
_FOUND = "found"
_NAMES = ("referred", "screened_positive", "not_examined", "not_judged")


def estimates(folder: ScanFolder, manifest: dict[str, Any]) -> dict[str, dict[str, float | None]]:
    """How many files of the whole source have each finding: a drawn file counts with one over its probability."""
    sample, strata = manifest["walk"]["sample"], Strata.of(manifest)
    counts: dict[str, Counter[str]] = {name: Counter() for name in _NAMES}
    for unit in folder.unit_names():
        table = folder.unit_table(unit, _COLUMNS)
        files = table.filter(table["container_uri"].is_null())["uri"]
        parts = [strata.of_file(uri) for uri in files.to_pylist()] if strata else [""] * len(files)
        file_of = top_level_file_of(table, files)
        flags = {name: table[name].to_numpy() for name in ("referred", "screened_positive")}
        flags["not_examined"] = pc.is_in(table["status"], value_set=_MISSED).to_numpy()
        flags["not_judged"] = pc.equal(table["judged"], False).fill_null(False).to_numpy()
        for name, records in flags.items():
            counts[name].update(parts[row] for row in np.unique(file_of[records]).tolist())
    if strata is None:
        return {name: _estimate(count[""], sample["drawn"], sample["walked"]) for name, count in counts.items()}
    return {name: _stratified(count, strata, sample["drawn"], sample["walked"]) for name, count in counts.items()}


def _estimate(count: int, drawn: int, walked: int) -> dict[str, float | None]:
    from evaluation.rates import interval  # brings scipy, which takes a second

    limits = interval(count, drawn)
    weighted = float(count / Fraction(drawn, walked)) if drawn else None
    return _estimated(count, weighted, limits, drawn, walked)


def _stratified(counts: Counter[str], strata: Strata, drawn: int, walked: int) -> dict[str, float | None]:
    from evaluation.sampling import Stratum, sampled_interval, total

    parts = [Stratum(name, strata.share(name), strata.drawn[name], {_FOUND: counts[name]}) for name in strata.walked]
    return _estimated(
        counts.total(), float(total(parts, _FOUND)), sampled_interval(parts, _FOUND, walked), drawn, walked
    )


def _estimated(
    count: int, files: float | None, limits: tuple[float, float] | None, drawn: int, walked: int
) -> dict[str, float | None]:
    low, high = (None, None) if limits is None else (limits[0] * walked, limits[1] * walked)
    if low is not None and high is not None:
        low, high = max(float(count), low), min(float(walked - drawn + count), high)
    return {"drawn_files": count, "files": files, "low": low, "high": high}
