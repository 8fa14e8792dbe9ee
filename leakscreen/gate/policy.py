"""Policies as TOML, records of a mail and its envelope -> what happens to the mail, and which policies decided it."""

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from core.errors import RuleError
from core.records import EXAMINED, FileRecord, Risk, RuleHit, Status
from leakscreen.gate.milter import Action, Answer
from screening.ruleset.schema import Key, read_table

PREFIX = "gate:"  # of a policy's id among the rules of a record
_STRENGTH = {action: number for number, action in enumerate(Action)}
_RISKS = {risk: number for number, risk in enumerate((Risk.NONE, Risk.LOW, Risk.MEDIUM, Risk.HIGH))}
_WHEN = ("referred", "screened", "not-examined", "always")
_KEYS = {
    "id": Key(str),
    "description": Key(str),
    "when": Key(str, choices=_WHEN),
    "action": Key(str, choices=(Action.TAG, Action.HOLD, Action.REFUSE)),
    "recipients": Key(str, "any", choices=("any", "outside")),
    "min_risk": Key(str, Risk.NONE.value, choices=tuple(_RISKS)),
    "min_people": Key(int, 0, low=0),
    "rules": Key(tuple, ()),
    "reply": Key(str, "this message seems to contain personal health information and was not sent"),
}


@dataclass(frozen=True, slots=True)
class Policy:
    id: str
    description: str
    when: str
    action: Action
    recipients: str
    min_risk: Risk
    min_people: int
    rules: tuple[str, ...]
    reply: str

    def fits(self, record: FileRecord, is_outside: bool) -> bool:
        return (
            (is_outside or self.recipients == "any")
            and self._is_met(record)
            and _RISKS[record.screening.risk] >= _RISKS[self.min_risk]
            and record.people >= self.min_people
            and (not self.rules or any(hit.rule in self.rules for hit in record.screening.rules))
        )

    def _is_met(self, record: FileRecord) -> bool:
        if self.when == "referred":
            return record.referred
        if self.when == "screened":
            return record.screening.positive
        return self.when == "always" or not is_examined(record)


@dataclass(frozen=True, slots=True)
class Decision:
    """What happens to a mail, and its records; the policies that matched are among a record's rules."""

    answer: Answer
    records: tuple[FileRecord, ...]


def is_examined(record: FileRecord) -> bool:
    """Whether all of it was read. Types without text and pure containers have nothing to read."""
    return record.status in (Status.COMPLETE, Status.CONTAINER, Status.UNSUPPORTED) and record.judged is not False


def load_policies(names: Sequence[str]) -> tuple[Policy, ...]:
    """The policies in these files; the shipped ones if no file is named."""
    sources = [(name, _read(Path(name).expanduser())) for name in names] or [
        ("policies.toml", files("leakscreen").joinpath("gate", "policies.toml").read_text("utf-8"))
    ]
    policies = [policy for name, text in sources for policy in _parsed(name, text)]
    ids = [policy.id for policy in policies]
    if twice := next((name for name in ids if ids.count(name) > 1), None):
        raise RuleError(f"policy {twice!r} is defined twice; give each its own id")
    return tuple(policies)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RuleError(f"{path}: the policies cannot be read: {error}") from None


def _parsed(name: str, text: str) -> list[Policy]:
    try:
        document: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RuleError(f"{name}: is not TOML: {error}") from None
    tables = document.pop("policy", [])
    if document or not isinstance(tables, list) or not tables:
        raise RuleError(f"{name}: must hold tables [[policy]] and nothing else")
    policies = []
    for number, table in enumerate(tables, 1):
        values = read_table(table, _KEYS, f"{name}: policy {number}")
        values |= {"action": Action(values["action"]), "min_risk": Risk(values["min_risk"])}
        policies.append(Policy(**values))
    return policies


def is_outside(recipients: Iterable[str], own_domains: Sequence[str]) -> bool:
    """Whether at least one recipient is outside our own domains and their subdomains."""
    own = tuple(domain.lower().lstrip("@.") for domain in own_domains)
    domains = [address.rpartition("@")[2].lower() for address in recipients]
    return any(not any(name == one or name.endswith("." + one) for one in own) for name in domains)


def decide(records: Sequence[FileRecord], policies: Sequence[Policy], outside: bool) -> Decision:
    """The strongest action of all policies that match any of the records."""
    deciding: list[Policy] = []
    marked = []
    for record in records:
        fitting = [policy for policy in policies if policy.fits(record, outside)]
        deciding += fitting
        marked.append(_with_policies(record, fitting))
    if not deciding:
        return Decision(Answer(Action.PASS), tuple(marked))
    strongest = max(deciding, key=lambda policy: _STRENGTH[policy.action])
    names = sorted({policy.id for policy in deciding})
    risk = max((record.screening.risk for record in records if record.referred), key=_RISKS.__getitem__, default=None)
    facts = [f"policy={','.join(names)}", *([f"risk={risk.value}"] if risk else [])]
    left = sum(not is_examined(record) for record in records)
    facts += [f"not-examined={left}"] if left else []
    header = "; ".join((strongest.action.value, *facts))
    return Decision(Answer(strongest.action, header, strongest.reply), tuple(marked))


def _with_policies(record: FileRecord, policies: Sequence[Policy]) -> FileRecord:
    if not policies or record.status not in EXAMINED:
        return record
    hits = tuple(RuleHit(PREFIX + policy.id, policy.action.value, 0) for policy in policies)
    return replace(record, screening=replace(record.screening, rules=(*record.screening.rules, *hits)))
