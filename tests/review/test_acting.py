"""From a case to a contained file: asked for in the service, carried out by the command that may touch the file."""

import dataclasses
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.db import connections
from django.urls import reverse

from core.settings import Settings, load_settings
from leakscreen.commands.act_cases import take_wishes
from leakscreen.commands.act_setup import Setup, opened
from leakscreen.commands.refer import refer
from remediation.action import State
from remediation.register import in_state
from remediation.run import Runner
from review.acting.asking import MOST_FILES, propose, wish_for
from review.acting.following import close_gone
from review.audit import verify
from review.cases.cases import CaseError
from review.models import AuditEntry, Case, CaseAction, Referral, ReferralPath, Verdict, Vote, Wish
from review.referrals.voting import Judgement, decide, undo
from tests.end_to_end.conftest import KEY, run_leakscreen
from tests.end_to_end.test_canary import letter, needles, people
from tests.review.conftest import make_user
from tests.review.test_access import browser
from tests.review.test_api import Program, is_problem

pytestmark = pytest.mark.usefixtures("database_url")
SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A share of three letters, one of them in two places, and its scan by the real command."""
    place = tmp_path_factory.mktemp("acting")
    (place / "share").mkdir()
    for name, who in (("a", 0), ("b", 1), ("b again", 1), ("c", 2)):
        (place / "share" / f"{name}.txt").write_text(letter(people()[who]))
    ran = run_leakscreen(place / "home", ["scan", place / "share", "--out", place / "out", "--quiet"])
    assert ran.code == 0, ran.err
    return place


class Office:
    """A review service that has taken in the scan, and the command's side of it."""

    def __init__(self, scanned: Path, own: Path, database_url: str) -> None:
        self.share, self.own, self.url = scanned / "share", own, database_url
        self.before = {path: path.read_bytes() for path in self.share.iterdir()}
        self.environ = {
            "LEAKSCREEN_REVIEW_DATABASE": database_url,
            "LEAKSCREEN_SECRET_KEY": KEY,
            "LEAKSCREEN_ACT_FOLDER": str(own / "act"),
            "LEAKSCREEN_ACT_KEY_FILE": str(own / "vault.key"),
        }
        refer(str(scanned / "out"), self.settings())
        self.ann, self.bob = make_user("ann", "reviewer"), make_user("bob", "manager")

    def command(self, *words: str | Path) -> str:
        connections.close_all()
        ran = run_leakscreen(self.own / "home", words, environ=self.environ)
        assert ran.code == 0, ran.err
        return ran.out

    def case(self, name: str) -> Case:
        """Of the file of that name; ann is the only reviewer, so her vote decides."""
        referral = Referral.objects.get(paths__uri__endswith=f"/{name}.txt")
        decide(referral.pk, self.ann, Judgement(Verdict.PHI, f"{name}-token-token-token"))
        case: Case = Case.objects.get(pk=referral.pk)
        return case

    def settings(self) -> Settings:
        return load_settings({}, environ={**self.environ, "LEAKSCREEN_HMAC_KEY": KEY})

    def passes(self) -> list[str]:
        """What `leakscreen act run` does, in this process; the states of what ended."""
        with opened(self.settings()) as setup:
            return [action.state.value for action in carried_out(setup)]

    def text(self, name: str) -> bytes:
        return (self.share / f"{name}.txt").read_bytes()

    def restore(self) -> None:
        for path, content in self.before.items():
            path.write_bytes(content)


def carried_out(setup: Setup) -> list[Any]:
    runner = Runner(setup.register, setup.here, setup.who)
    return [*take_wishes(setup), *runner.run(in_state(setup.register.actions, State.APPROVED))]


@pytest.fixture
def office(scanned: Path, tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", KEY)
    made = Office(scanned, tmp_path, database_url)
    yield made
    made.restore()


def ids(case: Case) -> list[str]:
    return list(CaseAction.objects.filter(case=case).values_list("pk", flat=True))


def test_two_people_contain_the_files_of_a_case_and_one_gets_them_back(office: Office) -> None:
    """Both copies of one content."""
    case = office.case("b")
    assert propose(case, "ann", "quarantine") == 2
    office.passes()
    rows = list(CaseAction.objects.all())
    assert {(row.state, row.wish, row.fault) for row in rows} == {("proposed", "", "")}
    assert all("seal its content" in row.steps[0] for row in rows) and office.text("b") == office.text("b again")
    with pytest.raises(CaseError, match="somebody else approves it"):
        wish_for(case, "ann", Wish.APPROVE, ids(case))
    wish_for(case, "bob", Wish.APPROVE, ids(case))
    office.passes()
    assert Case.objects.get(pk=case.pk).state == "contained"
    assert b"privacy office" in office.text("b") and b"privacy office" in office.text("b again")
    assert {row.approved_by for row in CaseAction.objects.all()} == {"bob"}
    wish_for(case, "ann", Wish.UNDO, ids(case)[:1])
    office.passes()
    assert Case.objects.get(pk=case.pk).state == "open"
    assert sorted(row.state for row in CaseAction.objects.all()) == ["done", "undone"]
    notes = [event.note for event in case.events.filter(actor="leakscreen act", kind="note")]
    assert len(notes) == 3 and all(note.startswith("Quarantine ") for note in notes)
    actions = list(AuditEntry.objects.filter(action__startswith="act").values_list("actor", "action"))
    assert [one for one in actions if one[1] != "act"] == [
        ("ann", "act proposed"),
        ("bob", "act approve"),
        ("ann", "act undo"),
    ]
    assert verify()[1] == []


@SQLITE
def test_nothing_that_somebody_writes_into_the_database_reaches_another_file(office: Office) -> None:
    """Neither a path, nor an id that leaves the vault, nor an approval by the one who proposed."""
    case = office.case("a")
    other = office.own / "other.txt"
    other.write_bytes(office.text("a"))
    propose(case, "ann", "quarantine")
    (row,) = CaseAction.objects.all()
    CaseAction.objects.filter(pk=row.pk).update(uri=str(other))
    office.passes()
    row.refresh_from_db()
    assert (row.state, row.note) == ("left alone", "the results of the scan do not refer this file")
    propose(case, "ann", "quarantine")
    CaseAction.objects.filter(state="asked").update(id="../../escape")
    assert office.passes() == [] and not list(office.own.rglob("*escape*"))
    CaseAction.objects.filter(pk="../../escape").delete()
    propose(case, "ann", "restrict")
    office.passes()
    CaseAction.objects.filter(kind="restrict").update(wish="approve", wished_by="ann")
    assert office.passes() == []
    assert "somebody else approves it" in CaseAction.objects.get(kind="restrict").note
    CaseAction.objects.filter(kind="restrict").update(kind="delete", wish="approve", wished_by="bob")
    office.passes()
    assert office.text("a") and (office.share / "a.txt").stat().st_mode & 0o777 == 0o600  # what was proposed
    assert other.read_bytes() == office.text("a")


@SQLITE
def test_a_file_that_changed_and_a_decision_that_was_taken_back(office: Office) -> None:
    case = office.case("c")
    propose(case, "ann", "quarantine")
    (office.share / "c.txt").write_text("something else")
    office.passes()
    row = CaseAction.objects.get()
    assert "no longer what was judged" in row.fault
    with pytest.raises(CaseError, match="left alone"):
        wish_for(case, "bob", Wish.APPROVE, [row.pk])
    office.restore()
    wish_for(case, "bob", Wish.REJECT, [row.pk])
    office.passes()
    assert CaseAction.objects.get().state == "rejected"
    propose(case, "ann", "label")
    office.passes()
    label = CaseAction.objects.get(kind="label")
    wish_for(case, "bob", Wish.APPROVE, [label.pk])
    for vote in Vote.objects.order_by("-number"):
        undo(vote.pk, vote.reviewer)
    assert Case.objects.get(pk=case.pk).state == "void" and office.passes() == []
    assert "taken back" in CaseAction.objects.get(kind="label").note
    with pytest.raises(CaseError, match="void"):
        propose(Case.objects.get(pk=case.pk), "ann", "quarantine")


@SQLITE
def test_a_run_that_is_killed_between_journal_and_case_goes_on(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The wish is still there, and the journal has it already: it is fulfilled once."""
    case = office.case("a")
    propose(case, "ann", "quarantine")
    for wish in (None, "approve", "undo"):
        if wish:
            wish_for(case, "bob", Wish(wish), ids(case))
        before = CaseAction.objects.values("wish", "wished_by", "state", "note").get()
        office.passes()
        CaseAction.objects.update(**before)  # as if nothing of it had reached the database
        office.passes()
    row = CaseAction.objects.get()
    assert (row.state, row.wish) == ("undone", "")
    journal = [json.loads(line) for line in (office.own / "act" / "journal.jsonl").read_text().splitlines()]
    assert [entry["event"] for entry in journal] == ["proposed", "approved", "begun", "done", "undoing", "undone"]
    assert office.text("a") == office.before[office.share / "a.txt"]


@SQLITE
def test_actions_of_the_command_line_are_in_the_case_and_hold_no_value(office: Office) -> None:
    case = office.case("a")
    out = office.share.parent / "out"
    (action,) = json.loads(office.command("act", "propose", out, "--do", "label", "--only", "*/a.txt", "--json"))
    row = CaseAction.objects.get()
    assert (row.pk, row.case_id, row.kind, row.state) == (action["id"], case.pk, "label", "proposed")
    client = browser(office.bob)
    page = client.get(reverse("case", args=[case.pk])).content.decode()
    assert "waits for approval" in page and 'value="approve"' in page
    client.post(reverse("case-act-wish", args=[case.pk]), {"wish": "approve", "action": row.pk})
    office.passes()
    assert CaseAction.objects.get().state == "done"
    stored = json.dumps(list(CaseAction.objects.values("uri", "steps", "fault", "note"))).lower()
    stored += (office.own / "act" / "journal.jsonl").read_text().lower()
    assert not [needle for one in people() for needle in needles(one) if needle.decode() in stored]


@SQLITE
def test_a_case_is_closed_when_the_next_scan_finds_its_content_no_more(office: Office) -> None:
    """Of both places; a case with one of them left stays."""
    case = office.case("b")
    propose(case, "ann", "quarantine")
    office.passes()
    wish_for(case, "bob", Wish.APPROVE, ids(case))
    office.passes()
    out = office.own / "out"
    shutil.copytree(office.share.parent / "out", out)
    ran = run_leakscreen(office.own / "home", ["scan", office.share, "--out", out, "--quiet"])
    assert ran.code == 0, ran.err
    refer(str(out), office.settings())
    assert Case.objects.get(pk=case.pk).state == "closed"
    assert "no longer finds" in case.events.last().note
    assert close_gone({(str(office.share / "a.txt"), office.case("a").referral.sha256)}) == 1
    assert close_gone(set()) == 0


@SQLITE
def test_what_cannot_be_asked_for(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    case = office.case("a")
    client = browser(office.ann)
    for data in ({"kind": "delete"}, {"kind": "move"}, {"kind": "x"}, {}):
        client.post(reverse("case-act", args=[case.pk]), data)
    assert not CaseAction.objects.exists()
    here = django_settings.LEAKSCREEN
    with_delete = dataclasses.replace(here.act, from_cases=("delete",))
    monkeypatch.setattr(django_settings, "LEAKSCREEN", dataclasses.replace(here, act=with_delete))
    client.post(reverse("case-act", args=[case.pk]), {"kind": "delete"})
    assert CaseAction.objects.get().kind == "delete"
    for wish, chosen in (("approve", []), ("x", ids(case)), ("undo", ids(case))):
        client.post(reverse("case-act-wish", args=[case.pk]), {"wish": wish, "action": chosen})
    assert CaseAction.objects.get().wish == "propose"
    office.passes()  # the command's own settings do not offer it
    assert CaseAction.objects.get().note == "delete is not among act.from_cases"
    paths = [
        ReferralPath(id=f"{n:032}", referral=case.referral, place=f"{n}", uri=f"/srv/{n}", scan=case.referral.last_scan)
        for n in range(MOST_FILES)
    ]
    ReferralPath.objects.bulk_create(paths)
    with pytest.raises(CaseError, match="leakscreen act propose"):
        propose(case, "ann", "delete")


@SQLITE
def test_programs_propose_and_approve_as_two_people_do(office: Office) -> None:
    case = office.case("a")
    ann, bob = Program(office.ann), Program(office.bob)
    where = f"/cases/{case.pk}/actions"
    (proposed,) = ann.post(where, {"kind": "quarantine"}).json()
    assert (proposed["state"], proposed["wish"], proposed["proposed_by"]) == ("asked", "propose", "ann")
    assert is_problem(ann.post(where, {"kind": "quarantine"}), 409)
    office.passes()
    (seen,) = bob.get(where).json()
    assert seen["state"] == "proposed" and seen["steps"]
    approval = {"wish": "approve", "actions": [seen["id"]]}
    assert is_problem(ann.post(f"{where}/wish", approval), 409)
    assert bob.post(f"{where}/wish", approval).json()[0]["wish"] == "approve"
    office.passes()
    assert bob.get(where).json()[0]["state"] == "done"
    assert is_problem(bob.post(f"{where}/wish", {"wish": "undo", "actions": ["00000000"]}), 409)
