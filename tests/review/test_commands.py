"""From a scan to measured rules: scan, refer, review, export-labels, evaluate; and the service as a process."""

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest

from core.errors import SettingsError
from leakscreen.commands.purge import age
from leakscreen.demo import make_share
from review.dashboard.figures import figures_of
from review.dashboard.measuring import measured, sums_for, verified_cells
from review.models import Referral, State, Verdict
from review.referrals.voting import Judgement, decide
from tests.end_to_end.conftest import KEY, Ran, run_leakscreen
from tests.review.conftest import PASSWORD, make_user, use_database


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("scanned")
    make_share(place / "share", files=40, seed=5, phi_share=0.2)
    ran = run_leakscreen(place / "home", ("scan", place / "share", "--out", place / "out", "--workers", "1", "--quiet"))
    assert ran.code in (0, 3), ran.err
    return place / "out"


def run(home: Path, *words: str | Path) -> Ran:
    return run_leakscreen(home, words, environ={"LEAKSCREEN_SECRET_KEY": KEY})


def test_a_scan_is_referred_reviewed_and_evaluated(scanned: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/review.sqlite3"
    where = ("--set", f"review.database={url}", "--set", "review.double_review=0")
    first, again = (json.loads(run(tmp_path, "refer", scanned, "--json", "--audit", "6", *where).out) for _ in range(2))
    assert first["new"] > 0 and first["audit"]["new"] == 6
    assert (again["new"], again["known"], again["audit"]["new"]) == (0, first["new"], 0)
    use_database(url)
    ann = make_user("ann", "reviewer")
    for number, referral in enumerate(Referral.objects.filter(state=State.WAITING)):
        decide(referral.pk, ann, Judgement(Verdict.PHI if number % 2 else Verdict.NOT_PHI, f"token-{number}"))
    assert run(tmp_path, "export-labels", "--out", tmp_path / "labels.csv", *where).code == 0
    assert run(tmp_path, "export-labels", "--negatives", "--out", tmp_path / "negatives.csv", *where).code == 0
    evaluated = run(tmp_path, "evaluate", scanned, "--labels", tmp_path / "labels.csv", "--json")
    assert evaluated.code == 0, evaluated.err
    assert evaluated.json["labels"] == first["files"] + first["audit"]["files"]
    stages = {stage["stage"]: stage for stage in evaluated.json["stages"]}
    assert all(stage["covered"] for stage in stages.values())
    drawn = (tmp_path / "negatives.csv").read_text().splitlines()[1:]
    assert len(drawn) == sum(stages[name]["verified"] for name in ("screened only", "screened negative"))
    assert all(one["prevalence"] is not None for one in evaluated.json["fractions"])
    shown = dashboard_rates(first["scan_id"])
    assert {each["rule"]: (each["positive"], each["tdp"], each["frp"]) for each in evaluated.json["rules"]} == shown
    assert any(tdp for _, tdp, _ in shown.values())
    straight = run(tmp_path, "evaluate", scanned, "--from-reviews", "--json", *where)
    assert (straight.code, straight.json) == (0, evaluated.json), straight.err
    pair = ("referred", "identifying-information")
    compared = run(tmp_path, "compare", *pair, scanned, "--from-reviews", "--json", *where)
    assert compared.json == run(tmp_path, "compare", *pair, scanned, "--labels", tmp_path / "labels.csv", "--json").json
    verified = run(tmp_path, "audit", "verify", "--json", *where, "--set", f"review.audit_anchor={tmp_path}/heads")
    assert (verified.code, verified.json["faults"]) == (0, [])
    assert (tmp_path / "heads").read_text().split() == [
        str(verified.json["head"]["number"]),
        verified.json["head"]["hash"],
    ]
    beside = (tmp_path / "review.sqlite3.audit-heads").read_text().split()
    assert beside[-1] == verified.json["head"]["hash"] and len(beside) >= 4
    assert run(tmp_path, "purge", "--older-than", "90d", *where).code == 0


def test_an_earlier_scan_keeps_its_decisions_and_draws_when_a_later_one_is_referred(
    scanned: Path, tmp_path: Path
) -> None:
    """Files of the later scan were no longer labels of the earlier one, and had the chances of the earlier draw."""
    url, out = f"sqlite:///{tmp_path}/review.sqlite3", tmp_path / "out"
    where = ("--set", f"review.database={url}", "--set", "review.double_review=0")
    shutil.copytree(scanned, out)
    (first,) = out.iterdir()
    assert run(tmp_path, "refer", first, "--audit", "6", *where).code == 0
    use_database(url)
    decide_all(make_user("ann", "reviewer"))
    before = run(tmp_path, "evaluate", first, "--from-reviews", "--json", *where).json
    scan = (
        "scan",
        scanned.parent / "share",
        "--out",
        out,
        "--set",
        'scan.exclude=["*/Home/*"]',
        "--workers",
        "1",
        "-q",
    )
    assert run(tmp_path, *scan).code in (0, 3)
    (second,) = set(out.iterdir()) - {first}
    assert run(tmp_path, "refer", second, "--audit", "14", *where).code == 0
    decide_all(make_user("bob", "reviewer"))
    assert run(tmp_path, "refer", first, *where).code == 0  # again: it changes nothing
    after = run(tmp_path, "evaluate", first, "--from-reviews", "--json", *where).json
    assert before == after
    assert {rule["rule"]: (rule["positive"], rule["tdp"], rule["frp"]) for rule in after["rules"]} == dashboard_rates(
        first.name.partition("=")[2]
    )
    later = run(tmp_path, "export-labels", "--scan", second.name.partition("=")[2], *where).out
    chances = {tuple(line.split(",")[-4:-2]) for line in later.splitlines()[1:]}
    assert sorted(stratum for stratum, _ in chances) == ["", "screened negative", "screened only"]
    assert run(tmp_path, "export-labels", "--scan", "elsewhere", *where).code == 2


def decide_all(user: Any) -> None:
    for referral in Referral.objects.filter(state=State.WAITING):
        verdict = Verdict.PHI if int(referral.pk[:4], 16) % 3 else Verdict.NOT_PHI
        decide(referral.pk, user, Judgement(verdict, f"{user.username}-{referral.pk}"[:32]))


def test_without_decisions_there_is_nothing_to_evaluate(scanned: Path, tmp_path: Path) -> None:
    where = ("--set", f"review.database=sqlite:///{tmp_path}/review.sqlite3")
    undecided = run(tmp_path, "evaluate", scanned, "--from-reviews", *where)
    assert (undecided.code, "no referral of this scan has been decided" in undecided.err) == (2, True)
    assert run(tmp_path, "evaluate", scanned, *where).code == 2


def dashboard_rates(scan_id: str) -> dict[str, tuple[int, float | None, float | None]]:
    figures = figures_of(scan_id)
    assert figures is not None
    found = measured(sums_for(figures, verified_cells(scan_id, figures)), ("referred", *figures.rules))
    return {each.rule: (each.positive, each.tdp, each.frp) for each in found}


def test_a_forged_log_is_told(tmp_path: Path) -> None:
    where = ("--set", f"review.database=sqlite:///{tmp_path}/review.sqlite3")
    run(tmp_path, "purge", "--older-than", "1d", *where)
    other = run_leakscreen(tmp_path, ("audit", "verify", *where), environ={"LEAKSCREEN_SECRET_KEY": "f" * 64})
    assert (other.code, "entry 1" in other.out) == (2, True)


@pytest.mark.parametrize(("text", "days"), [("90d", 90), ("2w", 14), ("0d", 0)])
def test_ages(text: str, days: int) -> None:
    assert age(text).days == days


@pytest.mark.parametrize("text", ["", "90", "d", "-1d", "1.5d", "90 days", "٣d"])
def test_unfit_ages_are_refused(text: str) -> None:
    with pytest.raises(SettingsError):
        age(text)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[str]:
    """The address of a service that started in an empty place."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LEAKSCREEN_")}
    own = {
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": "",
        "XDG_DATA_HOME": "",
        "LEAKSCREEN_MANAGER": "boss",
        "LEAKSCREEN_MANAGER_PASSWORD": PASSWORD,
    }
    command = [sys.executable, "-m", "leakscreen", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**clean, **own}) as process:
        assert process.stderr
        address = ""
        for line in process.stderr:
            if found := re.search(r"http://\S+:\d+", line):
                address = found[0]
                break
        try:
            assert address, "the service did not start"
            yield address
        finally:
            process.terminate()
            assert process.wait(timeout=60) == 0


def test_the_service_starts_from_nothing_and_lets_the_manager_in(service: str, tmp_path: Path) -> None:
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def read(path: str, data: dict[str, Any] | None = None) -> str:
        body = urllib.parse.urlencode(data).encode() if data else None
        with opener.open(urllib.request.Request(service + path, body, {"Origin": service}), timeout=60) as response:
            return str(response.read().decode())

    assert read("/alive/") == "ok\n"
    assert "--accent" in read("/static/review/review.css") and "keydown" in read("/static/review/keys.js")
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', read("/"))
    assert token
    page = read("/login/", {"username": "boss", "password": PASSWORD, "csrfmiddlewaretoken": token[1]})
    assert "Nothing to review yet" in page
    assert oct((tmp_path / ".local/share/leakscreen/review.sqlite3").stat().st_mode & 0o777) == "0o600"


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({}, "no manager yet"),
        ({"LEAKSCREEN_MANAGER": "boss"}, "neither"),
        ({"LEAKSCREEN_MANAGER": "boss", "LEAKSCREEN_MANAGER_PASSWORD": "short"}, "short"),
    ],
)
def test_a_service_without_a_manager_does_not_start(tmp_path: Path, environ: dict[str, str], told: str) -> None:
    ran = run_leakscreen(tmp_path, ("serve", "--port", "0"), environ={"LEAKSCREEN_SECRET_KEY": KEY, **environ})
    assert (ran.code, told in ran.err) == (2, True)
