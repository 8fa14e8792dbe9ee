"""Pictures inside documents and mails: each is a member, and its letters are read."""

from collections.abc import Callable

import pytest

from benchmarks.honesty_cases.case import Case
from benchmarks.honesty_cases.in_documents import in_documents
from benchmarks.honesty_cases.in_old_office import in_old_office
from benchmarks.honesty_cases.in_pages import in_pages
from core.records import Document, Status
from core.settings import LimitSettings, OcrSettings
from extraction.sandbox import Sandbox

Examine = Callable[..., list[Document]]
CASES = {case.name: case for case in [*in_documents(), *in_old_office()] if case.leaks}
METAFILES = {name: CASES.pop(name) for name in ("text.emf", "bitmap.emf", "outlines.emf", "text.wmf")}
PREVIEWS = {name: CASES.pop(name) for name in ("preview.pptx", "preview.odt")}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_letters_of_a_picture_in_a_document_are_read(examined: Examine, case: Case) -> None:
    *members, document = examined(case.data, case.name)
    assert document.status is Status.COMPLETE
    assert "Margaret Thompson" not in document.text
    assert any("Margaret Thompson" in member.text and member.status is Status.COMPLETE for member in members)


@pytest.mark.parametrize("case", PREVIEWS.values(), ids=PREVIEWS)
def test_a_preview_that_shows_what_was_deleted_is_read(examined: Examine, case: Case) -> None:
    document = examined(case.data, case.name)[-1]
    assert document.status is Status.COMPLETE
    assert any(segment.where == "preview" and "Margaret Thompson" in segment.text for segment in document.segments)


@pytest.mark.parametrize("name", ["text.emf", "text.wmf"])
def test_the_text_of_a_metafile_is_read_line_by_line(examined: Examine, name: str) -> None:
    (document,) = examined(METAFILES[name].data)
    assert document.status is Status.COMPLETE
    assert "Patient: Margaret Thompson\nDate of birth: 14/03/1961\n" in document.text


def test_a_bitmap_in_a_metafile_is_a_member_and_its_outlines_are_said_to_be_unread(examined: Examine) -> None:
    picture, document = examined(METAFILES["bitmap.emf"].data)
    assert "Margaret Thompson" in picture.text
    assert document.status is Status.COMPLETE
    (outlines,) = examined(METAFILES["outlines.emf"].data)
    assert (outlines.status, outlines.reason) == (
        Status.UNSUPPORTED,
        "picture not read (outlines that may be letters)",
    )


@pytest.mark.parametrize("name", METAFILES)
def test_a_cut_metafile_is_not_complete(examined: Examine, name: str) -> None:
    data = METAFILES[name].data
    for length in range(60, len(data) - 20, max(50, len(data) // 8)):
        assert examined(data[:length])[-1].status is not Status.COMPLETE


def test_a_picture_in_a_document_that_was_not_read_has_a_record_that_says_so(examined: Examine) -> None:
    with Sandbox(LimitSettings(file_seconds=20), ocr=OcrSettings(enabled="off")) as blind:
        picture, preview, document = examined(CASES["picture.docx"].data, within=blind)
    assert (preview.status, preview.uri.partition("!")[2]) == (Status.UNSUPPORTED, "docProps/thumbnail.jpeg")
    assert (picture.status, picture.reason) == (Status.UNSUPPORTED, "picture not read (OCR is off)")
    assert (picture.uri.partition("!")[2], document.status) == ("word/media/image1.png", Status.COMPLETE)


PAGES = {case.name: case for case in in_pages()}


@pytest.mark.parametrize("case", [case for case in PAGES.values() if case.leaks], ids=lambda case: case.name)
def test_pictures_and_outlines_beside_the_text_of_a_page_are_read(examined: Examine, case: Case) -> None:
    (document,) = examined(case.data, case.name)
    assert document.status is Status.COMPLETE
    assert "Margaret Thompson" in document.text
    assert "Page 1" in document.text


def test_text_of_a_page_is_not_read_twice_and_equal_pictures_once(examined: Examine) -> None:
    (frames,) = examined(PAGES["frames.pdf"].data)
    assert frames.text.count("row 3 of 2") == 2  # the same table on two pages
    (pictures,) = examined(PAGES["harmless picture.pdf"].data)
    assert pictures.text.count("spring fair") == 1


def test_pages_whose_pictures_were_not_read_are_counted(examined: Examine) -> None:
    with Sandbox(LimitSettings(file_seconds=20), ocr=OcrSettings(enabled="off")) as blind:
        (document,) = examined(PAGES["page number.pdf"].data, within=blind)
    assert (document.status, document.reason) == (
        Status.PARTIAL,
        "pictures on 1 pages with text not read (OCR is off)",
    )
