"""Pictures inside documents and mails: each is a member, and its letters are read."""

from collections.abc import Callable

import pytest

from benchmarks.honesty_cases.case import Case
from benchmarks.honesty_cases.in_documents import in_documents
from core.records import Document, Status
from core.settings import LimitSettings, OcrSettings
from extraction.sandbox import Sandbox

Examine = Callable[..., list[Document]]
CASES = {case.name: case for case in in_documents() if case.leaks}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_letters_of_a_picture_in_a_document_are_read(examined: Examine, case: Case) -> None:
    *members, document = examined(case.data, case.name)
    assert document.status is Status.COMPLETE
    assert "Margaret Thompson" not in document.text
    assert any("Margaret Thompson" in member.text and member.status is Status.COMPLETE for member in members)


def test_a_picture_in_a_document_that_was_not_read_has_a_record_that_says_so(examined: Examine) -> None:
    with Sandbox(LimitSettings(file_seconds=20), ocr=OcrSettings(enabled="off")) as blind:
        picture, document = examined(CASES["picture.docx"].data, within=blind)
    assert (picture.status, picture.reason) == (Status.UNSUPPORTED, "picture not read (OCR is off)")
    assert (picture.uri.partition("!")[2], document.status) == ("word/media/image1.png", Status.COMPLETE)
