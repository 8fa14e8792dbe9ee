"""Records of mails -> the folder of a scan, one a day, that `leakscreen refer`, `report` and `evaluate` read.

What a held mail's record says is on the disk before the mail server is asked to hold it. Records of other mails are
written together, a few times a minute.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from core.records import FileRecord
from core.settings import Settings
from extraction.sandbox import probe
from leakscreen.gate.judge import Figures, Judged
from pipelines import storage
from pipelines.bundle.bundle import Bundle, BundleRef
from pipelines.bundle.inputs import Inputs
from pipelines.results.folder import ScanFolder, check_output, new_scan_id, scan_names, unit_file
from pipelines.results.manifest import new_manifest
from pipelines.results.parquet import unit_parquet
from pipelines.results.people import PeopleFile
from pipelines.results.seal import (
    fault_in_manifest,
    key_of_seals,
    seal_in,
    seal_of,
    sealed_json,
    sealed_summary,
    without_seals,
)
from pipelines.results.totals import add, no_totals, unit_totals
from pipelines.sources.sources import Sources
from pipelines.summary import summarise
from screening.privacy.key import load_key

SOURCE = "gate"


class GateResults:
    """One day's folder at a time; a gate that starts again on the same day with the same models goes on with it."""

    def __init__(self, settings: Settings, inputs: Inputs, bundle: Bundle, policy_ids: Sequence[str]) -> None:
        self._settings, self._inputs, self._bundle = settings, inputs, bundle
        self._rule_ids = [*(rule.id for rule in bundle.rules.rules), *policy_ids]
        self._out = check_output(settings.gate.out)
        self._key = key_of_seals(load_key(settings.privacy.key_file))
        self._records: list[FileRecord] = []
        self._people = PeopleFile()
        self._figures: Figures = {}
        self._has_new_units = False
        self._clock = time.perf_counter()
        self._folder: ScanFolder
        self._manifest: dict[str, Any]
        self._open(datetime.now(UTC))

    @property
    def scan_id(self) -> str:
        return self._folder.scan_id

    @property
    def folder(self) -> ScanFolder:
        return self._folder

    @property
    def bundle_ref(self) -> BundleRef:
        return BundleRef(
            self._folder.bundle,
            self._bundle.sha256,
            self._settings.privacy.key_file,
            self._inputs.key_fingerprint,
        )

    @property
    def waiting(self) -> int:
        return len(self._records)

    def add(self, judged: Judged, records: Sequence[FileRecord], uri: str, path: bytes, owner: str) -> None:
        """Adds the records of one mail under its name; `path` is where a held mail can be read again."""
        names = {}
        for record in records:
            renamed = _renamed(record, uri, path, owner, self.scan_id)
            names[record.uri] = renamed.uri
            self._records.append(renamed)
        for document, people in judged.people:
            self._people.add(names.get(document, uri), people)
        for stage, figures in judged.figures.items():
            mine = self._figures.setdefault(stage, {"seconds": 0.0, "bytes": 0})
            for name, amount in figures.items():
                mine[name] += amount

    def secure(self) -> None:
        """Writes all records to disk now. Manifest and summary follow with the next flush."""
        if self._records:
            self._write_unit()
            self._has_new_units = True

    def flush(self) -> None:
        """Writes everything to files. The folder then looks like that of a finished scan."""
        self.secure()
        if self._has_new_units:
            self._write_facts()
            self._has_new_units = False
        today = datetime.now(UTC).date()
        if self._started.date() != today:
            self._open(datetime.now(UTC))

    def _write_unit(self) -> None:
        records, people, figures = self._records, self._people, self._figures
        name = unit_file(len(self._seals))
        people.write(storage.join(self._folder.people, name), self._key)
        totals: dict[str, Any] = {}

        def totals_after(seconds: float) -> dict[str, Any]:
            figures["write"] = {"seconds": seconds, "bytes": 0}
            totals.update(unit_totals(records, figures))
            return totals

        content = unit_parquet(records, totals_after, self._key)
        storage.write_whole(storage.join(self._folder.files, name), content)
        self._records, self._people, self._figures = [], PeopleFile(), {}
        self._seals[name] = seal_in(content)
        self._people_seals[name] = seal_of(storage.join(self._folder.people, name))
        add(self._totals, totals)

    def _write_facts(self) -> None:
        """Makes manifest and summary agree with the units; after a kill in between, the next start does it."""
        files, size = self._totals["files"], self._totals["bytes"]
        walk = {**self._manifest["walk"], "files": files, "bytes": size, "units": len(self._seals)}
        self._manifest = {**self._manifest, "walk": walk}
        seconds = time.perf_counter() - self._clock
        summary = summarise(self._folder, self._manifest, self._rule_ids, seconds, self._totals)
        seals = [self._seals[name] for name in sorted(self._seals)]
        seals += [self._people_seals[name] for name in sorted(self._people_seals)]
        storage.write_whole(self._folder.manifest, sealed_json(self._manifest, self._key))
        storage.write_whole(self._folder.summary, sealed_summary(summary, self._key, seals))

    def _open(self, now: datetime) -> None:
        """Continues today's folder with the figures of its units, or starts a new one."""
        folder = self._todays(now)
        self._started = now
        self._totals = no_totals()
        self._seals: dict[str, str] = {}
        self._people_seals: dict[str, str] = {}
        if folder is None:
            self._folder, self._manifest = self._begin(now)
            return
        self._folder, self._manifest = folder, without_seals(folder.read_manifest())
        for name in folder.unit_names():
            add(self._totals, folder.unit_totals(name))
            self._seals[name] = seal_of(storage.join(folder.files, name))
        self._people_seals = {name: seal_of(storage.join(folder.people, name)) for name in folder.people_names()}
        if self._seals:
            self._write_facts()

    def _todays(self, now: datetime) -> ScanFolder | None:
        for name in reversed(scan_names(self._out)):
            folder = ScanFolder(storage.join(self._out, name))
            manifest = folder.read_manifest()
            if manifest["inputs"] != self._inputs.sha256 or manifest["rules"]["ids"] != self._rule_ids:
                continue
            if datetime.fromisoformat(manifest["started"]).date() == now.date():
                return None if fault_in_manifest(folder, manifest, self._key) else folder
        return None

    def _begin(self, now: datetime) -> tuple[ScanFolder, dict[str, Any]]:
        folder = ScanFolder.of(self._out, new_scan_id(now, self._out))
        facts = {**self._bundle.facts(self._inputs), "sandbox": probe().as_dict()}
        manifest = new_manifest(folder, Sources(), self._settings, now, self._inputs, facts)
        manifest |= {
            "sources": [SOURCE],
            "held_only": True,
            "rules": {**manifest["rules"], "ids": self._rule_ids},
            "walk": {"files": 0, "bytes": 0, "units": 0, "sample": None, "passed_over": {}},
        }
        content = {"bundle.zip": self._bundle.content, "manifest.json": sealed_json(manifest, self._key)}
        storage.begin_folder(folder.uri, content)
        return folder, manifest


def _renamed(record: FileRecord, uri: str, path: bytes, owner: str, scan_id: str) -> FileRecord:
    """Postfix adds headers to a held mail after it was judged, so its hash would no longer match."""
    at = len(record.ref.uri)
    inside = record.container_uri
    return replace(
        record,
        scan_id=scan_id,
        ref=replace(record.ref, uri=uri, path=path, source=SOURCE, owner=owner),
        uri=uri + record.uri[at:],
        container_uri=None if inside is None else uri + inside[at:],
        sha256=None if inside is None else record.sha256,
    )
