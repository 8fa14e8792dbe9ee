"""Bytes -> media type: our own quick checks first, libmagic for the rest."""

import codecs
import csv
import re

from extraction.identify.encrypted import encrypted_media_type
from extraction.identify.libmagic import libmagic_media_type
from extraction.identify.programs import program_of
from extraction.identify.signatures import BY_FIRST_BYTE
from extraction.identify.zip_and_ole import ole_media_type, zip_media_type
from extraction.media_types import (
    CSV,
    DISK,
    EMPTY,
    FLAT_OPENDOCUMENT,
    GZIP,
    HTML,
    JSON,
    MAIL,
    MBOX,
    MESSAGE_PACK,
    MICROSOFT_XML,
    OLE,
    PDF,
    PICKLE,
    TEXT,
    UNKNOWN,
    XML,
    ZIP,
)
from extraction.readers.archives.tar import looks_like_tar
from extraction.readers.archives.zlib_stream import is_zlib
from extraction.readers.disks.layout import looks_like_disk
from extraction.readers.messagepack import looks_like_messagepack
from extraction.readers.text.decode import is_marked, wide_encoding

LOOK = 8192
_TEXT_BYTES = bytes([7, 8, 9, 10, 11, 12, 13, 27, *range(32, 127), *range(128, 256)])
_BOMS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_HTML_START = re.compile(
    rb"\s*(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta|link|style|table|div|span|script|p|h[1-6]|ul|ol|br|hr|pre|font|center|img|blockquote)[\s>/]",
    re.I | re.S,
)
_XML_START = re.compile(rb"\s*<(?:\?xml[\s?]|!--|!DOCTYPE\s|[A-Za-z_][\w.:-]*[\s>/])", re.I)
_XHTML = re.compile(
    rb"\s*(?:<\?.{0,2000}?\?>\s*|<!--.{0,2000}?-->\s*|<!doctype[^>\[]{0,1000}>\s*)*<html[\s>]", re.I | re.S
)
_OFFICE_XML = (
    (re.compile(rb"<office:document[\s>]"), FLAT_OPENDOCUMENT),
    (re.compile(rb"<\?mso-application\s|<(?:w:wordDocument|ss:Workbook|pkg:package)[\s>]"), MICROSOFT_XML),
    (re.compile(rb"<Workbook\s[^>]*urn:schemas-microsoft-com:office:spreadsheet"), MICROSOFT_XML),
)
_HEADER = re.compile(rb"^([!-9;-~]{1,70}):", re.M)
_MAIL_PROOF = frozenset(
    {
        b"received",
        b"message-id",
        b"mime-version",
        b"return-path",
        b"delivered-to",
        b"x-mailer",
        b"content-transfer-encoding",
    }
)
_FROM_ADDRESS = re.compile(rb"^from:[^\n]{0,200}\w@\w", re.I | re.M)
_MAIL_USUAL = frozenset({b"from", b"to", b"subject", b"date", b"cc", b"bcc", b"sender", b"reply-to"})
_HL7 = re.compile(rb"(?:\xef\xbb\xbf)?[\x0b\s]{0,8}(?:MSH|FHS|BHS)([^\w\s])[^\w\s]{3,5}\1")
_X12 = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,8}(?:ISA([^\w\s])\d\d\1[^\r\n]{0,12}\1\d\d\1"
    rb"|GS([*|^])[A-Z]{2}\2|ST([*|^])(?:27[0-8]|83[457]|820)\3)"
)
_SCRIPT = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,8}(?:UNA[^\w]{6}\s{0,2})?UIB[^\w\s]UNO", re.S)
_FHIR = re.compile(rb'"resourceType"\s*:\s*"[A-Z][A-Za-z]+"')
_JSON_START = re.compile(
    rb"""\s*(?:\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\})|\[\s*(?:[\[{"\]]|(?:true|false|null)\b|"""
    rb"""-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*(?:,\s*(?!\d+[:/.]\d+[:/.])(?!\d+:)[-\d\["{tfn]|\]\s*(?:\Z|[\[{])|\Z)))"""
)
_CHATS = tuple(
    tuple(re.compile(rb'"(?:' + key + rb")") for key in keys)
    for keys in (
        (
            rb'type"\s*:\s*"message"',
            rb'text"\s*:',
            rb'(?:user|username|user_profile|bot_id|from)"\s*:',
        ),  # Slack, Telegram
        (rb'messageType"\s*:\s*"', rb'body"\s*:\s*\{', rb'content"\s*:\s*"', rb'displayName"\s*:'),  # Teams
        (rb'MessageList"\s*:\s*\[', rb'content"\s*:\s*"'),  # Teams and Skype
        (rb'sender_name"\s*:\s*"', rb'timestamp_ms"\s*:'),  # Messenger
        (
            rb'author"\s*:\s*\{',
            rb'content"\s*:\s*"',
            rb'timestamp"\s*:',
            rb'(?:channel|guild|attachments)"\s*:',
        ),  # Discord
    )
)
_CARD = re.compile(rb"\s*BEGIN:(VCARD|VCALENDAR)\s", re.I)
_CPIO = re.compile(rb"07070[127][0-9A-Fa-f]{70}|\xc7\x71|\x71\xc7")
_LZMA = re.compile(rb"\x5d\0[\0-\xff]{3}(?:\xff{8}|[\0-\xff]{5}\0{3})")
_PICKLE = re.compile(rb"\x80(?:[\x02\x03][(})\]\x80-\xffXUcqK]|[\x04\x05]\x95.{6}\0\0)", re.S)
_NUMBER_OF_CSV_LINES = 5


def identify(data: bytes) -> str:
    """The media type of a content, given its bytes (or, for a large one, its beginning)."""
    if not data:
        return EMPTY
    if data[128:132] == b"DICM":  # the 128 bytes before may look like a picture
        return "application/dicom"
    if data[40:44] == b" EMF" and data[:4] == b"\1\0\0\0":
        return "image/emf"
    signed = _by_signature(data) or encrypted_media_type(data) or program_of(data)
    if signed:
        return signed
    head = data[:LOOK]
    # Cheap checks on the first bytes decide most files; libmagic is slow and comes last.
    if _HL7.match(head):
        return "application/hl7-v2"
    if _X12.match(head):
        return "application/edi-x12"
    if _SCRIPT.match(head):
        return "application/edifact-script"
    if not head.translate(None, _TEXT_BYTES):
        return _kind_of_text(head) if _is_utf8(head) else _legacy_text(data, head)
    if is_marked(head) or wide_encoding(data):
        return _kind_of_text(_narrowed(head))
    return _by_libmagic(data, head)


def is_text(data: bytes) -> bool:
    """Whether the bytes can be read as text, whatever their type is called."""
    return not data[:LOOK].translate(None, _TEXT_BYTES)


def _by_signature(data: bytes) -> str:
    for beginning, media_type in BY_FIRST_BYTE.get(data[0], ()):
        if data.startswith(beginning):
            if media_type == ZIP:
                return zip_media_type(data)
            return ole_media_type(data) if media_type == OLE else media_type
    return ""


def _is_utf8(head: bytes) -> bool:
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return error.start > len(head) - 4 and len(head) == LOOK and error.reason == "unexpected end of data"
    return True


def _narrowed(head: bytes) -> bytes:
    """Wide text with its zero bytes and its mark left out: enough to tell HTML from XML."""
    for mark in _BOMS:
        if head.startswith(mark):
            head = head[len(mark) :]
            break
    return head.replace(b"\0", b"")


def _kind_of_text(head: bytes) -> str:
    if head.startswith(codecs.BOM_UTF8):
        head = head[3:]
    start = head.lstrip()[:1]
    if start == b"<":
        return _kind_of_markup(head)
    if start in (b"{", b"[") and _looks_like_json(head):
        if _FHIR.search(head):
            return "application/fhir+json"
        return "application/x-chat+json" if _looks_like_chat(head) else JSON
    card = _CARD.match(head)
    if card:
        return "text/vcard" if card.group(1).upper() == b"VCARD" else "text/calendar"
    mail = _mail_kind(head)
    if mail:
        return mail
    if start == b"%" and head.lstrip().startswith(b"%PDF-"):
        return PDF
    return CSV if _looks_like_csv(head) else TEXT


def _kind_of_markup(head: bytes) -> str:
    if _HTML_START.match(head):
        return HTML
    if _XML_START.match(head):
        for pattern, media_type in _OFFICE_XML:
            if pattern.search(head[:4000]):
                return media_type
        return HTML if _XHTML.match(head) else XML
    return TEXT


def _looks_like_json(head: bytes) -> bool:
    """A bracket that a date, a time or a level of a log follows opens no list: `[2025/01/15, 9:12] Ann: hello`."""
    return _JSON_START.match(head) is not None


def _looks_like_chat(head: bytes) -> bool:
    """Messages with a sender and a text, as Slack, Teams, Telegram, Discord and Messenger export them."""
    return any(all(key.search(head) for key in keys) for keys in _CHATS)


def _mail_kind(head: bytes) -> str:
    """A mail has proof of delivery or MIME, or a sender with an address; a memo between names is read as plain text."""
    if head.startswith(b"From ") and re.match(rb"From \S+.{0,60}\d\d:\d\d", head):
        return MBOX
    if not _HEADER.match(head):
        return ""
    block = re.split(rb"\r?\n\r?\n", head, maxsplit=1)[0]
    names = {name.lower() for name in _HEADER.findall(block)}
    proofs, usual = len(names & _MAIL_PROOF), len(names & _MAIL_USUAL)
    if proofs > 1 or (proofs and usual):
        return MAIL
    return MAIL if usual > 2 and _FROM_ADDRESS.search(block) else ""


def _looks_like_csv(head: bytes) -> bool:
    """The same number of separators, at least one, in each of the first lines."""
    lines = head.split(b"\n", _NUMBER_OF_CSV_LINES)[:_NUMBER_OF_CSV_LINES]
    lines = [line for line in lines if line.strip()]
    if len(lines) < 2 or (len(head) == LOOK and len(lines) < _NUMBER_OF_CSV_LINES):
        return False
    for separator in (b",", b"\t", b";", b"|"):
        if separator not in lines[0]:
            continue
        try:
            rows = list(csv.reader([line.decode("latin-1") for line in lines], delimiter=separator.decode()))
        except csv.Error:
            continue
        widths = {len(row) for row in rows}
        if len(widths) == 1 and widths.pop() > 1 and not any(cell.startswith(" ") for cell in rows[0][1:]):
            return True
    return False


def _legacy_text(data: bytes, head: bytes) -> str:
    """No control bytes, but not UTF-8 either: text in a legacy encoding, unless libmagic knows better."""
    if looks_like_messagepack(data):
        return MESSAGE_PACK
    media_type = libmagic_media_type(data)
    return _kind_of_text(head) if media_type == UNKNOWN or media_type.startswith("text/") else media_type


def _by_libmagic(data: bytes, head: bytes) -> str:
    if looks_like_tar(head):  # libmagic may report the type of its first member
        return "application/x-tar"
    if _CPIO.match(head):
        return "application/x-cpio"
    if _LZMA.match(head):
        return "application/x-lzma"
    if _PICKLE.match(head) and data.rstrip(b"\n").endswith(b"."):
        return PICKLE
    if looks_like_messagepack(data):
        return MESSAGE_PACK
    if is_zlib(data):
        return "application/zlib"
    if b"%PDF-" in head[:1024]:
        return PDF
    if looks_like_disk(data):
        return DISK
    media_type = libmagic_media_type(data)
    if media_type == "application/x-gzip":
        return GZIP
    if media_type == UNKNOWN and _is_mostly_text(head):
        return TEXT
    return media_type


def _is_mostly_text(head: bytes) -> bool:
    """Text that is padded with zero bytes or framed by a few control bytes, as HL7 messages are."""
    without_padding = head.replace(b"\0", b"")
    odd = len(without_padding.translate(None, _TEXT_BYTES))
    return len(without_padding) >= 16 and odd * 50 <= len(without_padding) and _is_utf8(without_padding)
