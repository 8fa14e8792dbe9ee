"""Real SMTP servers on loopback for the tests: with TLS by their own certificate, log-in, and faults on demand."""

import asyncio
import contextlib
import ssl
import threading
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

USER, PASSWORD = "leakscreen", "a password of the mail server"


class Post:
    """What a server took, and how it answers; `answer` may refuse, and may break the connection by raising."""

    def __init__(self) -> None:
        self.taken: list[bytes] = []
        self.arrived: list[bytes] = []
        self.answer: Callable[[int, str], str] = lambda number, recipient: "250 OK"
        self.answer_recipient: Callable[[str], str] = lambda recipient: "250 OK"
        self.broken: Callable[[int], bool] = lambda number: False
        self.lock = threading.Lock()

    @property
    def mails(self) -> list[EmailMessage]:
        return [message_from_bytes(each, policy=default) for each in self.taken]

    @property
    def ids(self) -> list[str]:
        return [str(mail["Message-ID"]) for mail in self.mails]

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        answer = self.answer_recipient(address)
        if answer.startswith("2"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        with self.lock:
            self.arrived.append(envelope.content)
            number = len(self.arrived)
        answer = self.answer(number, envelope.rcpt_tos[0])
        if answer.startswith("2"):
            self.taken.append(envelope.content)
        if self.broken(number):  # after DATA, before the answer
            assert isinstance(server.transport, asyncio.WriteTransport)
            server.transport.abort()
        return answer


class Authority:
    """Signs the servers' certificates; clients trust its file."""

    def __init__(self, folder: Path) -> None:
        authority = trustme.CA()
        self.file = folder / "authority.pem"
        authority.cert_pem.write_to_path(self.file)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost", "127.0.0.1").configure_cert(self.context)


def _log_in(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
    fits = isinstance(data, LoginPassword) and (data.login, data.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=fits, handled=False)


@contextlib.contextmanager
def running_server(
    post: Post, authority: Authority | None = None, security: str = "none", port: int = 0
) -> Iterator[int]:
    """Yields its port; with TLS it asks for a log-in."""
    how: dict[str, Any] = {}
    if security != "none":
        assert authority is not None
        how = {"authenticator": _log_in, "auth_required": True}
    if security == "tls":
        how |= {"ssl_context": authority.context, "auth_require_tls": False}  # type: ignore[union-attr]
    elif security == "starttls":
        how |= {"tls_context": authority.context, "require_starttls": True}  # type: ignore[union-attr]
    controller = _Controller(post, hostname="127.0.0.1", port=port, **how)
    controller.start()
    try:
        yield controller.bound_port
    finally:
        controller.stop()


class _Controller(Controller):
    """On any free port where none is asked for."""

    @property
    def bound_port(self) -> int:
        assert isinstance(self.server, asyncio.Server)
        return int(self.server.sockets[0].getsockname()[1])

    def _trigger_server(self) -> None:
        self.port = self.bound_port
        super()._trigger_server()  # type: ignore[no-untyped-call]
