"""We must not become the leak: what a passage masks and a reveal draws is only in the answer to one reveal."""

import base64
import io
import re
import sqlite3
from pathlib import Path

import pytest
import requests
from PIL import Image

from tests.end_to_end.conftest import Run
from tests.end_to_end.database_restart import MAKE_REVIEWER, _at, _logged_in
from tests.end_to_end.serving import serving
from tests.end_to_end.test_canary import letter, needles, people, write

DATABASE = "review.sqlite3"
TEXT, PDF = 0, 4  # which `write` writes as these
DRAWN = re.compile(r'src="data:image/png;base64,([^"]+)"')
PIECE = 60  # characters or bytes of a picture, by which a copy of it would be found


@pytest.fixture(autouse=True)
def own_cache(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the home, which is searched."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / ".cache"))


def in_disguise(person: dict[str, str]) -> list[bytes]:
    """Also as base64 would hide it."""
    plain = needles(person)
    return plain + [base64.b64encode(needle)[:-4] for needle in plain if len(needle) > 8]


def found_in(places: dict[str, bytes], wanted: list[bytes]) -> list[str]:
    return [place for place, content in places.items() for needle in wanted if needle in content.lower()]


def everything_in(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def pages_of(session: requests.Session, address: str, pk: str) -> dict[str, bytes]:
    """What somebody sees who may not reveal it."""
    paths = ("/", "/referrals/", f"/referral/{pk}/", f"/referral/{pk}/passage/", "/audit/", "/dashboard/scan/")
    return {path: session.get(address + path).content for path in paths}


def revealed(session: requests.Session, address: str, pk: str) -> str:
    form = {"reason": "is it a patient?", "csrfmiddlewaretoken": session.cookies["csrftoken"]}
    return session.post(f"{address}/referral/{pk}/reveal/", form).text


def test_what_is_masked_and_drawn_is_in_no_page_database_log_cache_or_temporary_file(
    leakscreen: Run, home: Path, tmp_path: Path
) -> None:
    share, planted = tmp_path / "share", people()[:5]
    share.mkdir()
    for index in (TEXT, PDF):
        write(share, index, letter(planted[index]))
    assert leakscreen("scan", share, "--out", tmp_path / "out", "--workers", "1").code == 0
    where = ("--set", f"review.database=sqlite:///{home}/{DATABASE}")
    secrets = [needle for index in (TEXT, PDF) for needle in in_disguise(planted[index])]
    with serving(home, *where, TMPDIR=str(home / "tmp"), XDG_CACHE_HOME=str(home / ".cache")) as service:
        environ = {"LEAKSCREEN_SECRET_KEY": "0123456789abcdef" * 4}
        assert leakscreen("refer", tmp_path / "out", *where, environ=environ).code == 0
        with sqlite3.connect(home / DATABASE) as database:
            rows = database.execute("SELECT referral_id, uri FROM review_referralpath").fetchall()
        by_name = {Path(uri).suffix: pk for pk, uri in rows}
        assert set(by_name) == {".txt", ".pdf"}, "the canary must be seen by the tool, or its silence says nothing"
        address, mia = _at(service), _logged_in(service)
        seen: dict[str, bytes] = {}
        for kind, pk in by_name.items():  # mia manages, and reviews nothing
            seen |= {f"{kind} {path}": page for path, page in pages_of(mia, address, pk).items()}
            seen[f"{kind} refused"] = revealed(mia, address, pk).encode()
            assert mia.get(f"{address}/referral/{pk}/passage/").status_code == 403
        with sqlite3.connect(home / DATABASE) as database:
            database.execute(MAKE_REVIEWER)
        masked = {kind: mia.get(f"{address}/referral/{pk}/passage/") for kind, pk in by_name.items()}
        assert all(answer.status_code == 200 and "myocardial" in answer.text for answer in masked.values())
        assert all(answer.headers["Cache-Control"] == "no-store" for answer in masked.values())
        assert found_in(seen | {kind: answer.content for kind, answer in masked.items()}, secrets) == []
        shown = {kind: revealed(mia, address, pk) for kind, pk in by_name.items()}
        assert planted[TEXT]["sin"] in shown[".txt"], "a reveal shows what the others hide"
        drawn = DRAWN.search(shown[".pdf"])
        assert drawn is not None
        picture = base64.b64decode(drawn[1])
        assert min(Image.open(io.BytesIO(picture)).tobytes()) < 64, "with letters in it"
        during = everything_in(home)
        service.process.terminate()
        _, log = service.process.communicate(timeout=60)
    places = {**during, **{f"{name} afterwards": content for name, content in everything_in(home).items()}}
    places["log"] = log.encode()
    assert DATABASE in during and "log" in places
    middle = len(picture) // 2
    pieces = [picture[middle : middle + PIECE].lower(), drawn[1][middle : middle + PIECE].lower().encode()]
    answers = {kind: text.encode() for kind, text in shown.items()}
    assert set(found_in(answers, secrets)) == {".txt", ".pdf"} and found_in(answers, pieces) == [".pdf"]
    assert found_in(places, [*secrets, *pieces]) == []
