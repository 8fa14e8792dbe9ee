"""DICOM files whose header names nobody, with the letter in their pixels."""

import io
from collections.abc import Iterator
from typing import Any

import numpy
import pydicom
from PIL import Image
from pydicom.dataset import FileDataset, FileMetaDataset
from pydicom.encaps import encapsulate
from pydicom.uid import (
    ExplicitVRLittleEndian,
    ImplicitVRLittleEndian,
    JPEG2000Lossless,
    JPEGBaseline8Bit,
    JPEGLosslessSV1,
    RLELossless,
    generate_uid,
)

from benchmarks.honesty_cases.case import Case
from benchmarks.honesty_cases.letter_picture import harmless_picture, packed, picture

_SECONDARY_CAPTURE = "1.2.840.10008.5.1.4.1.1.7"
_US_MULTI_FRAME = "1.2.840.10008.5.1.4.1.1.3.1"


def in_dicom() -> Iterator[Case]:
    letter = numpy.asarray(picture(ink=255, paper=0))
    harmless = numpy.asarray(harmless_picture())
    blank = numpy.zeros_like(letter)
    yield Case("grey.dcm", _saved(_dataset(letter)))
    yield Case("implicit.dcm", _saved(_dataset(letter), ImplicitVRLittleEndian))
    yield Case("12 bits.dcm", _saved(_dataset(letter.astype(numpy.uint16) * 16, bits=12)))
    yield Case("inverse.dcm", _saved(_dataset(255 - letter, kind="MONOCHROME1")))
    yield Case("colour.dcm", _saved(_dataset(numpy.stack([letter, letter // 2, letter], axis=-1), kind="RGB")))
    yield Case("run lengths.dcm", _compressed(_dataset(letter), RLELossless))
    yield Case("jpeg.dcm", _encapsulated(letter, packed(Image.fromarray(letter), "JPEG", quality=90), JPEGBaseline8Bit))
    j2k = packed(Image.fromarray(letter), "JPEG2000", no_jp2=True)
    yield Case("jpeg 2000.dcm", _encapsulated(letter, j2k, JPEG2000Lossless))
    yield Case("no decoder.dcm", _encapsulated(letter, j2k, JPEGLosslessSV1))
    yield Case("third frame.dcm", _saved(_frames(blank, blank, letter)))
    yield Case("equal frames.dcm", _saved(_frames(*[letter] * 20)))
    yield Case("overlay.dcm", _saved(_with_overlay(_dataset(blank), letter > 0)))
    yield Case("turned.dcm", _saved(_dataset(numpy.ascontiguousarray(numpy.rot90(letter)))))
    yield Case("cut.dcm", _saved(_dataset(letter))[:-300_000])
    yield Case("harmless.dcm", _saved(_dataset(harmless)), leaks=False)
    yield Case("harmless frames.dcm", _saved(_frames(numpy.zeros_like(harmless), harmless)), leaks=False)


def _dataset(levels: Any, *, bits: int = 8, kind: str = "MONOCHROME2") -> FileDataset:
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = pydicom.uid.UID(_SECONDARY_CAPTURE)
    meta.MediaStorageSOPInstanceUID = generate_uid(entropy_srcs=["letter"])
    dataset = FileDataset("", {}, file_meta=meta, preamble=bytes(128))
    dataset.SOPClassUID, dataset.SOPInstanceUID = meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID
    dataset.Modality = "OT"
    dataset.Rows, dataset.Columns = levels.shape[:2]
    dataset.SamplesPerPixel = 3 if kind == "RGB" else 1
    if kind == "RGB":
        dataset.PlanarConfiguration = 0
    dataset.PhotometricInterpretation = kind
    dataset.BitsStored, dataset.BitsAllocated = bits, 8 * levels.dtype.itemsize
    dataset.HighBit, dataset.PixelRepresentation = bits - 1, 0
    dataset.PixelData = levels.tobytes()
    return dataset


def _frames(*levels: Any) -> FileDataset:
    dataset = _dataset(levels[0])
    dataset.SOPClassUID = pydicom.uid.UID(_US_MULTI_FRAME)
    dataset.NumberOfFrames = len(levels)
    dataset.PixelData = b"".join(frame.tobytes() for frame in levels)
    return dataset


def _with_overlay(dataset: FileDataset, ink: Any) -> FileDataset:
    for element, representation, value in (
        (0x0010, "US", ink.shape[0]),
        (0x0011, "US", ink.shape[1]),
        (0x0040, "CS", "G"),
        (0x0050, "SS", [1, 1]),
        (0x0100, "US", 1),
        (0x0102, "US", 0),
        (0x3000, "OW", numpy.packbits(ink.ravel(), bitorder="little").tobytes()),
    ):
        dataset.add_new((0x6000, element), representation, value)
    return dataset


def _saved(dataset: FileDataset, syntax: Any = ExplicitVRLittleEndian) -> bytes:
    dataset.file_meta.TransferSyntaxUID = syntax
    dataset["PixelData"].VR = "OW" if dataset.BitsAllocated > 8 or syntax == ImplicitVRLittleEndian else "OB"
    out = io.BytesIO()
    dataset.save_as(out, enforce_file_format=True)
    return out.getvalue()


def _compressed(dataset: FileDataset, syntax: Any) -> bytes:
    dataset.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    dataset.compress(syntax)
    out = io.BytesIO()
    dataset.save_as(out, enforce_file_format=True)
    return out.getvalue()


def _encapsulated(levels: Any, data: bytes, syntax: Any) -> bytes:
    dataset = _dataset(levels)
    dataset.PixelData = encapsulate([data])
    dataset["PixelData"].VR = "OB"
    dataset["PixelData"].is_undefined_length = True
    dataset.file_meta.TransferSyntaxUID = syntax
    out = io.BytesIO()
    dataset.save_as(out, enforce_file_format=True)
    return out.getvalue()
