"""Mail message -> its headers and bodies as its own text, its attachments and pictures in bodies as members."""

import email
import email.generator  # it would be imported on first use, when the sandbox may not read files
import email.policy
import re
from collections.abc import Iterator
from email.header import Header, decode_header
from email.message import Message
from functools import partial

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.readers.html import declared_charset, html_text
from extraction.readers.ooxml.said_in_attributes import is_prose
from extraction.readers.text.data_uris import files_within, without_data_uris
from extraction.readers.text.decode import clean, decode

MEDIA_TYPES = frozenset({"message/rfc822"})
IS_ARCHIVE = False

_HEADERS = ("From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Subject", "Date", "Organization")
_OF_PROGRAMS = re.compile(
    r"received|x-received|(?:x-)?(?:google-)?dkim|arc-|authentication|return-path|(?:x-)?spf|received-spf|domainkey|list-"
    r"|mime-|content-|message-id|in-reply-to|references|x-(?:ms|microsoft|forefront|exchange|spam|virus|gm|google)"
    r"|user-agent|x-mailer|importance|precedence|x-priority|delivered-to|autocrypt|dispositon-|face|x-face",
    re.I,
)
_HINT = re.compile(r"\bMIME\b|multi-?part", re.I)  # that a mail program cannot show the mail
_LONGEST_HINT = 300
_END_OF_HEADERS = re.compile(rb"\r?\n\r?\n")
_ENCRYPTED = frozenset({"multipart/encrypted"})


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    try:
        _refuse_endless(content.data, budget.limits.members)
        message = email.message_from_bytes(content.data, policy=email.policy.compat32)
        parts = list(_leaves(message))
    except (RecursionError, ValueError, LookupError, AttributeError, TypeError):
        yield Segment("", decode(content.data, cut=bool(content.fault)))
        raise StoppedError(Status.PARTIAL, "read as plain text: the mail could not be parsed") from None
    yield Segment("headers", "\n".join(_header_lines(message)))
    for text in _around_parts(message):
        yield Segment("around the parts", text)
    for number, part in enumerate(parts, 1):
        if _is_body(part):
            text, markup = _body_text(part)
            yield Segment("body", text)
            yield from files_within(markup, budget)
        else:
            yield Member(_part_name(part, number), partial(_attachment, part, budget))
    if message.get_content_type() in _ENCRYPTED:
        raise StoppedError(Status.ENCRYPTED, "encrypted mail")


def _refuse_endless(data: bytes, most: int) -> None:
    """A mail that is nothing but boundaries or headers costs the parser seconds, so it is read as plain text."""
    headers = len(data) if (end := _END_OF_HEADERS.search(data)) is None else end.start()
    if data.count(b"\n--") > most or data.count(b"\n", 0, headers) > most:
        raise ValueError


def _leaves(message: Message) -> Iterator[Message]:
    """Parts with content; an attached message is one part, with everything in it."""
    waiting = [message]
    while waiting:
        part = waiting.pop()
        payload = part.get_payload()
        if isinstance(payload, list) and part.get_content_maintype() == "multipart":
            waiting.extend(entry for entry in reversed(payload) if isinstance(entry, Message))
        else:
            yield part


def _header_lines(message: Message) -> Iterator[str]:
    """Those for people, and sentences in any others."""
    for name in _HEADERS:
        for value in message.get_all(name, []):
            yield f"{name}: {_header_text(value)}"
    for name, value in message.items():
        if name.title() not in _HEADERS and not _OF_PROGRAMS.match(name):
            text = _header_text(value)
            if is_prose(text):
                yield f"{name}: {text}"


def _around_parts(message: Message) -> Iterator[str]:
    """What stands before the first and behind the last part, where mail programs show nothing."""
    for part in message.walk():
        for text in (part.preamble, part.epilogue):
            said = decode(text.encode("ascii", "surrogateescape")).strip() if text else ""
            if said and not (len(said) < _LONGEST_HINT and _HINT.search(said)):
                yield said


def _header_text(value: Header | str) -> str:
    raw = str(value).replace("\r", "").replace("\n", "")
    try:
        pieces = decode_header(value if not isinstance(value, str) else raw)
    except Exception:
        return clean(raw)
    return clean("".join(_piece_text(piece, charset) for piece, charset in pieces))


def _piece_text(piece: bytes | str, charset: str | None) -> str:
    if isinstance(piece, str):
        return piece
    return decode(piece, "" if charset in (None, "unknown-8bit") else str(charset))


def _is_body(part: Message) -> bool:
    if part.get_content_maintype() == "multipart":
        return True
    return (
        part.get_content_type() in ("text/plain", "text/html")
        and part.get_content_disposition() != "attachment"
        and not part.get_filename()
    )


def _body_text(part: Message) -> tuple[str, str]:
    """The text, and the markup that it comes from."""
    data = _payload(part)
    declared = part.get_param("charset", "")
    charset = declared if isinstance(declared, str) else ""
    if part.get_content_type() == "text/html":
        markup = decode(data, charset or declared_charset(data))
        return html_text(without_data_uris(markup)[0]), markup
    return decode(data, charset), ""


def _payload(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    if isinstance(payload, bytes):
        return payload
    return str(part.get_payload() or "").encode("utf-8", "surrogateescape")


def _attachment(part: Message, budget: Budget) -> Content:
    payload = part.get_payload()
    attached = payload[0] if isinstance(payload, list) and payload else None
    data = attached.as_bytes() if isinstance(attached, Message) else _payload(part)
    budget.expand(len(data))
    limit = budget.limits.member_bytes
    return Content(data[:limit], len(data), "", budget.member_reason if len(data) > limit else "")


def _part_name(part: Message, number: int) -> str:
    try:
        name = part.get_filename()
    except Exception:
        name = None
    if name:
        return _header_text(name)
    extension = {"message/rfc822": ".eml", "text/calendar": ".ics", "text/html": ".html", "text/plain": ".txt"}.get(
        part.get_content_type(), ""
    )
    return f"part-{number}{extension}"
