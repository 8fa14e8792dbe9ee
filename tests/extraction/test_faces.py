"""Pictures of people: a face that fills at least a twentieth of a picture becomes words that the rules know."""

import io
from collections.abc import Callable, Iterator

import pytest
from docx import Document as Docx
from PIL import Image, ImageDraw, ImageFilter

from core.records import Document, Segment, Status
from core.settings import LimitSettings, OcrSettings
from extraction.readers.pictures.letters import FACE
from extraction.sandbox import Sandbox
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

Examine = Callable[..., list[Document]]


def face() -> Image.Image:
    picture = Image.new("L", (400, 400), 200)
    draw = ImageDraw.Draw(picture)
    draw.ellipse((90, 30, 310, 260), fill=60)  # hair
    draw.ellipse((110, 70, 290, 350), fill=175)
    draw.rectangle((150, 330, 250, 400), fill=165)
    for middle in (155, 245):
        draw.ellipse((middle - 28, 155, middle + 28, 185), fill=120)
        draw.ellipse((middle - 20, 160, middle + 20, 180), fill=225)
        draw.ellipse((middle - 9, 160, middle + 9, 180), fill=30)
        draw.arc((middle - 32, 128, middle + 32, 165), 200, 340, fill=50, width=8)  # brow
    draw.polygon(((200, 170), (180, 240), (220, 240)), fill=190)
    draw.ellipse((182, 232, 196, 244), fill=110)
    draw.ellipse((204, 232, 218, 244), fill=110)
    draw.ellipse((160, 270, 240, 300), fill=95)
    draw.line((160, 285, 240, 285), fill=50, width=4)
    return picture.filter(ImageFilter.GaussianBlur(3))


def on_ground(picture: Image.Image, side: int) -> Image.Image:
    ground = Image.new("L", (side, side), 200)
    ground.paste(picture, (side // 3, side // 3))
    return ground


def png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


@pytest.fixture(scope="module")
def with_faces() -> Iterator[Sandbox]:
    with Sandbox(LimitSettings(file_seconds=30), ocr=OcrSettings(faces=True)) as made:
        yield made


@pytest.mark.parametrize(
    "picture",
    [face(), face().resize((110, 110)), face().resize((2400, 2400)), on_ground(face(), 700)],
    ids=["portrait", "small picture", "large picture", "in a room"],
)
def test_a_face_is_told(examined: Examine, with_faces: Sandbox, picture: Image.Image) -> None:
    (document,) = examined(png(picture), "a.png", with_faces)
    assert (document.status, document.text) == (Status.COMPLETE, FACE)
    assert document.segments[0].where == "face in picture 1"


@pytest.mark.parametrize(
    "picture",
    [
        on_ground(face(), 2400),
        face().resize((40, 40)),
        Image.effect_mandelbrot((400, 400), (-2, -1.5, 1, 1.5), 60),
        Image.radial_gradient("L"),
    ],
    ids=["far away", "icon", "drawing", "gradient"],
)
def test_no_face_is_told(examined: Examine, with_faces: Sandbox, picture: Image.Image) -> None:
    assert FACE not in "".join(document.text for document in examined(png(picture), "a.png", with_faces))


def test_faces_in_documents_and_without_ocr(examined: Examine) -> None:
    document, out = Docx(), io.BytesIO()
    document.add_picture(io.BytesIO(png(face())))
    document.save(out)
    with Sandbox(LimitSettings(file_seconds=30), ocr=OcrSettings(faces=True, enabled="off")) as within:
        member, _, _ = examined(out.getvalue(), "a.docx", within)
    assert (member.text, member.reason) == (FACE, "picture not read (OCR is off)")


def test_faces_are_not_searched_for_unless_asked(examined: Examine) -> None:
    (document,) = examined(png(face()), "a.png")
    assert document.text == ""


def test_the_rules_know_the_mark() -> None:
    rules = load_rules()
    screening = Screen(rules, b"k" * 32).screen([Segment("face in picture 1", FACE)])
    (evidence,) = screening.evidence
    assert (evidence.characteristic, evidence.where) == ("full_face_photo", "face in picture 1")
    bits = {each.id: 1 << each.bit for each in rules.characteristics}
    assert screening.bits == bits["full_face_photo"] | bits["photograph"]


def test_words_about_a_photograph_are_no_face() -> None:
    screening = Screen(load_rules(), b"k" * 32).screen([Segment("body", "a full-face photograph was made")])
    assert {evidence.characteristic for evidence in screening.evidence} == {"photograph"}
