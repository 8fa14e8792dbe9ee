"""The real review service in a process of its own, asked over the wire."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from tests.end_to_end.conftest import KEY
from tests.object_servers import free_port, wait_for


@dataclass(frozen=True, slots=True)
class Service:
    process: subprocess.Popen[str]
    port: int

    def ask(self, path: str, **headers: str) -> tuple[int, str]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()


def service_environment(home: Path, more: Mapping[str, str]) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LEAKSCREEN_")}
    own = {"HOME": str(home), "LEAKSCREEN_HMAC_KEY": KEY, "LEAKSCREEN_SECRET_KEY": KEY}
    manager = {"LEAKSCREEN_MANAGER": "mia", "LEAKSCREEN_MANAGER_PASSWORD": "correct horse battery"}
    return {**clean, **own, **manager, **more}


@contextmanager
def serving(home: Path, *words: str, **more: str) -> Iterator[Service]:
    port = free_port()
    command = [sys.executable, "-m", "leakscreen", "serve", "--port", str(port), *words]
    environment = service_environment(home, more)
    process: Any = subprocess.Popen(command, env=environment, cwd=home, stderr=subprocess.PIPE, text=True)
    try:
        wait_for(port, process)
        yield Service(process, port)
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()
