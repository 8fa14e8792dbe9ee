"""A real Dovecot on loopback with its own users, folders and certificate, in a process of its own."""

import grp
import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from imaplib import IMAP4_SSL
from pathlib import Path
from ssl import create_default_context

import trustme

from tests.object_servers import free_port, wait_for

PASSWORD = "correct horse ü battery"
_CONFIG = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <{folder}/cert.pem
ssl_key = <{folder}/key.pem
default_internal_user = {user}
default_login_user = {user}
default_internal_group = {group}
mail_location = maildir:{folder}/mail/%u:LAYOUT=fs
first_valid_uid = 1
mail_plugins = acl
auth_cache_size = 0
auth_failure_delay = 0
mail_max_userip_connections = 50
namespace inbox {{
  inbox = yes
  separator = /
}}
namespace public {{
  type = public
  prefix = Public/
  separator = /
  location = maildir:{folder}/public:LAYOUT=fs
  list = yes
}}
plugin {{
  acl = vfile
}}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN {folder}/users
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}/mail/%u
}}
service anvil {{
  chroot =
  # No client has to wait because another one gave a wrong password.
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {plain}
  }}
  inet_listener imaps {{
    port = {port}
    ssl = yes
  }}
}}
service stats {{
  chroot =
}}
"""


@dataclass(frozen=True, slots=True)
class MailServer:
    port: int
    plain_port: int
    folder: Path
    authority: Path  # the certificate that clients have to trust

    @property
    def address(self) -> str:
        return f"imaps://alice@localhost:{self.port}"

    def client(self) -> IMAP4_SSL:
        imap = IMAP4_SSL("localhost", self.port, ssl_context=create_default_context(cafile=str(self.authority)))
        imap.authenticate("PLAIN", lambda _: f"\0alice\0{PASSWORD}".encode())
        return imap

    def append(self, folder: str, *texts: str, attached: bytes = b"") -> None:
        imap = self.client()
        imap.create(f'"{folder}"')
        for text in texts:
            mail = EmailMessage()
            mail["From"], mail["Subject"] = "ward@example.net", "a letter"
            mail.set_content(text)
            if attached:
                mail.add_attachment(attached, maintype="text", subtype="plain", filename="note.txt")
            imap.append(f'"{folder}"', "", '"17-Nov-2020 10:00:00 +0000"', bytes(mail))
        imap.logout()


@contextmanager
def dovecot(folder: Path, *, expired: bool = False) -> Iterator[MailServer]:
    user = "nobody" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    group = grp.getgrgid(pwd.getpwnam(user).pw_gid).gr_name
    server = MailServer(free_port(), free_port(), folder, folder / "authority.pem")
    authority = trustme.CA()
    end = datetime.now(UTC) - timedelta(days=1) if expired else None
    certificate = authority.issue_cert("localhost", not_after=end)
    authority.cert_pem.write_to_path(server.authority)
    certificate.private_key_pem.write_to_path(folder / "key.pem")
    for part in certificate.cert_chain_pems:
        part.write_to_path(folder / "cert.pem")
    for name in ("run", "state", "mail", *(f"public/team/{part}" for part in ("cur", "new", "tmp"))):
        (folder / name).mkdir(parents=True)
    (folder / "public" / "team" / "dovecot-acl").write_text("anyone lr\n")
    (folder / "public" / "team" / "new" / "1605607200.one").write_text("Subject: to all\n\nshared words\n")
    os.utime(folder / "public" / "team" / "new" / "1605607200.one", (1605607200, 1605607200))
    (folder / "users").write_text(f"alice:{{PLAIN}}{PASSWORD}\n")
    (folder / "config").write_text(
        _CONFIG.format(folder=folder, user=user, group=group, plain=server.plain_port, port=server.port)
    )
    if os.geteuid() == 0:
        subprocess.run(["chown", "-R", user, folder / "mail", folder / "public", folder / "state"], check=True)
        for above in (folder, *folder.parents):
            if above.stat().st_uid == 0 and len(above.parts) > 2:
                above.chmod(above.stat().st_mode | 0o011)
    program = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    assert program, "dovecot is missing; run tests/system_packages.sh"
    process = subprocess.Popen([program, "-F", "-c", folder / "config"], stdout=subprocess.DEVNULL)
    try:
        wait_for(server.port, process)
        yield server
    finally:
        process.terminate()
        process.wait(20)
