"""A real OpenSSH server on loopback, which knows one key and serves files, in a process of its own."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.object_servers import free_port, wait_for

_CONFIG = """
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/authorized
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
PermitRootLogin yes
Subsystem sftp internal-sftp
"""


@dataclass(frozen=True, slots=True)
class SshServer:
    port: int
    folder: Path
    user: str

    @property
    def address(self) -> str:
        return f"sftp://{self.user}@127.0.0.1:{self.port}"


@contextmanager
def sshd(folder: Path) -> Iterator[SshServer]:
    """`folder/home/.ssh/known_hosts` names its key; `folder/user_key` is the one that it lets in."""
    program = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    assert program, "sshd is missing; run tests/system_packages.sh"
    for name in ("host_key", "user_key", "other_key"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
    shutil.copy(folder / "user_key.pub", folder / "authorized")
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    server = SshServer(free_port(), folder, os.environ.get("USER") or ("root" if os.geteuid() == 0 else os.getlogin()))
    (folder / "config").write_text(_CONFIG.format(folder=folder, port=server.port))
    (folder / "home" / ".ssh").mkdir(parents=True)
    kind, key, *_ = (folder / "host_key.pub").read_text().split()
    (folder / "home" / ".ssh" / "known_hosts").write_text(f"[127.0.0.1]:{server.port} {kind} {key}\n")
    process = subprocess.Popen(
        [program, "-D", "-f", folder / "config"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for(server.port, process)
        yield server
    finally:
        process.terminate()
        process.wait(10)
