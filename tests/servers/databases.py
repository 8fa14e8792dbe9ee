"""Real PostgreSQL and MariaDB servers on loopback, each with a user who has a password, in processes of their own."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pymysql
import trustme

from tests.object_servers import free_port, wait_for
from tests.review.postgres import _ordinary_user, _programs

PASSWORD = "s3cret ü %40 word"


def certificates(folder: Path, user: str | None) -> None:
    """`authority.pem` is what clients have to trust; the server is `localhost`."""
    authority = trustme.CA()
    issued = authority.issue_cert("localhost")
    authority.cert_pem.write_to_path(folder / "authority.pem")
    issued.private_key_pem.write_to_path(folder / "key.pem")
    issued.cert_chain_pems[0].write_to_path(folder / "cert.pem")
    (folder / "key.pem").chmod(0o600)
    if user:
        shutil.chown(folder / "key.pem", user)


@contextmanager
def postgres() -> Iterator[tuple[str, Any, Path]]:
    """The address of a database, a connection of its owner, and the certificate that clients have to trust."""
    user, programs, port = _ordinary_user(), _programs(), free_port()
    folder = Path(tempfile.mkdtemp(prefix="lspg-", dir="/tmp"))
    how: Any = {"user": user, "cwd": "/", "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": True}
    try:
        if user:
            shutil.chown(folder, user)
        data = folder / "data"
        (folder / "pw").write_text(PASSWORD)
        (folder / "pw").chmod(0o644)
        words: list[Any] = ["-U", "owner", "-A", "scram-sha-256", "--pwfile", folder / "pw", "-E", "UTF8", "--no-sync"]
        subprocess.run([programs / "initdb", "-D", data, *words], **how)
        certificates(folder, user)
        ssl = f"-c ssl=on -c ssl_cert_file={folder}/cert.pem -c ssl_key_file={folder}/key.pem"
        options = (
            f"{ssl} -c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories='{folder}' -c fsync=off"
        )
        control: list[Any] = [programs / "pg_ctl", "-D", data, "-w", "-l", folder / "log"]
        subprocess.run([*control, "-o", options, "start"], **how)
        try:
            owner = psycopg.connect(
                host="127.0.0.1", port=port, user="owner", password=PASSWORD, dbname="postgres", autocommit=True
            )
            with owner:
                yield f"postgresql://owner@127.0.0.1:{port}/postgres", owner, folder / "authority.pem"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], **how)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def mariadb() -> Iterator[tuple[str, Any, Path]]:
    port = free_port()
    folder = Path(tempfile.mkdtemp(prefix="lsmy-", dir="/tmp"))
    program = shutil.which("mariadbd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    assert program, "mariadbd is missing; run tests/system_packages.sh"
    as_user = [] if os.geteuid() else ["--user=mysql"]
    if as_user:
        shutil.chown(folder, "mysql")
    quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        install = ["mariadb-install-db", "--no-defaults", f"--datadir={folder}/data", *as_user]
        subprocess.run([*install, "--auth-root-authentication-method=normal", "--skip-test-db"], check=True, **quiet)
        certificates(folder, "mysql" if as_user else None)
        words = [f"--ssl-cert={folder}/cert.pem", f"--ssl-key={folder}/key.pem"]
        words += [f"--datadir={folder}/data", f"--socket={folder}/socket", f"--port={port}", "--bind-address=127.0.0.1"]
        server = subprocess.Popen([program, "--no-defaults", *words, *as_user], **quiet)
        try:
            wait_for(port, server)
            owner = pymysql.connect(unix_socket=f"{folder}/socket", user="root", autocommit=True)
            with owner, owner.cursor() as cursor:
                cursor.execute("CREATE DATABASE ward CHARACTER SET utf8mb4")
                cursor.execute("CREATE USER reader@'%%' IDENTIFIED BY %s", [PASSWORD])
                cursor.execute("GRANT SELECT, INSERT ON ward.* TO reader@'%'")
                cursor.execute("USE ward")
                yield f"mysql://reader@127.0.0.1:{port}/ward", cursor, folder / "authority.pem"
        finally:
            server.terminate()
            server.wait(30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
