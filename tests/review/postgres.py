"""A PostgreSQL of the tests' own: made in a temporary folder, reached by a socket there, gone afterwards."""

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path


def _programs() -> Path:
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4].partition(".")[0])
    )
    on_path = shutil.which("initdb")
    assert found or on_path, "PostgreSQL is needed for these tests (Debian: apt-get install postgresql)"
    return (found[-1] if found else Path(str(on_path))).parent


def _ordinary_user() -> str | None:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)


def stop_and_start(folder: str) -> Iterator[None]:
    """Stops the server at once, as a power cut does; the next step starts it again where it was."""
    programs, user = _programs(), _ordinary_user()
    control = [str(programs / "pg_ctl"), "-D", f"{folder}/data", "-w", "-l", f"{folder}/log"]
    options = Path(folder, "data", "postmaster.opts").read_text().partition(" ")[2].strip()
    how = {"user": user, "cwd": "/", "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": True}
    subprocess.run([*control, "-m", "immediate", "stop"], **how)  # type: ignore[call-overload]
    yield
    subprocess.run([*control, "-o", options, "start"], **how)  # type: ignore[call-overload]
    yield


@contextlib.contextmanager
def running_postgres(durable: bool = False) -> Iterator[str]:
    """Yields the folder of its socket, which nobody else can enter; the user is `leakscreen`, without a password."""
    programs, user = _programs(), _ordinary_user()
    folder = Path(tempfile.mkdtemp(prefix="lspg-", dir="/tmp"))  # a socket's path must be short
    try:
        if user:
            shutil.chown(folder, user)
        data = folder / "data"
        run = {"user": user, "cwd": "/", "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "check": True}
        subprocess.run(
            [programs / "initdb", "-D", data, "-U", "leakscreen", "-A", "trust", "-E", "UTF8", "--no-sync"], **run
        )  # type: ignore[call-overload]
        sizes = f"-c max_connections=120 -c shared_buffers=64MB -c fsync={'on' if durable else 'off'}"
        options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' {sizes}"
        control = [programs / "pg_ctl", "-D", data, "-w", "-l", folder / "log"]
        subprocess.run([*control, "-o", options, "start"], **{**run, "stderr": subprocess.DEVNULL})  # type: ignore[call-overload]
        try:
            yield str(folder)
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], **{**run, "stderr": subprocess.DEVNULL})  # type: ignore[call-overload]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
