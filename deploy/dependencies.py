"""The pinned packages -> faults: a pin without a hash, another version installed, a licence that is not free enough.

`python -m deploy.dependencies` is part of `make check` and needs no network. Known vulnerabilities are looked up where
OSV_DATABASE names a copy of OSV's database of PyPI (all.zip); otherwise it says that they were not.
"""

import json
import os
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parents[1]
_ALL, _INSTALLED_BY_USERS = "requirements*.txt", "requirements-clouds.txt"
_ENTRY = re.compile(r"^(\S+==[^\\\n]+?)((?:\s*\\\n\s+--hash=sha256:[0-9a-f]{64})*)\s*$", re.MULTILINE)
_FREE = re.compile(
    r"\b(MIT|BSD|Apache|ISC|PSF|Python Software Foundation|MPL|Mozilla|LGPL|Lesser|Unlicense|Zlib|HPND|CC0|0BSD|EPL)\b",
    re.IGNORECASE,
)
_NOT_FREE_ENOUGH = re.compile(r"(?<![Ll])(?<![Ll]esser )\bA?GPL|(?<!Lesser )General Public License|Affero|Proprietary")


def main() -> int:
    pins = dict(_pins(_ALL))
    faults = [*_without_hash(pins), *_not_as_pinned(pins), *_licences(dict(_pins(_INSTALLED_BY_USERS)))]
    database = os.environ.get("OSV_DATABASE", "")
    if database:
        faults += _vulnerable(pins, Path(database))
    for fault in faults:
        print(fault)
    known = "" if database else "; vulnerabilities were not looked up: OSV_DATABASE names no database"
    print(f"{len(pins)} packages pinned, {len(faults)} faults{known}")
    return 1 if faults else 0


def _pins(files: str) -> Iterator[tuple[str, tuple[Version, bool]]]:
    """For this interpreter: name -> version, and whether it has a hash."""
    for file in sorted(ROOT.glob(files)):
        for line, hashes in _ENTRY.findall(file.read_text(encoding="utf-8")):
            pin = Requirement(line.strip())
            if pin.marker is None or pin.marker.evaluate():
                yield canonicalize_name(pin.name), (Version(next(iter(pin.specifier)).version), bool(hashes))


def _without_hash(pins: Mapping[str, tuple[Version, bool]]) -> Iterator[str]:
    yield from (f"{name}: pinned without a hash" for name, (_, has_hash) in pins.items() if not has_hash)


def _not_as_pinned(pins: Mapping[str, tuple[Version, bool]]) -> Iterator[str]:
    for name, (version, _) in pins.items():
        try:
            installed = Version(metadata(name)["Version"])
        except PackageNotFoundError:
            continue  # an extra that is not installed here
        if installed != version:
            yield f"{name}: {installed} is installed, {version} is pinned"


def _licences(pins: Mapping[str, tuple[Version, bool]]) -> Iterator[str]:
    for name in pins:
        try:
            licence = _licence(metadata(name))
        except PackageNotFoundError:
            continue
        if _NOT_FREE_ENOUGH.search(licence) and not _FREE.search(licence):
            yield f"{name}: licence {licence[:60]!r}"


def _licence(facts: Any) -> str:
    classifiers = [text for text in facts.get_all("Classifier") or () if text.startswith("License")]
    return " ".join((facts.get("License-Expression") or "", (facts.get("License") or "")[:200], *classifiers))


def _vulnerable(pins: Mapping[str, tuple[Version, bool]], database: Path) -> Iterator[str]:
    with zipfile.ZipFile(database) as archive:
        for name in archive.namelist():
            entry = json.loads(archive.read(name))
            if entry.get("withdrawn"):
                continue
            for affected in entry.get("affected", ()):
                package = canonicalize_name(affected.get("package", {}).get("name", ""))
                if package in pins and is_affected(pins[package][0], affected):
                    yield f"{package} {pins[package][0]}: {entry['id']} {entry.get('summary', '')}"


def is_affected(version: Version, affected: Mapping[str, Any]) -> bool:
    if str(version) in affected.get("versions", ()):
        return True
    for span in affected.get("ranges", ()):
        if span.get("type") != "ECOSYSTEM":
            continue
        is_in = False
        for event in span.get("events", ()):
            (kind, text), *_ = event.items()
            try:
                at = Version(text)
            except InvalidVersion:
                continue
            if kind == "introduced" and version >= at:
                is_in = True
            elif (kind == "fixed" and version >= at) or (kind == "last_affected" and version > at):
                is_in = False
        if is_in:
            return True
    return False


if __name__ == "__main__":
    sys.exit(main())
