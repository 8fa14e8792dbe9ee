"""What OCR read of a picture -> segments, and what ends its examination if that is not all."""

from collections.abc import Iterator

from core.records import Segment, Status
from extraction.format import StoppedError
from extraction.ocr.reader import Reading, is_shortfall

FACE = "[face in this picture]"  # a mark that the rules know


def segments_of(reading: Reading, where: str) -> Iterator[Segment]:
    if reading.text:
        yield Segment(f"{where} (read with {reading.language} data)" if reading.language else where, reading.text)
    for number, text in enumerate(reading.codes, 1):
        yield Segment(f"code {number} in {where}", text)
    if reading.has_face:
        yield Segment(f"face in {where}", FACE)


def unread(fault: str, has_text: bool) -> StoppedError:
    """Letters that could be seen and not be read are worth saying so."""
    if is_shortfall(fault) and has_text:
        return StoppedError(Status.PARTIAL, fault)
    return StoppedError(Status.PARTIAL if has_text else Status.UNSUPPORTED, f"picture not read ({fault})")
