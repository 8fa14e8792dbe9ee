import mailbox
import struct
from collections.abc import Callable
from email.message import EmailMessage
from email.mime.application import MIMEApplication
from email.mime.multipart import MIMEMultipart
from pathlib import Path

import compressed_rtf
import pytest

from core.records import Document, Status
from extraction.readers.ole.compound_writer import write_compound
from extraction.readers.outlook.item import Attached, Property, item_file, item_streams
from extraction.sandbox import Sandbox

Examine = Callable[..., list[Document]]


def mail(number: int, attachment: bytes = b"") -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"], made["Message-ID"] = "Zoë <zoe@example.org>", "bob@example.org", f"<{number}@example.org>"
    made["Subject"] = f"Result {number}"
    made.set_content(f"Body {number}\n\nFrom here on it is only text\n")
    if attachment:
        made.add_attachment(attachment, maintype="text", subtype="plain", filename="note.txt")
    return made


def test_every_message_of_a_mailbox_is_a_member(examined: Examine, tmp_path: Path) -> None:
    box = mailbox.mbox(tmp_path / "box")
    for number in (1, 2, 3):
        box.add(mail(number, b"Attached words\n" if number == 2 else b""))
    box.flush()
    documents = examined((tmp_path / "box").read_bytes(), "in.mbox")
    members = {document.uri.partition("!")[2]: document for document in documents}
    assert list(members) == ["message 1", "message 2!note.txt", "message 2", "message 3", ""]
    assert (members[""].status, members[""].media_type) == (Status.CONTAINER, "application/mbox")
    assert members["message 2"].media_type == "message/rfc822"
    assert members["message 2!note.txt"].text == "Attached words\n"
    for words in ("Zoë <zoe@example.org>", "Result 3", "Body 3", "From here on it is only text"):
        assert words in members["message 3"].text


def test_mailboxes_with_other_line_ends(examined: Examine) -> None:
    text = "From a@example.org Mon Jan  1 10:00:00 2024\r\nMIME-Version: 1.0\r\nFrom: a@example.org\r\n\r\nhi\r\n\r\n"
    documents = examined((text + text).encode())
    assert [document.uri.partition("!")[2] for document in documents] == ["message 1", "message 2", ""]


def test_a_mailbox_of_too_many_messages_is_partial(examined: Examine, small_sandbox: Sandbox) -> None:
    text = b"From a@example.org Mon Jan  1 10:00:00 2024\nSubject: x\n\nhi\n\n"
    documents = examined(text * 60, within=small_sandbox)
    assert (documents[-1].status, documents[-1].reason, len(documents)) == (Status.PARTIAL, "member limit (50)", 51)


@pytest.mark.parametrize(
    "mail",
    [
        b"Message-ID: <a@example.org>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n"
        + b"--x\n\nwords\n" * 20_000,
        b"Message-ID: <a@example.org>\nReceived: from a\nFrom: a@example.org\n" + b"X: words\n" * 20_000 + b"\nbody",
    ],
    ids=["parts", "headers"],
)
def test_a_mail_of_endless_parts_or_headers_is_read_as_plain_text(examined: Examine, mail: bytes) -> None:
    (document,) = examined(mail)
    assert (document.media_type, document.status) == ("message/rfc822", Status.PARTIAL)
    assert document.text.count("words") == 20_000


def test_a_mail_with_a_calendar_and_only_html_and_encoded_names(examined: Examine) -> None:
    outer = MIMEMultipart()
    outer["From"], outer["Reply-To"] = (
        "=?utf-8?q?Zo=C3=AB_Example?= <z@example.org>",
        '"Desk, Front" <desk@example.org>',
    )
    outer["Sender"], outer["Bcc"], outer["Subject"] = (
        "assistant@example.org",
        "hidden@example.org",
        "=?iso-8859-1?b?UulzdWx0YXRz?=",
    )
    body = EmailMessage()
    body.set_content("<p>Only <i>HTML</i></p>", subtype="html")
    outer.attach(body)
    calendar = EmailMessage()
    calendar.set_content("BEGIN:VCALENDAR\r\nSUMMARY:Visit of Ann\r\nEND:VCALENDAR\r\n", subtype="calendar")
    outer.attach(calendar)
    outer.attach(MIMEApplication(b"Plain bytes", "octet-stream", name="=?utf-8?q?l=C3=A9tter.txt?="))
    invitation, letter, document = examined(outer.as_bytes())
    for words in (
        "Zoë Example <z@example.org>",
        "Desk, Front",
        "assistant@example.org",
        "hidden@example.org",
        "Résultats",
        "Only HTML",
    ):
        assert words in document.text
    assert "summary: Visit of Ann" in invitation.text
    assert letter.uri.endswith("!létter.txt")


def texts(*entries: tuple[str, str]) -> dict[tuple[str, ...], bytes]:
    return {(f"__substg1.0_{tag}001F",): text.encode("utf-16-le") for tag, text in entries}


def table(header: int, *numbers: tuple[int, int]) -> dict[tuple[str, ...], bytes]:
    rows = b"".join(struct.pack("<HHIQ", 3, number, 6, value) for number, value in numbers)
    return {("__properties_version1.0",): bytes(header) + rows}


def under(storage: str, streams: dict[tuple[str, ...], bytes]) -> dict[tuple[str, ...], bytes]:
    return {(storage, *path): data for path, data in streams.items()}


def outlook_item(**bodies: bytes) -> bytes:
    inner = {**table(24), **texts(("0037", "Inner subject"), ("1000", "Inner body"), ("0C1A", "Carol"))}
    bob = {**table(8, (0x0C15, 1)), **texts(("3001", "Bob Sample"), ("39FE", "bob@example.org"))}
    hidden = {**table(8, (0x0C15, 3)), **texts(("3001", "hidden@example.org"), ("3003", "hidden@example.org"))}
    letter = {**table(8), **texts(("3707", "létter.txt")), ("__substg1.0_37010102",): b"Attached words"}
    streams = {
        **table(32, (0x3FFD, 1252)),
        **texts(
            ("001A", "IPM.Note"),
            ("0037", "Lab result"),
            ("0C1A", "Zoë Example"),
            ("5D01", "zoe@example.org"),
            ("3A08", "555 0123"),
        ),
        **under("__recip_version1.0_#00000000", bob),
        **under("__recip_version1.0_#00000001", hidden),
        **under("__attach_version1.0_#00000000", letter),
        **under("__attach_version1.0_#00000001", {**table(8), **under("__substg1.0_3701000D", inner)}),
    }
    for tag, data in bodies.items():
        streams[(f"__substg1.0_{tag.removeprefix('p')}",)] = data
    return write_compound(streams)


BODIES = [
    ({"p1000001F": "Dear Bob, é".encode("utf-16-le")}, "Dear Bob, é"),
    ({"p1000001E": "Dear Bob, é".encode("cp1252")}, "Dear Bob, é"),
    ({"p10130102": b"<html><meta charset=utf-8><p>Dear <b>Bob</b></p></html>"}, "Dear Bob"),
    ({"p10090102": compressed_rtf.compress(rb"{\rtf1\ansi Dear {\b Bob}\par}")}, "Dear Bob"),
]


@pytest.mark.parametrize(("bodies", "text"), BODIES)
def test_an_outlook_item(examined: Examine, bodies: dict[str, bytes], text: str) -> None:
    letter, inner, document = examined(outlook_item(**bodies), "mail.msg")
    assert (document.status, document.reason, document.media_type) == (
        Status.COMPLETE,
        "",
        "application/vnd.ms-outlook",
    )
    by_place = {segment.where: segment.text for segment in document.segments}
    assert by_place["headers"].splitlines() == [
        "From: Zoë Example <zoe@example.org>",
        "To: Bob Sample <bob@example.org>",
        "Bcc: hidden@example.org",
        "Subject: Lab result",
    ]
    assert by_place["body"].strip() == text
    assert by_place["properties"] == "555 0123"
    assert (letter.uri, letter.text) == (f"{document.uri}!létter.txt", "Attached words")
    assert inner.uri == f"{document.uri}!item 2.msg"
    assert "Subject: Inner subject" in inner.text
    assert "Inner body" in inner.text


def test_a_damaged_outlook_item_ends_in_a_status(examined: Examine) -> None:
    data = outlook_item(p10090102=b"\xff" * 40)
    assert examined(data)[-1].status is Status.PARTIAL
    for part in range(1, 8):
        assert examined(data[: len(data) * part // 8])[-1].status in (Status.PARTIAL, Status.FAILED, Status.UNSUPPORTED)


def wide(number: int, text: str) -> Property:
    return number, 0x001F, text.encode("utf-16-le")


def test_an_item_of_a_mail_store_is_read_like_one_of_a_file(examined: Examine) -> None:
    inner = item_streams([wide(0x0037, "Inner subject"), wide(0x1000, "Inner body")], [], [], within=True)
    streams = item_streams(
        [
            wide(0x0037, "\x01\x01Lab result"),
            wide(0x1000, "Dear Bob"),
            (0x3FFD, 3, struct.pack("<I", 1252)),
            (0x0C1A, 0x1E, b"Zo\xeb"),
        ],
        [[wide(0x3001, "Bob Sample"), wide(0x3003, "bob@example.org"), (0x0C15, 3, struct.pack("<I", 2))]],
        [Attached((wide(0x3707, "note.txt"),), b"Attached words"), Attached((wide(0x3001, "forwarded"),), item=inner)],
    )
    note, forwarded, document = examined(item_file(streams))
    assert document.text.splitlines() == [
        "From: Zoë",
        "Cc: Bob Sample <bob@example.org>",
        "Subject: Lab result",
        "Dear Bob",
    ]
    assert (note.uri, note.text) == (f"{document.uri}!note.txt", "Attached words")
    assert "Inner body" in forwarded.text


@pytest.mark.parametrize("data", [b"!BDN", b"!BDN" + bytes(600), b"!BDN" + bytes(range(256)) * 8])
def test_a_damaged_mail_store_fails(examined: Examine, data: bytes) -> None:
    (document,) = examined(data, "store.pst")
    assert (document.status, document.media_type) == (Status.FAILED, "application/vnd.ms-outlook-pst")


def attribute(number: int, value: bytes) -> bytes:
    return struct.pack("<BII", 1, number, len(value)) + value + struct.pack("<H", sum(value) & 0xFFFF)


def wrapped_mail() -> bytes:
    markup = b"<p>Dear <b>Bob</b></p>"
    html = struct.pack("<HHII", 0x0102, 0x1013, 1, len(markup)) + markup + bytes(-len(markup) % 4)
    sender = "Zoë Example".encode("utf-16-le")
    named = (
        struct.pack("<HH16sIIII", 0x001F, 0x8001, bytes(16), 0, 1, 1, len(sender)) + sender + bytes(-len(sender) % 4)
    )
    return (
        struct.pack("<IH", 0x223E9F78, 1)
        + attribute(0x00018004, b"Lab result\0")
        + attribute(0x00069003, struct.pack("<I", 2) + html + named)
        + attribute(0x00069002, bytes(14))
        + attribute(0x00018010, b"note.txt\0")
        + attribute(0x0006800F, b"Attached words")
    )


def test_a_wrapped_mail(examined: Examine) -> None:
    note, document = examined(wrapped_mail(), "winmail.dat")
    assert (document.status, document.media_type) == (Status.COMPLETE, "application/vnd.ms-tnef")
    for words in ("Subject: Lab result", "Dear Bob", "Zoë Example"):
        assert words in document.text
    assert (note.uri, note.text) == (f"{document.uri}!note.txt", "Attached words")


def test_a_wrapped_mail_cut_anywhere_is_never_complete(examined: Examine) -> None:
    data = wrapped_mail()
    for length in (5, 20, 60, 120, len(data) - 5):
        assert examined(data[:length])[-1].status in (Status.FAILED, Status.PARTIAL)
    assert examined(data[:-5])[-1].status is Status.PARTIAL
