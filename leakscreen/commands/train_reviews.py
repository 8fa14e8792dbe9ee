"""`leakscreen train health --from-reviews`: verified files -> what learning from them would change, and a new version of the model."""

from collections.abc import Sequence
from pathlib import Path

from classifiers.container import pack
from classifiers.health import HealthModel, load_model_bytes
from classifiers.model_content import write_content
from classifiers.reviews import Change, Reviewed, learn_from_reviews, preview
from classifiers.versions import adopt, go_back, list_versions
from core.errors import LabelError, ModelError
from core.settings import Settings, load_settings
from evaluation.labels import read_labels
from evaluation.rates import RuleCounts, rates
from leakscreen.reading import read_documents


def learn(labels_file: Path, scans: Sequence[str], out: Path | None, config: Path | None, adopting: bool) -> None:
    """Prints the preview; writes nothing unless the new version is adopted."""
    settings = load_settings({}, config=config)
    before = load_model_bytes(settings.health.model)
    model = HealthModel.from_bytes(before)
    labels = read_labels(labels_file)
    examined = _examined(scans, labels)
    reviewed = read_again(model, labels, settings)
    if not reviewed:
        raise LabelError(f"{labels_file}: none of the verified files can be read any more, so nothing can be learned from them")
    print(f"verified files: {len(labels)}, read again: {len(reviewed)} ({sum(one.phi for one in reviewed)} of them PHI)")
    _print_preview(preview(model.content, reviewed), examined)
    if not adopting:
        print("nothing was written; --adopt makes it the next version")
        return
    target = model_file(settings, out)
    learned = pack(write_content(learn_from_reviews(model.content, reviewed)))
    version = adopt(target, learned, before)
    print(f"version {version.number} is in use: {target} (kept as {version.path.name}); --back returns to the one before")
    if settings.health.model != str(target):
        print(f'scans use it once the setting health.model is "{target}"')


def back(out: Path | None, config: Path | None) -> None:
    target = model_file(load_settings({}, config=config), out)
    version = go_back(target)
    print(f"version {version.number} is in use again: {target}")


def show_versions(out: Path | None, config: Path | None) -> None:
    for version in list_versions(model_file(load_settings({}, config=config), out)):
        facts = HealthModel.from_bytes(version.path.read_bytes())
        used = "in use" if version.in_use else ""
        print(f"{version.number:>4}  {version.sha256[:12]}  {facts.prototypes:>7} prototypes  {version.path.name}  {used}".rstrip())


def model_file(settings: Settings, out: Path | None) -> Path:
    """Where versions are kept; the model that comes with leakscreen is never written over."""
    if out is not None:
        return out
    if settings.health.model:
        return Path(settings.health.model)
    raise ModelError("say with --out, or with the setting health.model, which model file is yours; the shipped one is not written over")


def read_again(model: HealthModel, labels: dict[str, bool], settings: Settings) -> list[Reviewed]:
    """Re-reads the verified files in the sandbox; of their text nothing but term vectors is kept."""
    paths = dict.fromkeys(Path(uri.partition("!")[0]) for uri in sorted(labels))
    reviewed: dict[str, Reviewed] = {}
    for document in read_documents(list(paths), settings):
        if document.uri in labels and document.segments and document.uri not in reviewed:
            reviewed[document.uri] = Reviewed(document.uri, model.vectors(document.text), labels[document.uri])
    return list(reviewed.values())


def _examined(scans: Sequence[str], labels: dict[str, bool]) -> int:
    """How many files the scans examined; labels of files that no scan saw are refused by name."""
    from pipelines.results import open_scan

    unseen, examined = set(labels), 0
    for scan in scans:
        for row in open_scan(scan).rows(("uri", "status")):
            unseen.discard(row["uri"])
            examined += row["status"] in ("complete", "partial")
    if unseen:
        raise LabelError(f"{min(unseen)}: was verified, but is in none of the scans given by --scan ({len(unseen)} such files)")
    return examined


def _print_preview(changes: Sequence[Change], examined: int) -> None:
    for moment, taken in (("before", [one.before for one in changes]), ("after", [one.after for one in changes])):
        phi = sum(one.phi for one, is_taken in zip(changes, taken, strict=True) if is_taken)
        counted = rates(RuleCounts(moment, examined, sum(taken), phi, sum(taken) - phi))
        referred = f"{phi} PHI and {sum(taken) - phi} others referred"
        print(f"{moment:>7}: {referred}; TDP {_rate(counted.tdp)}, FRP {_rate(counted.frp)} of {examined} files")
    for one in changes:
        if one.before != one.after:
            print(f"  {'now referred' if one.after else 'no longer referred'} ({'PHI' if one.phi else 'not PHI'}): {one.uri}")
    print("each file was judged by what the others taught; each counts once")


def _rate(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
