"""Alerts and dashboard use metrics that exist, in expressions that Prometheus understands, and alerts fire."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from core.settings.service import MetricsSettings
from leakscreen.commands.scan_metrics import ScanMetrics
from tests.end_to_end.serving import serving

ROOT = Path(__file__).parents[2]
ALERTS = ROOT / "deploy/prometheus/alerts.yaml"
DASHBOARD = ROOT / "deploy/grafana/leakscreen.json"
METRIC = re.compile(r"\bleakscreen_\w+")


def expressions() -> list[str]:
    rules = yaml.safe_load(ALERTS.read_text(encoding="utf-8"))["groups"][0]["rules"]
    panels = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    return [*(rule["expr"] for rule in rules), *(target["expr"] for panel in panels for target in panel["targets"])]


@pytest.fixture(scope="module")
def metrics(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Of a real service and of a scan, as Prometheus reads them."""
    home = tmp_path_factory.mktemp("home")
    scan = ScanMetrics(MetricsSettings(file=str(home / "scan.prom")))
    scan.planned(1, 1)
    scan.ended({"status": {"complete": 1}, "stages": {"extract": {"seconds": 1.0}}})
    with serving(home, LEAKSCREEN_METRICS_TOKEN="token") as service:
        service.ask("/")
        status, text = service.ask("/metrics", Authorization="Bearer token")
    assert status == 200
    families = [
        *text_string_to_metric_families(text),
        *text_string_to_metric_families((home / "scan.prom").read_text()),
    ]
    return {name for family in families for name in (family.name, *(sample.name for sample in family.samples))}


def test_every_metric_that_is_named_exists(metrics: set[str]) -> None:
    named = {name for expression in expressions() for name in METRIC.findall(expression)}
    assert named - metrics == set()


def test_every_metric_that_exists_is_shown(metrics: set[str]) -> None:
    panels = DASHBOARD.read_text(encoding="utf-8")
    derived = ("_created", "_count", "_sum", "_bucket", "_total")
    plain = {name for name in metrics if name.startswith("leakscreen_") and not name.endswith(derived)}
    assert {name for name in plain if name not in panels} == set()


def promtool(*words: str | Path) -> subprocess.CompletedProcess[str]:
    program = shutil.which("promtool")
    assert program, "promtool is needed (Debian: apt-get install prometheus)"
    return subprocess.run([program, *map(str, words)], capture_output=True, text=True)


def test_prometheus_understands_every_expression(tmp_path: Path) -> None:
    rules = [{"record": f"panel:{number}", "expr": each} for number, each in enumerate(expressions())]
    (tmp_path / "rules.yaml").write_text(yaml.safe_dump({"groups": [{"name": "all", "rules": rules}]}))
    checked = promtool("check", "rules", tmp_path / "rules.yaml")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_each_alert_fires_where_it_should_and_nowhere_else(tmp_path: Path) -> None:
    done = promtool("test", "rules", ALERTS.with_name("alerts_test.yaml"))
    assert done.returncode == 0, done.stdout + done.stderr
    tried = ALERTS.with_name("alerts_test.yaml").read_text(encoding="utf-8")
    names = [rule["alert"] for rule in yaml.safe_load(ALERTS.read_text())["groups"][0]["rules"]]
    for name in names:  # each is expected to fire somewhere, or the test above could not miss it
        assert f'alertname="{name}"' in tried, name


def test_prometheus_understands_the_settings_of_the_runbook(tmp_path: Path) -> None:
    runbook = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    samples = [each for each in re.findall(r"```yaml\n([\s\S]*?)```", runbook) if "scrape_configs" in each]
    assert len(samples) == 2
    for sample in samples:
        # Debian's Prometheus is built without what asks Kubernetes.
        (tmp_path / "prometheus.yaml").write_text(re.sub("kubernetes_sd_configs: .*", "static_configs: []", sample))
        checked = promtool("check", "config", "--syntax-only", tmp_path / "prometheus.yaml")
        assert checked.returncode == 0, checked.stdout + checked.stderr


def changed(expression: str) -> Any:
    return expression.replace("172800", "1728000").replace("0.05", "0.95").replace("== 0", "== 7")


def test_the_test_of_the_alerts_can_fail(tmp_path: Path) -> None:
    document = yaml.safe_load(ALERTS.read_text(encoding="utf-8"))
    for rule in document["groups"][0]["rules"]:
        rule["expr"] = changed(rule["expr"])
    (tmp_path / "alerts.yaml").write_text(yaml.safe_dump(document))
    shutil.copy(ALERTS.with_name("alerts_test.yaml"), tmp_path)
    assert promtool("test", "rules", tmp_path / "alerts_test.yaml").returncode != 0
