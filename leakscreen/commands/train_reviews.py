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
from classifiers.training.reviews import Change, Reviewed, learn_from_reviews, preview, stack
from core.errors import LabelError, ModelError
from core.settings import Settings, load_settings
from evaluation.estimate import RuleRates, rates
from evaluation.labels import read_labels
from evaluation.rates import RuleCounts
from leakscreen.commands import adopted
from leakscreen.commands.read_texts import read_documents
from screening.privacy.key import load_key
from screening.ruleset.allowlist import Allowed
from screening.ruleset.learned import FEW_NEGATIVES
from screening.screen import Screen

_WITHOUT_PASSAGES = (
    "the model in use is older than passages and judges each passage as a whole document; to learn passages, return to"
    " the model that comes with leakscreen (`leakscreen train health --rollback`), then learn from all reviews again"
)


def learn(
    labels_file: Path,
    scans: Sequence[str],
    one_class: bool,
    adopting: bool,
    flags: dict[str, Any],
    config: Path | None,
    as_json: bool,
) -> None:
    """Shows what would change; writes only if the new version is adopted."""
    settings = load_settings(flags, config=config)
    if adopting and settings.health.model:
        raise ModelError(
            "the setting health.model names a file, so an adopted model would not be used; remove the setting first"
        )
    model = _model_in_use(settings)
    labels = read_labels(labels_file)
    examined = _examined(scans, labels)
    reviewed = read_again(model, labels, settings)
    if not reviewed:
        raise LabelError(
            f"{labels_file}: none of the verified files can be read any more, so there is nothing to learn from"
        )
    changes = preview(model.content, reviewed, one_class)
    file = _adopt(model, reviewed, one_class, settings, labels_file) if adopting else None
    if as_json:
        print(json.dumps(_document(len(labels), reviewed, changes, examined, file), indent=2))
        return
    print(
        f"verified files: {len(labels)}, read again: {len(reviewed)} ({sum(one.phi for one in reviewed)} of them PHI)"
    )
    if model.passages is None:
        print(_WITHOUT_PASSAGES)
    negatives = sum(not one.phi for one in reviewed)
    if negatives < FEW_NEGATIVES and not one_class:
        print(f"only {negatives} of them are not PHI; with so few, --one-class learns from PHI files alone")
    _print_preview(changes, examined)
    for one in _teachless(reviewed):
        print(f"  no passage to learn from ({'PHI' if one.phi else 'not PHI'}): {one.uri}")
    print(
        f"in use from the next scan on: {file}"
        if file
        else "nothing was written; use --adopt to use it from the next scan on"
    )


def roll_back(flags: dict[str, Any], config: Path | None) -> None:
    adopted.roll_back(learned_models(load_settings(flags, config=config).health), "model is")


def list_versions(flags: dict[str, Any], config: Path | None, as_json: bool) -> None:
    adopted.list_versions(learned_models(load_settings(flags, config=config).health), as_json)


def _model_in_use(settings: Settings) -> HealthModel:
    file = model_in_use(settings.health)
    raw = load_model_bytes(file)
    try:
        return HealthModel.from_bytes(raw)
    except ModelError as error:
        raise ModelError(f"{file}: {error}") from None


def _adopt(
    model: HealthModel, reviewed: Sequence[Reviewed], one_class: bool, settings: Settings, labels_file: Path
) -> str:
    learned = learn_from_reviews(model.content, reviewed, one_class)
    note = f"{len(reviewed)} files, {sum(one.phi for one in reviewed)} of them PHI, from {labels_file.name}"
    return str(learned_models(settings.health).adopt(pack(write_content(learned)), note))


def read_again(model: HealthModel, labels: dict[str, bool], settings: Settings) -> list[Reviewed]:
    """Re-reads the verified files in the sandbox; only vectors of the passages that a scan would judge are kept."""
    from pipelines.stages.asides import judged_text
    from pipelines.stages.screen import screen_documents
    from pipelines.stages.stream import Stream

    paths = dict.fromkeys(Path(uri.partition("!")[0]) for uri in sorted(labels))
    documents = (one for one in read_documents(list(paths), settings) if one.uri in labels and one.segments)
    vectors: dict[str, list[Any]] = {}
    screened: dict[str, bool] = {}
    for document, screening in screen_documents(Stream(0, iter(()), []), documents, _screen(settings)):
        passages = list(map(judged_text(document).passage, screening.candidates))
        vectors.setdefault(document.uri, []).append(model.passage_vectors(passages))
        screened[document.uri] = screening.positive  # of a text in windows the last one knows
    return [Reviewed(uri, stack(parts), labels[uri], screened[uri]) for uri, parts in vectors.items()]


def _screen(settings: Settings) -> Screen:
    from pipelines.bundle.inputs import read_inputs

    inputs = read_inputs(settings)
    allowed = Allowed.from_json(inputs.decisive.allowed)
    return Screen(inputs.rules(), load_key(settings.privacy.key_file), evidence=0, allowed=allowed)


def _teachless(reviewed: Sequence[Reviewed]) -> list[Reviewed]:
    """Files without a passage that names a possible patient and has medical terms enough."""
    return sorted((one for one in reviewed if not one.vectors.shape[0]), key=lambda one: one.uri)


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
        print(f"{moment:>7}: {referred}; TDP ≥{_rate(counted.tdp)}, FRP ≥{_rate(counted.frp)} of {examined} files")
    for one in changes:
        if one.before != one.after:
            outcome = "now referred" if one.after else "no longer referred"
            print(f"  {outcome} ({'PHI' if one.phi else 'not PHI'}): {one.uri}")
    print("each file was judged by what the others taught, and counts once; ≥: files that nobody verified may add")


def _document(
    verified: int, reviewed: Sequence[Reviewed], changes: Sequence[Change], examined: int, adopted: str | None
) -> dict[str, Any]:
    return {
        "verified": verified,
        "read_again": len(reviewed),
        "examined": examined,
        **{moment: asdict(counted) for moment, counted in _measured(changes, examined).items()},
        "no_passage": [one.uri for one in _teachless(reviewed)],
        "changes": [asdict(one) for one in changes if one.before != one.after],
        "adopted": adopted,
    }


def _rate(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
