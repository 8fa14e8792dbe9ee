"""Policies of the mail gateway: what a wrong file says, who is outside, and which action wins."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import RuleError
from core.records import FileRecord, FileRef, HealthVerdict, Risk, Screening, Status
from leakscreen.gate.milter import Action, Mail
from leakscreen.gate.policy import decide, is_outside, load_policies

POLICY = '[[policy]]\nid = "{id}"\ndescription = "d"\nwhen = "{when}"\naction = "{action}"\n'
REF = FileRef("mail", b"mail", 10, 0)
CLEAR = FileRecord("s", REF, "mail", None, 10, None, "message/rfc822", Status.COMPLETE, "", 10, language="en")
PHI = replace(CLEAR, screening=Screening(positive=True, risk=Risk.HIGH), health=HealthVerdict(0.1, True), people=2)
LOCKED = replace(CLEAR, uri="mail!a.zip", container_uri="mail", status=Status.ENCRYPTED, reason="locked")


def policies_of(tmp_path: Path, *tables: str) -> Path:
    path = tmp_path / "policies.toml"
    path.write_text("\n".join(tables))
    return path


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", r"must hold tables \[\[policy\]\] and nothing else"),
        ("[policy", "is not TOML"),
        (POLICY.format(id="a", when="refered", action="hold"), "'refered', but must be one of referred"),
        (POLICY.format(id="a", when="always", action="pass"), "must be one of tag, hold, refuse"),
        (POLICY.format(id="a", when="always", action="tag") + "min_peple = 2\n", "did you mean 'min_people'"),
        (POLICY.format(id="a", when="always", action="tag") * 2, "policy 'a' is defined twice"),
        ('[[policy]]\nid = "a"\n', "the key 'description' is missing"),
    ],
)
def test_a_wrong_file_is_refused_with_the_place_and_the_remedy(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(RuleError, match=words):
        load_policies([str(policies_of(tmp_path, text))])


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="cannot be read"):
        load_policies([str(tmp_path / "gone.toml")])


@pytest.mark.parametrize(
    ("recipients", "outside"),
    [
        (["a@hospital.test"], False),
        (["a@ward.hospital.test", "b@HOSPITAL.test"], False),
        (["a@nothospital.test"], True),
        (["a@hospital.test", "b@elsewhere.test"], True),
        (["a@hospital.test.elsewhere.test"], True),
        (["root"], True),
    ],
)
def test_outside_is_whoever_has_no_address_at_our_own_domains(recipients: list[str], outside: bool) -> None:
    assert is_outside(recipients, ("hospital.test",)) is outside
    assert is_outside(recipients, ())


def test_the_strongest_action_wins_and_each_policy_marks_what_it_fits(tmp_path: Path) -> None:
    tables = [("t", "not-examined", "tag"), ("r", "referred", "refuse"), ("h", "referred", "hold")]
    policies = load_policies(
        [str(policies_of(tmp_path, *(POLICY.format(id=name, when=when, action=do) for name, when, do in tables)))]
    )
    decision = decide([LOCKED, PHI], policies, outside=True)
    assert decision.answer.action is Action.REFUSE
    assert decision.answer.header == "refuse; policy=h,r,t; risk=high; not-examined=1"
    locked, phi = decision.records
    assert locked == LOCKED  # not examined, so that no rate counts it
    assert [(hit.rule, hit.prototype) for hit in phi.screening.rules] == [("gate:r", "refuse"), ("gate:h", "hold")]
    assert decide([CLEAR], policies, outside=True).answer.action is Action.PASS


def test_the_shipped_policies_hold_what_leaves_and_tag_what_was_not_read() -> None:
    shipped = load_policies(())
    assert decide([PHI], shipped, outside=True).answer.action is Action.HOLD
    assert decide([PHI], shipped, outside=False).answer.action is Action.PASS
    assert decide([CLEAR, LOCKED], shipped, outside=True).answer.action is Action.TAG
    assert decide([replace(CLEAR, language="xx")], shipped, outside=True).answer.action is Action.TAG


def test_a_mail_beyond_the_limit_keeps_its_size_and_nothing_else() -> None:
    mail = Mail(limit=10)
    for part in (b"12345", b"678901", b"2"):
        mail.add(part)
    assert (mail.size, mail.is_too_large, mail.content()) == (12, True, b"")
