"""`leakscreen train prototypes`: a scan and its reviews -> proposed prototypes, what they change, their adoption."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from core.columns import Reader, names_for
from core.errors import LabelError
from core.settings import RuleSettings, load_settings
from evaluation.labels import Label, read_verified
from evaluation.tally import Examined, contributions
from leakscreen.commands import adopted
from leakscreen.commands.evaluate import measured_rules
from screening.ruleset.files import learned_versions
from screening.ruleset.learned import RULE, Proposal, count_vectors, proposals, rule_file
from screening.ruleset.ruleset import RuleSet, rules_of

PRESENT = "present rules"
_ROW_COLUMNS = names_for(Reader.PROTOTYPES)


@dataclass(frozen=True, slots=True)
class Choice:
    """A proposal, its rates alone and beside the present rules, and how many unreviewed files it would add."""

    proposal: Proposal
    alone: Any
    beside: Any
    unseen: int


def run(
    scan: str, reviews: Path, radius: int | None, adopt: bool, flags: dict[str, Any], config: Path | None, as_json: bool
) -> None:
    settings = load_settings(flags, config=config).rules
    rules = _without_learned(settings)
    verified = read_verified(reviews)
    rows = _rows(scan)
    present, choices = _choices(rows, verified, rules)
    chosen = _chosen(choices, radius)
    unchanged = [rule.id for rule in rules.rules if rule.same_person]
    file = _adopt(chosen, rules, settings, reviews) if adopt else None
    if as_json:
        print(json.dumps(_document(present, choices, chosen, unchanged, file), indent=2))
        return
    from leakscreen.console.prototypes import print_choices

    print_choices(present, choices, chosen, unchanged, file)


def roll_back(flags: dict[str, Any], config: Path | None) -> None:
    adopted.roll_back(learned_versions(load_settings(flags, config=config).rules), "prototypes are")


def list_versions(flags: dict[str, Any], config: Path | None, as_json: bool) -> None:
    adopted.list_versions(learned_versions(load_settings(flags, config=config).rules), as_json)


def _without_learned(settings: RuleSettings) -> RuleSet:
    """Proposals are compared with the rules that people wrote, not with earlier proposals."""
    return rules_of(replace(settings, disable=tuple(name for name in settings.disable if name != RULE)), learned=False)


def _rows(scan: str) -> list[dict[str, Any]]:
    from pipelines.measure.units import EXAMINED_STATUSES
    from pipelines.results.folder import open_scan

    folder = open_scan(scan)
    return [
        {**row, "scan_id": folder.scan_id} for row in folder.rows(_ROW_COLUMNS) if row["status"] in EXAMINED_STATUSES
    ]


def _choices(rows: Sequence[dict[str, Any]], verified: dict[str, Label], rules: RuleSet) -> tuple[Any, list[Choice]]:
    reviewed = [(int(row["pii_bits"]), verified[row["uri"]].phi) for row in rows if row["uri"] in verified]
    if not any(phi for _, phi in reviewed):
        raise LabelError("no reviewed file of this scan is PHI, so there is nothing to learn from yet")
    proposed = proposals(count_vectors(reviewed), rules.characteristics)
    fired = [_fired(proposed, bits) for bits in (int(row["pii_bits"]) for row in rows)]
    measured = {rates.rule: rates for rates in _measured(rows, fired, verified, proposed)}
    choices = []
    for proposal in proposed:
        unseen = sum(
            proposal.radius in radii and not row["screened_positive"] and row["uri"] not in verified
            for row, radii in zip(rows, fired, strict=True)
        )
        choices.append(Choice(proposal, measured[_alone(proposal)], measured[_beside(proposal)], unseen))
    return measured[PRESENT], choices


def _fired(proposed: Sequence[Proposal], bits: int) -> frozenset[int]:
    return frozenset(proposal.radius for proposal in proposed if proposal.fires(bits))


def _measured(
    rows: Sequence[dict[str, Any]],
    fired: Sequence[frozenset[int]],
    verified: dict[str, Label],
    proposed: Sequence[Proposal],
) -> Any:
    from pipelines.measure.count import as_counts

    counts: Counter[Any] = Counter()
    left = set(verified)
    for row, radii in zip(rows, fired, strict=True):
        present = (PRESENT,) if row["screened_positive"] else ()
        alone = tuple(_alone(proposal) for proposal in proposed if proposal.radius in radii)
        beside = tuple(_beside(proposal) for proposal in proposed if proposal.radius in radii or present)
        label = verified.get(row["uri"])
        left.discard(row["uri"])
        counts.update(contributions(Examined(row["uri"], (*present, *alone, *beside)), label))
    if left and len(left) == len(verified):
        raise LabelError(
            f"none of the {len(left)} reviewed files was examined by this scan; do the reviews belong to another scan?"
        )
    names = [PRESENT, *(name for proposal in proposed for name in (_alone(proposal), _beside(proposal)))]
    return measured_rules(as_counts(counts, names))


def _alone(proposal: Proposal) -> str:
    return f"learned, radius {proposal.radius}"


def _beside(proposal: Proposal) -> str:
    return f"present and learned, radius {proposal.radius}"


def _chosen(choices: Sequence[Choice], radius: int | None) -> Choice:
    """By default the radius with the most PHI files found by prototypes of other files, minus known false referrals."""
    if radius is not None:
        return choices[radius]
    return max(
        choices, key=lambda choice: (choice.proposal.found_by_others - choice.alone.not_phi, -choice.proposal.radius)
    )


def _adopt(chosen: Choice, rules: RuleSet, settings: RuleSettings, reviews: Path) -> str:
    note = f"{len(chosen.proposal.prototypes)} prototypes, radius {chosen.proposal.radius}, from {reviews.name}"
    content = rule_file(chosen.proposal, rules.characteristics, f"Learned: {note}").encode()
    return str(learned_versions(settings).adopt(content, note))


def _document(
    present: Any, choices: Sequence[Choice], chosen: Choice, unchanged: Sequence[str], adopted: str | None
) -> dict[str, Any]:
    return {
        "present": asdict(present),
        "proposals": [
            {
                "radius": choice.proposal.radius,
                "prototypes": len(choice.proposal.prototypes),
                "found_by_others": choice.proposal.found_by_others,
                "newly_screened_not_verified": choice.unseen,
                "alone": asdict(choice.alone),
                "beside": asdict(choice.beside),
            }
            for choice in choices
        ],
        "chosen_radius": chosen.proposal.radius,
        "learned_from": "whole files",
        "unchanged_rules_about_one_person": list(unchanged),
        "adopted": adopted,
    }
