"""deploy/flink, whole: its image, a job manager and two task managers by compose, a scan on them: `make flink-test`."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.containers.engine import IMAGE, KEY, ROOT, Engine
from tests.containers.flink_image import FLINK, build_flink
from tests.containers.test_compose import until
from tests.containers.test_image import NOTE, USER, readable_by_all, records

pytestmark = pytest.mark.containers
SLOTS = "import urllib.request as u; print(u.urlopen('http://jobmanager:8081/overview', timeout=5).read().decode())"


def test_its_image_is_the_plain_one_with_java_and_one_jar(flink: "Flink") -> None:
    plain, size = (flink.engine("image", "inspect", name, check=True).json[0]["Size"] for name in (IMAGE, FLINK))
    assert size < plain + 450_000_000


class Flink:
    def __init__(self, engine: Engine, folder: Path) -> None:
        self.engine, self.folder = engine, folder
        shutil.copy(ROOT / "deploy/flink/compose.yaml", folder)
        if not engine.is_docker:  # where the engine may not raise limits, its own default for open files is refused
            text = (folder / "compose.yaml").read_text()
            assert "ulimits: {core: 0}" in text
            text = text.replace("ulimits: {core: 0}", "ulimits: {core: 0, nofile: 20000, nproc: 32768}")
            (folder / "compose.yaml").write_text(text)
        self.share, self.results = folder / "share", folder / "results"
        shutil.copytree(ROOT / "tests/samples/office", self.share)
        for number in range(10):
            (self.share / f"note{number}.txt").write_text(NOTE.replace("4417293", f"441729{number}"))
        readable_by_all(self.share)
        self.results.mkdir()
        os.chown(self.results, USER, USER)

    def compose(self, *words: str, check: bool = True) -> Any:
        environment = {"SHARE": str(self.share), "RESULTS": str(self.results), "LEAKSCREEN_HMAC_KEY": KEY}
        return self.engine.compose(self.folder, *words, check=check, **environment)

    def stop(self) -> None:
        """podman-compose forgets the second task manager."""
        project = f"label=com.docker.compose.project={self.folder.name}"
        listed = self.engine("ps", "--all", "--quiet", "--filter", project).out.split()
        self.engine("rm", "--force", *listed)
        self.compose("down", "-v", check=False)

    def overview(self) -> dict[str, Any]:
        asked = self.compose("exec", "-T", "jobmanager", "python", "-c", SLOTS, check=False)
        answer: dict[str, Any] = {} if asked.code else json.loads(asked.out)
        return answer


@pytest.fixture(scope="module")
def flink(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flink]:
    build_flink(engine)
    flink = Flink(engine, tmp_path_factory.mktemp("flink"))
    try:
        yield flink
    finally:
        flink.stop()


def test_a_scan_on_it_gives_the_records_of_the_local_runner(flink: Flink) -> None:
    if flink.engine.is_docker:  # as the file's first lines say
        flink.compose("run", "--rm", "-T", "scan", check=False)  # 3: some are locked
        assert flink.overview()["slots-total"] == 4
    else:  # podman-compose waits for no health and reads no replicas
        flink.compose("up", "-d", "jobmanager")
        until(flink.overview, "no job manager")
        flink.compose("up", "-d", "--scale", "taskmanager=2", "taskmanager")
        until(lambda: flink.overview().get("slots-total") == 4, "not two task managers of two slots")
        flink.compose("--profile", "scan", "run", "--rm", "--no-deps", "-T", "scan", check=False)
    assert flink.overview()["jobs-finished"] == 1
    local = flink.folder / "local"
    local.mkdir()
    os.chown(local, USER, USER)
    mounts = (f"--volume={flink.share}:/share:ro", f"--volume={local}:/results")
    ran = flink.engine.run("scan", "/share", "--out=/results", "--quiet", options=mounts)
    assert ran.code in (0, 3), ran.err
    on_flink = records(flink.results)
    assert on_flink == records(local)
    assert sum(row["referred"] for row in on_flink) >= 10
    assert {(path.stat().st_uid, path.stat().st_gid) for path in flink.results.rglob("*")} == {(USER, USER)}
