"""The dashboard's numbers are the evaluation library's, with every filter; it shows no name that it should not."""

import csv
import io
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from core.languages import reason_not_judged
from core.records import RuleHit
from evaluation.agreement import Decision, agreement
from evaluation.comparison import compare
from evaluation.keys import ALL
from review.dashboard.characteristics import characteristics_plot
from review.dashboard.figures import figures_of, source_name
from review.dashboard.folders import folders_above, place_in
from review.dashboard.measuring import measured, sums_for, verified_cells
from review.dashboard.plots import Column, Plot, written
from review.dashboard.whatif import Trial, flags_of
from review.models import AuditEntry, Folder, Kind, Member, PairedOpinion, Referral, Scan, Seen, Unexamined, Verdict
from review.referrals.intake import Intake
from review.referrals.retention import purge
from review.referrals.voting import Judgement, decide, undo
from screening.prototypes import pack
from screening.ruleset.definitions import Prototype, Rule
from tests.review.conftest import make_user
from tests.review.made_rows import FIRST, facts, row
from tests.review.made_scans import boxed, count_scan, file_by_file, judge, rows, shapes

IDS = [shape.id for shape in shapes(4)]


@pytest.fixture
def scan(database_url: str, review_settings: Callable[..., None]) -> list[dict[str, Any]]:
    review_settings(double_review=0)
    made = [*rows(150), *rows(60, share="/media/stick")]
    count_scan(made)
    return made


def browse(role: str, name: str, query: str = "") -> Any:
    client = Client(SERVER_NAME="localhost")
    client.force_login(make_user(f"{role}{AuditEntry.objects.count()}", role))
    return client.get(reverse(name) + query)


def plot_data(response: Any, name: str) -> dict[str, Any]:
    found = re.search(
        rf'<script id="data-{name}" type="application/json">(.*?)</script>', response.content.decode(), re.DOTALL
    )
    assert found, name
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.mark.parametrize("budget", [0, 12])
@pytest.mark.parametrize("source", ["", "/srv", "/media/stick"])
def test_rates_are_those_of_the_library(
    budget: int, source: str, database_url: str, review_settings: Callable[..., None]
) -> None:
    review_settings(double_review=0, budget=budget)
    made = [*rows(150), *rows(60, share="/media/stick")]
    scan_id = count_scan(made)
    judge(make_user("ann", "reviewer"), 40)
    figures = figures_of(scan_id)
    assert figures is not None
    ours = sums_for(figures, verified_cells(scan_id, figures), source, ("rule-0", "rule-1"))
    theirs = file_by_file(made, source, ("rule-0", "rule-1"))
    assert ours.sampled == bool(budget)
    assert measured(ours, IDS) == measured(theirs, IDS)
    assert compare(ours.pair("rule-0", "rule-1")) == compare(theirs.pair("rule-0", "rule-1"))
    assert ours.row(ALL) == theirs.row(ALL)
    assert any(each.tdp for each in measured(ours, IDS))


@pytest.mark.parametrize("budget", [0, 12])
@pytest.mark.parametrize("source", ["", "/media/stick"])
def test_copies_and_members_of_containers_belong_together(
    budget: int, source: str, database_url: str, review_settings: Callable[..., None]
) -> None:
    """Files that stand or fall together widen the intervals as they do in the library."""
    review_settings(double_review=0, budget=budget)
    made = boxed([*rows(150), *rows(60, share="/media/stick")])
    scan_id = count_scan(made)
    judge(make_user("ann", "reviewer"), 60)
    figures = figures_of(scan_id)
    assert figures is not None and Member.objects.count()
    pair = ("rule-0", "rule-1")
    ours, theirs = sums_for(figures, verified_cells(scan_id, figures), source, pair), file_by_file(made, source, pair)
    for rule in ("referred", *IDS, ALL):
        assert ours.row(rule) == theirs.row(rule), rule
    assert compare(ours.pair(*pair)) == compare(theirs.pair(*pair))
    apart = file_by_file([{**each, "container_uri": None} for each in made], source, pair)
    assert measured(ours, IDS) != measured(apart, IDS)
    assert any(excess > apart.row(ALL).excess[cells] for cells, excess in ours.row(ALL).excess.items())


def test_the_page_shows_the_library_s_numbers(scan: list[dict[str, Any]]) -> None:
    judge(make_user("ann", "reviewer"), 20)
    page = browse("auditor", "dashboard", "?source=/srv")
    shown = {each["rule"]: each for each in plot_data(page, "rules")["rows"]}
    for each in measured(file_by_file(scan, "/srv"), ["referred", *IDS]):
        row = shown[each.rule]
        tdp_limits, frp_limits = each.tdp_interval or each.tdp_bounds, each.frp_interval or each.frp_bounds
        assert tdp_limits and frp_limits
        assert (row["n"], row["positive"], row["verified"], row["coverage"]) == (
            each.n,
            each.positive,
            each.verified,
            each.coverage,
        )
        assert (row["tdp"], row["tdp_low"], row["tdp_high"]) == (each.tdp, *tdp_limits)
        assert (row["frp"], row["frp_low"], row["frp_high"]) == (each.frp, *frp_limits)
        assert row["per_hundred"] == round(100 * each.phi / each.verified, 1)
    sheet = browse("auditor", "dashboard", "?source=/srv&csv=rules")
    lines = list(csv.DictReader(io.StringIO(sheet.content.decode())))
    assert {line["rule"]: float(line["tdp"]) for line in lines} == {rule: each["tdp"] for rule, each in shown.items()}


def test_a_repeated_count_changes_nothing_and_keeps_decisions(scan: list[dict[str, Any]]) -> None:
    judge(make_user("ann", "reviewer"), 10)
    before = (
        list(Seen.objects.order_by("cell", "referral").values_list("cell", "files", "verdict")),
        Unexamined.objects.count(),
    )
    count_scan(scan)
    assert (
        list(Seen.objects.order_by("cell", "referral").values_list("cell", "files", "verdict")),
        Unexamined.objects.count(),
    ) == before
    assert Folder.objects.get(number=0).files == len(scan)


def test_a_vote_that_is_taken_back_is_taken_out(scan: list[dict[str, Any]]) -> None:
    ann = make_user("ann", "reviewer")
    referral = Referral.objects.order_by("pk").first()
    vote = decide(referral.pk, ann, Judgement(Verdict.PHI, "a"))
    assert set(Seen.objects.filter(referral=referral).values_list("verdict", flat=True)) == {"phi"}
    undo(vote.pk, ann)
    assert set(Seen.objects.filter(referral=referral).values_list("verdict", flat=True)) == {""}


def test_agreement_is_the_library_s(database_url: str) -> None:
    count_scan(rows(120))
    people = [make_user(name, "reviewer") for name in ("ann", "bob")]
    said: list[Decision] = []
    for number, referral in enumerate(Referral.objects.order_by("pk")[:20]):
        for place, user in enumerate(people):
            verdict = Verdict.PHI if (number + place * (number % 4 == 0)) % 2 else Verdict.NOT_PHI
            decide(referral.pk, user, Judgement(verdict, f"{number}-{place}"))
            said.append(Decision(referral.pk, user.username, verdict.value))
    expected = agreement(said, Verdict.PHI.value)
    (week,) = plot_data(browse("manager", "dashboard-queues"), "agreement")["rows"]
    assert PairedOpinion.objects.count() == week["twice"] == expected.decided_twice == 20
    assert (week["observed"], week["kappa"], week["f"]) == pytest.approx(
        (expected.observed, expected.kappa, expected.f)
    )


@pytest.mark.parametrize("radius", range(4))
def test_another_radius_flags_what_the_screen_would_flag(radius: int, scan: list[dict[str, Any]]) -> None:
    figures = figures_of("scan-1")
    assert figures is not None
    (shape,) = (each for each in figures.shapes if each.id == "screens")
    prototypes = tuple(Prototype(str(number), bits, care) for number, (bits, care) in enumerate(shape.prototypes))
    table = pack([Rule("f", shape.id, "", "", radius, True, prototypes)])
    flags = flags_of(figures, Trial("screens", radius))
    hits = [table.hits(int(bits)) for bits in figures.cells.bits]
    assert list(flags) == [any(isinstance(hit, RuleHit) for hit in found) for found in hits]


def test_what_if_tells_the_workload_and_the_rates(scan: list[dict[str, Any]]) -> None:
    judge(make_user("ann", "reviewer"), 30)
    page = browse("manager", "dashboard-what-if", "?rule=rule-0&join=and&other=rule-1")
    examined = [each for each in scan if each["status"] != "encrypted"]
    both = [each for each in examined if each["pii_bits"] & 3 == 3]
    now, then = plot_data(page, "trial")["rows"]
    flagged, new = re.findall(r'<div class="figure"><b>(\d+)</b>', page.content.decode())[:2]
    assert (then["positive"], int(flagged), int(new)) == (len(both), len(both), 0)
    assert now["positive"] == sum(each["pii_bits"] & 1 for each in examined)
    assert then["tdp"] <= now["tdp"]
    radii = plot_data(browse("manager", "dashboard-what-if", "?rule=rule-0"), "radius")["rows"]
    assert [each["positive"] for each in radii][:2] == [now["positive"], len(examined)]


def test_a_folder_is_one_source_from_wherever_it_was_named(
    database_url: str, review_settings: Callable[..., None]
) -> None:
    review_settings(double_review=0)
    for number, name in ((1, "../srv"), (2, "."), (3, "/srv")):
        count_scan(rows(150, share=name), number)
    judge(make_user("ann", "reviewer"))
    response = browse("manager", "dashboard-time")
    assert [row["scan"] for row in plot_data(response, "tdp")["rows"] if row["series"] == "referred"] == [
        "scan-1",
        "scan-2",
        "scan-3",
    ]
    assert {row["series"] for row in plot_data(response, "sources")["rows"]} == {"/srv"}
    assert source_name("smb://nas/srv", ["/srv"]) == "smb://nas/srv"
    assert source_name("srv", ["/a/srv", "/b/srv"]) == "srv"


def test_worst_cases_tell_no_trend(database_url: str, review_settings: Callable[..., None]) -> None:
    """Of the tool all is known, of P[PHI] only what was referred: a lower limit went "from 8 % to 19 %"."""
    review_settings(double_review=0)
    for number in (1, 2):
        count_scan(rows(150), number)
    judge(make_user("ann", "reviewer"))
    page = browse("manager", "dashboard-time").content.decode()
    assert "the intervals overlap, so it may be chance" in page
    (said,) = re.findall(r"/srv: \[[\d.]+ %, [\d.]+ %\] in the first scan, \[.*?; worst cases tell no trend", page)
    (point,) = {(row["value"], row["low"]) for row in plot_data(browse("manager", "dashboard-time"), "sources")["rows"]}
    assert point[0] == point[1]
    assert f"[{100 * point[1]:.1f} %" in said


def test_two_rules_in_words(scan: list[dict[str, Any]]) -> None:
    judge(make_user("ann", "reviewer"), 40)
    response = browse("auditor", "dashboard-compare", "?first=rule-0&second=rule-2")
    assert 'id="words">Nobody knows yet: rule-0 has ' in response.content.decode()
    first, _ = plot_data(response, "compare")["rows"]
    assert first["value"] is None and first["low"] < first["high"] and first["bound"] == "worst cases"
    others = [
        {**one, "stratum": "screened only" if one["screened_positive"] else "screened negative", "probability": "1/1"}
        for one in scan
        if not one["referred"] and one["status"] != "encrypted"
    ]
    Intake(facts(), Kind.NEGATIVE).take(others)
    judge(make_user("bob", "reviewer"))
    count_scan(scan)
    page = browse("auditor", "dashboard-compare", "?first=rule-0&second=rule-2").content.decode()
    assert re.search(r'id="words">rule-0 finds [^<]+ than rule-2, with [^<]+ at the 5 % level', page)


def test_over_time_has_a_point_for_each_scan(scan: list[dict[str, Any]]) -> None:
    count_scan(scan, 2)
    judge(make_user("ann", "reviewer"), 40)
    points = plot_data(browse("manager", "dashboard-time", "?rule=rule-0"), "tdp")["rows"]
    assert [each["scan"] for each in points] == ["scan-1", "scan-2"]
    largest = measured(file_by_file(scan, "/srv"), ["rule-0"])[0].tdp
    assert points[0]["value"] == points[1]["value"] == largest
    other = plot_data(browse("manager", "dashboard-time", "?rule=rule-0&source=/media/stick"), "tdp")["rows"]
    assert other[0]["value"] == measured(file_by_file(scan, "/media/stick"), ["rule-0"])[0].tdp != largest
    (only,) = plot_data(browse("manager", "dashboard-time", "?rule=rule-0&to=2026-01-06"), "tdp")["rows"]
    assert only["scan"] == "scan-1"


def test_files_that_were_not_examined_are_listed_for_managers_and_logged(scan: list[dict[str, Any]]) -> None:
    encrypted = {each["uri"] for each in scan if each["status"] == "encrypted"}
    page = browse("manager", "dashboard-files", "?status=encrypted")
    assert set(re.findall(r'class="path">([^<]+)<', page.content.decode())) == encrypted
    assert AuditEntry.objects.filter(action="unexamined files").exists()
    reasons = plot_data(browse("manager", "dashboard-scan"), "reasons")["rows"]
    assert {each["label"]: each["value"] for each in reasons}["encrypted for a reason"] == len(encrypted)
    assert "/dashboard/files/" not in browse("auditor", "dashboard-scan").content.decode()


def test_files_in_a_language_that_the_models_do_not_know_are_a_gap_too(scan: list[dict[str, Any]]) -> None:
    unknown = {**scan[0], "uri": "/srv/polish.txt", "reason": reason_not_judged("pl"), "referred": False}
    count_scan([*scan, unknown], 2)
    page = browse("manager", "dashboard-scan")
    gaps = {each["label"]: each["value"] for each in plot_data(page, "reasons")["rows"]}
    assert gaps[reason_not_judged("pl")] == 1
    listed = browse("manager", "dashboard-files", "?status=complete&reason=language+not+judged+(pl)").content.decode()
    assert "/srv/polish.txt" in listed and "1 file:" in listed


def test_folders_add_up_and_lead_down(scan: list[dict[str, Any]]) -> None:
    boxes = plot_data(browse("manager", "dashboard-folders"), "folders")["rows"]
    assert sum(each["value"] for each in boxes) == len(scan)
    assert sum(each["referred"] for each in boxes) == sum(each["referred"] for each in scan)
    below = plot_data(
        browse("manager", "dashboard-folders", next(each["link"] for each in boxes if each["label"] == "/srv/a")),
        "folders",
    )
    assert sum(each["value"] for each in below["rows"]) == sum(each["uri"].startswith("/srv/a/") for each in scan)


def test_a_reviewer_sees_the_own_work_only(scan: list[dict[str, Any]]) -> None:
    judge(make_user("ann", "reviewer"), 5)
    page = browse("reviewer", "dashboard-queues").content.decode()
    assert "data-queues" in page and "data-agreement" not in page and ">ann<" not in page


def test_names_go_when_their_time_is_over(scan: list[dict[str, Any]]) -> None:
    purged = purge(FIRST.replace(year=2027))
    assert purged.unexamined and purged.folders and not Unexamined.objects.exists() and not Folder.objects.exists()
    assert browse("manager", "dashboard-folders").status_code == browse("manager", "dashboard-files").status_code == 200


@pytest.mark.parametrize(
    "query",
    [
        "?scan=nowhere",
        "?from=x&to=9999-99-99",
        "?rules=zz",
        "?rules=%00",
        "?source=%00",
        "?folder=99999999",
        "?rule=x&radius=-1",
    ],
)
def test_any_address_is_answered(query: str, scan: list[dict[str, Any]]) -> None:
    for name in (
        "dashboard",
        "dashboard-time",
        "dashboard-compare",
        "dashboard-what-if",
        "dashboard-scan",
        "dashboard-folders",
        "dashboard-files",
    ):
        assert browse("manager", name, query).status_code == 200
    assert browse("manager", "dashboard", f"{query}&csv=nothing").status_code == 404


@pytest.mark.parametrize(
    ("source", "uri", "container", "expected"),
    [
        ("/srv", "/srv/a/b.txt", None, ("/srv", "a")),
        ("/srv", "/srv/b.txt", None, ("/srv",)),
        ("/srv/", "/srv/a/b/c.txt", None, ("/srv/", "a", "b")),
        ("/srv", "/srv/a/x.zip!in/y.txt", "/srv/a/x.zip", ("/srv", "a")),
        ("/srv", "/srv/a/x.zip!in.zip!y.txt", "/srv/a/x.zip!in.zip", ("/srv", "a")),
        ("", "/else/b.txt", None, ("/", "else")),
        ("gs://bucket", "gs://bucket/a/b.txt", None, ("gs://bucket", "a")),
    ],
)
def test_places(source: str, uri: str, container: str | None, expected: tuple[str, ...]) -> None:
    assert place_in(source, uri, container) == expected


def test_folders_above_hold_what_is_below() -> None:
    totals = folders_above({("s", "a"): [2, 1, 1], ("s", "a", "b"): [3, 3, 0], ("t",): [1, 0, 0]})
    assert totals == {
        (): [6, 4, 1],
        ("s",): [5, 4, 1],
        ("s", "a"): [5, 4, 1],
        ("s", "a", "b"): [3, 3, 0],
        ("t",): [1, 0, 0],
    }


def test_csv_holds_no_formulas_and_undefined_stays_empty() -> None:
    plot = Plot(
        "p", "bars", "", "", (Column("label", "L"), Column("value", "V", "count")), [["=cmd()", None], ["a", 3]]
    )
    assert plot.as_csv() == "label,value\n'=cmd(),\na,3\n"


@pytest.mark.parametrize(
    ("value", "how", "expected"),
    [
        (None, "rate", "–"),
        (0, "count", "0"),
        (1234, "count", "1,234"),
        (0.5, "rate", "0.500"),
        (0.004, "rate", "0.0040"),
        (1e-9, "rate", "< 0.0001"),
        (0.25, "percent", "25.0 %"),
        (90, "seconds", "90 s"),
        (7_200, "seconds", "2.0 h"),
        (86_400 * 9, "seconds", "9 days"),
        (2_500_000, "bytes", "2.5 MB"),
    ],
)
def test_values_as_people_write_them(value: Any, how: str, expected: str) -> None:
    assert written(value, how) == expected


@pytest.mark.parametrize("name", ["dashboard", "dashboard-time", "dashboard-scan", "dashboard-folders"])
def test_a_scan_that_is_not_there_is_said_to_be_not_there(name: str, scan: list[dict[str, Any]]) -> None:
    page = browse("manager", name, "?scan=xyz").content.decode()
    assert "No scan with this id was counted" in page and "No scan was counted yet" not in page
    assert "The filters leave no scan" in browse("manager", name, "?to=1999-01-01").content.decode()


def test_folders_too_many_to_draw_are_one_box_that_leads_to_them(database_url: str) -> None:
    template = rows(1)[0]
    made = [{**template, "uri": f"/srv/f{number}/a.txt", "sha256": None} for number in range(100)]
    made += [{**template, "uri": f"/srv/own {number}.txt", "sha256": None} for number in range(7)]
    count_scan(made)
    seen: set[str] = set()
    query = ""
    for expected in ("60 smaller folders", "20 smaller folders", ""):
        boxes = plot_data(browse("manager", "dashboard-folders", query), "folders")["rows"]
        rest = {each["label"]: each for each in boxes if not each["label"].startswith("f") or " " in each["label"]}
        assert rest.pop("files of this folder itself")["value"] == 7
        seen |= {
            each["label"].partition("/")[0]
            for each in boxes
            if each["label"].startswith("f") and " " not in each["label"]
        }
        assert set(rest) == ({expected} if expected else set())
        query = rest[expected]["link"] if expected else ""
    assert len(seen) == 100


def test_votes_that_were_taken_back_are_nobody_s_work(scan: list[dict[str, Any]]) -> None:
    ann = make_user("ann", "reviewer")
    judge(ann, 5)
    last = ann.votes.order_by("-pk")[0]
    undo(last.pk, ann)
    (line,) = plot_data(browse("manager", "dashboard-queues", "?from=2020-01-01"), "people")["rows"]
    assert line["value"] == 4


def test_rules_of_which_nothing_was_verified_come_last(scan: list[dict[str, Any]]) -> None:
    (first,) = Referral.objects.order_by("pk")[:1]
    decide(first.pk, make_user("ann", "reviewer"), Judgement(Verdict.NOT_PHI, "only-one"))
    rates = [each["tdp"] for each in plot_data(browse("manager", "dashboard"), "rules")["rows"]]
    known = [value is not None for value in rates]
    assert False in known and known == sorted(known, reverse=True)


def test_archives_are_opened_and_no_gap(database_url: str) -> None:
    template = rows(1)[0]
    archive = {
        **template,
        "uri": "/srv/a.zip",
        "media_type": "application/zip",
        "status": "container",
        "referred": False,
    }
    count_scan([{**template, "sha256": None}, {**archive, "sha256": None}])
    types = plot_data(browse("manager", "dashboard-scan"), "types")["rows"]
    assert {each["label"]: each["examined"] for each in types} == {"plain text": 1, "zip archive": 1}


def test_what_is_contained_is_drawn_by_scan_and_source(scan: list[dict[str, Any]]) -> None:
    (only,) = Scan.objects.all()
    assert 'id="data-containment"' not in browse("manager", "dashboard-time").content.decode()
    counts = {"found": 9, "open": 4, "contained": 3, "closed": 2, "median_days_to_close": 6.5}
    only.containment = {**counts, "by_source": {"/srv": counts, "/media/stick": {**counts, "open": 1}}, "over_time": {}}
    only.save()
    page = browse("manager", "dashboard-time")
    (row,) = plot_data(page, "containment")["rows"]
    assert (row["value"], row["contained"], row["closed"], row["found"], row["days"]) == (4, 3, 2, 9, 6.5)
    assert [one["value"] for one in plot_data(page, "containment-sources")["rows"]] == [4, 1]


def test_who_may_read_what_was_referred(database_url: str) -> None:
    made = [{**each, "referred": True, "screened_positive": True, "status": "complete"} for each in rows(9)]
    lists = (
        ["everyone, inherited"] * 3
        + ["group, group CLINIC\\Nurses, user CLINIC\\zebedee, own list"] * 4
        + ["owner", None]
    )
    count_scan([{**each, "access": access} for each, access in zip(made, lists, strict=True)])
    page = browse("manager", "dashboard-scan")
    drawn = [(one["label"], one["value"]) for one in plot_data(page, "access")["rows"]]
    assert drawn == [("everyone", 3), ("named groups or users", 4), ("the owner alone", 1), ("not known", 1)]
    assert "Everyone may read 3 of 9 referred files: begin with these. For 1 it is not known." in page.content.decode()
    readers = [(one["label"], one["value"]) for one in plot_data(page, "readers")["rows"]]
    assert readers == [("group CLINIC\\Nurses", 4), ("users by name", 4)]
    assert b"zebedee" not in page.content  # names of people are kept with findings, which have a retention
    assert browse("manager", "list", "?access=everyone").content.count(b'<td class="wide">everyone</td>') == 3
    assert plot_data(page, "access")["rows"][0]["link"] == reverse("list") + "?access=everyone"
    assert not plot_data(browse("auditor", "dashboard-scan"), "access")["rows"][0].get("link")
    client = Client(SERVER_NAME="localhost", HTTP_ACCEPT_LANGUAGE="fr")
    client.force_login(make_user("chef", "manager"))
    page = client.get(reverse("dashboard-scan"))
    assert "Tout le monde peut lire 3 des 9 fichiers signalés" in page.content.decode()
    assert plot_data(page, "access")["rows"][2]["said"] == "le propriétaire seul"


def test_people_are_drawn_by_scan_and_source(scan: list[dict[str, Any]]) -> None:
    (only,) = Scan.objects.all()
    assert 'id="data-affected"' not in browse("manager", "dashboard-time").content.decode()
    sources = {"/srv": 40, "/media/stick": 9}
    only.people = {"count": 41, "surely_distinct": 38, "at_most": 50, "known": 3, "by_source": sources}
    only.save()
    page = browse("manager", "dashboard-time")
    (row,) = plot_data(page, "affected")["rows"]
    assert (row["value"], row["least"], row["most"], row["known"]) == (41, 38, 50, 3)
    assert [one["value"] for one in plot_data(page, "affected-sources")["rows"]] == [40, 9]


def test_characteristics_that_reviewers_ticked_are_measured(database_url: str) -> None:
    Intake(facts()).take([row("/srv/a.txt"), row("/srv/b.txt"), row("/srv/c.txt")])
    ann, bob = make_user("ann", "reviewer"), make_user("bob", "reviewer")
    first, second, third = Referral.objects.order_by("pk")
    for number, (referral, user, ticked) in enumerate(
        [
            (first, ann, ("last_name", "phone_number")),
            (first, bob, ("last_name",)),
            (second, ann, ("last_name",)),
            (second, ann, ("phone_number",)),  # a later opinion replaces the earlier one
            (third, ann, ()),  # nothing is ticked: nobody may have looked
        ]
    ):
        decide(referral.pk, user, Judgement(Verdict.PHI, f"characteristics-{number}", ticked))
    undo(decide(third.pk, bob, Judgement(Verdict.PHI, "characteristics-x", ("last_name",))).pk, bob)
    rows = {line[0]: line[1:] for line in characteristics_plot().rows}
    assert {name: (line[0], line[1]) for name, line in rows.items()} == {"last name": (3, 2), "phone number": (3, 2)}
    assert rows["last name"][2] == pytest.approx(2 / 3)
    client = Client(SERVER_NAME="localhost")
    client.force_login(make_user("mia", "manager"))
    page = client.get("/dashboard/")
    assert b"Precision of each characteristic" in page.content
