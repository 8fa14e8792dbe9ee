"""Rows of a scan -> the files that can be acted on: a member of an archive stands for the archive as a whole."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from remediation.action import Target

MEMBER = "!"  # what parts the name of a member from that of the file it is in
NAME_OF_FILE = "name of the file"  # where evidence is that was found in a file's own name
COLUMNS = (
    "uri",
    "path",
    "container_uri",
    "sha256",
    "size",
    "owner",
    "source",
    "risk",
    "access",
    "mtime",
    "status",
    "evidence",
)
_RISKS = ("none", "low", "medium", "high")
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What can be acted on, and the files that cannot, because their content was not hashed as a whole."""

    targets: tuple[Target, ...]
    without_hash: tuple[str, ...] = ()


def outer_uris(uri: str) -> list[str]:
    """Those that may be the file's on disk, the shortest first: names of files may hold the mark, too."""
    return [uri[:at] for at, letter in enumerate(uri) if letter == MEMBER and at > 0]


def targets_of(rows: Iterable[Row], outer: Mapping[str, Row], sources: Sequence[str] = ()) -> Chosen:
    """`outer` has the rows of the files around members, by uri; `sources` are those of the scan, absolute."""
    found: dict[str, Target] = {}
    without: dict[str, None] = {}
    for row in rows:
        file, member = row, 0
        if row["container_uri"] is not None:
            around = next((outer[uri] for uri in outer_uris(row["uri"]) if uri in outer), None)
            if around is None:
                without[row["uri"]] = None
                continue
            file, member = around, 1
        if not file["sha256"]:
            without[file["uri"]] = None
            continue
        target = found.get(file["uri"]) or _target(file, sources)
        found[file["uri"]] = replace(
            target,
            members=target.members + member,
            risk=max(target.risk, row["risk"] or "none", key=_RISKS.index),
            name_tells=target.name_tells or any(piece["where"] == NAME_OF_FILE for piece in row["evidence"] or ()),
        )
    return Chosen(tuple(found.values()), tuple(without))


def _target(row: Row, sources: Sequence[str]) -> Target:
    raw, uri = row.get("path"), row["uri"]
    below = (source for source in sources if uri == source or uri.startswith(f"{source.rstrip('/')}/"))
    return Target(
        uri=uri,
        path=os.fsdecode(raw) if raw else uri,
        sha256=row["sha256"],
        size=row["size"] or 0,
        owner=row["owner"] or "",
        source=next(below, row["source"] or ""),
        risk="none",
        access=row["access"] or "",
        mtime=row["mtime"].isoformat() if row["mtime"] else "",
    )
