"""The media types that several modules of extraction use, by name."""

ZIP = "application/zip"
OLE = "application/x-ole-storage"
PDF = "application/pdf"
GZIP = "application/gzip"
HTML = "text/html"
XML = "text/xml"
MAIL = "message/rfc822"
EWF, QCOW, VHD, VMDK = "application/x-ewf", "application/x-qemu-disk", "application/x-vhd", "application/x-vmdk"
POSTFIX_QUEUE = "application/x-postfix-queue"
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

FILES_BY_WELL_KNOWN_LIBRARIES = 20
_TEXT_WITH_OWN_SYNTAX = frozenset({"text/rtf", "text/x-rtf"})


def is_textual(media_type: str) -> bool:
    """Types whose bytes are their text: source code, calendars, markup of all kinds."""
    if media_type in _TEXT_WITH_OWN_SYNTAX:
        return False
    return media_type.startswith("text/") or media_type.endswith(("+xml", "+json", "javascript", "shellscript"))


_READ_BY_PYTHON_ALONE = frozenset(
    {
        JSON,
        EMPTY,
        "application/x-ndjson",
        "application/javascript",
        "application/sql",
        "application/x-tex",
        "application/x-wine-extension-ini",
        "application/hl7-v2",
        "application/edi-x12",
        "application/edifact-script",
        "application/x-chat+json",
        "application/fhir+json",
        "message/news",
        "application/fits",
        "application/vnd.lotus-1-2-3",
        "application/vnd.ms-htmlhelp",
    }
)
# Read by our own Python, and in C by nothing but zlib, expat, libxml2 and lexbor, which the whole world tests.
_READ_BY_WELL_KNOWN_LIBRARIES = frozenset(
    {
        HTML,
        "application/xhtml+xml",
        XML,
        "application/xml",
        "application/rss+xml",
        "application/fhir+xml",
        FLAT_OPENDOCUMENT,
        MICROSOFT_XML,
        DOCX,
        XLSX,
        PPTX,
        XLSB,
        EPUB,
        ZIP,
        GZIP,
        "application/x-tar",
        MAIL,
        MBOX,
        OLE,
        EXCEL,
        "application/msword",
        "application/vnd.ms-powerpoint",
        "application/vnd.ms-outlook",
        *_TEXT_WITH_OWN_SYNTAX,
    }
)
_OPENDOCUMENT_PREFIX = "application/vnd.oasis.opendocument."


def files_of_a_process(media_type: str, most: int) -> int:
    """How many files of such a type one parser process may read: the likelier it is taken over, the fewer.

    A process that a file takes over answers for all files that it reads afterwards.
    """
    if media_type in _READ_BY_WELL_KNOWN_LIBRARIES or media_type.startswith(_OPENDOCUMENT_PREFIX):
        return min(most, FILES_BY_WELL_KNOWN_LIBRARIES)
    return most if media_type in _READ_BY_PYTHON_ALONE or media_type.startswith("text/") else 1
