"""A grey picture and a look at it -> the best that tesseract reads: as mended, the other way up, or as it was."""

import time
from collections.abc import Callable

from PIL import Image

from extraction.ocr.look import Look
from extraction.ocr.rows import cut_out
from extraction.ocr.strip import strip_of
from extraction.ocr.tesseract import Recognised
from extraction.ocr.upright import mended, turned

Recognise = Callable[[Image.Image, float], Recognised]  # within so many seconds

_READ_WELL = 0.5  # sure letters a mark
_HARDLY = 0.3  # sure letters a mark
_PROMISES, _BY_CHANCE = 1.3, 5  # times the letters, and letters, that a strip must have more
_MOSTLY_SURE = 0.5  # share of the letters that are in sure words
_SEVERAL, _UPRIGHT = 20, 0.4  # letters, and the share of sure ones: upside down it is below 0.3


def best_way(recognise: Recognise, grey: Image.Image, look: Look, deadline: float) -> Recognised:
    """Other ways only if it cannot be read as it probably is."""
    if look.is_scene:
        return recognise(cut_out(grey, look.rows), _left(deadline))
    picture = mended(grey, look)
    upside_down = turned(picture) if look.has_lines else picture
    first, other = (upside_down, picture) if look.heads_down else (picture, upside_down)
    best = recognise(first, _left(deadline))
    if other is not first and not _is_enough(best, look) and not _is_upright(best):
        best = _if_better(recognise, best, other, look, deadline, by_strip=True)
    if look.is_text and picture is not grey and not _is_enough(best, look):
        best = _if_better(recognise, best, grey, look, deadline)
    return best


def _if_better(
    recognise: Recognise, best: Recognised, picture: Image.Image, look: Look, deadline: float, *, by_strip: bool = False
) -> Recognised:
    """Where hardly anything was read so far, or a strip is enough to decide, the whole only if that promises more."""
    if (by_strip or best.sure_letters < _HARDLY * look.marks) and _left(deadline) > 0:
        strip, share = strip_of(picture, look.size)
        if strip is not picture:
            trial = recognise(strip, _left(deadline))
            if not trial.finished or trial.sure_letters <= _PROMISES * share * best.sure_letters + _BY_CHANCE:
                return best
    return _better(best, recognise(picture, _left(deadline))) if _left(deadline) > 0 else best


def _is_enough(best: Recognised, look: Look) -> bool:
    is_read = best.sure_letters >= _READ_WELL * look.marks and best.sure_share >= _MOSTLY_SURE
    return is_read or not best.finished


def _is_upright(recognised: Recognised) -> bool:
    """Of letters that are upside down, tesseract is hardly ever sure."""
    return recognised.sure_letters >= _SEVERAL and recognised.sure_share >= _UPRIGHT


def _better(one: Recognised, other: Recognised) -> Recognised:
    return max(one, other, key=lambda either: (either.sure_letters, either.finished))


def _left(deadline: float) -> float:
    return deadline - time.monotonic()
