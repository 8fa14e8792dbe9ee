"""DICOM -> a copy by the standard's basic confidentiality profile, with boxes over the words in its pixels."""

import hashlib
import io
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from deidentification.formats.opened import BROKEN, NO_PROFILE, TOO_LARGE, RefusedError
from deidentification.formats.picture import read
from deidentification.formats.words_in_pictures import Word, code_boxes, covering, runs_of
from deidentification.view import Run
from extraction.readers.pictures.dicom_frames import frames, has_pixels

_TEXT = frozenset({"AE", "CS", "DA", "DT", "LO", "LT", "PN", "SH", "ST", "UC", "UR", "UT", "AS"})
_DATES = frozenset({"DA", "DT", "AS"})
_DUMMY = "0001"  # the year that the library writes where the profile asks for an empty date
_KEPT_GROUPS = frozenset({0x0002, 0x0028})  # how the file and its pixels are to be read
_MOST_FRAMES = 64
_SALT = os.urandom(32)  # of the process that forks a child for each file: a run renames each UID in one way
_TABLE = "dicomfields_2026c"  # PS3.15 of that edition
_STANDARD = "1.2.840.10008."  # UIDs of the standard itself name nobody


class OpenedDicom:
    is_prose = True

    def __init__(self, dataset: Any) -> None:
        self._dataset = dataset
        self._elements: dict[int, tuple[Any, int]] = {}  # run -> an element, and which of its values
        self._words: list[list[Word]] = []  # of each frame
        self._places: dict[int, tuple[int, int]] = {}  # run -> frame and word
        runs: list[Run] = []
        _profile(dataset)
        for element in _texts(dataset):
            for at, value in enumerate(_values(element)):
                runs.append(Run(f"{element.name}: ", is_fixed=True))
                self._elements[len(runs)] = (element, at)
                runs += [Run(value, where="header"), Run("\n", is_fixed=True)]
        self._boxes: list[tuple[int, tuple[int, int, int, int]]] = []
        if has_pixels(dataset):
            self._read_frames(runs)
        self.runs: Sequence[Run] = tuple(runs)

    def _read_frames(self, runs: list[Run]) -> None:
        for number, picture in enumerate(frames(self._dataset)):
            if number >= _MOST_FRAMES:
                raise RefusedError(TOO_LARGE)
            words = read(picture.convert("RGB"))
            own, places = runs_of(words, f"frame {number + 1}")
            for at, place in enumerate(places):
                if place >= 0:
                    self._places[len(runs) + at] = (number, place)
            self._words.append(words)
            runs += [*own, Run("\n\n", is_fixed=True)]
            self._boxes += [(number, box) for box in code_boxes(picture)]

    def rewritten(self, new: Mapping[int, str]) -> bytes:
        boxes = list(self._boxes)
        for frame, words in enumerate(self._words):
            changed = {self._places[at][1] for at in new if self._places.get(at, (-1, 0))[0] == frame}
            boxes += [(frame, box) for box in covering(words, changed)]
        for at, text in new.items():
            if at in self._elements:
                _put(*self._elements[at], text)
        if boxes:
            _cover(self._dataset, boxes)
        file = io.BytesIO()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._dataset.save_as(file)
        return file.getvalue()


def open_dicom(data: bytes, media_type: str) -> OpenedDicom:
    import pydicom

    pydicom.config.settings.reading_validation_mode = pydicom.config.IGNORE
    pydicom.config.settings.writing_validation_mode = pydicom.config.IGNORE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            dataset = pydicom.dcmread(io.BytesIO(data))
        except (pydicom.errors.InvalidDicomError, ValueError, EOFError):
            raise RefusedError(BROKEN) from None
        return OpenedDicom(dataset)


def _profile(dataset: Any) -> None:
    """Table E.1-1 of PS3.15 as dicom-anonymizer has it; UIDs stay consistent within a run."""
    try:
        from dicomanonymizer import simpledicomanonymizer
    except ImportError:
        raise RefusedError(NO_PROFILE) from None
    for uid in {str(value) for value in _uids(dataset)}:
        simpledicomanonymizer.dictionary[uid] = _renamed(uid)
    rules = partial(simpledicomanonymizer.initialize_actions, _TABLE)
    # The profile holds at every depth, but the library looks only at the elements of the dataset that it is given.
    for one in reversed(list(_datasets(dataset))):
        simpledicomanonymizer.anonymize_dataset(one, delete_private_tags=True, base_rules_gen=rules)
    for element in dataset.iterall():
        if element.VR in _DATES and str(element.value or "").startswith(_DUMMY):
            element.value = ""
    meta = dataset.file_meta
    meta.MediaStorageSOPInstanceUID = dataset.get("SOPInstanceUID", _renamed(str(meta.MediaStorageSOPInstanceUID)))
    for keyword in ("SourceApplicationEntityTitle", "SendingApplicationEntityTitle", "PrivateInformation"):
        if keyword in meta:
            delattr(meta, keyword)
    dataset.preamble = bytes(128)
    dataset.PatientIdentityRemoved = "YES"
    dataset.DeidentificationMethod = "PS3.15 E.1 basic profile, words in pixels covered"


def _renamed(uid: str) -> str:
    """Under 2.25, where any number that nobody else has is a UID."""
    if uid.startswith(_STANDARD):
        return uid
    return f"2.25.{int.from_bytes(hashlib.blake2b(uid.encode(), key=_SALT, digest_size=16).digest())}"


def _datasets(dataset: Any) -> Iterator[Any]:
    """The dataset, and those in its sequences."""
    yield dataset
    for element in dataset:
        if element.VR == "SQ":
            for item in element.value:
                yield from _datasets(item)


def _uids(dataset: Any) -> Iterator[Any]:
    for element in dataset.iterall():
        if element.VR == "UI":
            yield from [element.value] if element.VM <= 1 else element.value


def _texts(dataset: Any) -> Iterator[Any]:
    for element in dataset.iterall():
        if element.VR in _TEXT and element.tag.group not in _KEPT_GROUPS and element.value:
            yield element


def _values(element: Any) -> list[str]:
    return [str(value) for value in ([element.value] if element.VM <= 1 else element.value)]


def _put(element: Any, at: int, text: str) -> None:
    if element.VR in _DATES:
        element.value = ""  # a tag would be no date
    elif element.VM <= 1:
        element.value = text
    else:
        element.value = [text if number == at else value for number, value in enumerate(element.value)]


def _cover(dataset: Any, boxes: Sequence[tuple[int, tuple[int, int, int, int]]]) -> None:
    """Pixels in a box get the smallest value, which is black or white."""
    import numpy

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if dataset.file_meta.TransferSyntaxUID.is_compressed:
            dataset.decompress()
        pixels = numpy.array(dataset.pixel_array)
    count = int(dataset.get("NumberOfFrames") or 1)
    framed = pixels.reshape((count, *pixels.shape[-(3 if int(dataset.SamplesPerPixel) > 1 else 2) :]))
    for frame, (left, top, right, bottom) in boxes:
        framed[min(frame, count - 1), max(0, top) : bottom, max(0, left) : right] = pixels.min()
    dataset.PixelData = framed.tobytes()
