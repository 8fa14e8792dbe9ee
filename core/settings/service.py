"""Settings of running it: logs and metrics."""

from dataclasses import dataclass

from core.settings.field import setting


@dataclass(frozen=True, slots=True)
class LogSettings:
    format: str = setting(
        "text", "`text`: lines for people; `json`: one JSON object a line, for machines", choices=("text", "json")
    )


@dataclass(frozen=True, slots=True)
class MetricsSettings:
    file: str = setting(
        "",
        "file that a scan writes its Prometheus metrics to, for node_exporter's textfile collector; empty means none",
    )
    listen: str = setting(
        "",
        "address such as `127.0.0.1:9108` where a scan serves its Prometheus metrics while it runs; empty means none",
    )
