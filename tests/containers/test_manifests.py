"""Every manifest, asked of a real API server: would it be taken, strictly, under `restricted`?: `make cluster-test`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.kubernetes.node.control_plane import ControlPlane
from tests.containers.engine import ROOT
from tests.containers.runbook import make_secret

pytestmark = pytest.mark.cluster
FLINK = sorted((ROOT / "deploy/flink/kubernetes").glob("*.yaml"))
NAMESPACE = "--namespace=leakscreen"
ASKED = ("--dry-run=server", "--validate=strict")


@pytest.fixture(scope="module")
def cluster() -> Iterator[ControlPlane]:
    with ControlPlane() as cluster:
        make_secret(cluster)
        cluster.kubectl("apply", "--filename", ROOT / "deploy/kubernetes/namespace.yaml")
        account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}}
        cluster.kubectl("apply", NAMESPACE, "--filename=-", said=yaml.dump(account))  # a controller's work
        yield cluster


def objects(cluster: ControlPlane) -> list[dict[str, Any]]:
    made = cluster.kubectl("kustomize", ROOT / "deploy/kubernetes").stdout
    return [each for text in (made, *(path.read_text() for path in FLINK)) for each in yaml.safe_load_all(text)]


def test_the_whole_of_kustomize_is_taken_without_a_warning(cluster: ControlPlane) -> None:
    asked = cluster.kubectl("apply", *ASKED, "--kustomize", ROOT / "deploy/kubernetes")
    assert asked.stderr == ""
    taken = asked.stdout.splitlines()
    assert all(line.endswith("(server dry run)") for line in taken)
    wanted = list(yaml.safe_load_all(cluster.kubectl("kustomize", ROOT / "deploy/kubernetes").stdout))
    assert len(taken) == len(wanted) >= 12


@pytest.mark.parametrize("path", FLINK, ids=lambda path: path.name)
def test_what_runs_flink_is_taken_without_a_warning(cluster: ControlPlane, path: Path) -> None:
    asked = cluster.kubectl("apply", *ASKED, NAMESPACE, "--filename", path)
    assert asked.stderr == ""
    assert len(asked.stdout.splitlines()) == len(list(yaml.safe_load_all(path.read_text())))


def test_each_of_their_pods_is_admitted(cluster: ControlPlane) -> None:
    """The profile only warns about a Deployment, and refuses its pods later: so each is asked for here."""
    admitted = 0
    for each in objects(cluster):
        spec = each.get("spec", {})
        template = spec.get("jobTemplate", {}).get("spec", spec).get("template")
        if template is None:
            continue
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "asked"}, "spec": template["spec"]}
        claimed = [claim["metadata"]["name"] for claim in spec.get("volumeClaimTemplates", ())]
        template["spec"]["volumes"] += [{"name": name, "emptyDir": {}} for name in claimed]
        cluster.kubectl("create", *ASKED, NAMESPACE, "--filename=-", said=yaml.dump(pod))
        admitted += 1
        pod["spec"]["containers"][0]["securityContext"]["allowPrivilegeEscalation"] = True
        refused = cluster.kubectl("create", *ASKED, NAMESPACE, "--filename=-", said=yaml.dump(pod), check=False)
        assert refused.returncode and 'violates PodSecurity "restricted' in refused.stderr
    assert admitted == 7


def test_a_fault_is_noticed(cluster: ControlPlane) -> None:
    web = next(each for each in objects(cluster) if each["kind"] == "Deployment")
    web["spec"]["replicsa"] = 2
    asked = cluster.kubectl("apply", *ASKED, NAMESPACE, "--filename=-", said=yaml.dump(web), check=False)
    assert asked.returncode and 'unknown field "spec.replicsa"' in asked.stderr
