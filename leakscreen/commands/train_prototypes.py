"""`leakscreen train prototypes`: a scan and its reviews -> proposed prototypes, what they change, their adoption."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from core.columns import Reader, names_for
from core.errors import LabelError
from core.settings import RuleSettings, load_settings
from evaluation.audit import Fractions, fractions
from evaluation.contributions import Examined, Judged, container_contributions, contents_contributions, contributions
from evaluation.estimate import RuleRates, row_rates
from evaluation.keys import ALL, Key, Number
from evaluation.labels import Label, read_verified
from evaluation.tally import Sums
from leakscreen.commands import adopted
from screening.ruleset.files import learned_versions
from screening.ruleset.learned import FEW_NEGATIVES, RULE, Example, Proposal, best, proposals, rule_file
from screening.ruleset.ruleset import RuleSet, rules_of

PRESENT = "present rules"
_ROW_COLUMNS = names_for(Reader.PROTOTYPES)


@dataclass(frozen=True, slots=True)
class Choice:
    """A proposal, its rates alone and beside the present rules, and how many unreviewed files it would add.

    In the rates, a verified file counts as flagged if what the *other* files taught flags it. `of_all` are its TPF and
    FPF over all examined files, worst cases where some are unverified; the proposal's are among verified files.
    """

    proposal: Proposal
    alone: RuleRates
    of_all: Fractions
    beside: RuleRates
    unseen: int


@dataclass(frozen=True, slots=True)
class Preview:
    present: RuleRates
    choices: tuple[Choice, ...]
    chosen: Choice
    one_class: bool
    negatives: int  # verified files that are not PHI
    unchanged: tuple[str, ...]
    adopted: str | None = None
    on_containers: int = 0  # labels of archives and mails, whose members have vectors of their own

    @property
    def offers_one_class(self) -> bool:
        return not self.one_class and self.negatives < FEW_NEGATIVES


def run(
    scan: str,
    reviews: Path,
    radius: int | None,
    one_class: bool,
    adopt: bool,
    flags: dict[str, Any],
    config: Path | None,
    as_json: bool,
) -> None:
    settings = load_settings(flags, config=config).rules
    rules = _without_learned(settings)
    from pipelines.results.folder import open_scan

    folder, verified = open_scan(scan), read_verified(reviews)
    on_containers = _check_labels(folder, verified)
    preview = replace(previewed(_rows(folder), verified, rules, radius, one_class), on_containers=on_containers)
    if adopt:
        if radius is None and preview.chosen.proposal.score <= 0:
            raise LabelError(
                "no radius tells PHI files from the others better than chance (score at most 0), so none was adopted;"
                " verify more files, or name a --radius"
            )
        preview = replace(preview, adopted=_adopt(preview.chosen, rules, settings, reviews))
    if as_json:
        print(json.dumps(_document(preview), indent=2))
        return
    from leakscreen.console.prototypes import print_preview

    print_preview(preview)


def roll_back(flags: dict[str, Any], config: Path | None) -> None:
    adopted.roll_back(learned_versions(load_settings(flags, config=config).rules), "prototypes are")


def list_versions(flags: dict[str, Any], config: Path | None, as_json: bool) -> None:
    adopted.list_versions(learned_versions(load_settings(flags, config=config).rules), as_json)


def _without_learned(settings: RuleSettings) -> RuleSet:
    """Proposals are compared with the rules that people wrote, not with earlier proposals."""
    return rules_of(replace(settings, disable=tuple(name for name in settings.disable if name != RULE)), learned=False)


def _check_labels(folder: Any, verified: dict[str, Label]) -> int:
    """Refuses what `evaluate` would refuse, and says how many labels name containers, which teach nothing."""
    from pipelines.measure.count import count_in_process

    counted = count_in_process(folder, verified)
    replace(counted.misplaced, drawn_otherwise=()).refuse()
    if counted.on_containers == counted.labels:
        raise LabelError("all labels name containers (archives, mails), which teach nothing; label their members")
    return counted.on_containers


def _rows(folder: Any) -> list[dict[str, Any]]:
    from pipelines.measure.units import EXAMINED_STATUSES

    return [row for row in folder.rows(_ROW_COLUMNS) if row["status"] in EXAMINED_STATUSES]


def previewed(
    rows: Sequence[dict[str, Any]], verified: dict[str, Label], rules: RuleSet, radius: int | None, one_class: bool
) -> Preview:
    examples = _examples(rows, verified)
    if not any(one.phi for one in examples):
        raise LabelError("no reviewed file of this scan is PHI, so there is nothing to learn from yet")
    proposed = proposals(examples, rules.characteristics, one_class)
    sums = _sums(rows, examples, proposed)
    choices = tuple(
        Choice(
            proposal,
            row_rates(sums.row(_alone(proposal))),
            fractions(sums.row(_alone(proposal)), sums.rest(_alone(proposal)), sums.row(ALL)),
            row_rates(sums.row(_beside(proposal))),
            sum(
                flagged and one.phi is None and not row["screened_positive"]
                for row, one, flagged in zip(rows, examples, proposal.held_out, strict=True)
            ),
        )
        for proposal in proposed
    )
    wanted = best(proposed).radius if radius is None else radius
    return Preview(
        row_rates(sums.row(PRESENT)),
        choices,
        choices[wanted],
        one_class,
        sum(one.phi is False for one in examples),
        tuple(rule.id for rule in rules.rules if rule.same_person),
    )


def _examples(rows: Sequence[dict[str, Any]], verified: dict[str, Label]) -> list[Example]:
    """Every examined file; a label reaches all files of its content."""
    contents = [row["sha256"] or row["uri"] for row in rows]
    said = {
        content: verified[row["uri"]].phi for row, content in zip(rows, contents, strict=True) if row["uri"] in verified
    }
    return [
        Example(int(row["pii_bits"]), said.get(content), content) for row, content in zip(rows, contents, strict=True)
    ]


def _sums(rows: Sequence[dict[str, Any]], examples: Sequence[Example], proposed: Sequence[Proposal]) -> Sums:
    """Copies and members of one container stand or fall together, as in `evaluate`."""
    counts: defaultdict[Key, Number] = defaultdict(int)
    contents: defaultdict[str, list[Judged]] = defaultdict(list)
    containers: defaultdict[str, list[Judged]] = defaultdict(list)
    for place, (row, one) in enumerate(zip(rows, examples, strict=True)):
        present = (PRESENT,) if row["screened_positive"] else ()
        flagged = [proposal for proposal in proposed if proposal.held_out[place]]
        alone = tuple(_alone(proposal) for proposal in flagged)
        beside = tuple(_beside(proposal) for proposal in (proposed if present else flagged))
        outer = (row.get("container_uri") or "").partition("!")[0]
        fired = (*present, *alone, *beside)
        file = Examined(row["uri"], fired, bool(present), content=one.content, container=outer)
        judged = Judged(file, None if one.phi is None else Label(one.phi), one.content)
        contents[one.content].append(judged)
        if outer:
            containers[outer].append(judged)
        for key in contributions(file, judged.label):
            counts[key] += 1
    for add, groups in ((contents_contributions, contents), (container_contributions, containers)):
        for group in groups.values():
            for key, amount in add(group):
                counts[key] += amount
    return Sums(counts)


def _alone(proposal: Proposal) -> str:
    return f"learned, radius {proposal.radius}"


def _beside(proposal: Proposal) -> str:
    return f"present and learned, radius {proposal.radius}"


def _adopt(chosen: Choice, rules: RuleSet, settings: RuleSettings, reviews: Path) -> str:
    note = f"{len(chosen.proposal.prototypes)} prototypes, radius {chosen.proposal.radius}, from {reviews.name}"
    content = rule_file(chosen.proposal, rules.characteristics, f"Learned: {note}").encode()
    return str(learned_versions(settings).adopt(content, note))


def _document(preview: Preview) -> dict[str, Any]:
    return {
        "present": asdict(preview.present),
        "one_class": preview.one_class,
        "one_class_offered": preview.offers_one_class,
        "verified_not_phi": preview.negatives,
        "labelled_containers": preview.on_containers,
        "proposals": [
            {
                "radius": choice.proposal.radius,
                "prototypes": len(choice.proposal.prototypes),
                "cross_validated_tpf": _number(choice.proposal.tpf),
                "cross_validated_fpf": _number(choice.proposal.fpf),
                "cross_validated_tpf_bounds": choice.of_all.tpf_bounds,
                "cross_validated_fpf_bounds": choice.of_all.fpf_bounds,
                "unverified_share": _number(choice.proposal.unverified_share),
                "score": float(choice.proposal.score),
                "newly_screened_not_verified": choice.unseen,
                "alone": asdict(choice.alone),
                "beside": asdict(choice.beside),
            }
            for choice in preview.choices
        ],
        "chosen_radius": preview.chosen.proposal.radius,
        "learned_from": "whole files",
        "unchanged_rules_about_one_person": list(preview.unchanged),
        "adopted": preview.adopted,
    }


def _number(share: Any) -> float | None:
    return None if share is None else float(share)
