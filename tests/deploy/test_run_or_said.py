"""Every file of deploy/ is run by a test, or says in its first line that it is not, and why."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# The test that runs the file, and what in that test does.
RUN = {
    "compose/leakscreen.toml": ("containers/test_compose.py", "leakscreen.toml"),
    "compose/secrets.env.example": ("containers/test_compose.py", "secrets.env"),
    "dependencies.py": ("deploy/test_dependencies.py", "dependencies.main()"),
    "flink/cluster.py": ("end_to_end/test_flink.py", "deploy.flink.cluster"),
    "flink/compose.yaml": ("containers/test_flink_image.py", "deploy/flink/compose.yaml"),
    "flink/jars.py": ("deploy/test_flink_jars.py", "jars"),
    "flink/jars.sha256": ("end_to_end/test_flink.py", "Cluster("),
    "flink/kubernetes/flink.yaml": ("containers/test_cluster.py", "deploy/flink/kubernetes/flink.yaml"),
    "flink/kubernetes/scan.yaml": ("containers/test_cluster.py", "deploy/flink/kubernetes/scan.yaml"),
    "flink/merge.py": ("deploy/test_flink_jars.py", "merge"),
    "flink/pom.xml": ("end_to_end/test_flink.py", "Cluster("),
    "flink/process.py": ("end_to_end/test_flink.py", "Cluster("),
    "image/slim.py": ("containers/test_image.py", "Engine"),
    "java_processes.py": ("end_to_end/test_flink.py", "Cluster("),
    "kubernetes/kustomization.yaml": ("containers/test_cluster.py", '"--kustomize", ROOT / "deploy/kubernetes"'),
    "kubernetes/namespace.yaml": ("containers/test_manifests.py", "namespace.yaml"),
    "kubernetes/network.yaml": ("containers/test_cluster.py", "deploy/kubernetes/network.yaml"),
    "kubernetes/node/control_plane.py": ("containers/test_manifests.py", "ControlPlane()"),
    "kubernetes/node/go.mod": ("containers/test_cluster.py", "Node("),
    "kubernetes/node/go.sum": ("containers/test_cluster.py", "Node("),
    "kubernetes/node/node.py": ("containers/test_cluster.py", "Node("),
    "kubernetes/node/programs.py": ("containers/test_cluster.py", "Node("),
    "kubernetes/storage.yaml": ("containers/test_cluster.py", '"leakscreen-results"'),
    "kubernetes/web.yaml": ("containers/test_cluster.py", "deployment/leakscreen-web"),
    "leakscreen.toml": ("core/test_settings.py", "deploy"),
    "processes.py": ("end_to_end/test_flink.py", "Cluster("),
    "prometheus/alerts.yaml": ("deploy/test_monitoring.py", "promtool"),
    "prometheus/alerts_test.yaml": ("deploy/test_monitoring.py", "alerts_test.yaml"),
    "spark/cluster.py": ("end_to_end/test_spark.py", "deploy.spark.cluster"),
    "spark/jars.sha256": ("end_to_end/test_spark.py", "Cluster("),
    "spark/pom.xml": ("end_to_end/test_spark.py", "Cluster("),
    "systemd/leakscreen-gate-release.service": ("containers/test_systemd.py", "leakscreen-gate-release.service"),
    "systemd/leakscreen-gate-release.timer": ("containers/test_systemd.py", 'UNITS.glob("*.timer")'),
    "systemd/leakscreen-gate.service": ("containers/test_systemd.py", "leakscreen-gate.service"),
    "systemd/leakscreen-notify.service": ("containers/test_systemd.py", "leakscreen-notify.service"),
    "systemd/leakscreen-notify.timer": ("containers/test_systemd.py", 'UNITS.glob("*.timer")'),
    "systemd/leakscreen-scan@.service": ("containers/test_systemd.py", "leakscreen-scan@srv-share.service"),
    "systemd/leakscreen-scan@.timer": ("containers/test_systemd.py", 'UNITS.glob("*.timer")'),
    "systemd/leakscreen-schedule-once.service": ("containers/test_systemd.py", "leakscreen-schedule-once.service"),
    "systemd/leakscreen-schedule-once.timer": ("containers/test_systemd.py", 'UNITS.glob("*.timer")'),
    "systemd/leakscreen-schedule.service": ("containers/test_systemd.py", "leakscreen-schedule.service"),
    "systemd/leakscreen-serve.service": ("containers/test_systemd.py", "leakscreen-serve.service"),
}
SAID = re.compile(r"\bNot (run|started|loaded)\b.{20,}|\bRun by a test only in part: .{20,}")


def files() -> list[str]:
    """Those that git has, and those that it will have."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "deploy"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return sorted(name.removeprefix("deploy/") for name in listed.stdout.split())


@pytest.mark.parametrize("name", files())
def test_it_is_run_or_it_says_that_it_is_not(name: str) -> None:
    first = (ROOT / "deploy" / name).read_text(encoding="utf-8").partition("\n")[0]
    if name in RUN:
        test, by = RUN[name]
        assert by in (ROOT / "tests" / test).read_text(encoding="utf-8")
        assert not SAID.search(first)
    else:
        assert SAID.search(first), first


def test_what_is_listed_here_exists() -> None:
    assert set(RUN) <= set(files())


@pytest.mark.parametrize("test", sorted({test for test, _ in RUN.values()}))
def test_each_of_these_tests_is_started_by_make(test: str) -> None:
    """By `make test`, or where a mark keeps it out of that, by a command of its own."""
    marked = re.search(r"^pytestmark = pytest\.mark\.(\w+)$", (ROOT / "tests" / test).read_text(), re.MULTILINE)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert not marked or re.search(rf"pytest .*-m {marked[1]} tests/{test}$", makefile, re.MULTILINE)


def test_systemd_understands_the_units(tmp_path: Path) -> None:
    """With a command that exists here in the place of the installed one."""
    program = shutil.which("systemd-analyze")
    assert program, "systemd-analyze is needed (Debian: apt-get install systemd)"
    for unit in (ROOT / "deploy/systemd").iterdir():
        text = unit.read_text(encoding="utf-8").replace("/opt/leakscreen/bin/leakscreen", "/bin/true")
        (tmp_path / unit.name.replace("@.", "@srv-share.")).write_text(text)
    units = sorted(str(path) for path in tmp_path.iterdir())
    read = subprocess.run([program, "verify", "--man=no", *units], capture_output=True, text=True, cwd=tmp_path)
    assert read.returncode == 0, read.stderr
    assert [line for line in read.stderr.splitlines() if "leakscreen" in line] == []
    broken = tmp_path / "leakscreen-notify.timer"
    broken.write_text(broken.read_text().replace("OnCalendar=*:0/15", "OnCalendar=every now and then"))
    read = subprocess.run([program, "verify", "--man=no", str(broken)], capture_output=True, text=True, cwd=tmp_path)
    assert "Failed to parse calendar" in read.stderr
