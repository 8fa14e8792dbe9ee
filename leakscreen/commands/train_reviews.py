"""`leakscreen train health --from-reviews`: verified files -> what learning from them changes, and a new model."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from classifiers.container import pack
from classifiers.health import HealthModel
from classifiers.model_content import write_content
from classifiers.model_file import learned_models, load_model_bytes, model_in_use
from classifiers.training.reviews import Change, Reviewed, learn_from_reviews, preview
from core.errors import LabelError, ModelError
from core.settings import Settings, load_settings
from evaluation.labels import read_labels
from evaluation.rates import RuleCounts, RuleRates, rates
from leakscreen.commands import adopted
from leakscreen.commands.read_texts import read_documents


def learn(
    labels_file: Path, scans: Sequence[str], adopting: bool, flags: dict[str, Any], config: Path | None, as_json: bool
) -> None:
    """Shows what would change; writes only if the new version is adopted."""
    settings = load_settings(flags, config=config)
    if adopting and settings.health.model:
        raise ModelError(
            "the setting health.model names a file, so an adopted model would not be used; remove the setting first"
        )
    model = HealthModel.from_bytes(load_model_bytes(model_in_use(settings.health)))
    labels = read_labels(labels_file)
    examined = _examined(scans, labels)
    reviewed = read_again(model, labels, settings)
    if not reviewed:
        raise LabelError(
            f"{labels_file}: none of the verified files can be read any more, so there is nothing to learn from"
        )
    changes = preview(model.content, reviewed)
    file = _adopt(model, reviewed, settings, labels_file) if adopting else None
    if as_json:
        print(json.dumps(_document(len(labels), reviewed, changes, examined, file), indent=2))
        return
    print(
        f"verified files: {len(labels)}, read again: {len(reviewed)} ({sum(one.phi for one in reviewed)} of them PHI)"
    )
    _print_preview(changes, examined)
    print(
        f"in use from the next scan on: {file}"
        if file
        else "nothing was written; use --adopt to use it from the next scan on"
    )


def roll_back(flags: dict[str, Any], config: Path | None) -> None:
    adopted.roll_back(learned_models(load_settings(flags, config=config).health), "model is")


def list_versions(flags: dict[str, Any], config: Path | None, as_json: bool) -> None:
    adopted.list_versions(learned_models(load_settings(flags, config=config).health), as_json)


def _adopt(model: HealthModel, reviewed: Sequence[Reviewed], settings: Settings, labels_file: Path) -> str:
    learned = learn_from_reviews(model.content, reviewed)
    note = f"{len(reviewed)} files, {sum(one.phi for one in reviewed)} of them PHI, from {labels_file.name}"
    return str(learned_models(settings.health).adopt(pack(write_content(learned)), note))


def read_again(model: HealthModel, labels: dict[str, bool], settings: Settings) -> list[Reviewed]:
    """Re-reads the verified files in the sandbox; only term vectors of their text are kept."""
    paths = dict.fromkeys(Path(uri.partition("!")[0]) for uri in sorted(labels))
    reviewed: dict[str, Reviewed] = {}
    for document in read_documents(list(paths), settings):
        if document.uri in labels and document.segments and document.uri not in reviewed:
            reviewed[document.uri] = Reviewed(document.uri, model.vectors(document.text), labels[document.uri])
    return list(reviewed.values())


def _examined(scans: Sequence[str], labels: dict[str, bool]) -> int:
    """How many files the scans examined; a label of a file that no scan saw raises an error."""
    from pipelines.results.folder import open_scan

    unseen, examined = set(labels), 0
    for scan in scans:
        for row in open_scan(scan).rows(("uri", "status")):
            unseen.discard(row["uri"])
            examined += row["status"] in ("complete", "partial")
    if unseen:
        raise LabelError(
            f"{min(unseen)}: is labelled, but in none of the scans given by --scan ({len(unseen)} such files)"
        )
    return examined


def _measured(changes: Sequence[Change], examined: int) -> dict[str, RuleRates]:
    """TDP and FRP before and after; each file is classified by what the others taught."""
    measured = {}
    for moment, taken in (("before", [one.before for one in changes]), ("after", [one.after for one in changes])):
        phi = sum(one.phi for one, is_taken in zip(changes, taken, strict=True) if is_taken)
        measured[moment] = rates(RuleCounts(moment, examined, sum(taken), phi, sum(taken) - phi))
    return measured


def _print_preview(changes: Sequence[Change], examined: int) -> None:
    for moment, counted in _measured(changes, examined).items():
        referred = f"{counted.phi} PHI and {counted.not_phi} others referred"
        print(f"{moment:>7}: {referred}; TDP {_rate(counted.tdp)}, FRP {_rate(counted.frp)} of {examined} files")
    for one in changes:
        if one.before != one.after:
            outcome = "now referred" if one.after else "no longer referred"
            print(f"  {outcome} ({'PHI' if one.phi else 'not PHI'}): {one.uri}")
    print("each file was classified by what the others taught, and counts once")


def _document(
    verified: int, reviewed: Sequence[Reviewed], changes: Sequence[Change], examined: int, adopted: str | None
) -> dict[str, Any]:
    return {
        "verified": verified,
        "read_again": len(reviewed),
        "examined": examined,
        **{moment: asdict(counted) for moment, counted in _measured(changes, examined).items()},
        "changes": [asdict(one) for one in changes if one.before != one.after],
        "adopted": adopted,
    }


def _rate(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
