"""Pictures -> what tesseract reads of them in their language, which the first lines of one show."""

import time

from PIL import Image

from extraction.ocr.head import head_and_rest
from extraction.ocr.languages import data_for
from extraction.ocr.tesseract import Recognised, Tesseract

HARDLY_SURE = 0.3  # share of the letters that are in sure words: below, they are a guess


class InItsLanguage:
    """The way in which one picture is recognised, turned or not: once a language was recognised, in that alone."""

    def __init__(self, tesseract: Tesseract, expected: str) -> None:
        self._tesseract = tesseract
        self._tried: set[str] = set()
        self.language = expected if tesseract.is_auto and tesseract.has(expected) else tesseract.first
        self.lacking = ""  # the language data that the picture needs

    def __call__(self, picture: Image.Image, seconds: float) -> Recognised:
        parts = head_and_rest(picture) if self._tesseract.is_auto and not self._tried else None
        if parts is None:
            return self._read(picture, seconds, self.language)
        deadline = time.monotonic() + seconds
        head = self._read(parts[0], seconds, self.language)
        other = self.other_than(head)
        if other:
            again = self._read(parts[0], deadline - time.monotonic(), other)
            head = self.better(head, again, other)
        return head.joined(self._read(parts[1], deadline - time.monotonic(), self.language))

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

    def _read(self, picture: Image.Image, seconds: float, language: str) -> Recognised:
        if seconds <= 0:
            return Recognised(finished=False)
        self._tesseract.load(language)
        return Recognised() if self._tesseract.missing else self._tesseract.recognise(picture, seconds, language)
