"""Logs and metrics of a scan are whole, can be read by machines, and name no file."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from leakscreen.demo import Planted
from tests.end_to_end.conftest import KEY, Run

Share = tuple[Path, list[Planted]]


Metrics = dict[tuple[str, ...], float]


def metrics_in(text: str) -> Metrics:
    families = text_string_to_metric_families(text)
    return {(sample.name, *sample.labels.values()): sample.value for family in families for sample in family.samples}


def test_every_line_is_an_event_and_no_file_is_named(leakscreen: Run, share: Share, home: Path) -> None:
    words = (
        "--out",
        home / "out",
        "--workers",
        "2",
        "--json",
        "--set",
        "log.format=json",
        "--set",
        f"metrics.file={home}/scan.prom",
    )
    ran = leakscreen("scan", share[0], *words)
    assert ran.code == 3, ran.err
    events = [json.loads(line) for line in ran.err.splitlines()]
    assert [event["event"] for event in events if event["event"] != "scan.progress"] == [
        "scan.preparing",
        "scan.planned",
        "scan.finished",
    ]
    last = events[-1]
    assert last["files"] == ran.json["files"] and last["status_complete"] == ran.json["status"]["complete"]
    metrics = metrics_in((home / "scan.prom").read_text())
    assert metrics[("leakscreen_scan_files",)] == metrics[("leakscreen_scan_planned_files",)] == ran.json["files"]
    assert metrics[("leakscreen_scan_records", "complete")] == ran.json["status"]["complete"]
    assert (metrics[("leakscreen_scan_succeeded",)], metrics[("leakscreen_scan_running",)]) == (1, 0)
    assert time.time() - metrics[("leakscreen_scan_finished_timestamp_seconds",)] < 300
    output = ran.err + (home / "scan.prom").read_text()
    assert not [path.name for path in share[0].rglob("*") if path.is_file() and path.name in output]
    assert str(share[0]) not in output


def test_a_scan_that_fails_is_told_as_such(leakscreen: Run, share: Share, home: Path) -> None:
    small = home / "small"
    small.mkdir()
    shutil.copy(next(path for path in share[0].rglob("*") if path.is_file()), small)
    (home / "bad.toml").write_text("broken")
    words = (
        "--out",
        home / "out",
        "--set",
        "log.format=json",
        "--set",
        f"metrics.file={home}/scan.prom",
        "--rules",
        home / "bad.toml",
    )
    ran = leakscreen("scan", small, *words)
    assert ran.code == 2
    last = json.loads(ran.err.splitlines()[-1])
    assert (last["event"], last["level"]) == ("failed", "error") and "bad.toml" in last["message"]
    assert metrics_in((home / "scan.prom").read_text())[("leakscreen_scan_succeeded",)] == 0


def test_metrics_are_served_while_the_scan_runs(share: Share, home: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    words = (
        "--out",
        home / "out",
        "--workers",
        "2",
        "--quiet",
        "--set",
        "scan.unit_files=2",
        "--set",
        f"metrics.listen={address}",
    )
    command = [sys.executable, "-m", "leakscreen", "scan", *map(str, (share[0], *words))]
    running = subprocess.Popen(
        command, env={**os.environ, "HOME": str(home), "LEAKSCREEN_HMAC_KEY": KEY}, stderr=subprocess.PIPE, text=True
    )
    scraped: list[Metrics] = []
    while running.poll() is None:
        with suppress(OSError), urllib.request.urlopen(f"http://{address}/metrics", timeout=5) as answer:
            scraped.append(metrics_in(answer.read().decode()))
        time.sleep(0.05)
    _, said = running.communicate()
    assert running.returncode == 3, said
    files = sum(path.is_file() for path in share[0].rglob("*"))
    seen = [metrics[("leakscreen_scan_files",)] for metrics in scraped if metrics[("leakscreen_scan_running",)]]
    assert seen == sorted(seen) and any(0 < count < files for count in seen), "progress is to be seen while it runs"
    assert {metrics[("leakscreen_scan_planned_files",)] for metrics in scraped} == {files}


def test_an_address_that_is_taken_is_told(leakscreen: Run, home: Path) -> None:
    (home / "a.txt").write_text("nothing of interest")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        address = f"127.0.0.1:{other.getsockname()[1]}"
        ran = leakscreen(
            "scan",
            home / "a.txt",
            "--out",
            home / "out",
            "--workers",
            "1",
            "--set",
            f"metrics.listen={address}",
            "--quiet",
        )
    assert (ran.code, ran.err) == (
        2,
        f"leakscreen: metrics.listen: cannot listen on {address}: Address already in use\n",
    )


def test_an_address_or_file_for_metrics_that_cannot_be_used_is_told_at_once(leakscreen: Run, home: Path) -> None:
    ran = leakscreen("scan", home, "--out", home / "out", "--set", "metrics.listen=9108")
    assert (ran.code, ran.err) == (2, "leakscreen: metrics.listen: '9108' must have the form 127.0.0.1:9108\n")
    ran = leakscreen("scan", home, "--out", home / "out", "--set", f"metrics.file={home}/none/scan.prom")
    assert ran.code == 2 and "cannot be written: No such file or directory" in ran.err
