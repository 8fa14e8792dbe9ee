"""What is wrong with a Flink is said in plain words before a scan writes anything."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from core.errors import SettingsError
from core.settings import ScanSettings
from pipelines.runners.flink.job_server_jar import COORDINATES, JOB_SERVER
from pipelines.runners.flink.runner import flink_flags

JARS = Path("nowhere")


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


def settings(master: str, *beam: str, jars: Path = JARS) -> ScanSettings:
    return ScanSettings(runner="flink", flink_master=master, flink_jars=str(jars), beam_options=beam)


@pytest.mark.parametrize(
    ("master", "said"),
    [
        ("", "--flink-master HOST:8081"),
        ("[local]", "--flink-master HOST:8081"),
        ("127.0.0.1:1", "no Flink answers at http://127.0.0.1:1"),
    ],
)
def test_a_master_that_is_missing_or_silent(master: str, said: str) -> None:
    with pytest.raises(SettingsError, match=r"scan\.flink_master") as raised:
        flink_flags(settings(master))
    assert said in str(raised.value)


def test_something_else_at_the_address() -> None:
    with answering("<html>") as address, pytest.raises(SettingsError, match="no Flink answers"):
        flink_flags(settings(address))


def test_a_cluster_without_slots() -> None:
    with answering(overview(0, 0)) as address, pytest.raises(SettingsError, match="no task slots"):
        flink_flags(settings(address))


def test_a_missing_job_server_is_told_with_its_coordinates(tmp_path: Path) -> None:
    with answering(overview(2, 2)) as address, pytest.raises(SettingsError) as raised:
        flink_flags(settings(address, jars=tmp_path))
    assert COORDINATES in str(raised.value)
    assert str(tmp_path / JOB_SERVER) in str(raised.value)


def test_a_job_server_of_ones_own_that_is_missing() -> None:
    with answering(overview(2, 2)) as address, pytest.raises(SettingsError, match=r"nowhere\.jar: no such file"):
        flink_flags(settings(address, "flink_job_server_jar=nowhere.jar"))


def test_a_changed_job_server_is_not_started(tmp_path: Path) -> None:
    (tmp_path / JOB_SERVER).write_bytes(b"something else")
    with answering(overview(2, 2)) as address, pytest.raises(SettingsError) as raised:
        flink_flags(settings(address, jars=tmp_path))
    assert hashlib.sha256(b"something else").hexdigest() in str(raised.value)
    assert "is not started" in str(raised.value)


def test_each_slot_gets_a_task_and_a_worker_process(tmp_path: Path) -> None:
    jar = tmp_path / "server.jar"
    jar.touch()
    own = f"--flink_job_server_jar={jar}"
    with answering(overview(6, 2)) as address:
        flags = flink_flags(settings(address, own))
        assert {
            "parallelism": "6",
            "sdk_worker_parallelism": "3",
            "environment_type": "PROCESS",
        }.items() <= flags.items()
        assert flags["flink_master"] == f"http://{address}"
        assert flags["flink_job_server_jar"] == str(jar)
        assert flink_flags(settings(address, own, "parallelism=1"))["parallelism"] == "1"
        assert flink_flags(settings("", own, f"flink_master={address}")) == flags


def test_an_environment_of_ones_own_is_kept() -> None:
    with answering(overview(2, 2)) as address:
        flags = flink_flags(settings(address, "job_endpoint=127.0.0.1:8099", "environment_type=EXTERNAL"))
    assert flags["environment_type"] == "EXTERNAL"
    assert not {"environment_config", "flink_job_server_jar"} & flags.keys()


def test_the_coordinates_named_are_those_of_the_pom() -> None:
    group, artifact, version = COORDINATES.split(":")
    pom = Path(__file__).parents[2].joinpath("deploy", "flink", "pom.xml").read_text()
    assert all(f">{part}</" in pom for part in (group, artifact, version))
