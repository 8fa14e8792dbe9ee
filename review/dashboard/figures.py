"""A scan's figures <-> the bytes that the database keeps: how many files of each kind there are, never which."""

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.languages import says_not_judged
from evaluation.members import Members
from review.models import ScanFigures

_CELLS = {
    "source": 0,
    "bits": 1,
    "screened": 3,
    "files": 4,
    "referred": 5,
    "copies": 6,
}  # where each stands in a counted cell


_MEMBER = "member_"


@dataclass(frozen=True, slots=True)
class RuleShape:
    """A rule as the scan ran it: each prototype is its bits and the bits that it cares about."""

    id: str
    radius: int
    screens: bool
    prototypes: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Cells:
    """Examined files that look alike, side by side: a cell is a source, a vector and the rules that fired on it."""

    source: NDArray[np.int32]
    bits: NDArray[np.uint64]
    fired: NDArray[np.bool_]  # one row a cell, one column a rule
    screened: NDArray[np.bool_]
    files: NDArray[np.int64]
    referred: NDArray[np.int64]
    copies: NDArray[np.int64]  # the sum of m² - m over contents, m being a content's number of files in the cell


@dataclass(frozen=True, slots=True)
class Reason:
    source: str
    status: str
    reason: str
    files: int

    @property
    def is_gap(self) -> bool:
        """Not examined, only in part, or read without anybody or anything judging it."""
        return self.status not in ("complete", "container") or says_not_judged(self.reason)


@dataclass(frozen=True, slots=True)
class Kind:
    """Files of one media type of one source."""

    source: str
    media_type: str
    files: int
    examined: int
    referred: int
    size: int
    containers: int = 0  # opened, so that what is inside them was examined


@dataclass(frozen=True, slots=True)
class Figures:
    made: str  # when; the same scan counted again is told apart by it
    sources: tuple[str, ...]
    rules: tuple[str, ...]
    shapes: tuple[RuleShape, ...]
    cells: Cells
    reasons: tuple[Reason, ...]
    kinds: tuple[Kind, ...]
    risks: tuple[tuple[str, str, int], ...]  # source, risk, referred files
    stages: tuple[tuple[str, float, int], ...]  # stage, seconds of work, bytes
    seconds: float
    members: Members | None = None  # of containers; None where an earlier version counted
    access: tuple[tuple[str, str, int], ...] = ()  # source, who may read, referred files


def packed(content: dict[str, Any]) -> bytes:
    """Cells as arrays, which are read in a moment; all else is short, and stays readable as JSON."""
    rows, rules = content["cells"], len(content["rules"])
    fired = np.zeros((len(rows), rules), dtype=bool)
    for number, row in enumerate(rows):
        fired[number, list(row[2])] = True
    columns = {name: [row[place] for row in rows] for name, place in _CELLS.items()}
    arrays: dict[str, Any] = {
        "source": np.array(columns["source"], dtype=np.int32),
        "bits": np.array(columns["bits"], dtype=np.uint64),
        "screened": np.array(columns["screened"], dtype=bool),
        "files": np.array(columns["files"], dtype=np.int64),
        "referred": np.array(columns["referred"], dtype=np.int64),
        "copies": np.array(columns["copies"], dtype=np.int64),
        "fired": np.packbits(fired, axis=1),
    }
    members: Members = content["members"]
    arrays |= {f"{_MEMBER}{name}": getattr(members, name) for name in Members.__slots__}
    header = json.dumps({**content, "cells": len(rows), "members": 0}, separators=(",", ":")).encode()
    archive = io.BytesIO()
    np.savez_compressed(archive, told=np.frombuffer(header, dtype=np.uint8), **arrays)
    return archive.getvalue()


def figures_of(scan_id: str) -> Figures | None:
    """None as long as the scan has not been counted."""
    made = ScanFigures.objects.filter(pk=scan_id).values_list("made", flat=True).first()
    return None if made is None else _loaded(scan_id, made.isoformat())


@lru_cache(maxsize=32)
def _loaded(scan_id: str, made: str) -> Figures:
    """`made` is part of the name, so that a scan that is counted again is read again."""
    raw, names = ScanFigures.objects.values_list("packed", "scan__sources").get(pk=scan_id)
    return unpacked(bytes(raw), made, names)


def source_name(source: str, names: Sequence[str]) -> str:
    """As the manifest names it, so that it is one source over time: records name a folder as its user typed it."""
    typed = PurePosixPath(*(part for part in PurePosixPath(source).parts if part != ".."))
    alike = [name for name in names if typed == PurePosixPath() or PurePosixPath(name).match(str(typed))]
    return source if "://" in source or len(alike) != 1 else alike[0]


def unpacked(raw: bytes, made: str = "", names: Sequence[str] = ()) -> Figures:
    def named(fields: Sequence[Any]) -> list[Any]:
        return [source_name(fields[0], names), *fields[1:]]

    with np.load(io.BytesIO(raw), allow_pickle=False) as archive:
        content = json.loads(archive["told"].tobytes())
        fired = np.unpackbits(archive["fired"], axis=1, count=len(content["rules"])).astype(bool)
        files = archive["files"]
        # Scans that were counted by an earlier version know no copies.
        copies = archive["copies"] if "copies" in archive.files else np.zeros_like(files)
        known = (archive["screened"], files, archive["referred"], copies)
        cells = Cells(archive["source"], archive["bits"], fired, *known)
        columns = {
            name: archive[f"{_MEMBER}{name}"] for name in Members.__slots__ if f"{_MEMBER}{name}" in archive.files
        }
        members = Members(**columns) if columns else None
    return Figures(
        made=made,
        sources=tuple(source_name(source, names) for source in content["sources"]),
        rules=tuple(content["rules"]),
        shapes=tuple(
            RuleShape(shape[0], shape[1], shape[2], tuple((bits, care) for bits, care in shape[3]))
            for shape in content["shapes"]
        ),
        cells=cells,
        reasons=tuple(Reason(*named(fields)) for fields in content["reasons"]),
        kinds=tuple(Kind(*named(fields)) for fields in content["kinds"]),
        risks=tuple((source, risk, files) for source, risk, files in map(named, content["risks"])),
        stages=tuple((stage, seconds, size) for stage, seconds, size in content["stages"]),
        seconds=content["seconds"],
        members=members,
        access=tuple((source, access, files) for source, access, files in map(named, content.get("access", ()))),
    )
