"""An installation of an earlier version, its database and results, goes on with this one: nothing is lost or repeated.

tests/samples/service/NNNN holds what the version with that migration as its newest wrote: three invented notes scanned
and referred, one referral decided by two people, one judged once. The database is a dump in SQL.
"""

import gzip
import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.end_to_end.conftest import KEY, Run, run_leakscreen

KEPT = Path(__file__).parents[1] / "samples" / "service"
NEWEST = max((Path(__file__).parents[2] / "review" / "migrations").glob("[0-9]*.py")).stem


@pytest.fixture(params=sorted(folder.name for folder in KEPT.iterdir()))
def installation(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    home, kept = tmp_path / "home", KEPT / request.param
    data = home / ".local/share/leakscreen"
    data.mkdir(parents=True)
    shutil.copytree(kept / "results", home / "results")
    shutil.copy(kept / "audit-heads", data / "review.sqlite3.audit-heads")
    with closing(sqlite3.connect(data / "review.sqlite3")) as database:
        database.executescript(gzip.decompress((kept / "review.sql.gz").read_bytes()).decode())
    return home


@pytest.fixture
def here(installation: Path) -> Iterator[Run]:
    yield lambda *words: run_leakscreen(installation, words, environ={"LEAKSCREEN_SECRET_KEY": KEY})


def referrals(home: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(home / ".local/share/leakscreen/review.sqlite3")) as database:
        referred = "SELECT id, state, decision FROM review_referral ORDER BY id"
        voted = "SELECT referral_id, reviewer_id, verdict, token FROM review_vote ORDER BY id"
        return [*database.execute(referred), *database.execute(voted)]


def test_nothing_is_lost_and_nothing_asked_twice(installation: Path, here: Run) -> None:
    before = referrals(installation)
    assert len(before) == 3 + 3
    looked = here("doctor", "--service", "--json")
    (database,) = (check for check in looked.json["checks"] if check["name"] == "database")
    assert looked.code == 2 and NEWEST in database["found"]  # its tables lack the newest migration
    assert referrals(installation) == before

    taken = here("refer", installation / "results", "--json")  # updates the tables
    assert taken.code == 0, taken.err
    assert (taken.json["new"], taken.json["known"]) == (0, 3)
    assert referrals(installation) == before
    states = [check["state"] for check in here("doctor", "--service", "--json").json["checks"]]
    assert "fault" not in states

    audited = here("audit", "verify", "--json")
    assert audited.code == 0 and audited.json["entries"] >= 5 and audited.json["faults"] == []
    labels = here("export-labels")
    assert labels.code == 0 and "/srv/share/note" in labels.out, labels.err


def test_the_results_of_then_are_read(installation: Path, here: Run) -> None:
    (scan,) = (installation / "results").glob("scan=*")
    assert here("report", scan, "--json").json["referred"] == 3
    assert (
        len(here("export", scan, "--all").out.splitlines())
        == json.loads((scan / "summary.json").read_text())["records"]
    )
