"""A real Samba on loopback with a share that keeps NTFS access lists, in a process of its own."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from smbclient._io import SMBFileTransaction, SMBRawIO
from smbprotocol.open import SMB2SetInfoRequest
from smbprotocol.security_descriptor import (
    AccessAllowedAce,
    AccessDeniedAce,
    AclPacket,
    SIDPacket,
    SMB2CreateSDBuffer,
)

from tests.object_servers import free_port, wait_for

PASSWORD = "tr0ub4dor ü & three"
_MASKS = {"READ": 0x1200A9, "FULL": 0x1F01FF, "W": 0x2}
_WRITE_LIST = 0x4_0000 | 0x2_0000
_CONFIG = """
[global]
  server role = standalone server
  netbios name = WARD
  workgroup = CLINIC
  smb ports = {port}
  interfaces = 127.0.0.1
  bind interfaces only = yes
  private dir = {folder}/private
  lock directory = {folder}/lock
  state directory = {folder}/state
  cache directory = {folder}/cache
  pid directory = {folder}/run
  ncalrpc dir = {folder}/ncalrpc
  log file = {folder}/log
  passdb backend = tdbsam
  map to guest = never
  server min protocol = SMB3
  server signing = mandatory
  server smb encrypt = required
  disable spoolss = yes
  load printers = no
[share]
  path = {folder}/share
  read only = no
  vfs objects = acl_xattr
  acl_xattr:security_acl_name = user.NTACL
  acl_xattr:ignore system acls = yes
[narrow]
  path = {folder}/share
  read only = yes
  vfs objects = acl_xattr
  acl_xattr:security_acl_name = user.NTACL
  acl_xattr:ignore system acls = yes
"""


class _ListOf(SMB2CreateSDBuffer):  # type: ignore[misc]
    """A security descriptor with this list."""

    def __init__(self, entries: Sequence[str]) -> None:
        super().__init__()
        aces = []
        for entry in entries:
            sid, _, rest = entry.partition(":")
            kind, flags, mask = rest.split("/")
            ace = AccessAllowedAce() if kind == "ALLOWED" else AccessDeniedAce()
            ace["ace_flags"], ace["mask"], packet = int(flags, 16), _MASKS[mask], SIDPacket()
            packet.from_string(sid)
            ace["sid"] = packet
            aces.append(ace)
        acl = AclPacket()
        acl["aces"] = aces
        self["control"] = 0x8004 | 0x1000  # self-relative, has a list, which the folder above does not change
        self.set_dacl(acl)


@dataclass(frozen=True, slots=True)
class FileServer:
    port: int
    folder: Path
    user: str

    @property
    def share(self) -> Path:
        return self.folder / "share"

    @property
    def address(self) -> str:
        return f"smb://{self.user}@127.0.0.1:{self.port}/share"

    def set_list(self, key: str, *entries: str) -> None:
        """The NTFS access list of a file: each entry is `SID:ALLOWED/flags/READ`, as in Samba's own tools."""
        path = rf"\\127.0.0.1\share\{key}"
        how = {"username": self.user, "password": PASSWORD, "port": self.port}
        raw = SMBRawIO(path, share_access="rwd", desired_access=_WRITE_LIST, **how)
        asked = SMBFileTransaction(raw)
        request = SMB2SetInfoRequest()
        request["info_type"], request["additional_information"] = 3, 4  # security: the list
        request["file_id"], request["buffer"] = raw.fd.file_id, _ListOf(entries)
        asked += (request, raw.fd.connection.receive)
        asked.commit()

    def run(self, *words: str, stdin: str = "") -> None:
        command = [program(words[0]), *words[1:]]
        subprocess.run(command, input=stdin, text=True, check=True, capture_output=True)


def program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    assert found, f"{name} is missing; run tests/system_packages.sh"
    return found


@contextmanager
def samba(folder: Path) -> Iterator[FileServer]:
    user = "nobody" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    server = FileServer(free_port(), folder, user)
    for name in ("private", "lock", "state", "cache", "run", "ncalrpc", "share"):
        (folder / name).mkdir()
    if os.geteuid() == 0:
        shutil.chown(server.share, user)
        for above in (folder, *folder.parents):
            if len(above.parts) > 2:
                above.chmod(above.stat().st_mode | 0o011)
    config = folder / "smb.conf"
    config.write_text(_CONFIG.format(folder=folder, port=server.port))
    reader = f"S-1-22-1-{pwd.getpwnam(user).pw_uid}"
    server.run("sharesec", "-s", str(config), "narrow", "-S", f"D:(A;;0x1f01ff;;;BA)(A;;0x1200a9;;;{reader})")
    server.run("sharesec", "-s", str(config), "share", "-S", "D:(A;;0x1f01ff;;;WD)")
    (folder / "state" / "share_info.tdb").chmod(0o666)  # Samba reads it as the user who asks
    server.run("smbpasswd", "-c", str(config), "-a", "-s", user, stdin=f"{PASSWORD}\n{PASSWORD}\n")
    process = subprocess.Popen(
        [program("smbd"), "--foreground", "--no-process-group", "-s", str(config), "-l", str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        start_new_session=True,  # it ends its whole group with itself
    )
    try:
        wait_for(server.port, process)
        yield server
    finally:
        process.terminate()
        process.wait(20)
        with contextlib.suppress(ProcessLookupError):  # its helpers for RPC outlive it
            os.killpg(process.pid, signal.SIGKILL)
