"""The media types that several modules of extraction use, by name."""

ZIP = "application/zip"
OLE = "application/x-ole-storage"
PDF = "application/pdf"
GZIP = "application/gzip"
HTML = "text/html"
XML = "text/xml"
MAIL = "message/rfc822"
MBOX = "application/mbox"
JSON = "application/json"
CSV = "text/csv"
TEXT = "text/plain"
EXCEL = "application/vnd.ms-excel"
FLAT_OPENDOCUMENT = "application/vnd.oasis.opendocument.flat+xml"
MICROSOFT_XML = "application/vnd.ms-office.flat+xml"
SQLITE_LOG, SQLITE_JOURNAL = "application/x-sqlite3-wal", "application/x-sqlite3-journal"
MESSAGE_PACK = "application/vnd.msgpack"
PICKLE = "application/x-python-pickle"
EMPTY = "inode/x-empty"
DISK = "application/x-raw-disk-image"
UNKNOWN = "application/octet-stream"

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSB = "application/vnd.ms-excel.sheet.binary.macroenabled.12"
EPUB = "application/epub+zip"
OPENDOCUMENT = "application/vnd.oasis.opendocument.text"  # where the file does not say which kind it is
ENCRYPTED_OFFICE = "application/x-ole-encrypted-package"

_TEXT_WITH_OWN_SYNTAX = frozenset({"text/rtf", "text/x-rtf"})


def is_textual(media_type: str) -> bool:
    """Types whose bytes are their text: source code, calendars, markup of all kinds."""
    if media_type in _TEXT_WITH_OWN_SYNTAX:
        return False
    return media_type.startswith("text/") or media_type.endswith(("+xml", "+json", "javascript", "shellscript"))
