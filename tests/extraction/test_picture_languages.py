"""The language that letters in a picture are in, and what is said where there is no data for it."""

import io
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import reportlab
from docx import Document as Word
from PIL import Image, ImageDraw, ImageFont

from core.records import Document, Status
from core.settings import LimitSettings, OcrSettings
from extraction.ocr.head import head_and_rest
from extraction.ocr.reader import Ocr, Reading
from extraction.ocr.tesseract import Tesseract
from extraction.sandbox import Sandbox

FONT = Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"  # has accents
Examine = Callable[..., list[Document]]
FRENCH = (
    "Madame Élodie Hébert est née le 3 février 1961",
    "et elle a été opérée à l'hôpital de la vésicule.",
    "Le traitement est suivi par la clinique et par le",
    "médecin de famille : prélèvement dans une semaine.",
)
ENGLISH = ("The patient was seen in the clinic on Monday", "and is to take the tablets for a week with water.")


def picture(*lines: str) -> bytes:
    made = Image.new("L", (1400, 60 + 80 * len(lines)), "white")
    for number, line in enumerate(lines):
        ImageDraw.Draw(made).text((40, 30 + 80 * number), line, fill="black", font=ImageFont.truetype(FONT, 40))
    out = io.BytesIO()
    made.save(out, "PNG")
    return out.getvalue()


class Watched(Tesseract):
    """Remembers how many rows of pixels it read with the data of each language."""

    def __init__(self, settings: OcrSettings) -> None:
        super().__init__(settings)
        self.rows: Counter[str] = Counter()

    def table(self, picture: Image.Image, seconds: float, language: str = "") -> tuple[list[list[str]], bool]:
        self.rows[language] += picture.height
        return super().table(picture, seconds, language)


def rows_read(*lines: str) -> tuple[Reading, Counter[str]]:
    ocr = Ocr(OcrSettings())
    watched = ocr.tesseract = Watched(OcrSettings())
    with Image.open(io.BytesIO(picture(*lines))) as made:
        made.load()
        return ocr.read(made, b"", 60), watched.rows


def english_alone(folder: Path) -> OcrSettings:
    source = Tesseract(OcrSettings(language="eng")).folders[0]
    shutil.copy(Path(source, "eng.traineddata"), folder)
    return OcrSettings(tessdata=str(folder))


def test_french_letters_are_read_with_french_data(examined: Examine) -> None:
    (document,) = examined(picture(*FRENCH))
    assert (document.status, document.reason) == (Status.COMPLETE, "")
    assert [segment.where for segment in document.segments] == ["picture 1 (read with fra data)"]
    assert {"Élodie", "Hébert", "née", "février", "prélèvement"} <= set(document.text.split())


def test_english_letters_are_read_as_before(examined: Examine) -> None:
    (document,) = examined(picture(*ENGLISH))
    assert (document.status, [segment.where for segment in document.segments]) == (Status.COMPLETE, ["picture 1"])
    assert "The patient was seen in the clinic" in document.text


def test_the_first_lines_show_the_language_of_a_long_picture() -> None:
    reading, rows = rows_read(*FRENCH * 6)
    assert reading.language == "fra"
    assert reading.text.count("Élodie") == reading.text.count("prélèvement") == 6
    assert rows["eng"] < rows["fra"] / 2


def test_a_long_english_picture_is_read_once() -> None:
    reading, rows = rows_read(*ENGLISH * 12)
    assert (reading.language, reading.text.count("The patient was seen"), set(rows)) == ("", 12, {"eng"})
    _, short = rows_read(*ENGLISH)
    assert rows["eng"] < 12 * short["eng"]


def test_a_picture_that_only_begins_in_english_is_read_in_its_language() -> None:
    reading, _ = rows_read(*ENGLISH * 4, *FRENCH * 5)
    assert reading.language == "fra"
    assert reading.text.count("Élodie") == 5


def columns(left: int, right: int) -> Image.Image:
    """Two columns of lines; those of the right one begin so much lower."""
    made = Image.new("L", (1200, 1200), "white")
    pen, font = ImageDraw.Draw(made), ImageFont.truetype(FONT, 20)
    for number in range(24):
        pen.text((40, 40 + left + 45 * number), "the words of one column", fill="black", font=font)
        pen.text((640, 40 + right + 45 * number), "and those of the other", fill="black", font=font)
    return made


def test_a_picture_is_cut_between_lines_and_not_through_columns() -> None:
    with Image.open(io.BytesIO(picture(*ENGLISH * 12))) as made:
        parts = head_and_rest(made.convert("L"))
        assert parts is not None
        assert sum(part.height for part in parts) == made.height
        assert all(edge.getextrema() == (255, 255) for edge in (_last_row(parts[0]), _first_row(parts[1])))
    assert head_and_rest(columns(0, 22)) is None
    assert head_and_rest(Image.new("L", (600, 900), "white")) is None


def _last_row(part: Image.Image) -> Image.Image:
    return part.crop((0, part.height - 1, part.width, part.height))


def _first_row(part: Image.Image) -> Image.Image:
    return part.crop((0, 0, part.width, 1))


def test_a_language_without_data_is_said(examined: Examine, tmp_path: Path) -> None:
    with Sandbox(LimitSettings(file_seconds=20), ocr=english_alone(tmp_path)) as sandbox:
        (document,) = examined(picture(*FRENCH), within=sandbox)
    assert (document.status, document.reason) == (
        Status.PARTIAL,
        "letters read without tesseract data for fra",
    )
    assert "Madame" in document.text


def test_the_setting_outweighs_what_is_recognised(examined: Examine) -> None:
    with Sandbox(LimitSettings(file_seconds=20), ocr=OcrSettings(language="eng")) as sandbox:
        (document,) = examined(picture(*FRENCH), within=sandbox)
    assert (document.status, document.segments[0].where) == (Status.COMPLETE, "picture 1")


@pytest.mark.parametrize(("text", "where"), [(FRENCH, " (read with fra data)"), (ENGLISH, "")])
def test_few_words_are_read_in_the_language_of_the_text_around_them(
    examined: Examine, text: tuple[str, ...], where: str
) -> None:
    word = Word()
    for line in text * 2:
        word.add_paragraph(line)
    word.add_picture(io.BytesIO(picture("Hémoglobine élevée")))
    out = io.BytesIO()
    word.save(out)
    inner = next(document for document in examined(out.getvalue()) if document.media_type == "image/png")
    assert [segment.where for segment in inner.segments] == [f"picture 1{where}"]
    assert "H" in inner.text
