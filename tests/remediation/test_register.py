"""Four eyes: who may approve what, what may follow what, and what a policy proposes."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.errors import RemediationError, SettingsError
from core.settings.act import PolicySettings
from remediation.action import Kind, State, Target
from remediation.journal import Journal
from remediation.policy import check_policies, proposals_of
from remediation.register import Register
from tests.remediation.trial import KEY, Trial

TARGET = Target("/srv/a.txt", "/srv/a.txt", "0" * 64)


def register_at(folder: Path, *one_person: str) -> Register:
    return Register(Journal.open(folder, KEY), frozenset(one_person))


def test_nobody_approves_what_they_proposed(tmp_path: Path) -> None:
    register = register_at(tmp_path)
    action = register.propose("alice", Kind.QUARANTINE, TARGET)
    assert action is not None
    with pytest.raises(RemediationError, match="somebody else approves it"):
        register.approve("alice", action)
    assert register.approve("bob", action).state is State.APPROVED


def test_a_setting_lets_one_person_do_one_kind_of_action(tmp_path: Path) -> None:
    register = register_at(tmp_path, "quarantine")
    action = register.propose("alice", Kind.QUARANTINE, TARGET)
    other = register.propose("alice", Kind.DELETE, TARGET)
    assert action is not None and other is not None
    assert register.approve("alice", action).approved_by == "alice"
    with pytest.raises(RemediationError, match="somebody else"):
        register.approve("alice", other)


def test_what_was_not_approved_is_not_carried_out(tmp_path: Path) -> None:
    trial = Trial(tmp_path)
    path = tmp_path / "a.txt"
    path.write_bytes(b"content")
    action = trial.register.propose("alice", Kind.DELETE, TARGET)
    assert action is not None
    with pytest.raises(RemediationError, match="only what is approved"):
        trial.run(action)
    with pytest.raises(RemediationError, match="only what is approved"):
        trial.run(trial.register.reject("bob", action, "no"))
    assert path.read_bytes() == b"content"


def test_the_register_is_the_same_when_the_journal_is_read_again(tmp_path: Path) -> None:
    register = register_at(tmp_path)
    for kind in Kind:
        assert register.propose("alice", kind, TARGET, options={"to": "/x"}, reason="why", policy="p")
    register.approve("bob", register.actions[0])
    register.reject("bob", register.actions[1], "no")
    assert register_at(tmp_path).actions == register.actions


def test_proposing_twice_changes_nothing_until_it_was_rejected(tmp_path: Path) -> None:
    register = register_at(tmp_path)
    action = register.propose("alice", Kind.QUARANTINE, TARGET)
    assert action is not None
    assert register.propose("carol", Kind.QUARANTINE, TARGET) is None
    register.reject("bob", action, "")
    assert register.propose("carol", Kind.QUARANTINE, TARGET) is not None


def test_ids_may_be_shortened_but_not_ambiguous(tmp_path: Path) -> None:
    register = register_at(tmp_path)
    for id in ("aa000001", "aa000002", "bb000003"):
        register.record("alice", "proposed", id, _facts(f"/srv/{id}"))
    assert [action.id for action in register.find(["b", "aa000001"])] == ["bb000003", "aa000001"]
    for word in ("aa", "zz", ""):
        with pytest.raises(RemediationError, match="act list"):
            register.find([word])


def _facts(uri: str) -> dict[str, object]:
    target = {"uri": uri, "path": uri, "sha256": "0" * 64}
    return {"kind": "label", "target": target, "scan_id": "", "policy": "", "reason": "", "options": {}}


NOW = datetime(2026, 11, 17, tzinfo=UTC)
OLD, NEW = "2025-01-01T00:00:00", "2026-11-01T00:00:00+00:00"


@pytest.mark.parametrize(
    ("target", "proposed"),
    [
        (Target("/srv/a", "", "", risk="high", access="everyone", mtime=OLD), True),
        (Target("/srv/b", "", "", risk="high", access="everyone", mtime=OLD), False),  # nobody verified it
        (Target("/srv/a", "", "", risk="medium", access="everyone", mtime=OLD), False),
        (Target("/srv/a", "", "", risk="high", access="group, user ann", mtime=OLD), False),
        (Target("/srv/a", "", "", risk="high", access="everyone, user ann", mtime=OLD), True),
        (Target("/srv/a", "", "", risk="high", access="everyone", mtime=NEW), False),
        (Target("/srv/a", "", "", risk="high", access="everyone", mtime=""), False),
    ],
)
def test_a_policy_proposes_what_meets_every_condition(target: Target, proposed: bool) -> None:
    policy = PolicySettings(name="old and open", risk=("high",), access=("everyone",), older_than_days=365)
    assert [one for _, one in proposals_of([policy], [target], {"/srv/a"}, NOW)] == [target] * proposed


@pytest.mark.parametrize(
    "policies",
    [
        [PolicySettings()],
        [PolicySettings(name="a"), PolicySettings(name="a")],
        [PolicySettings(name="a", do="move")],
        [PolicySettings(name="a", do="replace")],
    ],
)
def test_a_policy_that_cannot_work_is_refused(policies: list[PolicySettings]) -> None:
    with pytest.raises(SettingsError, match=r"\[\[policy\]\]"):
        check_policies(policies)
