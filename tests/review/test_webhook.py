"""Posts go to a real HTTP server, signed; what is not taken comes again, the same body under the same id."""

import http.server
import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SettingsError
from core.settings.notify import WebhookSettings
from review.models import Outbox
from review.notify.outbox import Sent, put_in_outbox, send_due
from review.notify.webhook import SECRET_IN_ENV, Webhook
from review.notify.webhook_signature import HEADER, WINDOW_SECONDS, is_genuine, sign
from tests.review.mail_servers import Authority
from tests.review.telling import NOON, HandClock, take_in, use_settings

SECRET = "0123456789abcdef0123456789abcdef"


class Receiver(http.server.HTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: list[int] = []
        self.location = ""
        self.got: list[tuple[str, dict[str, str], bytes]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook?from=leakscreen"


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((self.path, dict(self.headers), body))
        answer = self.server.answers.pop(0) if self.server.answers else 204
        if answer == 0:  # dies after it was told
            self.close_connection = True
            return
        self.send_response(answer)
        if 300 <= answer < 400:
            self.send_header("Location", self.server.location or self.server.url)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def waiting(database_url: str, monkeypatch: pytest.MonkeyPatch) -> Outbox:
    use_settings(monkeypatch, webhook=WebhookSettings(url="http://127.0.0.1/"))
    take_in(2)
    put_in_outbox(NOON)
    found: Outbox = Outbox.objects.get()
    return found


def send(url: str, clock: HandClock, **how: Any) -> Sent:
    return send_due(
        {"webhook": Webhook(WebhookSettings(url=url, timeout=5.0, **how), {SECRET_IN_ENV: SECRET}, clock)}, clock
    )


def test_a_post_is_signed_and_tells_counts(waiting: Outbox, receiver: Receiver) -> None:
    clock = HandClock()
    assert (send(receiver.url, clock).sent, send(receiver.url, clock).sent) == (1, 0)
    ((path, headers, body),) = receiver.got
    assert path == "/hook?from=leakscreen"
    assert headers["Leakscreen-Delivery"] == waiting.pk == json.loads(body)["id"]
    assert is_genuine(body, headers[HEADER], SECRET, NOON)
    assert not is_genuine(body + b" ", headers[HEADER], SECRET, NOON)
    assert not is_genuine(body, headers[HEADER], SECRET[::-1], NOON)
    assert not is_genuine(body, headers[HEADER], SECRET, NOON + timedelta(seconds=WINDOW_SECONDS + 1))


@pytest.mark.parametrize(
    ("answer", "what"),
    [(500, "500"), (404, "404"), (302, "not followed"), (307, "not followed"), (0, "see webhook.url")],
)
def test_what_is_not_taken_comes_again_with_a_new_signature(
    waiting: Outbox, receiver: Receiver, answer: int, what: str
) -> None:
    clock = HandClock()
    receiver.answers = [answer, answer]
    outcome = send(receiver.url, clock)
    assert (outcome.sent, outcome.failed, outcome.waiting) == (0, 1, 1)
    assert what in outcome.faults[0]
    assert len(receiver.got) == 1
    for minutes, posts in ((0.5, 1), (1, 2), (1, 2), (1.5, 3)):
        clock.forward(minutes=minutes)
        send(receiver.url, clock)
        assert len(receiver.got) == posts
    assert len({body for _, _, body in receiver.got}) == 1
    assert len({headers["Leakscreen-Delivery"] for _, headers, _ in receiver.got}) == 1
    assert len({headers[HEADER] for _, headers, _ in receiver.got}) == 3
    assert Outbox.objects.filter(sent=None).count() == 0


@pytest.mark.parametrize("answer", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "where", ["http://127.0.0.1:{port}/inner", "//127.0.0.1:{port}/inner", "http://localhost:{port}/"]
)
def test_no_answer_leads_to_a_server_inside(waiting: Outbox, receiver: Receiver, answer: int, where: str) -> None:
    """As the address of a cloud's metadata, or of a service that trusts this machine, would be."""
    with Receiver() as inner:
        threading.Thread(target=inner.serve_forever, daemon=True).start()
        receiver.answers, receiver.location = [answer], where.format(port=inner.server_port)
        outcome = send(receiver.url, HandClock())
        inner.shutdown()
    assert (outcome.sent, outcome.failed) == (0, 1) and "not followed" in outcome.faults[0]
    assert (len(receiver.got), inner.got) == (1, [])
    assert str(inner.server_port) not in outcome.faults[0]


def test_nobody_there(waiting: Outbox, receiver: Receiver) -> None:
    receiver.server_close()
    outcome = send(receiver.url, HandClock())
    assert "cannot be reached" in outcome.faults[0]


def test_tls_is_checked(waiting: Outbox, receiver: Receiver, tmp_path: Any) -> None:
    authority, clock = Authority(tmp_path), HandClock()
    receiver.socket = authority.context.wrap_socket(receiver.socket, server_side=True)
    url = receiver.url.replace("http://", "https://")
    assert "cannot be trusted" in send(url, clock).faults[0]
    clock.forward(hours=1)
    assert send(url, clock, ca_file=str(authority.file)).sent == 1


@pytest.mark.parametrize(
    "url",
    [
        "ftp://host/x",
        "file:///etc/passwd",
        "https://",
        "host/path",
        "https://host:port/",
        "https://a:b@host/",
        "https://ho st/",
        "http://h/\r\nX: y",
    ],
)
def test_unfit_addresses_are_refused(url: str) -> None:
    with pytest.raises(SettingsError, match=r"webhook\.url"):
        Webhook(WebhookSettings(url=url), {SECRET_IN_ENV: SECRET})


def test_a_secret_is_needed() -> None:
    with pytest.raises(SettingsError, match=SECRET_IN_ENV):
        Webhook(WebhookSettings(url="https://host/"), {SECRET_IN_ENV: "short"})


@given(
    st.binary(max_size=200),
    st.text(min_size=1, max_size=50, alphabet=st.characters(codec="utf-8")),
    st.integers(0, 4_000_000),
)
def test_every_signature_is_believed_within_the_window_only(body: bytes, secret: str, seconds: int) -> None:
    later = NOON + timedelta(seconds=seconds)
    assert is_genuine(body, sign(body, secret, NOON), secret, later) == (seconds <= WINDOW_SECONDS)


@pytest.mark.parametrize(
    "header", ["", "t=1", "v1=" + "0" * 64, "t=x,v1=" + "0" * 64, "t=1,v1=" + "0" * 63, "t=1,v1=" + "0" * 64 + "\n"]
)
def test_broken_signatures_are_not_believed(header: str) -> None:
    assert not is_genuine(b"{}", header, SECRET, NOON)
