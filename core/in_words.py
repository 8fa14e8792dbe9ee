"""Media types, sizes and terms as programs keep them -> words as people read them."""

import re
from collections.abc import Iterable

_ABBREVIATIONS = frozenset(
    ("adhd", "bmi", "copd", "ct", "ecg", "eeg", "ekg", "hiv", "icu", "inr", "iv", "mri", "psa", "ptsd", "tsh", "uti")
)
_POSSESSIVE = re.compile(r"\b([^\W\d]{3,}) s\b")
_QUANTITY = re.compile(r"# \w{1,5}")
_WORD = re.compile(r"[^\W\d_]+")
_OFFICE = "application/vnd.openxmlformats-officedocument."
_ODF = "application/vnd.oasis.opendocument."
_WORDS = {
    f"{_OFFICE}wordprocessingml.document": "Word document (docx)",
    f"{_OFFICE}spreadsheetml.sheet": "Excel workbook (xlsx)",
    f"{_OFFICE}presentationml.presentation": "PowerPoint slides (pptx)",
    f"{_ODF}text": "OpenDocument text (odt)",
    f"{_ODF}spreadsheet": "OpenDocument sheet (ods)",
    f"{_ODF}presentation": "OpenDocument slides (odp)",
    "application/dicom": "DICOM picture",
    "application/edi-x12": "X12 claims",
    "application/edifact-script": "NCPDP SCRIPT prescriptions",
    "application/epub+zip": "e-book (epub)",
    "application/fhir+json": "FHIR record (JSON)",
    "application/fhir+xml": "FHIR record (XML)",
    "application/gzip": "gzip file",
    "application/hl7-v2": "HL7 v2 messages",
    "application/json": "JSON",
    "application/mbox": "mailbox (mbox)",
    "application/msword": "Word document (doc)",
    "application/octet-stream": "unknown binary file",
    "application/pdf": "PDF",
    "application/rtf": "RTF document",
    "application/sql": "SQL dump",
    "application/vnd.apache.parquet": "Parquet table",
    "application/vnd.ms-excel": "Excel workbook (xls)",
    "application/vnd.ms-outlook": "Outlook message (msg)",
    "application/vnd.ms-outlook-pst": "Outlook mailbox (pst)",
    "application/vnd.ms-powerpoint": "PowerPoint slides (ppt)",
    "application/vnd.rar": "rar archive",
    "application/vnd.sqlite3": "SQLite database",
    "application/x-7z-compressed": "7z archive",
    "application/x-chat+json": "exported chat",
    "application/x-ndjson": "JSON lines",
    "application/x-tar": "tar archive",
    "application/xhtml+xml": "web page (XHTML)",
    "application/xml": "XML",
    "application/zip": "zip archive",
    "image/gif": "picture (GIF)",
    "image/jpeg": "picture (JPEG)",
    "image/png": "picture (PNG)",
    "image/tiff": "picture (TIFF)",
    "inode/x-empty": "empty file",
    "message/rfc822": "mail (eml)",
    "text/calendar": "calendar (iCalendar)",
    "text/csv": "table (CSV)",
    "text/html": "web page (HTML)",
    "text/markdown": "Markdown text",
    "text/plain": "plain text",
    "text/tab-separated-values": "table (TSV)",
    "text/vcard": "contacts (vCard)",
    "text/xml": "XML",
}


def spoken_type(media_type: str | None) -> str:
    """The media type itself where there is no other name for it."""
    return _WORDS.get(media_type or "", media_type or "unknown")


def spoken_size(size: float) -> str:
    """Bytes in units of a thousand, as disks and reports count them."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def spoken_term(term: str) -> str:
    """A term of the health stage, which reads figures as # and no signs: `crohn s disease`, `stage #`, `hiv`."""
    words = _POSSESSIVE.sub(r"\1's", term.replace("icdcode", "ICD code").replace("#", "…"))
    return _WORD.sub(lambda word: word[0].upper() if word[0] in _ABBREVIATIONS else word[0], words)


def shown_terms(terms: Iterable[str]) -> list[str]:
    """Without doses and other quantities (`# mg`), which say nothing alone."""
    return [spoken_term(term) for term in terms if not _QUANTITY.fullmatch(term)]


def counted(number: int, noun: str) -> str:
    """`1 file`, `2,000 files`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
