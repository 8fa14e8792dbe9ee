"""PDF that PDFium could not read, or found no letters in -> text by pdfminer.six, and by pdf_oxide where that finds none either."""

from collections.abc import Callable, Generator, Iterator
from enum import Enum

import pdf_oxide

from core.records import Segment
from extraction.content import Content
from extraction.format import StoppedError
from extraction.limits.budget import LimitError
from extraction.readers.pdf.pdfminer import page_texts

MOST_PAGES = 2_000
_FINAL = (LimitError, MemoryError, StoppedError, GeneratorExit, KeyboardInterrupt, SystemExit)

pdf_oxide.disable_logging()


class Outcome(Enum):
    NOTHING = 1
    SOME = 2  # then the reader broke
    ALL = 3


def second_opinion(content: Content) -> Generator[Segment, None, Outcome]:
    """What the first of the two finds that finds anything."""
    for read in (_by_pdfminer, _by_pdf_oxide):
        outcome = yield from _until_it_breaks(read, content)
        if outcome is not Outcome.NOTHING:
            return outcome
    return Outcome.NOTHING


def _until_it_breaks(
    read: Callable[[Content], Iterator[Segment]], content: Content
) -> Generator[Segment, None, Outcome]:
    outcome = Outcome.NOTHING
    try:
        for segment in read(content):
            if segment.text.strip():
                outcome = Outcome.ALL
                yield segment
    except _FINAL:
        raise
    except BaseException:  # a panic of Rust code is no Exception
        return Outcome.SOME if outcome is Outcome.ALL else outcome
    return outcome


def _by_pdfminer(content: Content) -> Iterator[Segment]:
    for number, text in enumerate(page_texts(content.file(), MOST_PAGES), 1):
        yield Segment(f"page {number}", text)


def _by_pdf_oxide(content: Content) -> Iterator[Segment]:
    """It reads from memory alone, so of a file beyond the read limit it sees the beginning."""
    document = pdf_oxide.PdfDocument.from_bytes(content.data)
    for index in range(min(document.page_count(), MOST_PAGES)):
        yield Segment(f"page {index + 1}", document.extract_text(index))
