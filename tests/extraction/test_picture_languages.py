"""The language that letters in a picture are in, and what is said where there is no data for it."""

import io
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import reportlab
from docx import Document as Word
from PIL import Image, ImageDraw, ImageFont

from core.records import Document, Status
from core.settings import LimitSettings, OcrSettings
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
