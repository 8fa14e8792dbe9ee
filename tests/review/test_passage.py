"""What a referral shows of its file: the masked passage with what surrounds it, and pages drawn in the sandbox."""

import base64
import hashlib
import io
import json
import os
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings
from django.urls import reverse
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from extraction.readers.pictures.drawing import LONGEST_SIDE, drawn, pixels_of
from review.models import AuditEntry, Finding, Referral
from review.referrals.intake import Intake
from review.reveal.reveal import SHOWN, reveal
from review.reveal.sandbox import _on_call
from tests.review.conftest import make_user
from tests.review.made_rows import facts, row
from tests.review.test_access import browser

pytestmark = pytest.mark.usefixtures("database_url")
LETTER = (
    "Filler line about parking.\n" * 40
    + "Patient: Margaret Okafor, born 1961-03-04, phone 416-555-0142.\n"
    + "Diagnosis: type 2 diabetes. Mrs Okafor sleeps badly; margaret walks with a stick.\n"
    + "Another line about parking.\n" * 40
)


@pytest.fixture(autouse=True)
def own_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", "0123456789abcdef" * 4)


def referred(path: Path, content: bytes, uri: str = "", **more: Any) -> Referral:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not uri:
        path.write_bytes(content)
    sha256 = hashlib.sha256(content).hexdigest()
    Intake(facts()).take([{**row(uri or os.path.realpath(path), "x", **more), "sha256": sha256}])
    found: Referral = Referral.objects.get(sha256=sha256)
    return found


def letter(tmp_path: Path, **more: Any) -> Referral:
    """With evidence where the scan would have found it."""
    referral = referred(tmp_path / "letter.txt", LETTER.encode(), **more)
    at = LETTER.index("Margaret")
    place = {"passage": "paragraph 1", "where": "", "masked": "M*******", "hmac": "0" * 32, "person": 1}
    evidence = [{"characteristic": "first_name", "start": at, "end": at + 8, **place}]
    Finding.objects.filter(pk=referral.pk).update(evidence=evidence, strongest="paragraph 1")
    return referral


def test_the_passage_comes_masked_with_what_surrounds_it(tmp_path: Path) -> None:
    referral = letter(tmp_path)
    response = browser(make_user("ann", "reviewer")).get(reverse("passage", args=[referral.pk]))
    page = response.content.decode()
    assert "Diagnosis" in page and "sleeps badly" in page and "about parking" in page
    for value in ("Margaret", "margaret", "Okafor", "416-555-0142", "1961-03-04"):
        assert value not in page, value
    assert '<mark class="health" title="health term">type 2 diabetes</mark>' in page
    assert page.count("about parking") < 40, "the whole file is not shown"
    assert response.headers["Cache-Control"] == "no-store"
    entries = [entry.action for entry in AuditEntry.objects.filter(subject=f"referral:{referral.pk}")]
    assert entries == ["passage"]


def test_what_is_judged_blind_or_switched_off_shows_no_passage(tmp_path: Path) -> None:
    referral, ann = letter(tmp_path), browser(make_user("ann", "reviewer"))
    address = reverse("passage", args=[referral.pk])
    assert address in ann.get(reverse("referral", args=[referral.pk])).content.decode()
    here = settings.LEAKSCREEN
    with override_settings(LEAKSCREEN=replace(here, review=replace(here.review, show_passage=False))):
        assert ann.get(address).status_code == 404
    Referral.objects.filter(pk=referral.pk).update(blind=True)
    assert ann.get(address).status_code == 404
    assert address not in ann.get(reverse("referral", args=[referral.pk])).content.decode()
    assert not AuditEntry.objects.filter(action="passage").exists()


def test_a_passage_of_a_changed_file_is_not_shown(tmp_path: Path) -> None:
    referral = letter(tmp_path)
    (tmp_path / "letter.txt").write_text(LETTER.replace("diabetes", "gout"), encoding="utf-8")
    page = browser(make_user("ann", "reviewer")).get(reverse("passage", args=[referral.pk])).content.decode()
    assert "has changed" in page and "gout" not in page


def test_nobody_waits_for_a_passage_while_a_text_is_revealed(tmp_path: Path) -> None:
    referral, ann = letter(tmp_path), browser(make_user("ann", "reviewer"))
    with _on_call._turn:
        response = ann.get(reverse("passage", args=[referral.pk]))
    assert response.status_code == 204 and not AuditEntry.objects.filter(action="passage").exists()


def pages(*words: str) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(300, 400))
    for each in words:
        canvas.setFontSize(20)
        canvas.drawString(20, 350, each)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def picture_in(page: str) -> Image.Image:
    data = page.partition('src="data:image/png;base64,')[2].partition('"')[0]
    return Image.open(io.BytesIO(base64.b64decode(data, validate=True)))


def test_the_page_of_a_pdf_is_drawn_and_turned_on_record(tmp_path: Path) -> None:
    referral = referred(tmp_path / "form.pdf", pages("Margaret Okafor has asthma", "page two"))
    ann = browser(make_user("ann", "reviewer"))
    response = ann.post(reverse("reveal", args=[referral.pk]), {"reason": "is it a form?"})
    page = response.content.decode()
    first = picture_in(page)
    assert first.size == (834, 1112), "drawn at 200 dots per inch"
    assert min(first.tobytes()) < 64, "with letters in it"
    assert "Page 1 of 2" in page and "Next page" in page and "Previous page" not in page
    assert "img-src 'self' data:;" in response.headers["Content-Security-Policy"]
    turned = ann.post(reverse("reveal", args=[referral.pk]), {"reason": "is it a form?", "page": "2"}).content.decode()
    assert picture_in(turned).tobytes() != first.tobytes()
    assert "Page 2 of 2" in turned and "Margaret" not in turned and "Previous page" in turned
    reveals = AuditEntry.objects.filter(action="reveal", subject=f"referral:{referral.pk}").order_by("number")
    assert [json.loads(entry.details).get("page") for entry in reveals] == [None, 2]
    assert "data:" not in ann.get(reverse("home")).headers["Content-Security-Policy"]


def test_the_page_with_the_deciding_passage_comes_first(tmp_path: Path) -> None:
    referral = referred(tmp_path / "form.pdf", pages("cover", "Margaret Okafor has asthma"))
    place = {"passage": "page 2", "where": "page 2", "masked": "M*******", "hmac": "0" * 32, "person": 1}
    evidence = [{"characteristic": "first_name", "start": 6, "end": 14, **place}]
    Finding.objects.filter(pk=referral.pk).update(evidence=evidence, strongest="page 2")
    page = browser(make_user("ann", "reviewer")).post(reverse("reveal", args=[referral.pk]), {"reason": "why not"})
    assert "Page 2 of 2" in page.content.decode()


def test_pictures_and_members_of_archives_are_drawn_too(tmp_path: Path) -> None:
    file = io.BytesIO()
    Image.linear_gradient("L").resize((3000, 500)).save(file, "PNG")
    archive = tmp_path / "scans.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("a.txt", "first")
        packed.writestr("scan.png", file.getvalue())
    referral = referred(archive, file.getvalue(), f"{os.path.realpath(archive)}!scan.png")
    shown = reveal(referral, page=1)
    assert shown.outcome == SHOWN and shown.page is not None
    assert (shown.page.width, shown.page.height, shown.page.pages) == (LONGEST_SIDE, 267, 1)


def test_a_text_has_no_page(tmp_path: Path) -> None:
    assert reveal(letter(tmp_path)).page is None
    assert reveal(letter(tmp_path), page=1).page is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2 2 1 1 " + base64.b64encode(b"abc").decode(),
        "2 2 1 1 " + base64.b64encode(b"abcde").decode(),
        "0 0 1 1 ",
        f"{LONGEST_SIDE + 1} 1 1 1 " + base64.b64encode(bytes(LONGEST_SIDE + 1)).decode(),
        "2 2 1 1 <img src=x onerror=alert(1)>",
        "2 2 1 1 ab=c",
        "٢ ٢ 1 1 " + base64.b64encode(b"abcd").decode(),
    ],
)
def test_what_is_no_picture_is_refused(text: str) -> None:
    """A child that was taken over may send anything."""
    assert pixels_of(text) is None


def test_pixels_come_out_as_they_went_in() -> None:
    picture = Image.linear_gradient("L")
    found = pixels_of(drawn(picture, 3, 7).text)
    assert found is not None and (found[0].tobytes(), found[1:]) == (picture.tobytes(), (3, 7))
