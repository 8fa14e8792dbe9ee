"""An output folder -> the last finished scan whose records a new scan may carry over, and which of them it may."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.errors import OutputError
from core.version import RESULTS_FORMAT
from pipelines import storage
from pipelines.results.folder import ScanFolder, scan_names

_COARSEST_CLOCK_NS = 2_000_000_000  # of a file system in use


@dataclass(frozen=True, slots=True)
class PreviousScan:
    """A finished scan of some of the same sources, under the same way of reading and detecting."""

    folder: ScanFolder
    manifest: dict[str, Any]

    @property
    def carry_from(self) -> tuple[ScanFolder, int]:
        """The folder whose plan and records are quickest to carry over from, and the number of its units."""
        if storage.is_local(self.folder.uri) and storage.exists(self.folder.again.manifest):
            return self.folder.again, 0
        return self.folder, self.manifest["walk"]["units"]

    @property
    def trusted_before_ns(self) -> int:
        """Files written later are not trusted: they may have changed again within the same tick of the clock."""
        return int(self.began.timestamp() * 1_000_000_000) - _COARSEST_CLOCK_NS

    @property
    def began(self) -> datetime:
        return datetime.fromisoformat(self.manifest["started"])

    def same(self, aspect: str, aspects: dict[str, str]) -> bool:
        return bool(self.manifest["aspects"][aspect] == aspects[aspect])


def previous_scan(out: str, sources: list[str]) -> PreviousScan | None:
    """The newest scan that ended, reconciled, looked at every file, and shares a source with the new one."""
    for name in reversed(scan_names(out)):
        folder = ScanFolder(storage.join(out, name))
        try:
            summary, manifest = folder.read_summary(), folder.read_manifest()
        except OutputError:
            continue
        if manifest.get("format", 1) != RESULTS_FORMAT:
            continue  # its records lack the columns that came later: files must be read again to fill them
        whole = summary["reconciliation"]["ok"] and not manifest["walk"].get("sample") and "aspects" in manifest
        if whole and set(manifest["sources"]) & set(sources) and storage.exists(folder.plan):
            return PreviousScan(folder, manifest)
    return None


def usable(previous: PreviousScan | None, aspects: dict[str, str]) -> PreviousScan | None:
    """None where files must be read again, because they would be read or searched in another way."""
    if previous is None or not (previous.same("reading", aspects) and previous.same("detection", aspects)):
        return None
    return previous
