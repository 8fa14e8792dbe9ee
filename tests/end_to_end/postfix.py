"""A Postfix of the tests' own: its configuration and queue in a temporary folder, and a server that takes its mail."""

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller

_SERVICES = """
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
showq unix n - n - - showq
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
proxymap unix - - n - - proxymap
"""
_PARAMETERS = """
compatibility_level = 3.6
queue_directory = {folder}/spool
data_directory = {folder}/data
maillog_file = {folder}/mail.log
maillog_file_prefixes = {folder}
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
myhostname = gate.test
mydestination =
alias_maps =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
relayhost = [127.0.0.1]:{sink}
smtp_dns_support_level = disabled
smtpd_peername_lookup = no
smtpd_client_connection_count_limit = 0
enable_long_queue_ids = yes
minimal_backoff_time = 5s
queue_run_delay = 5s
{milter}
"""
_MILTER = """
smtpd_milters = inet:127.0.0.1:{milter}
milter_default_action = tempfail
milter_connect_timeout = 5s
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass(slots=True)
class Sink:
    """Takes all mail that Postfix sends on, and keeps it."""

    mails: list[bytes] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        with self.lock:
            self.mails.append(envelope.content)
        return "250 taken"

    def with_text(self, text: str, seconds: float = 20.0) -> list[bytes]:
        """Waits until a mail with the text has come."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            found = [mail for mail in self.mails if text.encode() in mail]
            if found:
                return found
            time.sleep(0.05)
        return []


@dataclass(frozen=True, slots=True)
class Postfix:
    folder: Path
    port: int
    sink: Sink

    @property
    def config(self) -> Path:
        return self.folder / "etc"

    @property
    def queue(self) -> Path:
        return self.folder / "spool"

    def held(self) -> list[Path]:
        return sorted((self.queue / "hold").iterdir())

    def waiting(self) -> list[Path]:
        """In a queue that the server is still working on."""
        folders = [self.queue / name for name in ("incoming", "active", "deferred")]
        return [path for folder in folders for path in folder.rglob("*") if path.is_file()]

    def log(self) -> str:
        return (self.folder / "mail.log").read_text()


@contextlib.contextmanager
def running_postfix(milter_port: int | None) -> Iterator[Postfix]:
    """Without a milter where no port is given."""
    assert shutil.which("postfix", path="/usr/sbin:/sbin") and os.geteuid() == 0, "needs Postfix, started by root"
    folder = Path(tempfile.mkdtemp(prefix="ls-postfix-", dir="/tmp"))
    folder.chmod(0o755)
    sink = Sink()
    controller = Controller(sink, hostname="127.0.0.1", port=free_port(), data_size_limit=100_000_000)
    controller.start()
    port = free_port()
    for name in ("etc", "spool", "data"):
        (folder / name).mkdir()
    shutil.chown(folder / "data", "postfix")
    milter = _MILTER.format(milter=milter_port) if milter_port else ""
    (folder / "etc" / "main.cf").write_text(
        _PARAMETERS.format(folder=folder, sink=controller.port, milter=milter), encoding="utf-8"
    )
    (folder / "etc" / "master.cf").write_text(_SERVICES.format(port=port), encoding="utf-8")
    command = ["/usr/sbin/postfix", "-c", str(folder / "etc")]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        subprocess.run([*command, "start"], check=True, **quiet)
        yield Postfix(folder, port, sink)
    finally:
        subprocess.run([*command, "stop"], check=False, **quiet)
        controller.stop()
        shutil.rmtree(folder, ignore_errors=True)
