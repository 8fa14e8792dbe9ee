"""A mail -> its addresses, subject, texts and attachments as runs; all other headers are dropped."""

from collections.abc import Mapping, Sequence
from email import policy
from email.message import EmailMessage, Message
from email.parser import BytesParser
from email.utils import formatdate, parsedate_to_datetime
from typing import Any

from deidentification.formats.html import OpenedHtml, open_html
from deidentification.formats.opened import BROKEN, Opened, RefusedError
from deidentification.formats.text import OpenedText, without_files
from deidentification.view import Run
from extraction.identify.identify import identify
from extraction.readers.text.decode import decode

_HEADERS = ("From", "To", "Cc", "Subject", "Date")
_DEPTH = 3  # of mails within mails
_DROPPED = "An attachment was left out: files of its type cannot be de-identified.\n"
_NAMES = {"text/plain": "txt", "text/csv": "csv", "application/pdf": "pdf", "image/png": "png", "text/html": "html"}


class OpenedMail:
    is_prose = True

    def __init__(self, message: Message, depth: int) -> None:
        self._headers: list[tuple[str, int]] = []  # and their runs
        self._parts: list[tuple[str, Opened, int]] = []  # media type, content, first run
        self._dropped = 0
        runs: list[Run] = []
        for name in _HEADERS:
            value = str(message.get(name, "") or "")
            if value:
                runs.append(Run(f"{name}: ", is_fixed=True))
                self._headers.append((name, len(runs)))
                runs += [Run(_shown(name, value), where="header"), Run("\n", is_fixed=True)]
        runs.append(Run("\n", is_fixed=True))
        for part in message.walk():
            if not part.is_multipart() or part.get_content_type() == "message/rfc822":
                self._take(part, depth, runs)
        self.runs: Sequence[Run] = tuple(runs)

    def _take(self, part: Message, depth: int, runs: list[Run]) -> None:
        if part.get_content_type() == "message/rfc822":
            return  # its own parts follow in the walk
        data = part.get_payload(decode=True)
        content = data if isinstance(data, bytes) else b""
        is_text = part.get_content_maintype() == "text" and not part.get_filename()
        opened = _text(part, content) if is_text else _attached(content, depth)
        if opened is None:
            self._dropped += 1
            return
        self._parts.append((_type_of(part, content, is_text), opened, len(runs)))
        runs += [*opened.runs, Run("\n", is_fixed=True)]

    def rewritten(self, new: Mapping[int, str]) -> bytes:
        message = EmailMessage(policy.SMTP)
        for name, at in self._headers:
            value = " ".join(new.get(at, self.runs[at].text).split())
            # Our own words in place of names are no addresses: a header without structure takes any text.
            _set_plainly(message, name, value)
        texts = [part for part in self._parts if part[0].startswith("text/")]
        first = next((part for part in texts if part[0] == "text/plain"), texts[0] if texts else None)
        body = _renewed(first, new).decode("utf-8", "replace") if first is not None else ""
        message.set_content(body + (_DROPPED if self._dropped else ""), subtype=first[0][5:] if first else "plain")
        for number, part in enumerate(self._parts):
            if part is not first:
                main, _, sub = part[0].partition("/")
                name = f"attachment-{number}.{_NAMES.get(part[0], 'bin')}"
                message.add_attachment(_renewed(part, new), maintype=main, subtype=sub, filename=name)
        return message.as_bytes()


def open_mail(data: bytes, media_type: str, depth: int = 0) -> OpenedMail:
    try:
        return OpenedMail(BytesParser(policy=policy.default).parsebytes(data), depth)
    except (ValueError, LookupError, TypeError, AttributeError):
        raise RefusedError(BROKEN) from None


def _shown(name: str, value: str) -> str:
    if name != "Date":
        return value
    try:
        return parsedate_to_datetime(value).strftime("%Y-%m-%d")
    except (ValueError, TypeError):
        return value


def _set_plainly(message: EmailMessage, name: str, value: str) -> None:
    if name == "Date":
        try:
            from datetime import datetime

            value = formatdate(datetime.fromisoformat(value).timestamp())
        except ValueError:
            return
    try:
        message[name] = value
    except (ValueError, IndexError):
        message[f"X-{name}"] = value


def _text(part: Message, content: bytes) -> OpenedText | OpenedHtml:
    text = decode(content, part.get_content_charset("") or "")
    if part.get_content_subtype() == "html":
        return open_html(text.encode(), "text/html")
    return OpenedText(tuple(without_files(text)))


def _attached(content: bytes, depth: int) -> Opened | None:
    """None for what cannot be rewritten."""
    from deidentification.formats.registry import is_supported, open_as

    media_type = identify(content)
    if not content or not is_supported(media_type) or depth >= _DEPTH:
        return None
    try:
        return (
            open_mail(content, media_type, depth + 1)
            if media_type == "message/rfc822"
            else open_as(media_type, content)
        )
    except RefusedError:
        return None


def _type_of(part: Message, content: bytes, is_text: bool) -> str:
    return part.get_content_type() if is_text else identify(content)


def _renewed(part: tuple[str, Opened, int], new: Mapping[int, str]) -> bytes:
    _, opened, first = part
    own: dict[int, Any] = {at - first: text for at, text in new.items() if first <= at < first + len(opened.runs)}
    return opened.rewritten(own)
