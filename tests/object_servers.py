"""Real object stores on loopback: moto's S3 server and a GCS emulator, each in a process of its own."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PAGE = 50


@contextmanager
def s3_server() -> Iterator[dict[str, str]]:
    """Gives the environment by which every AWS tool finds it; its pages are short, so that a listing has several."""
    with _served([sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p"]) as port:
        yield {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
        }


@contextmanager
def gcs_server() -> Iterator[dict[str, str]]:
    """Gives the environment by which Google's library finds it."""
    with _served(
        [sys.executable, "-m", "gcp_storage_emulator", "start", "--host", "127.0.0.1", "--in-memory", "--port"]
    ) as port:
        yield {"STORAGE_EMULATOR_HOST": f"http://127.0.0.1:{port}", "GOOGLE_CLOUD_PROJECT": "testing"}


@contextmanager
def _served(command: list[str]) -> Iterator[int]:
    port = free_port()
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "GOOGLE_"))}
    server = subprocess.Popen(
        [*command, str(port)],
        env={**clean, "MOTO_S3_DEFAULT_MAX_KEYS": str(PAGE)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(port, server)
        yield port
    finally:
        server.terminate()
        server.wait(10)


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def wait_for(port: int, server: Any) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and server.poll() is None:
        with socket.socket() as trying:
            if trying.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError("the server did not start")
