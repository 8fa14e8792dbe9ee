"""A small scan's folder as a real one looks to those who measure it, written straight as Parquet and JSON."""

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq

from pipelines.results.folder import ScanFolder

RULES = ("email", "organization-name", "street-address")
HITS = pa.list_(pa.struct([("rule", pa.string()), ("prototype", pa.string()), ("distance", pa.int32())]))
SCHEMA = pa.schema(
    [
        ("uri", pa.string()),
        ("status", pa.string()),
        ("rules", HITS),
        ("screened_positive", pa.bool_()),
        ("risk", pa.string()),
        ("referred", pa.bool_()),
        ("sha256", pa.string()),
        ("container_uri", pa.string()),
    ]
)


@dataclass(frozen=True, slots=True)
class Row:
    uri: str
    rules: tuple[str, ...] = ()
    status: str = "complete"
    risk: str = "low"
    referred: bool = False
    content: str = ""
    container: str | None = None

    @property
    def screened(self) -> bool:
        return bool(self.rules)


def write_scan(folder: Path, rows: list[Row], units: int = 3) -> ScanFolder:
    place = folder / "scan=20240101T000000-abcdef"
    (place / "files").mkdir(parents=True)
    manifest = {"scan_id": "20240101T000000-abcdef", "rules": {"ids": list(RULES)}}
    (place / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    for unit in range(units):
        records = [
            {
                "uri": row.uri,
                "status": row.status,
                "rules": [{"rule": rule, "prototype": "p", "distance": 0} for rule in row.rules],
                "screened_positive": row.screened,
                "risk": row.risk,
                "referred": row.referred,
                "sha256": row.content or None,
                "container_uri": row.container,
            }
            for row in rows[unit::units]
        ]
        pq.write_table(pa.Table.from_pylist(records, schema=SCHEMA), place / "files" / f"unit-{unit:08}.parquet")
    return ScanFolder(str(place))


def reference_rows() -> tuple[list[Row], dict[str, bool]]:
    """123 files with the paper's counts: 71 and 75 of 86 PHI files flagged, 60 by both; 4 and 3 others, 2 by both."""
    both, one, other = ("organization-name", "street-address"), ("organization-name",), ("street-address",)
    kinds = [
        (both, True, 60),
        (one, True, 11),
        (other, True, 15),
        (both, False, 2),
        (one, False, 2),
        (other, False, 1),
        ((), False, 32),
    ]
    rows: list[Row] = []
    truth: dict[str, bool] = {}
    for rules, phi, count in kinds:
        for _ in range(count):
            uri = f"/share/{len(rows):03}.txt"
            rows.append(Row(uri, rules, risk="high" if phi else "low"))
            truth[uri] = phi
    return rows, truth


def write_labels(path: Path, truth: dict[str, bool], chances: dict[str, tuple[str, Fraction]] | None = None) -> Path:
    lines = ["uri,phi" + (",stratum,probability" if chances else "")]
    for uri, phi in truth.items():
        drawn = f",{chances[uri][0]},{chances[uri][1]}" if chances else ""
        lines.append(f"{uri},{'yes' if phi else 'no'}{drawn}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def random_rows(seed: int, files: int = 400) -> tuple[list[Row], dict[str, bool]]:
    dice = Random(seed)
    rows = [
        Row(
            f"/s/{number} ü,{dice.random()}.txt",
            tuple(rule for rule in RULES if dice.random() < 0.4),
            dice.choice(["complete"] * 8 + ["partial", "failed"]),
            dice.choice(["high", "low"]),
        )
        for number in range(files)
    ]
    return rows, {row.uri: dice.random() < 0.3 for row in rows}


def clustered_rows(seed: int, files: int = 300) -> tuple[list[Row], dict[str, bool]]:
    """Copies, members of containers, and files that the health stage let go on or not; copies share their truth."""
    dice = Random(seed)
    rows: list[Row] = []
    truth: dict[str, bool] = {}
    while len(rows) < files:
        rules = tuple(rule for rule in RULES if dice.random() < 0.4)
        content, phi = f"{dice.getrandbits(64):016x}{len(rows):048x}", dice.random() < 0.4
        for _ in range(dice.choice([1, 1, 1, 2, 4])):
            number = len(rows)
            container = f"/s/box{number % 9}.zip" if dice.random() < 0.4 else None
            uri = f"{container}!{number}.txt" if container else f"/s/{number}.txt"
            rows.append(Row(uri, rules, "complete", "high", bool(rules) and dice.random() < 0.5, content, container))
            truth[uri] = phi
    rows += [Row(f"/s/box{number}.zip", (), "container") for number in range(9)]
    return rows, truth
