"""What is wrong with a Flink is said in plain words before a scan writes anything."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from core.errors import SettingsError
from deploy.flink.jars import _folded
from pipelines.flink import COORDINATES, flink_flags


@contextmanager
def answering(body: str) -> Iterator[str]:
    """A server on loopback that says the same of every path."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def overview(slots: int, task_managers: int) -> str:
    return json.dumps({"slots-total": slots, "taskmanagers": task_managers})


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ([], "flink_master=HOST:8081"),
        (["flink_master=[local]"], "flink_master=HOST:8081"),
        (["flink_master=127.0.0.1:1"], "no Flink answers at http://127.0.0.1:1"),
    ],
)
def test_a_master_that_is_missing_or_silent(extra: list[str], said: str) -> None:
    with pytest.raises(SettingsError, match=r"scan\.beam") as raised:
        flink_flags(extra)
    assert said in str(raised.value)


def test_something_else_at_the_address() -> None:
    with answering("<html>") as address, pytest.raises(SettingsError, match="no Flink answers"):
        flink_flags([f"flink_master={address}"])


def test_a_cluster_without_slots() -> None:
    with answering(overview(0, 0)) as address, pytest.raises(SettingsError, match="no task slots"):
        flink_flags([f"flink_master={address}"])


@pytest.mark.parametrize("jar", ["", "nowhere.jar"])
def test_a_missing_job_server_is_told_with_its_coordinates(jar: str) -> None:
    with answering(overview(2, 2)) as address, pytest.raises(SettingsError) as raised:
        flink_flags([f"flink_master={address}", *([f"flink_job_server_jar={jar}"] if jar else [])])
    assert COORDINATES in str(raised.value)
    assert jar in str(raised.value)


def test_each_slot_gets_a_task_and_a_worker_process(tmp_path: Path) -> None:
    jar = tmp_path / "server.jar"
    jar.touch()
    with answering(overview(6, 2)) as address:
        flags = flink_flags([f"flink_master={address}", f"--flink_job_server_jar={jar}"])
        assert {"--parallelism=6", "--sdk_worker_parallelism=3", "--environment_type=PROCESS"} <= set(flags)
        assert "--parallelism=1" in flink_flags([f"flink_master={address}", f"flink_job_server_jar={jar}", "parallelism=1"])


def test_an_environment_of_ones_own_is_kept(tmp_path: Path) -> None:
    with answering(overview(2, 2)) as address:
        flags = flink_flags([f"flink_master={address}", "job_endpoint=127.0.0.1:8099", "environment_type=EXTERNAL"])
    assert "--environment_type=EXTERNAL" in flags
    assert not [flag for flag in flags if flag.startswith("--environment_config")]


def test_the_coordinates_named_are_those_of_the_pom() -> None:
    group, artifact, version = COORDINATES.split(":")
    pom = Path(__file__).parents[2].joinpath("deploy", "flink", "pom.xml").read_text()
    assert all(f">{part}</" in pom for part in (group, artifact, version))


def test_a_manifest_line_folds_to_lines_that_java_takes() -> None:
    folded = _folded("Class-Path: " + " ".join(f"jar-{number}.jar" for number in range(40)))
    assert all(len(line) <= 70 for line in folded)
    assert folded[0] + "".join(line[1:] for line in folded[1:]) == "Class-Path: " + " ".join(f"jar-{number}.jar" for number in range(40))
