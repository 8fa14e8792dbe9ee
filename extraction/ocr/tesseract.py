"""A picture -> the words in it and how sure tesseract is of each, within a time limit."""

import os
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from core.settings import OcrSettings
from extraction.ocr.languages import AUTO, FIRST

os.environ["OMP_THREAD_LIMIT"] = "1"  # read when the library is loaded; a parser process may not start threads

try:
    import tesserocr
except ImportError:
    tesserocr = None

OFF = "OCR is off"
SURE = 60  # per cent of confidence; misread letters are below
_SYSTEM_FOLDERS = (
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tessdata",
    "/usr/share/tesseract/tessdata",
    "/usr/local/share/tessdata",
)
_WORD = "5"  # what a row of the table of results is about
_MOST_LOADED = 3  # languages, 10 to 30 MB each


@dataclass(frozen=True, slots=True, repr=False)
class Recognised:
    """All text, the text of lines with at least one sure word, and how many letters and digits are in sure words."""

    text: str = ""
    sure_text: str = ""
    sure_letters: int = 0
    finished: bool = True

    @property
    def sure_share(self) -> float:
        """Of all letters and digits, how many are in sure words; 1 if there are none."""
        letters = sum(character.isalnum() for character in self.text)
        return self.sure_letters / letters if letters else 1.0

    def joined(self, other: "Recognised") -> "Recognised":
        return Recognised(
            "\n".join(filter(None, (self.text, other.text))),
            "\n".join(filter(None, (self.sure_text, other.sure_text))),
            self.sure_letters + other.sure_letters,
            self.finished and other.finished,
        )


class Tesseract:
    """Loaded for the first picture; `missing` says why no picture can be read, if so."""

    def __init__(self, settings: OcrSettings) -> None:
        self.settings = settings
        self.is_auto = settings.language == AUTO
        self.first = FIRST if self.is_auto else settings.language
        self._loaded: dict[str, Any] = {}
        self._folder, self.missing = _found(settings, self.first)

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders that a parser process must be able to read."""
        if self.missing:
            return ()
        further = [str(folder) for folder in _folders(self.settings) if self.is_auto and folder.is_dir()]
        return tuple(dict.fromkeys((self._folder, *further)))

    def has(self, language: str) -> bool:
        return language == self.first or not _found(self.settings, language)[1]

    def load(self, language: str = "") -> None:
        """The first language, or another one that is there."""
        language = language or self.first
        if self.missing or language in self._loaded:
            return
        folder = self._folder if language == self.first else _found(self.settings, language)[0]
        try:
            api = tesserocr.PyTessBaseAPI(path=folder, lang=language, oem=tesserocr.OEM.LSTM_ONLY)
        except RuntimeError:
            self.missing = "tesseract cannot load its language data"
            return
        # The binding makes tesseract write to a file, which a parser process cannot open: tesseract would crash.
        api.SetVariable("debug_file", "")
        api.SetVariable("textord_tabfind_find_tables", "0")  # takes minutes if hundreds of words are in columns
        if len(self._loaded) >= _MOST_LOADED:
            self._loaded.pop(next(name for name in self._loaded if name != self.first)).End()
        self._loaded[language] = api

    def recognise(self, picture: Image.Image, seconds: float, language: str = "") -> Recognised:
        """Of a grey picture, only after `load`, and if nothing is missing."""
        return _recognised(*self.table(picture, seconds, language))

    def table(self, picture: Image.Image, seconds: float, language: str = "") -> tuple[list[list[str]], bool]:
        """The rows of tesseract's table of results, with the box of each word, and whether the time was enough."""
        api = self._loaded[language or self.first]
        try:
            api.SetImageBytes(picture.tobytes(), picture.width, picture.height, 1, picture.width)
            finished = api.Recognize(max(1, int(seconds * 1000)))
            table = str(api.GetTSVText(0) or "")
        finally:
            api.Clear()
        return [row.split("\t", 11) for row in table.splitlines()], bool(finished)


def _recognised(table: list[list[str]], finished: bool) -> Recognised:
    lines: dict[tuple[str, ...], list[str]] = {}
    sure_lines: set[tuple[str, ...]] = set()
    letters = 0
    for level, *place, _, _, _, _, _, confidence, word in table:
        if level != _WORD or not word.strip():
            continue
        line = tuple(place[:4])
        lines.setdefault(line, []).append(word)
        count = sum(character.isalnum() for character in word)
        if float(confidence) >= SURE and count:
            letters += count
            if count > 1:
                sure_lines.add(line)
    sure_text = "\n".join(" ".join(words) for line, words in lines.items() if line in sure_lines)
    return Recognised(_with_paragraphs(lines), sure_text, letters, finished)


def _with_paragraphs(lines: dict[tuple[str, ...], list[str]]) -> str:
    """An empty line between paragraphs, which all but the last number of a line's place count."""
    text, paragraph = "", None
    for line, words in lines.items():
        text += ("\n\n" if paragraph and paragraph != line[:-1] else "\n" if paragraph else "") + " ".join(words)
        paragraph = line[:-1]
    return text


def _found(settings: OcrSettings, language: str) -> tuple[str, str]:
    """The folder with the data of a language, or of several joined by `+`; or why there is none."""
    if settings.enabled == "off":
        return "", OFF
    if tesserocr is None:
        return "", "tesseract is not installed"
    for folder in _folders(settings):
        if all((folder / f"{one}.traineddata").is_file() for one in language.split("+")):
            return str(folder), ""
    return "", f"no tesseract data for {language}"


def _folders(settings: OcrSettings) -> list[Path]:
    packaged = Path(sysconfig.get_path("data")) / "share" / "tessdata"
    return [Path(settings.tessdata)] if settings.tessdata else [packaged, *map(Path, _SYSTEM_FOLDERS)]
