"""Scans, and what reviewers decided about their files -> what a breach report says, without a value."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from leakscreen.breach.diagnoses import diagnoses_in, read_groups
from leakscreen.breach.duties import NOT_ADVICE, duties_for
from pipelines.bundle.bundle import rules_in
from pipelines.people.entries import REFERRED, read_entries
from pipelines.people.figures import figures_of
from pipelines.people.link import link
from pipelines.results.folder import ScanFolder

_COLUMNS = (
    "uri",
    "source",
    "owner",
    "access",
    "mtime",
    "risk",
    "health_class",
    "health_terms",
    "referred",
    "people",
)
_LISTED = 50
_UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What the review service knows of the files."""

    phi: frozenset[str]  # uris that hold health information
    not_phi: frozenset[str]
    undecided: int
    cases: dict[str, int] = field(default_factory=dict)  # by state
    contained: dict[str, Any] = field(default_factory=dict)  # files found, open, contained, closed by actions
    first_seen: dict[str, str] = field(default_factory=dict)  # by uri: the day of the scan
    states: dict[str, str] = field(default_factory=dict)  # of cases, by uri


def facts_of(
    folders: Sequence[ScanFolder], discovered: date | None, reviewed: Reviewed | None = None
) -> dict[str, Any]:
    """Files that reviewers found to hold health information, and apart those of which nobody decided."""
    folders = sorted(folders, key=lambda folder: str(folder.read_manifest()["started"]))
    phi, not_phi = (reviewed.phi, reviewed.not_phi) if reviewed else (frozenset(), frozenset())
    rows = {row["uri"]: row for folder in folders for row in folder.rows(_COLUMNS)}  # as the last scan saw them
    wanted = [row for uri, row in rows.items() if uri not in not_phi and (row["referred"] or uri in phi)]
    sure = [row for row in wanted if row["uri"] in phi]
    unsure = [row for row in wanted if row["uri"] not in phi]
    manifests = [folder.read_manifest() for folder in folders]
    parts = {
        "verified": _part(folders, sure, reviewed) if reviewed else None,
        "unverified": _part(folders, unsure, reviewed),
    }
    of = "verified" if parts["verified"] and parts["verified"]["files"] else "unverified"
    places = (parts[of] or {})["people"]["by_jurisdiction"]
    return {
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "discovered": discovered.isoformat() if discovered else None,
        "scans": [
            {"id": manifest["scan_id"], "started": manifest["started"], "sources": manifest["sources"]}
            for manifest in manifests
        ],
        **parts,
        "done": _done(reviewed) if reviewed else None,
        "duties": duties_for(places, discovered),
        "duties_of": of,
        "of_unknown_place": places.get("unknown", 0),
        "not_advice": NOT_ADVICE,
    }


def _done(reviewed: Reviewed) -> dict[str, dict[str, int]]:
    reviews = {
        "verified": len(reviewed.phi),
        "found to hold none": len(reviewed.not_phi),
        "not decided": reviewed.undecided,
    }
    contained = {name: reviewed.contained[name] for name in ("open", "contained", "closed") if reviewed.contained}
    return {"reviews": reviews, "cases": reviewed.cases, "actions": contained}


def _part(
    folders: Sequence[ScanFolder], rows: Sequence[Mapping[str, Any]], reviewed: Reviewed | None
) -> dict[str, Any]:
    diagnoses = {row["uri"]: diagnoses_in(row["health_terms"] or ()) for row in rows}
    entries = read_entries(folders, REFERRED, frozenset(diagnoses))
    times = sorted(row["mtime"] for row in rows if row["mtime"] is not None)
    seen = sorted(reviewed.first_seen[uri] for uri in diagnoses if uri in reviewed.first_seen) if reviewed else []
    characteristics = rules_in(folders[-1].bundle).characteristics
    people = figures_of(entries, link(entries), characteristics, _LISTED, diagnoses)
    return {
        "files": len(rows),
        "people": people,
        "known": people["known"],
        "by_diagnosis": _by_diagnosis(diagnoses, people.pop("by_group")),
        "by_risk": _counted(rows, "risk"),
        "by_source": _counted(rows, "source"),
        "by_owner": _counted(rows, "owner"),
        "by_access": _counted(rows, "access"),
        "by_health_class": _counted(rows, "health_class"),
        "oldest": times[0].isoformat() if times else None,
        "newest": times[-1].isoformat() if times else None,
        "first_seen": seen[0] if seen else None,
        "listed": [
            _listed(row, reviewed)
            for row in sorted(rows, key=lambda row: (-(row["people"] or 0), row["uri"]))[:_LISTED]
        ],
    }


def _listed(row: Mapping[str, Any], reviewed: Reviewed | None) -> dict[str, Any]:
    return {
        "uri": row["uri"],
        "people": row["people"],
        "owner": row["owner"] or _UNKNOWN,
        "access": row["access"] or _UNKNOWN,
        "since": row["mtime"].isoformat() if row["mtime"] else None,
        "first_seen": reviewed.first_seen.get(row["uri"]) if reviewed else None,
        "case": reviewed.states.get(row["uri"]) if reviewed else None,
    }


def _by_diagnosis(diagnoses: Mapping[str, Sequence[str]], people: Mapping[str, int]) -> list[dict[str, Any]]:
    """People count who is in a file that names such a diagnosis, whether or not it is theirs."""
    files = Counter(group for groups in diagnoses.values() for group in groups)
    found = [
        {
            "name": group.name,
            "sensitive": group.is_sensitive,
            "files": files[group.name],
            "people": people.get(group.name, 0),
        }
        for group in read_groups()
        if files[group.name]
    ]
    return sorted(found, key=lambda one: (-one["people"], one["name"]))


def _counted(rows: Sequence[Mapping[str, Any]], column: str) -> dict[str, int]:
    return dict(Counter(row[column] or _UNKNOWN for row in rows).most_common(_LISTED))
