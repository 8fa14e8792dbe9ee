"""The commands of docs/operations.md for a cluster -> run, with the values of a test."""

import re
import subprocess
from typing import TYPE_CHECKING

from tests.containers.engine import KEY, ROOT

if TYPE_CHECKING:
    from deploy.kubernetes.node.control_plane import ControlPlane

MANAGER, PASSWORD, TOKEN = "mia", "correct horse battery", "a-token-for-metrics"
VALUES = {
    "LEAKSCREEN_HMAC_KEY": KEY,
    "LEAKSCREEN_METRICS_TOKEN": TOKEN,
    "LEAKSCREEN_MAIL_PASSWORD": "none",
    "LEAKSCREEN_MANAGER": MANAGER,
    "LEAKSCREEN_MANAGER_PASSWORD": f"'{PASSWORD}'",
}


def make_secret(cluster: "ControlPlane") -> None:
    """Namespace and Secret, before anything is applied."""
    runbook = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    begin = "kubectl create namespace leakscreen\n"
    commands = begin + runbook.partition(begin)[2].partition("kubectl apply -k")[0]
    for name, value in VALUES.items():
        commands, number = re.subn(rf"{name}=(\$\([^)]*\)|\.\.\.)", f"{name}={value}", commands)
        assert number == 1, f"the runbook names no {name}"
    program = f"{cluster.binaries / 'kubectl'} --kubeconfig={cluster.configuration}"
    script = f'kubectl() {{ {program} "$@"; }}\n{commands}'
    subprocess.run(["bash", "-euc", script], check=True, capture_output=True)
