"""Scans in the browser: started by a manager, followed to the end, compared with one another."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from core.settings import load_settings
from evaluation.design import REFERRED
from leakscreen.commands.browser_scans import BrowserScans
from review.models import AuditEntry, Referral, Scan, Seen
from review.referrals.intake import Intake
from review.scanning import desk as desks
from review.scanning.desk import BusyError, Job
from tests.review.conftest import KEY, make_user
from tests.review.made_rows import facts, row
from tests.review.test_access import browser
from tests.review.test_api import Program, is_problem

pytestmark = [
    pytest.mark.usefixtures("database_url"),
    pytest.mark.parametrize("database_url", ["sqlite"], indirect=True),
]
LETTER = (
    "Patient: Margaret Okafor, born 3 May 1971, phone 416-555-0142.\nDiagnosis: type 2 diabetes mellitus, metformin.\n"
)


@pytest.fixture(autouse=True)
def no_desk() -> Iterator[None]:
    yield
    desks._installed.clear()


def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database_url: str, *sources: str) -> BrowserScans:
    """As `serve` installs it, with a schedule that never ran."""
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", KEY)
    monkeypatch.setenv("LEAKSCREEN_SECRET_KEY", KEY)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    config = tmp_path / "leakscreen.toml"
    config.write_text(
        f'[scan]\nout = "{tmp_path}/out"\nworkers = 1\n[review]\ndatabase = "{database_url}"\n'
        f"sources = {list(sources)!r}\n"
        '[[schedule]]\nname = "nightly"\ncron = "0 2 * * *"\nsources = ["/srv/wards"]\nsettings = ["scan.workers=1"]\n'
    )
    made = BrowserScans(load_settings({}, config=config), config, {"scan.workers": 1})
    desks.install(made)
    return made


def test_a_manager_starts_a_scan_and_finds_its_referrals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database_url: str
) -> None:
    share = tmp_path / "share"
    share.mkdir()
    (share / "letter.txt").write_text(LETTER, encoding="utf-8")
    (share / "notes.txt").write_text("Minutes of the building committee.", encoding="utf-8")
    scans = installed(tmp_path, monkeypatch, database_url, str(share))
    boss = browser(make_user("boss", "manager"))
    page = boss.get(reverse("scans")).content.decode()
    assert str(share) in page and "nightly" in page and "has not run yet" in page and "scan.workers=1" in page
    boss.post(reverse("scans-start"), {"source": str(share)})
    with pytest.raises(BusyError):
        scans.start(str(share), "boss")
    told = finished(boss)
    assert (told["step"], told["fault"], told["files"], told["planned"], told["referred"]) == ("done", "", 2, 2, 1)
    assert Referral.objects.get().paths.get().uri == str(share / "letter.txt")
    page = boss.get(reverse("scans"))
    assert "Done: 2 files, 1 new referral." in page.content.decode()
    assert "<td>1</td><td>0</td>" in page.content.decode().replace("\n", "")  # referred, decided
    assert AuditEntry.objects.filter(action="scan started", subject=str(share), actor="boss").count() == 1
    (share / "another.txt").write_text(f"{LETTER}Follow-up in a week.\n", encoding="utf-8")
    program, auditor = Program(User.objects.get(username="boss")), Program(make_user("avi", "auditor"))
    assert is_problem(program.post("/scans/start", {"source": "/etc"}), 404)
    assert program.post("/scans/start", {"source": str(share)}).json()["step"] == "preparing"
    assert is_problem(program.post("/scans/start", {"source": str(share)}), 409)
    shown = program.get("/scans/desk").json()
    assert (shown["job"]["source"], shown["sources"], shown["schedules"][0]["name"]) == (
        str(share),
        [str(share), "/srv/wards"],
        "nightly",
    )
    assert auditor.get("/scans/desk").json()["sources"] == []
    assert finished(boss)["referred"] == 1
    second, first = Scan.objects.order_by("-started", "-pk").values_list("pk", flat=True)
    found = program.get("/scans/compare", first=first, second=second).json()
    assert [found[part]["count"] for part in ("new", "gone", "still")] == [1, 0, 1]
    assert found["new"]["items"][0]["path"] == str(share / "another.txt")
    counted = auditor.get("/scans/compare", first=first, second=second).json()
    assert counted["new"] == {"count": 1, "items": []}
    compared = boss.get(reverse("scans-compare"), {"first": first, "second": second}).content.decode()
    assert compared.index("another.txt") < compared.index("letter.txt")  # new, then still there


def finished(boss: Client) -> dict[str, Any]:
    deadline = time.monotonic() + 120
    while boss.get(reverse("scans-progress")).json()["job"]["runs"] and time.monotonic() < deadline:
        time.sleep(0.2)
    job: dict[str, Any] = boss.get(reverse("scans-progress")).json()["job"]
    return job


def test_a_scan_that_fails_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database_url: str) -> None:
    scans = installed(tmp_path, monkeypatch, database_url, str(tmp_path / "nowhere"))
    scans.start(str(tmp_path / "nowhere"), "boss")
    deadline = time.monotonic() + 120
    while (job := scans.job()) is not None and job.runs and time.monotonic() < deadline:
        time.sleep(0.1)
    assert job is not None and job.step == "failed" and "nowhere" in job.fault


def test_only_named_sources_can_be_scanned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database_url: str) -> None:
    scans = installed(tmp_path, monkeypatch, database_url, "/srv/share")
    assert scans.sources() == ("/srv/share", "/srv/wards")
    boss = browser(make_user("boss", "manager"))
    for source in ("/etc", "", "--resume"):
        assert "not among those" in boss.post(reverse("scans-start"), {"source": source}, follow=True).content.decode()
    assert scans.job() is None and not AuditEntry.objects.filter(action="scan started").exists()


def test_without_whoever_runs_the_service_past_scans_are_shown() -> None:
    Intake(facts()).take([row("/srv/a.txt")])
    page = browser(make_user("boss", "manager")).get(reverse("scans")).content.decode()
    assert "Jan 6, 2026, 08:00" in page and "Scan now" not in page


def seen_in(number: int, *uris: str) -> None:
    Intake(facts(number)).take([row(uri) for uri in uris])
    for referral in Referral.objects.filter(paths__uri__in=uris):
        Seen.objects.create(scan_id=f"scan-{number}", referral=referral, cell=0, files=1, stage=REFERRED)


def test_two_scans_are_compared_by_content() -> None:
    seen_in(1, "/srv/still.txt", "/srv/gone.txt")
    seen_in(2, "/srv/still.txt", "/srv/new.txt")
    query = {"first": "scan-1", "second": "scan-2"}
    shown = browser(make_user("boss", "manager")).get(reverse("scans-compare"), query)
    page = shown.content.decode()
    new, gone, still = (
        page.index(words) for words in ("<summary>New (1)", "<summary>Gone (1)", "<summary>Still there (1)")
    )
    assert new < page.index("new.txt") < gone < page.index("gone.txt") < still < page.index("still.txt")
    auditor = browser(make_user("ada", "auditor")).get(reverse("scans-compare"), query).content.decode()
    assert "<b>1</b>" in auditor and "gone.txt" not in auditor
    Scan.objects.filter(pk="scan-2").update(sources=["/media"])
    assert (
        "different sources" in browser(make_user("b2", "manager")).get(reverse("scans-compare"), query).content.decode()
    )
    for nonsense in ({"first": "scan-1", "second": "scan-1"}, {"first": "x", "second": "scan-2"}):
        page = browser(make_user(f"m{len(nonsense)}{nonsense.get('first')}", "manager")).get(
            reverse("scans-compare"), nonsense
        )
        assert "Choose two different scans" in page.content.decode()


def test_what_is_compared_first_is_of_the_same_sources() -> None:
    for number in (1, 2, 3, 4):
        seen_in(number, f"/srv/{number}.txt")
    Scan.objects.filter(pk__in=("scan-1", "scan-3")).update(sources=["/media"])
    client = browser(make_user("boss", "manager"))
    assert "?first=scan-2&amp;second=scan-4" in client.get(reverse("scans")).content.decode()
    page = client.get(reverse("scans-compare")).content.decode()
    assert "<summary>New (1)" in page and "different sources" not in page


def test_progress_never_exceeds_the_whole(tmp_path: Path) -> None:
    from django.utils import timezone

    job: Any = Job("/srv", "boss", timezone.now())
    assert (job.percent, replace(job, files=3, planned=2).percent, replace(job, files=1, planned=4).percent) == (
        0,
        100,
        25,
    )
