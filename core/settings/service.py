"""The settings of leakscreen as a service: [log], [metrics] and each [[schedule]]."""

from dataclasses import dataclass

from core.settings.field import setting


@dataclass(frozen=True, slots=True)
class LogSettings:
    format: str = setting(
        "text", "`text`: lines for people; `json`: one JSON object per line", choices=("text", "json")
    )


@dataclass(frozen=True, slots=True)
class MetricsSettings:
    file: str = setting(
        "",
        "file to which a scan writes its Prometheus metrics, for node_exporter's textfile collector; empty means none",
    )
    listen: str = setting(
        "",
        "address such as `127.0.0.1:9108` on which a running scan serves its Prometheus metrics; empty means none",
    )


@dataclass(frozen=True, slots=True)
class ScheduleSettings:
    """One table [[schedule]]; every setting except name, cron and sources has a usable default."""

    name: str = setting("", "name of the schedule: lower-case letters, digits and dashes")
    cron: str = setting("", "when it runs: minute, hour, day of month, month, day of week")
    sources: tuple[str, ...] = setting((), "folders and files to scan")
    timezone: str = setting("UTC", "time zone of `cron` and of the quiet hours, such as `Europe/Berlin`")
    rules: tuple[str, ...] = setting((), "additional rule files; they replace `rules.files`")
    out: str = setting("", "folder for its results; empty means `scan.out`")
    settings: tuple[str, ...] = setting((), "any other setting for its scans, such as `scan.workers=1`")
    quiet: tuple[str, ...] = setting(
        (), "hours in which no run starts, such as `08:00-18:00`; a run due in them starts when they end"
    )
    overlap: str = setting(
        "skip",
        "if a run is due while the previous one is still running: `skip` it, or `queue` it (at most one)",
        choices=("skip", "queue"),
    )
    missed: str = setting(
        "run-once",
        "if runs were missed or interrupted: `run-once` makes up for all of them with one run, `skip` does nothing",
        choices=("run-once", "skip"),
    )
    grace_minutes: int = setting(
        15, "minutes after which a run that has not started counts as missed", low=1, high=1_440
    )
    refer: bool = setting(True, "refer the positives to the review service after each run")
    notify: bool = setting(True, "send due notifications after each run, if [mail] or [webhook] is configured")
