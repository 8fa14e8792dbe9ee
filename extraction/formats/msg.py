"""Outlook item (mail, contact, appointment) -> its headers, bodies and other texts; attachments as members."""

import re
from collections.abc import Iterator

import compressed_rtf

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError, fault_of
from extraction.limits.budget import Budget
from extraction.readers.html import declared_charset, html_text
from extraction.readers.ole.compound import Compound, Path
from extraction.readers.outlook.mapi import Properties
from extraction.readers.rtf.pictures import rich_text_pictures
from extraction.readers.rtf.text import RtfText
from extraction.readers.streams.read_member import embedded_content
from extraction.readers.text.data_uris import files_within, without_data_uris
from extraction.readers.text.decode import decode

MEDIA_TYPES = frozenset({"application/vnd.ms-outlook"})
IS_ARCHIVE = False

_SENDER_NAMES, _SENDER_ADDRESSES = (0x0C1A, 0x0042), (0x5D01, 0x5D02, 0x0C1F, 0x0065)
_SUBJECT, _CLASS, _BODY, _HTML, _RTF = 0x0037, 0x001A, 0x1000, 0x1013, 0x1009
_SHOWN_TO, _SHOWN_CC, _SHOWN_BCC = 0x0E04, 0x0E03, 0x0E02
_NAME, _ADDRESSES, _RECIPIENT_KIND = 0x3001, (0x39FE, 0x3003), 0x0C15
_RECIPIENT_KINDS = {1: "To", 2: "Cc", 3: "Bcc"}
_FILE_NAMES, _FILE = (0x3707, 0x3704, 0x3001), 0x3701
_SHOWN_ELSEWHERE = frozenset(
    {*_SENDER_NAMES, *_SENDER_ADDRESSES, _SUBJECT, _CLASS, _BODY, _HTML, _SHOWN_TO, _SHOWN_CC, _SHOWN_BCC}
)
# Kinds of addresses, prefixes and copies of the subject, identifiers of messages and accounts.
_IGNORED = frozenset(
    {0x007D, 0x0C1E, 0x0064, 0x0075, 0x0077, 0x003D, 0x0070, 0x0E1D, 0x1035, 0x1042, 0x1039, 0x10F3, 0x300B, 0x0E28}
)
_TRANSPORT = 0x007D
_INTERNET_HEADERS = re.compile(
    r"^(?:Date|Sender|Reply-To|Bcc|Organization):[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*", re.M | re.I
)
_MARK = re.compile(r"^\x01.", re.S)  # mail stores write the length of a prefix such as `Re: ` before a subject
_PROTECTED = "message.rpmsg"


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    compound = Compound(content, budget)
    item = Properties(compound)
    yield Segment("headers", "\n".join(_headers(compound, item)))
    yield from _bodies(compound, item, budget)
    others = "\n".join(_others(item))
    if others:
        yield Segment("properties", others)
    protected = False
    for number, storage in enumerate(_storages(compound, "__attach_version1.0_#"), 1):
        member = _attachment(compound, Properties(compound, storage, item.encoding), number, budget)
        protected = protected or member.name.lower() == _PROTECTED
        yield member
    if protected:
        raise StoppedError(Status.ENCRYPTED, "mail under rights protection")
    compound.finish()


def _storages(compound: Compound, prefix: str) -> list[Path]:
    return [storage for storage in compound.storages() if storage[0].lower().startswith(prefix)]


def _headers(compound: Compound, item: Properties) -> Iterator[str]:
    yield f"From: {_person(item.text(*_SENDER_NAMES), item.text(*_SENDER_ADDRESSES))}"
    recipients = []
    for storage in _storages(compound, "__recip_version1.0_#"):
        recipient = Properties(compound, storage, item.encoding)
        kind = _RECIPIENT_KINDS.get(recipient.numbers.get(_RECIPIENT_KIND, 1) & 0xF, "To")
        recipients.append(f"{kind}: {_person(recipient.text(_NAME), recipient.text(*_ADDRESSES))}")
    if not recipients:
        shown = (("To", _SHOWN_TO), ("Cc", _SHOWN_CC), ("Bcc", _SHOWN_BCC))
        recipients = [f"{kind}: {item.text(number)}" for kind, number in shown if item.text(number)]
    yield from recipients
    yield f"Subject: {_MARK.sub('', item.text(_SUBJECT))}"


def _others(item: Properties) -> Iterator[str]:
    """All that contacts and appointments have: telephone numbers, addresses, places."""
    for line in _INTERNET_HEADERS.findall(item.text(_TRANSPORT)):
        yield " ".join(line.split())
    already_shown = {*(item.text(number) for number in _SHOWN_ELSEWHERE), ""}
    for number, text in item.texts:
        if (
            number not in _SHOWN_ELSEWHERE | _IGNORED
            and text not in already_shown
            and not text.lower().startswith("/o=")
        ):
            already_shown.add(text)
            yield text


def _person(name: str, address: str) -> str:
    if not name or name == address:
        return address
    return f"{name} <{address}>" if address else name


def _bodies(compound: Compound, item: Properties, budget: Budget) -> Iterator[Segment | Member]:
    """The compressed rich text repeats the other bodies, so its text is read only if there are none."""
    plain = item.text(_BODY)
    markup = item.data(_HTML)
    page = decode(markup, declared_charset(markup) or item.encoding) if markup else ""
    texts = [text for text in (plain, html_text(without_data_uris(page)[0]) if page else "") if text]
    yield from (Segment("body", text) for text in texts)
    yield from files_within(page, budget)
    packed = item.data(_RTF)
    if not packed:
        return
    try:
        rich = RtfText(compressed_rtf.decompress(packed))
        rich.read()
    except Exception as error:
        compound.fault = compound.fault or ("" if texts else fault_of(error))
        return
    if not texts:
        yield Segment("body", "\n".join(segment.text for segment in rich.segments()))
    yield from rich_text_pictures(rich.pictures, budget)


def _attachment(compound: Compound, properties: Properties, number: int, budget: Budget) -> Member:
    name = properties.text(*_FILE_NAMES)
    item = properties.object(_FILE)
    if item is not None:
        return Member(name or f"item {number}.msg", lambda: embedded_content(compound.within(item), budget))
    return Member(name or f"attachment {number}", lambda: embedded_content(properties.data(_FILE), budget))
