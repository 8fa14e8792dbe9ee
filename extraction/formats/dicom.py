"""DICOM file -> the texts of its header with their names and the letters in its frames; a document as a member."""

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.lazy_import import LazyModule
from extraction.limits.budget import Budget
from extraction.ocr.reader import Reading, is_tiny
from extraction.readers.pictures.dicom_frames import frame_size, frames, has_pixels
from extraction.readers.pictures.letters import segments_of, unread
from extraction.readers.records.person import iso_date, name_line
from extraction.readers.streams.read_member import embedded_content
from extraction.readers.text.table import cell_text

if TYPE_CHECKING:
    from pydicom import Dataset
    from pydicom.dataelem import DataElement

MEDIA_TYPES = frozenset({"application/dicom"})
IS_ARCHIVE = False

DEPTH = 50
MOST_FRAMES = 1_000
_TEXT = frozenset({"AE", "AS", "CS", "DA", "DT", "LO", "LT", "PN", "SH", "ST", "UC", "UR", "UT", "UN"})
_ENCLOSED_DOCUMENT = 0x00420011
_NAME_PARTS = ("family", "given", "middle", "prefix", "suffix")
_PYDICOM = LazyModule("pydicom", "pydicom.config")


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    pydicom = _PYDICOM.load()
    pydicom.config.settings.reading_validation_mode = pydicom.config.IGNORE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dataset = pydicom.dcmread(content.file())
        yield Segment("header", "\n".join(_lines(dataset)))
    document = dataset.get(_ENCLOSED_DOCUMENT)
    if document is not None and isinstance(document.value, bytes):
        yield Member("document", lambda: embedded_content(document.value, budget), len(document.value))
    if has_pixels(dataset) and not is_tiny(frame_size(dataset)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield from _letters(dataset, budget)


def _letters(dataset: "Dataset", budget: Budget) -> Iterator[Segment]:
    """Of every frame that differs from those before."""
    fault = ""
    readings: set[Reading] = set()
    for number, reading in enumerate(_readings(dataset, budget), 1):
        fault = fault or reading.fault
        yield from segments_of(reading, f"frame {number}") if reading not in readings else ()
        readings.add(reading)
        if not reading.was_read:
            break
    has_letters = any(reading.text or reading.codes for reading in readings)
    if not fault and not has_letters and str(dataset.get("BurnedInAnnotation", "")).strip() == "YES":
        fault = "text is burned into it"
    if fault:
        raise unread(fault, has_text=True)


def _readings(dataset: "Dataset", budget: Budget) -> Iterator[Reading]:
    if fault := budget.pictures.fault_of_size(frame_size(dataset)) or budget.pictures.fault:
        yield Reading("", fault)
        return
    pictures = frames(dataset)
    for _ in range(MOST_FRAMES):
        try:
            with budget.pictures.timed():
                picture = next(pictures, None)
            if picture is None:
                return
            reading = budget.pictures.read(picture)
        except MemoryError:
            raise
        except Exception as error:
            reading = Reading("", f"pixels cannot be decoded: {type(error).__name__}")
        yield reading
    yield Reading("", f"frame limit ({MOST_FRAMES:,})")


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
