"""Pictures -> what tesseract reads of them in their language, which the first lines of one show."""

import time

from PIL import Image

from extraction.ocr.head import head_and_rest
from extraction.ocr.languages import data_for
from extraction.ocr.tesseract import Recognised, Tesseract

MOST_PARTS = 3  # before the rest is read in one
HARDLY_SURE = 0.3  # share of the letters that are in sure words: below, they are a guess


class InItsLanguage:
    """The way in which one picture is recognised, turned or not: once a language was recognised, in that alone."""

    def __init__(self, tesseract: Tesseract, expected: str) -> None:
        self._tesseract = tesseract
        self._tried: set[str] = set()
        self.language = expected if tesseract.is_auto and tesseract.has(expected) else tesseract.first
        self.lacking = ""  # the language data that the picture needs

    def __call__(self, picture: Image.Image, seconds: float) -> Recognised:
        deadline = time.monotonic() + seconds
        read, parts, rest = Recognised(), list[Image.Image](), picture
        while self._asks(parts) and (cut := head_and_rest(rest)):
            head, rest = cut
            parts.append(head)
            read = read.joined(self._read(head, deadline, self.language))
            other = self.other_than(read)
            if other:
                read = self.better(read, self._all(parts, deadline, other), other)
        last = self._read(rest, deadline, self.language)
        return read.joined(last) if parts else last

    def _asks(self, parts: list[Image.Image]) -> bool:
        return self._tesseract.is_auto and not self._tried and len(parts) < MOST_PARTS

    def _all(self, parts: list[Image.Image], deadline: float, language: str) -> Recognised:
        read = Recognised()
        for part in parts:
            read = read.joined(self._read(part, deadline, language))
        return read

    def other_than(self, recognised: Recognised) -> str:
        """The language data with which it should be read once more, if any that was not tried."""
        if not self._tesseract.is_auto or not recognised.finished or recognised.sure_share < HARDLY_SURE:
            return ""
        seen = data_for((recognised.text,))
        if seen == self.language:
            self.lacking = ""
            self._tried.add(seen)
        if not seen or seen == self.language or seen in self._tried:
            return ""
        self.lacking = "" if self._tesseract.has(seen) else seen
        return "" if self.lacking else seen

    def only(self, language: str) -> "InItsLanguage":
        """A way that does not ask for the language."""
        way = InItsLanguage(self._tesseract, language)
        way._tried |= {language}
        return way

    def better(self, one: Recognised, other: Recognised, language: str) -> Recognised:
        """The other, which was read with the data of this language, unless it has fewer letters."""
        self._tried |= {language, self.language}
        if other.sure_letters < one.sure_letters:
            return one
        self.language = language
        return other

    def _read(self, picture: Image.Image, deadline: float, language: str) -> Recognised:
        seconds = deadline - time.monotonic()
        if seconds <= 0:
            return Recognised(finished=False)
        self._tesseract.load(language)
        return Recognised() if self._tesseract.missing else self._tesseract.recognise(picture, seconds, language)
