"""Where files are -> folders with everything below them, and a folder -> the boxes of its map."""

from collections.abc import Mapping, Sequence

Path = tuple[str, ...]
ROOT: Path = ()


def place_in(source: str, uri: str, container: str | None = None) -> Path:
    """The source, then each folder below it; what is inside a container is where the container is."""
    outer = uri if container is None else container.partition("!")[0]
    below = outer[len(source) :] if source and outer.startswith(source) else outer
    return (source or "/", *(part for part in below.split("/")[:-1] if part))


def folders_above(leaves: Mapping[Path, Sequence[int]]) -> dict[Path, list[int]]:
    """Every folder and every folder above it, each with the sums of all below."""
    totals: dict[Path, list[int]] = {ROOT: [0, 0, 0]}
    for path, counts in leaves.items():
        for depth in range(len(path) + 1):
            above = totals.setdefault(path[:depth], [0, 0, 0])
            for place, count in enumerate(counts):
                above[place] += count
    return totals
