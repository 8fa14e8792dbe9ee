"""docs/operations.md -> its commands, by section; those for a cluster's Secret are run with the values of a test."""

import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from tests.containers.engine import KEY, ROOT

if TYPE_CHECKING:
    from deploy.kubernetes.node.control_plane import ControlPlane

RUNBOOK = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
MANAGER, PASSWORD, TOKEN = "mia", "correct horse battery", "a-token-for-metrics"
VALUES = {
    "LEAKSCREEN_HMAC_KEY": KEY,
    "LEAKSCREEN_METRICS_TOKEN": TOKEN,
    "LEAKSCREEN_MAIL_PASSWORD": "none",
    "LEAKSCREEN_MANAGER": MANAGER,
    "LEAKSCREEN_MANAGER_PASSWORD": f"'{PASSWORD}'",
}


def blocks(heading: str) -> list[str]:
    """The commands of one section."""
    section = re.split(r"^##", RUNBOOK.partition(f"{heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    return re.findall(r"```sh\n([\s\S]*?)```", section)


def make_secret(cluster: "ControlPlane") -> None:
    """Namespace and Secret, before anything is applied."""
    begin = "kubectl create namespace leakscreen\n"
    commands = begin + RUNBOOK.partition(begin)[2].partition("kubectl apply -k")[0]
    for name, value in VALUES.items():
        commands, number = re.subn(rf"{name}=(\$\([^)]*\)|\.\.\.)", f"{name}={value}", commands)
        assert number == 1, f"the runbook names no {name}"
    run_as_documented(cluster, commands, ROOT)


def run_as_documented(cluster: "ControlPlane", commands: str, folder: Path) -> str:
    """In that folder; `kubectl` is the one of the test."""
    program = f"{cluster.binaries / 'kubectl'} --kubeconfig={cluster.configuration}"
    script = f'kubectl() {{ {program} "$@"; }}\n{commands}'
    done = subprocess.run(["bash", "-euc", script], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
