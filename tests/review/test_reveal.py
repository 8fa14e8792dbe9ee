"""A reveal reads the source again, marks detected values, is audited, and shows nothing that was not referred."""

import contextlib
import gzip
import hashlib
import io
import json
import os
import time
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from django.urls import reverse
from lxml import html

from review.models import AuditEntry, Referral, ReferralPath, Verdict
from review.referrals.intake import Intake
from review.referrals.voting import Judgement, decide
from review.reveal.blocks import blocks_by_place, blocks_of, cut_at
from review.reveal.piece import Piece
from review.reveal.reveal import CHANGED, GONE, REMOVED, SHOWN, Deciding, marked, reveal
from review.reveal.sandbox import MOST_WAITING, _on_call
from tests.end_to_end.conftest import run_leakscreen
from tests.end_to_end.test_passages import patients, report
from tests.review.conftest import make_user
from tests.review.made_rows import facts, row
from tests.review.test_access import browser

pytestmark = pytest.mark.usefixtures("database_url")
LETTER = "Patient: Margaret Okafor, phone 416-555-0142.\nDiagnosis: type 2 diabetes <b>mellitus</b>.\n"


@pytest.fixture(autouse=True)
def own_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", "0123456789abcdef" * 4)


def referred(uri: str, content: str, **more: Any) -> Referral:
    Intake(facts()).take([row(uri, content, **more)])
    found: Referral = Referral.objects.get(sha256=hashlib.sha256(content.encode()).hexdigest())
    return found


def letter(folder: Path, name: bytes = b"letter.txt") -> bytes:
    path = os.path.join(os.fsencode(os.path.realpath(folder)), name)
    with open(path, "wb") as file:
        file.write(LETTER.encode())
    return path


def test_rows_are_shown_as_a_table_with_their_marks() -> None:
    pieces = [Piece("List\nName\tPhone\n"), Piece("Okafor", "last_name"), Piece("\t"), Piece("416", "phone_number")]
    pieces += [Piece("\nLi\t\nthe end\ta\tb")]
    first, table, last = blocks_of(pieces)
    assert [[[piece.text for piece in cell] for cell in row] for row in table.rows] == [
        [["Name"], ["Phone"]],
        [["Okafor"], ["416"]],
        [["Li"], []],
    ]
    assert table.rows[1][0][0].characteristic == "last_name"
    assert "".join(piece.text for block in (first, last) for piece in block.pieces) == "List\nthe end\ta\tb"


@pytest.mark.parametrize("text", ["", "a\tb", "a\tb\nc\td", "\t\n\t\n\n", "x\na\tb\na\tb\n\ny\tz", "a\n\tb\n\tb"])
@pytest.mark.parametrize("cut", range(8))
def test_blocks_hold_all_of_the_text(text: str, cut: int) -> None:
    written = ""
    for block in blocks_of([Piece(text[:cut], "name"), Piece(text[cut:])]):
        written += "".join(piece.text for piece in block.pieces)
        for line in block.rows:
            written += "\t".join("".join(piece.text for piece in cell) for cell in line) + "\n"
    assert written.rstrip("\n") == text.rstrip("\n")


def test_the_text_is_shown_with_marks_and_is_on_record(tmp_path: Path) -> None:
    uri = letter(tmp_path).decode()
    referral = referred(uri, LETTER)
    response = browser(make_user("ann", "reviewer")).post(
        reverse("reveal", args=[referral.pk]), {"reason": "is it a patient?"}
    )
    page = response.content.decode()
    assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-store")
    assert '<mark class="contact" title="phone number">416-555-0142</mark>' in page
    term = '<mark class="health" title="health term">'
    assert f"{term}type 2 diabetes</mark> &lt;b&gt;{term}mellitus</mark>&lt;/b&gt;" in page
    entries = list(AuditEntry.objects.filter(subject=f"referral:{referral.pk}"))
    assert [entry.action for entry in entries] == ["reveal", "revealed"]
    assert (json.loads(entries[0].details)["reason"], json.loads(entries[1].details)["outcome"]) == (
        "is it a patient?",
        "shown",
    )
    assert "Okafor" not in str([(entry.details, entry.subject) for entry in AuditEntry.objects.all()])


@pytest.mark.parametrize("reason", ["", "  ", "x"])
def test_without_a_reason_nothing_is_read(tmp_path: Path, reason: str) -> None:
    referral = referred(letter(tmp_path).decode(), LETTER)
    response = browser(make_user("ann", "reviewer")).post(reverse("reveal", args=[referral.pk]), {"reason": reason})
    assert response.status_code == 302
    assert not AuditEntry.objects.filter(action="reveal").exists()


def test_what_changed_or_vanished_is_told_and_not_shown(tmp_path: Path) -> None:
    path = letter(tmp_path)
    referral = referred(path.decode(), LETTER)
    assert reveal(referral).outcome == SHOWN
    Path(path.decode()).write_text("something else entirely, phone 416-555-0199", encoding="utf-8")
    changed = reveal(referral)
    assert (changed.outcome, changed.pieces) == (CHANGED, ())
    os.unlink(path)
    assert (reveal(referral).outcome, reveal(referral).reason) == (GONE, "vanished")
    referral.paths.all().delete()
    assert reveal(referral).outcome == REMOVED


def test_other_content_is_found_out_before_it_is_parsed(tmp_path: Path) -> None:
    """Two million rows take a parser seconds; their hash does not."""
    path = letter(tmp_path)
    referral = referred(path.decode(), LETTER)
    assert reveal(referral).outcome == SHOWN
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"a,b,c\n" * 10_000_000)
    started = time.monotonic()
    assert reveal(referral).outcome == CHANGED
    assert time.monotonic() - started < 0.5


def test_enough_reveals_at_once(tmp_path: Path) -> None:
    referral = referred(letter(tmp_path).decode(), LETTER)
    ann = browser(make_user("ann", "reviewer"))
    with contextlib.ExitStack() as taken:
        for _ in range(1 + MOST_WAITING):
            taken.enter_context(_on_call._places)
        response = ann.post(reverse("reveal", args=[referral.pk]), {"reason": "is it a patient?"})
    assert (response.status_code, "try again" in response.content.decode()) == (503, True)
    assert ann.post(reverse("reveal", args=[referral.pk]), {"reason": "is it a patient?"}).status_code == 200


def test_another_place_of_the_same_content_will_do(tmp_path: Path) -> None:
    here = letter(tmp_path, b"b.txt").decode()
    gone = str(tmp_path / "a.txt")
    Intake(facts()).take([row(gone, LETTER), row(here, LETTER)])
    assert reveal(Referral.objects.get()).uri == here


def zipped(*members: tuple[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in members:
            archive.writestr(name, content)
    return made.getvalue()


def letters(number: int) -> list[bytes]:
    """Letters of different people, so that each is a content of its own."""
    return [
        f"Patient: Margaret Okafor, born 3 May 19{50 + each}, phone 416-555-01{40 + each}.\n"
        "Diagnosis: type 2 diabetes mellitus with neuropathy. She takes metformin and insulin.\n".encode()
        for each in range(number)
    ]


def scan_and_refer(share: Path, folder: Path, database_url: str) -> None:
    scan = run_leakscreen(folder / "home", ("scan", share, "--out", folder / "out", "--workers", "1", "--quiet"))
    assert scan.code == 0, scan.err
    where = ("--set", f"review.database={database_url}")
    assert run_leakscreen(folder / "home", ("refer", folder / "out", *where)).code == 0


def test_members_are_revealed_after_a_real_scan(database_url: str, tmp_path: Path) -> None:
    """By scan and refer alone: in archives, two deep, beside exclamation marks, and in names that are no text."""
    share = Path(os.path.realpath(tmp_path)) / "share"
    (share / "New!").mkdir(parents=True)
    one, two, three, four, five, six = letters(6)
    (share / "a.zip").write_bytes(zipped(("inner/letter.txt", one)))
    (share / "b.zip").write_bytes(zipped(("deep.zip", zipped(("letter.txt", two)))))
    (share / "New!" / "c.zip").write_bytes(zipped(("letter!.txt", three)))
    (share / "New!" / "d!.txt").write_bytes(four)
    Path(os.fsdecode(os.fsencode(share) + b"/\xff.zip")).write_bytes(zipped(("letter.txt", five)))
    Path(os.fsdecode(os.fsencode(share) + b"/\xff!.txt")).write_bytes(six)
    scan_and_refer(share, tmp_path, database_url)
    shown = {referral.sha256: reveal(referral) for referral in Referral.objects.all()}
    assert [shown[hashlib.sha256(letter).hexdigest()].outcome for letter in letters(6)] == [SHOWN] * 6
    texts = {"".join(piece.text for piece in each.pieces).strip() for each in shown.values()}
    assert texts == {letter.decode().strip() for letter in letters(6)}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_long_files_lead_to_what_decided_after_a_real_scan(database_url: str, tmp_path: Path) -> None:
    """A report of many pages, a table of many patients and a workbook: the sentence, the passage, and the text."""
    share = Path(os.path.realpath(tmp_path)) / "share"
    share.mkdir()
    (share / "report.pdf").write_bytes(report(pages=12, note=7))
    (share / "patients.csv").write_text(patients(110))
    workbook = openpyxl.Workbook()
    for line in patients(110).splitlines():
        workbook.active.append(line.split(","))
    workbook.save(share / "list.xlsx")
    scan_and_refer(share, tmp_path, database_url)
    ann = browser(make_user("ann", "reviewer"))
    pages, passages, texts = {}, {}, {}
    for path in ReferralPath.objects.select_related("referral"):
        name, pk = Path(path.uri).name, path.referral_id
        pages[name] = ann.get(reverse("referral", args=[pk])).content.decode()
        passages[name] = html.fromstring(ann.get(reverse("passage", args=[pk])).content)
        texts[name] = html.fromstring(ann.post(reverse("reveal", args=[pk]), {"reason": "is it a list?"}).content)

    assert "Page 7 names one patient with a birth date" in pages["report.pdf"]
    assert "asthma" in passages["report.pdf"].text_content()
    assert [each.text_content() for each in passages["report.pdf"].xpath("//h3[@class='where']")] == [
        "Page 6",
        "Page 7",
        "Page 8",
    ]
    assert "Page 7 of 12" in texts["report.pdf"].text_content()
    headings = [each.text_content() for each in texts["report.pdf"].xpath("//h3[@class='where']")]
    assert [each for each in headings if each.startswith("Page")] == [f"Page {number}" for number in range(1, 13)]
    assert {each.text_content() for each in texts["report.pdf"].xpath("//mark[contains(@class, 'deciding')]")} >= {
        "Mary",
        "1971-02-03",
    }

    assert "The whole file identifies" in pages["patients.csv"]
    for name in ("patients.csv", "list.xlsx"):
        rows = [[cell.text_content() for cell in row.xpath("td")] for row in texts[name].xpath("//tr")]
        assert rows[0] == ["Patient Name", "DOB", "Phone", "Diagnosis"] and len(rows) == 111, name
        assert {len(row) for row in rows} == {4}
        assert len(passages[name].xpath("//tr")) > 2 and texts[name].xpath("//mark[contains(@class, 'deciding')]")
    assert passages["patients.csv"].xpath("//tr")[0].text_content() == "Patient NameDOBPhoneDiagnosis"


def test_values_between_commas_are_cells_and_places_are_named() -> None:
    text = 'name,"said, and\nwritten"\nLi,"a ""b"""\n'
    ((table,),) = ([*blocks_by_place([("", [Piece(text)])], is_csv=True)],)
    cells = [["".join(piece.text for piece in cell) for cell in row] for row in table.rows]
    assert cells == [["name", "said, and written"], ["Li", "a b"]]
    pieces = [Piece("one\ntwo"), Piece("three", "last_name"), Piece("\nfour")]
    parts = list(cut_at([(0, "properties"), (4, "page 1"), (9, "page 2")], pieces))
    assert [(place, "".join(piece.text for piece in part)) for place, part in parts] == [
        ("properties", "one\n"),
        ("page 1", "twoth"),
        ("page 2", "ree\nfour"),
    ]
    assert [block.place for block in blocks_by_place(parts) if block.place] == ["properties", "page 1", "page 2"]
    assert [block.place for block in blocks_by_place(parts[:1])] == [""]


def test_long_texts_are_cut(tmp_path: Path, review_settings: Any) -> None:
    review_settings(reveal_characters=50)
    referral = referred(letter(tmp_path).decode(), LETTER)
    shown = reveal(referral)
    assert (shown.cut, len("".join(piece.text for piece in shown.pieces))) == (True, 50)
    at = LETTER.index("diabetes")
    around = reveal(referral, deciding=Deciding(1, at, at + 8))
    assert (around.cut, "diabetes" in "".join(piece.text for piece in around.pieces)) == (True, True)


def test_marks_never_lose_text() -> None:
    from core.records import Span

    spans = [Span(3, 5, "a", 1.0), Span(4, 8, "b", 1.0), Span(8, 10, "c", 1.0)]
    pieces = list(marked("0123456789", spans))
    assert "".join(piece.text for piece in pieces) == "0123456789"
    assert [(piece.text, piece.characteristic) for piece in pieces] == [
        ("012", ""),
        ("34", "a"),
        ("567", ""),
        ("89", "c"),
    ]


def test_an_adjudicator_reveals_disputes_alone(tmp_path: Path, review_settings: Any) -> None:
    review_settings(double_review=1.0)
    referral = referred(letter(tmp_path).decode(), LETTER)
    client, address = browser(make_user("ada", "adjudicator")), reverse("reveal", args=[referral.pk])

    def asked() -> int:
        page = client.get(reverse("referral", args=[referral.pk])).content.decode()
        status = client.post(address, {"reason": "to be sure"}).status_code
        assert ("Reveal the text" in page) == (status == 200)
        return int(status)

    assert asked() == 403
    people = [make_user(name, "reviewer") for name in ("ann", "bob")]
    for user, verdict in zip(people, (Verdict.PHI, Verdict.NOT_PHI), strict=True):
        decide(referral.pk, user, Judgement(verdict, f"token-of-{user.username}"))
    assert asked() == 200
    assert AuditEntry.objects.filter(action="reveal refused", actor="ada").count() == 1
