"""A grey picture -> whether it shows a face that fills at least a twentieth of it, if somebody wants to know."""

from typing import Any

from PIL import Image

from extraction.lazy_import import LazyModule
from extraction.ocr.components import NUMPY
from extraction.ocr.face_detector import detector

SIDE = 480  # pixels of the longer side: the detector knows faces of 80 pixels and more
SMALLEST = 64  # an icon
# Its frame reaches from the brows to the chin, so a face that fills a twentieth has a frame of three hundredths.
LEAST_SHARE = 0.03


class Faces:
    def __init__(self, *, wanted: bool) -> None:
        self.are_wanted = wanted and bool(detector())
        self._dlib = LazyModule("dlib") if self.are_wanted else None
        self._detect: Any = None

    def are_seen(self, grey: Image.Image) -> bool:
        if self._dlib is None or min(grey.size) < SMALLEST:
            return False
        if self._detect is None:
            self._detect = self._dlib.load().get_frontal_face_detector()
        scale = SIDE / max(grey.size)
        small = grey.resize((round(grey.width * scale) or 1, round(grey.height * scale) or 1), reducing_gap=2.0)
        frames = self._detect(NUMPY.load().ascontiguousarray(small))
        return any(frame.area() >= LEAST_SHARE * small.width * small.height for frame in frames)
