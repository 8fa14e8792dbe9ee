"""A file's address -> the part of its source that it was drawn from, where a sample is drawn folder by folder."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

BY_FOLDER = "folder"
PARTED = "\t"  # between the part of a source that a scan drew a file from and the stratum that a label names
_ELSEWHERE = "elsewhere"  # files that a crawl manifest names, and sources that are single files


@dataclass(frozen=True, slots=True)
class Strata:
    """The parts of a sample: how many files each had, and how many of them were drawn."""

    roots: tuple[str, ...]
    walked: Mapping[str, int]
    drawn: Mapping[str, int]

    @classmethod
    def of(cls, manifest: Mapping[str, Any]) -> "Strata | None":
        """None for a scan of all files, and for a sample in which every file had the same chance."""
        sample = (manifest.get("walk") or {}).get("sample") or {}
        if "strata" not in sample:
            return None
        parts = sample["strata"]
        return cls(
            roots_of(manifest["sources"]),
            {part["name"]: part["walked"] for part in parts},
            {part["name"]: part["drawn"] for part in parts},
        )

    def of_file(self, uri: str) -> str:
        """What lies in a container may look like a folder of its own, which no part is named after."""
        name = top_folder(uri, self.roots)
        return (
            name
            if name in self.walked
            else next((f"{root}/" for root in self.roots if uri.startswith(f"{root}/")), _ELSEWHERE)
        )

    def share(self, name: str) -> Fraction:
        return Fraction(self.drawn[name], self.walked[name])


def roots_of(sources: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted((source.rstrip("/") for source in sources), key=len, reverse=True))


def top_folder(uri: str, roots: Sequence[str]) -> str:
    """The first folder below the source, or the source itself for a file that lies in it."""
    for root in roots:
        if uri.startswith(f"{root}/"):
            first, inside, _ = uri[len(root) + 1 :].partition("/")
            return f"{root}/{first}/" if inside else f"{root}/"
    return _ELSEWHERE
