"""The small Python API: scan, read results, screen a text and evaluate, as the commands of the same names do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.records import Screening, Segment, Span
from core.settings import Settings, load_settings
from evaluation.estimate import RuleRates
from pipelines.results.folder import ScanFolder, open_scan
from screening.privacy.key import load_key
from screening.ruleset.ruleset import rules_of
from screening.screen import Screen

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Results:
    """A finished scan; its rows hold masked values only."""

    folder: str
    summary: Mapping[str, Any]
    manifest: Mapping[str, Any]

    def rows(self, columns: Sequence[str] | None = None) -> Iterator[Row]:
        """One for each file and member; the columns are those of docs/results.md, all that an export has by default."""
        return self._rows(columns, None)

    def referred(self, columns: Sequence[str] | None = None) -> Iterator[Row]:
        """Rows of what was referred to people."""
        import pyarrow.compute as pc

        return self._rows(columns, pc.field("referred"))

    def _rows(self, columns: Sequence[str] | None, where: Any) -> Iterator[Row]:
        from leakscreen.export.rows import COLUMNS

        return iter(ScanFolder(self.folder).rows(tuple(columns or COLUMNS), where=where))


@dataclass(frozen=True, slots=True)
class ScreenedText:
    """What the screen found in a text: where (`spans`), and how it judges that (`screening`), with masked evidence."""

    spans: tuple[Span, ...]
    screening: Screening

    @property
    def positive(self) -> bool:
        return self.screening.positive

    @property
    def counts(self) -> dict[str, int]:
        return dict(self.screening.counts)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """TDP and FRP of the tool as a whole, which is called `referred`, and of each rule; and what they rest on."""

    rules: tuple[RuleRates, ...]
    facts: Mapping[str, Any]


def scan(
    *sources: str | Path,
    out: str | Path,
    settings: Mapping[str, Any] | None = None,
    config: Path | None = None,
    full: bool = False,
) -> Results:
    """Scans folders, files or object stores into `out`; `settings` are keys of leakscreen.toml, such as scan.workers.

    What is wrong with the request raises a LeakscreenError before anything is written.
    """
    from leakscreen.commands.report import write_report
    from leakscreen.commands.scan import quieten_beam
    from leakscreen.console.progress import Observers
    from pipelines.launch import start_scan
    from pipelines.request import check_request
    from pipelines.sources.sources import Sources

    loaded = load_settings({**(settings or {}), "scan.out": str(out)}, config=config)
    request = check_request(Sources(tuple(map(str, sources)), ()), loaded, full=full)
    finished = start_scan(request, Observers(None, None), before_loading=quieten_beam)
    write_report(finished.folder, finished.summary, finished.manifest)
    return read_results(finished.folder.uri)


def read_results(scan: str | Path) -> Results:
    """A scan's folder, or an output folder, of which the newest scan is read; one that is unfinished is refused."""
    folder = open_scan(str(scan))
    return Results(folder.uri, folder.read_summary(), folder.read_manifest())


def screen_text(text: str, settings: Mapping[str, Any] | None = None, config: Path | None = None) -> ScreenedText:
    """The PII screen alone, without the health stage; nothing is written."""
    screen = _screen(load_settings(dict(settings or {}), config=config))
    return ScreenedText(tuple(screen.spans(text)), screen.screen([Segment("text", text)]))


def evaluate(scan: str | Path | Results, labels: Mapping[str, bool]) -> Evaluation:
    """Measures the rules of a scan on verified files, uri -> whether it holds PHI."""
    from leakscreen.commands.evaluate import measure

    folder = open_scan(scan.folder if isinstance(scan, Results) else str(scan))
    rates, facts = measure(folder, dict(labels))
    return Evaluation(tuple(rates), facts)


@lru_cache(maxsize=4)
def _screen(settings: Settings) -> Screen:
    """Compiling the rules takes longer than screening a text."""
    return Screen(rules_of(settings.rules), load_key(settings.privacy.key_file))
