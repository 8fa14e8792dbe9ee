"""A PDF -> its words as runs; the copy has pictures of the pages with boxes, and a text layer without what is gone."""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PIL import Image

from deidentification.formats.opened import BROKEN, ENCRYPTED, TOO_LARGE, RefusedError
from deidentification.formats.pdf_words import add_word, words_of
from deidentification.formats.picture import read, with_boxes
from deidentification.formats.words_in_pictures import Box, Word, code_boxes, covering, runs_of
from deidentification.view import Run

_SCALE = 2.0  # 144 dots an inch
_MOST_PAGES = 200
_MOST_PIXELS = 60_000_000
_QUALITY = 85


@dataclass(slots=True, repr=False)
class _Page:
    picture: Image.Image
    words: dict[int, Word]  # by run: those of the text layer, and those that tesseract reads
    written: Sequence[int]  # runs of which the text layer of the copy is made


class OpenedPdf:
    """Each page is read twice, by its text layer and by its picture: either may show what the other hides."""

    is_prose = True

    def __init__(self, pages: Iterator[tuple[Image.Image, list[Word]]]) -> None:
        self._pages: list[_Page] = []
        runs: list[Run] = []
        for number, (picture, layer) in enumerate(pages, 1):
            seen = read(picture)
            page = _Page(picture, {}, ())
            for words in (layer, seen):
                first = len(runs)
                own, places = runs_of(words, f"page {number}")
                page.words |= {first + at: words[place] for at, place in enumerate(places) if place >= 0}
                runs += [*own, Run("\n\n", is_fixed=True)]
                page.written = page.written or [at for at in page.words if at >= first]
            self._pages.append(page)
        self.runs: Sequence[Run] = tuple(runs)

    def rewritten(self, new: Mapping[int, str]) -> bytes:
        return self._written(new, with_text=True)

    def bare(self, new: Mapping[int, str]) -> bytes:
        return self._written(new, with_text=False)

    def _written(self, new: Mapping[int, str], *, with_text: bool) -> bytes:
        import pypdfium2 as pdfium

        document = pdfium.PdfDocument.new()
        for page in self._pages:
            words = list(page.words.values())
            boxes = covering(words, {place for place, at in enumerate(page.words) if at in new})
            boxes += code_boxes(page.picture)
            made = _add_picture(document, with_boxes(page.picture, boxes))
            for at in page.written if with_text else ():
                word = page.words[at]
                text = new[at] if at in new else "" if _is_covered(word.box, boxes) else word.text
                add_word(document, made, text, word.box, page.picture.height, _SCALE)
            made.gen_content()
            made.close()
        file = io.BytesIO()
        document.save(file)
        return file.getvalue()


def open_pdf(data: bytes, media_type: str) -> OpenedPdf:
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        raise RefusedError(ENCRYPTED if "assword" in str(error) else BROKEN) from None
    if len(document) > _MOST_PAGES:
        raise RefusedError(TOO_LARGE)
    document.init_forms()
    return OpenedPdf(_pages(document))


def _pages(document: Any) -> Iterator[tuple[Image.Image, list[Word]]]:
    for page in document:
        if page.get_width() * page.get_height() * _SCALE * _SCALE > _MOST_PIXELS:
            raise RefusedError(TOO_LARGE)
        picture = page.render(scale=_SCALE, may_draw_forms=True).to_pil().convert("RGB")
        yield picture, words_of(page, picture.size)


def _add_picture(document: Any, covered: Image.Image) -> Any:
    import pypdfium2 as pdfium

    width, height = covered.width / _SCALE, covered.height / _SCALE
    made = document.new_page(width, height)
    picture = io.BytesIO()
    covered.save(picture, "JPEG", quality=_QUALITY)
    image = pdfium.PdfImage.new(document)
    image.load_jpeg(io.BytesIO(picture.getvalue()), inline=True)
    image.set_matrix(pdfium.PdfMatrix().scale(width, height))
    made.insert_obj(image)
    return made


def _is_covered(box: Box, boxes: Sequence[Box]) -> bool:
    """Whether the middle of a word is in a box."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(left <= x <= right and top <= y <= bottom for left, top, right, bottom in boxes)
