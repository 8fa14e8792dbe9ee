"""The nightly containers of the cluster, run as commands here: each step alone, and no step repeats a scan."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from core.settings import load_settings
from review.notify.channels import configured_channels

ROOT = Path(__file__).parents[2]
KEY = "0123456789abcdef" * 4
NOTE = """Patient: Mary Jones, born 12 March 1961, MRN 4417293, phone 617-555-0142, mary.jones@example.org
Diagnosis: type 2 diabetes mellitus, hypertension. Takes metformin 500 mg and lisinopril. HbA1c 8.1 %.
"""


def documents() -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((ROOT / "deploy/kubernetes/schedules.yaml").read_text(encoding="utf-8")))


def pod(name: str) -> dict[str, Any]:
    (job,) = (each for each in documents() if each["metadata"]["name"] == name)
    spec: dict[str, Any] = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    return spec


def settings_text() -> str:
    (settings,) = (each for each in documents() if each["kind"] == "ConfigMap")
    return str(settings["data"]["leakscreen.toml"])


def documented_secret() -> dict[str, str]:
    """The keys of the Secret that the runbook tells to create."""
    runbook = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    command = runbook.partition("create secret generic leakscreen")[2].partition("```")[0]
    return dict.fromkeys(re.findall(r"--from-literal=(\w+)=", command), KEY)


def test_the_documented_secret_has_what_the_settings_ask_for(tmp_path: Path) -> None:
    (tmp_path / "leakscreen.toml").write_text(settings_text())
    settings = load_settings(config=tmp_path / "leakscreen.toml", environ=documented_secret())
    (mail,) = configured_channels(settings)
    assert mail.sender(settings, documented_secret())


class Pod:
    """Runs containers here: the cluster's paths become folders of the test, its database a file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("bin", "share", "state", "tmp"):
            (folder / name).mkdir()
        (folder / "bin" / "leakscreen").write_text(f'#!/bin/sh\nexec {sys.executable} -P -m leakscreen "$@"\n')
        (folder / "bin" / "leakscreen").chmod(0o755)
        (folder / "share" / "note.txt").write_text(NOTE)
        self.settings = self.here(settings_text()).replace(
            "postgresql://leakscreen@postgres/leakscreen", f"sqlite:///{folder}/state/review.sqlite3"
        )
        self.write(self.settings.replace("smtp.example.org", "127.0.0.1"))

    def write(self, settings: str) -> None:
        (self.folder / "leakscreen.toml").write_text(settings)

    def here(self, text: str) -> str:
        return text.replace("/srv/share", f"{self.folder}/share").replace("/var/lib/leakscreen", f"{self.folder}/state")

    def run(self, container: dict[str, Any]) -> int:
        words = [*container.get("command", ["leakscreen"]), *container["args"]]
        environment = {
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "HOME": f"{self.folder}/state",
            "TMPDIR": f"{self.folder}/tmp",
            "LEAKSCREEN_CONFIG": f"{self.folder}/leakscreen.toml",
            **documented_secret(),
        }
        return subprocess.run([self.here(word) for word in words], env=environment, cwd=self.folder).returncode

    @property
    def results(self) -> Path:
        return self.folder / "state" / "results"

    @property
    def scans(self) -> list[Path]:
        return sorted(self.results.glob("scan=*"))


def test_a_mail_server_or_a_database_that_is_down_repeats_no_scan(tmp_path: Path) -> None:
    here, nightly = Pod(tmp_path), pod("leakscreen-scan")
    (scan,), (refer,) = nightly["initContainers"], nightly["containers"]
    assert nightly["restartPolicy"] == "OnFailure"  # the container that failed starts again, those before it do not
    (tmp_path / "share" / "locked.zip").write_bytes(b"PK\x03\x04broken")  # exit code 3: not everything was examined
    assert here.run(scan) == 0
    here.write(
        f'[review]\ndatabase = "postgresql://leakscreen@127.0.0.1:1/leakscreen"\n[scan]\nout = "{here.results}"\n'
    )
    assert here.run(refer) == 2
    here.write(here.settings.replace("smtp.example.org", "127.0.0.1"))
    assert here.run(refer) == 0
    (notify,) = pod("leakscreen-notify")["containers"]
    assert here.run(notify) == 0
    assert len(here.scans) == 1


def test_a_scan_that_fails_is_a_failure(tmp_path: Path) -> None:
    here = Pod(tmp_path)
    (scan,) = pod("leakscreen-scan")["initContainers"]
    here.write("[scan]\nworkers = 'many'\n")
    assert here.run(scan) != 0 and not here.scans


@pytest.mark.parametrize("name", ["leakscreen-scan", "leakscreen-notify"])
def test_no_container_both_scans_and_notifies(name: str) -> None:
    spec = pod(name)
    for container in [*spec.get("initContainers", ()), *spec["containers"]]:
        text = " ".join([*container.get("command", ()), *container["args"]])
        assert not ("scan " in text and "notify" in text)
