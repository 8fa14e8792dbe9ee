"""DICOM file -> the texts of its header with their names; an enclosed document as a member; pixels are skipped."""

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.lazy_import import LazyModule
from extraction.limits.budget import Budget
from extraction.readers.records.person import iso_date, name_line
from extraction.readers.streams.read_member import embedded_content
from extraction.readers.text.table import cell_text

if TYPE_CHECKING:
    from pydicom import Dataset
    from pydicom.dataelem import DataElement

MEDIA_TYPES = frozenset({"application/dicom"})
IS_ARCHIVE = False

DEPTH = 50
_TEXT = frozenset({"AE", "AS", "CS", "DA", "DT", "LO", "LT", "PN", "SH", "ST", "UC", "UR", "UT", "UN"})
_ENCLOSED_DOCUMENT = 0x00420011
_NAME_PARTS = ("family", "given", "middle", "prefix", "suffix")
_PYDICOM = LazyModule("pydicom", "pydicom.config")


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    pydicom = _PYDICOM.load()
    pydicom.config.settings.reading_validation_mode = pydicom.config.IGNORE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dataset = pydicom.dcmread(content.file(), stop_before_pixels=True)
        yield Segment("header", "\n".join(_lines(dataset)))
    document = dataset.get(_ENCLOSED_DOCUMENT)
    if document is not None and isinstance(document.value, bytes):
        yield Member("document", lambda: embedded_content(document.value, budget), len(document.value))
    if str(dataset.get("BurnedInAnnotation", "")).strip() == "YES":
        raise StoppedError(Status.PARTIAL, "text is burned into its picture")


def _lines(dataset: "Dataset", depth: int = 0) -> Iterator[str]:
    for element in dataset:
        if element.VR == "SQ":
            for item in element.value if depth < DEPTH else ():
                yield from _lines(item, depth + 1)
        elif element.VR in _TEXT:
            text = " ".join(filter(None, (_value_text(element, value) for value in _values(element))))
            if text:
                yield f"{element.name.strip('[]')}: {text}"


def _values(element: "DataElement") -> list[object]:
    return [element.value] if element.VM <= 1 else list(element.value)


def _value_text(element: "DataElement", value: object) -> str:
    if element.VR == "PN":
        return " ".join(dict.fromkeys(filter(None, (_name(group) for group in str(value or "").split("=")))))
    text = cell_text(value).strip(" \0")
    return iso_date(text) if element.VR in ("DA", "DT") else text


def _name(group: str) -> str:
    return name_line(zip(_NAME_PARTS, group.split("^"), strict=False))
