"""Scans one after the other -> what is open, contained and closed; a scan that cannot know closes nothing."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from extraction.extract import NESTING
from pipelines.stages.file_name import NAME
from remediation.action import Action, Kind, State, Target
from remediation.status import Cases, Look, figures_of
from remediation.targets import MEMBER, NAME_OF_FILE, targets_of

START = datetime(2026, 11, 1, 12, tzinfo=UTC)
FILE = Target("/srv/a.txt", "/srv/a.txt", "1" * 64, source="/srv")


def look(day: int, found: tuple[Target, ...] = (), **facts: Any) -> Look:
    there = {target.uri: target.sha256 for target in found}
    first = Look(f"scan-{day}", START + timedelta(days=day), ("/srv",), True, found, there)
    return replace(first, **facts)


def states(*looks: Look) -> list[str]:
    cases = Cases()
    for one in looks:
        cases.see(one)
    return [case.state for case in cases.by_place.values()]


@pytest.mark.parametrize(
    ("second", "state"),
    [
        (look(3), "closed"),
        (look(3, there={FILE.uri: "2" * 64}), "closed"),  # other content is there now
        (look(3, there={FILE.uri: FILE.sha256}), "open"),  # it is there, whatever the verdict is now
        (look(3, there={FILE.uri: None}), "open"),  # nobody could read it
        (look(3, unreadable=["/srv"]), "open"),  # nor the folder above it
        (look(3, sources=("/home",)), "open"),  # a scan of another place
        (look(3, sources=("/sr",)), "open"),
        (look(3, whole=False), "open"),  # a sample
        (look(3, (FILE,)), "open"),
    ],
)
def test_only_a_scan_that_saw_the_place_closes(second: Look, state: str) -> None:
    assert states(look(0, (FILE,)), second) == [state]


def test_what_comes_back_is_open_again() -> None:
    assert states(look(0, (FILE,)), look(1), look(2, (FILE,))) == ["open"]
    assert states(look(0, (FILE,)), look(1), look(2, (FILE,)), look(3)) == ["closed"]


def test_figures_count_by_source_and_day_with_the_median() -> None:
    others = tuple(Target(f"/srv/{n}", f"/srv/{n}", f"{n}" * 64, source="/srv") for n in range(2, 5))
    cases = Cases()
    for one in (look(0, (FILE, *others)), look(2, others), look(7, others[1:])):
        cases.see(one)
    done = Action("a", Kind.QUARANTINE, others[2], State.DONE, "alice", "", done_at="2026-11-03T00:00:00+00:00")
    cases.act([done, replace(done, id="b", target=others[1], state=State.UNDONE), replace(done, kind=Kind.TELL)])
    figures = figures_of(cases.by_place.values())
    assert {name: figures[name] for name in ("found", "open", "contained", "closed", "median_days_to_close")} == {
        "found": 4,
        "open": 1,
        "contained": 1,
        "closed": 2,
        "median_days_to_close": 4.5,
    }
    assert figures["by_source"]["/srv"]["found"] == 4
    assert figures["over_time"]["2026-11-03"] == {"found": 0, "contained": 1, "closed": 1}


def row(uri: str, **facts: Any) -> dict[str, Any]:
    blank = dict.fromkeys(("path", "container_uri", "owner", "source", "access", "mtime", "evidence"))
    return {**blank, "uri": uri, "sha256": "1" * 64, "size": 1, "risk": "low", **facts}


def test_members_stand_for_the_file_around_them_also_where_names_have_the_mark() -> None:
    outer = {"/srv/wow!.zip": row("/srv/wow!.zip", sha256="2" * 64)}
    members = [row(f"/srv/wow!.zip!in.zip!{name}", container_uri="/srv/wow!.zip!in.zip") for name in "ab"]
    members[1]["risk"] = "high"
    chosen = targets_of([*members, row("/srv/b.txt")], outer, ["/srv"])
    archive, plain = chosen.targets
    assert (archive.uri, archive.sha256, archive.members, archive.risk) == ("/srv/wow!.zip", "2" * 64, 2, "high")
    assert (plain.members, plain.source) == (0, "/srv")


def test_what_was_not_hashed_as_a_whole_is_no_target() -> None:
    chosen = targets_of([row("/srv/large", sha256=None), row("/srv/x.zip!a", container_uri="/srv/x.zip")], {})
    assert chosen.targets == () and chosen.without_hash == ("/srv/large", "/srv/x.zip!a")


def test_a_name_that_tells_is_known() -> None:
    (target,) = targets_of([row("/srv/Maria K.txt", evidence=[{"where": "name of the file"}])], {}).targets
    assert target.name_tells


def test_words_of_other_rooms_are_the_same_here() -> None:
    assert (MEMBER, NAME_OF_FILE) == (NESTING, NAME)
