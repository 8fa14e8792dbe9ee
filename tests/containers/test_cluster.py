"""deploy/kubernetes and deploy/flink/kubernetes on a real node: pods, probes, policies, scans: `make cluster-test`.

PostgreSQL's image is a stand-in made of Debian's packages; kubelet, scheduler, controllers, containerd, runc and what
enforces policies are not.
"""

import json
import os
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.kubernetes.node.node import Node
from tests.containers.engine import ROOT, Engine
from tests.containers.images import NAMED, PAUSE
from tests.containers.resources import Watch
from tests.containers.runbook import TOKEN, blocks, make_secret, run_as_documented
from tests.containers.test_compose import until
from tests.containers.test_image import NOTE, USER, copy_samples, readable_by_all, records

pytestmark = pytest.mark.cluster
POSTGRES_USER = 999
CLAIMS = {  # claim -> how it is read, and whose folder it is
    "leakscreen-results": ("ReadWriteMany", USER),
    "share": ("ReadOnlyMany", 0),
    "data-postgres-0": ("ReadWriteOnce", POSTGRES_USER),
}
POLICIES = ROOT / "deploy/kubernetes/network.yaml"
# A pod of another namespace, which does nothing until it is asked to connect.
STRANGER = """
apiVersion: v1
kind: Namespace
metadata: {name: elsewhere}
---
apiVersion: v1
kind: Pod
metadata: {name: stranger, namespace: elsewhere}
spec:
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 0
  containers:
    - name: stranger
      image: leakscreen:0.1.0
      command: [sleep, infinity]
"""
CONTAINERS = {
    "flink-jobmanager: jobmanager",
    "flink-taskmanager: taskmanager",
    "leakscreen-scan-on-flink: scan",
    "leakscreen-web: leakscreen",
    "postgres: postgres",
    "tonight: refer",
    "tonight: scan",
}
CONNECT = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 3)"
ANSWERS = "command terminated with exit code 1"  # by kubectl, where the program ran and could not connect


class Installation:
    def __init__(self, node: Node, folder: Path) -> None:
        self.node, self.folder = node, folder
        self.watch = Watch(node)
        self.watch.start()
        readable_by_all(folder)
        make_secret(node)
        for name, (mode, owner) in CLAIMS.items():
            (folder / name).mkdir()
            os.chown(folder / name, owner, owner)
            self.apply_text(yaml.dump(volume(name, mode, folder / name)))
        for number in range(6):
            (folder / "share" / f"note{number}.txt").write_text(NOTE.replace("4417293", f"441729{number}"))
        copy_samples(folder / "share" / "samples")
        node.kubectl("apply", "--kustomize", ROOT / "deploy/kubernetes")

    def __call__(self, *words: str | Path, check: bool = True) -> str:
        return self.node.kubectl("--namespace=leakscreen", *words, check=check).stdout

    def apply_text(self, text: str) -> None:
        self.node.kubectl("--namespace=leakscreen", "apply", "--filename=-", said=text)

    def wait(self, what: str, seconds: int = 240) -> None:
        """Until it is rolled out; what the pods said goes into the error."""
        done = self.node.kubectl(
            "--namespace=leakscreen", "rollout", "status", what, f"--timeout={seconds}s", check=False
        )
        assert not done.returncode, done.stderr + self("get", "events") + self("describe", "pods")[-6000:] + self.logs()

    def finish(self, job: str, seconds: int = 900) -> None:
        def ended() -> list[str]:
            status = json.loads(self("get", f"job/{job}", "--output=json"))["status"]
            return [each["type"] for each in status.get("conditions", ()) if each["status"] == "True"]

        ends = until(ended, f"{job} did not end" + self.logs(), seconds)
        assert "Complete" in ends, str(ends) + self("describe", "pods")[-6000:] + self.logs()

    def logs(self) -> str:
        folder = self.node.folder / "kubelet/logs"
        return "".join(f"\n{path}:\n{path.read_text()[-1500:]}" for path in folder.rglob("*.log"))

    def pods(self, app: str) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = json.loads(self("get", "pods", f"--selector=app={app}", "--output=json"))[
            "items"
        ]
        return listed

    def restarts(self, app: str) -> list[int]:
        return [each["restartCount"] for pod in self.pods(app) for each in pod["status"]["containerStatuses"]]

    def connects(self, namespace: str, pod: str, app: str, port: int) -> bool:
        """Whether a connection can be made from a pod to the (first) pod of an app."""
        address = self.pods(app)[0]["status"]["podIP"]
        words = ("exec", pod, "--", "python3", "-c", CONNECT, address, str(port))
        asked = self.node.kubectl(f"--namespace={namespace}", *words, check=False)
        assert not asked.returncode or ANSWERS in asked.stderr, asked.stderr
        return not asked.returncode

    def ready(self, app: str) -> int:
        """How many addresses its Service has."""
        slices = json.loads(
            self("get", "endpointslices", f"--selector=kubernetes.io/service-name={app}", "--output=json")
        )
        return sum(bool(end["conditions"]["ready"]) for each in slices["items"] for end in each["endpoints"] or ())


def volume(name: str, mode: str, folder: Path) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": name},
        "spec": {
            "capacity": {"storage": "20Gi"},
            "accessModes": [mode],
            "hostPath": {"path": str(folder)},
            "claimRef": {"namespace": "leakscreen", "name": name},
        },
    }


def ask(pod: dict[str, Any], path: str, **headers: str) -> tuple[int, str]:
    address = f"http://{pod['status']['podIP']}:8765{path}"
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {TOKEN}", **headers})
    try:
        with urllib.request.urlopen(request, timeout=15) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    engine = Engine()
    with Node([engine.archive(NAMED)], PAUSE) as node:
        yield Installation(node, tmp_path_factory.mktemp("cluster"))


def test_the_pages_answer_once_the_database_does(installation: Installation) -> None:
    installation.wait("statefulset/postgres")
    installation.wait("deployment/leakscreen-web")
    pods = installation.pods("leakscreen-web")
    assert [ask(pod, "/readyz") for pod in pods] == [(200, "ready\n")] * 2
    assert installation.ready("leakscreen-web") == 2
    by_an_ingress = {"Host": "review.example.org", "X-Forwarded-Proto": "https"}
    assert [ask(pod, "/login/", **by_an_ingress)[0] for pod in pods] == [200] * 2


def test_hostile_files_can_be_parsed_safely_in_a_pod(installation: Installation) -> None:
    looked = json.loads(installation("exec", "deployment/leakscreen-web", "--", "leakscreen", "doctor", "--json"))
    assert looked["ok"] and all(deed["refused"] for deed in looked["deeds"])


@pytest.fixture(scope="module")
def stranger(installation: Installation) -> tuple[str, str]:
    """It can be made once its namespace has an account, which is a controller's work."""
    apply = ("apply", "--filename=-")
    until(lambda: not installation.node.kubectl(*apply, said=STRANGER, check=False).returncode, "no stranger", 60)
    installation.node.kubectl(
        "--namespace=elsewhere", "wait", "--for=condition=Ready", "pod/stranger", "--timeout=120s"
    )
    return "elsewhere", "stranger"


def test_only_leakscreen_reaches_its_database(installation: Installation, stranger: tuple[str, str]) -> None:
    web = ("leakscreen", installation.pods("leakscreen-web")[0]["metadata"]["name"])
    database = ("leakscreen-postgres", 5432)
    until(lambda: not installation.connects(*stranger, *database), "a stranger reaches the database", 60)
    assert installation.connects(*web, *database)
    assert installation.connects(*stranger, "leakscreen-web", 8765)  # the pages are for everyone
    assert not installation.connects("leakscreen", "postgres-0", "leakscreen-web", 8765)  # it has nothing to ask


def test_it_is_the_policy_that_keeps_a_stranger_out(installation: Installation, stranger: tuple[str, str]) -> None:
    database = ("leakscreen-postgres", 5432)
    installation("delete", "networkpolicy/postgres")
    until(lambda: installation.connects(*stranger, *database), "something else keeps it out", 60)
    installation("apply", "--filename", POLICIES)
    until(lambda: not installation.connects(*stranger, *database), "a stranger reaches the database", 60)


def test_without_its_database_it_gets_no_requests_and_is_not_restarted(installation: Installation) -> None:
    before = installation.restarts("leakscreen-web")
    installation("scale", "statefulset/postgres", "--replicas=0")
    until(lambda: installation.ready("leakscreen-web") == 0, "still ready without a database", 120)
    pods = installation.pods("leakscreen-web")
    assert {ask(pod, "/readyz")[0] for pod in pods} == {503}
    assert {ask(pod, "/healthz")[0] for pod in pods} == {200}
    installation("scale", "statefulset/postgres", "--replicas=1")
    installation.wait("statefulset/postgres")
    until(lambda: installation.ready("leakscreen-web") == 2, "not ready again", 120)
    assert installation.restarts("leakscreen-web") == before


def test_the_nightly_job_scans_and_refers(installation: Installation) -> None:
    installation("create", "job", "--from=cronjob/leakscreen-scan", "tonight")
    installation.finish("tonight")
    rows = records(installation.folder / "leakscreen-results/results")
    referred = [row["uri"] for row in rows if row["referred"]]
    assert sum("/note" in uri for uri in referred) == 6
    assert 6 <= waiting(installation) <= len(referred)  # one for files with the same content


def waiting(installation: Installation) -> float:
    metrics = ask(installation.pods("leakscreen-web")[0], "/metrics")[1]
    found = re.findall(r'leakscreen_referrals\{queue="\w+",state="waiting"\} ([\d.]+)', metrics)
    return sum(map(float, found))


def test_the_service_reads_the_results_of_the_job(installation: Installation) -> None:
    """As its page about the breach does."""
    asked = ("exec", "deployment/leakscreen-web", "--", "leakscreen", "breach", "--from-reviews")
    assert json.loads(installation(*asked))["verified"]


def test_a_database_is_backed_up_and_restored(installation: Installation, tmp_path: Path) -> None:
    backup, restore = (block for block in blocks("## Back up and restore") if block.startswith("# On Kubernetes"))
    before = waiting(installation)
    run_as_documented(installation.node, backup, tmp_path)
    psql = ("psql", "-U", "leakscreen", "-d", "leakscreen", "-c", "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    installation("exec", "postgres-0", "--", *psql)
    assert waiting(installation) == 0
    assert "unbroken" in run_as_documented(installation.node, restore, tmp_path)
    assert waiting(installation) == before


def test_a_scan_on_flink_gives_the_same_records(installation: Installation, stranger: tuple[str, str]) -> None:
    results = installation.folder / "leakscreen-results"
    (results / "results").rename(results / "local")
    installation("scale", "deployment/leakscreen-web", "--replicas=0")  # a small machine has no room for both
    installation("apply", "--filename", ROOT / "deploy/flink/kubernetes/flink.yaml")
    installation.wait("deployment/flink-jobmanager")
    installation.wait("deployment/flink-taskmanager")
    installation("apply", "--filename", ROOT / "deploy/flink/kubernetes/scan.yaml")
    installation.finish("leakscreen-scan-on-flink")
    assert records(results / "results") == records(results / "local")
    (manager,) = installation.pods("flink-jobmanager")
    with urllib.request.urlopen(f"http://{manager['status']['podIP']}:8081/overview", timeout=15) as answer:
        overview = json.load(answer)
    assert (overview["taskmanagers"], overview["slots-total"], overview["jobs-finished"]) == (2, 4, 1)
    workers = ("leakscreen", installation.pods("flink-taskmanager")[0]["metadata"]["name"])
    for port in (6123, 8081):  # who reaches these runs programs
        assert installation.connects(*workers, "flink-jobmanager", port)
        assert not installation.connects(*stranger, "flink-jobmanager", port)


def test_no_container_comes_near_its_limit(installation: Installation, capsys: pytest.CaptureFixture[str]) -> None:
    used = installation.watch.stop()
    assert {each.name for each in used} >= CONTAINERS
    with capsys.disabled():
        for each in used:
            mega = (f"{figure / 1e6:,.0f}" for figure in (each.most, each.requested, each.limit))
            print("\n{}: {} MB at most; {} MB requested, limit {}".format(each.name, *mega), end="")
    assert all(0 < each.most < 0.8 * each.limit for each in used)
