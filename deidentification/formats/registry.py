"""Media type -> how such a file is opened; modules are loaded when they are needed."""

import importlib

from deidentification.formats.opened import Opened

_TEXT = "deidentification.formats.text:open_text"
_TABLE = "deidentification.formats.text:open_table"
_JSON = "deidentification.formats.json_text:open_json"
_XML = "deidentification.formats.xml_tree:open_xml"
_HTML = "deidentification.formats.html:open_html"
_PACKAGE = "deidentification.formats.ooxml:open_package"
_OFFICE = "application/vnd.openxmlformats-officedocument."
_PICTURE = "deidentification.formats.picture:open_picture"
_OPEN = {
    "text/plain": _TEXT,
    "inode/x-empty": _TEXT,
    "text/calendar": _TEXT,
    "text/vcard": _TEXT,
    "text/csv": _TABLE,
    "application/json": _JSON,
    "application/x-ndjson": _JSON,
    "application/fhir+json": _JSON,
    "application/x-chat+json": _JSON,
    "text/html": _HTML,
    "application/xhtml+xml": _HTML,
    "text/xml": _XML,
    "application/xml": _XML,
    "application/fhir+xml": _XML,
    f"{_OFFICE}wordprocessingml.document": _PACKAGE,
    f"{_OFFICE}spreadsheetml.sheet": _PACKAGE,
    f"{_OFFICE}presentationml.presentation": _PACKAGE,
    "message/rfc822": "deidentification.formats.mail:open_mail",
    "image/png": _PICTURE,
    "image/jpeg": _PICTURE,
    "image/tiff": _PICTURE,
    "image/bmp": _PICTURE,
    "image/gif": _PICTURE,
    "image/webp": _PICTURE,
    "application/pdf": "deidentification.formats.pdf:open_pdf",
    "application/dicom": "deidentification.formats.dicom:open_dicom",
    "application/hl7-v2": "deidentification.formats.messages:open_hl7",
    "application/edi-x12": "deidentification.formats.messages:open_x12",
}


# Loaded before a child is confined, since some load libraries in C that it could not load any more.
LIBRARIES = (
    *sorted({place.partition(":")[0] for place in _OPEN.values()}),
    "lxml.etree",
    "PIL.Image",
    "zxingcpp",
    "pypdfium2",
)
LIBRARIES += ("pydicom.pixels", "pydicom.pixels.decoders", "dicomanonymizer.simpledicomanonymizer")


def is_supported(media_type: str) -> bool:
    return media_type in _OPEN


def open_as(media_type: str, data: bytes) -> Opened:
    module, _, name = _OPEN[media_type].partition(":")
    opened: Opened = getattr(importlib.import_module(module), name)(data, media_type)
    return opened
