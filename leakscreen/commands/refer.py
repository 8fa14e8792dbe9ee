"""`leakscreen refer`: the positives of a scan -> referrals in the review service; running it again changes nothing."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from core.errors import LeakscreenError, OutputError
from core.in_words import counted
from core.log import WARNING, log_event
from core.records import EXAMINED
from core.settings import Settings, load_and_configure_log
from evaluation.design import NEGATIVE, SCREENED_ONLY
from evaluation.draw import Reservoir, allocate
from leakscreen.commands.sample import frame_of
from leakscreen.console.next_step import print_next
from review.service.configuration import configure

_AT_LEAST = 2  # of a stratum, so that its variance can be estimated


def run(scan: str, flags: dict[str, Any], config: Path | None, screened: bool, audit: int, as_json: bool) -> None:
    settings = load_and_configure_log(flags, config)
    counts = refer(scan, settings, screened, audit)
    if as_json:
        print(json.dumps(counts, indent=2))
        return
    print_counts(counts)
    print_next("judge them in a browser", "review", "--out", scan)


def refer(scan: str, settings: Settings, screened: bool = False, audit: int = 0) -> dict[str, Any]:
    """What became of the scan's rows, as counts."""
    configure(settings)
    from pipelines.results.folder import open_scan
    from review.groups.grouping import group_referrals
    from review.models import Kind
    from review.referrals.blind import make_blind
    from review.referrals.intake import COLUMNS, Intake
    from review.referrals.sampling import draw_scan
    from review.service.anchor import keep_head
    from review.service.first_start import ensure_database

    folder = open_scan(scan)
    manifest = folder.read_manifest()
    folder.read_summary()  # raises an error if the scan is unfinished
    facts = _facts(folder, manifest, sealed=is_intact(folder, manifest, settings.privacy.key_file))
    ensure_database()
    counts: dict[str, Any] = {"scan_id": facts.id}
    import pyarrow.compute as pc

    wanted = pc.field("screened_positive" if screened else "referred")
    if manifest.get("held_only"):  # of the mail gateway: a mail that was sent or refused can be shown to nobody
        wanted = wanted & pc.field("path").is_valid()
    counts |= asdict(Intake(facts).take(folder.rows(COLUMNS, where=wanted)))
    plans = draw_scan(facts.id)
    counts["grouped"] = group_referrals()
    counts["samples"] = {plan.queue.name: plan.strata for plan in plans}
    if audit:
        stages = (NEGATIVE,) if screened else (SCREENED_ONLY, NEGATIVE)
        drawn = _audit(folder, audit, stages, settings.review.seed, COLUMNS)
        counts["audit"] = asdict(Intake(facts, Kind.NEGATIVE).take(drawn))
        counts["blind"] = make_blind(facts.id, settings.review.seed)
    counts["counted"] = _count(folder, manifest, facts.id, screened)
    counts["people"] = _count_people(folder, manifest, facts.id)
    _count_contained(folder.uri, facts.id, settings)
    keep_head(settings.review)
    return counts


def _count_contained(folder: str, scan_id: str, settings: Settings) -> None:
    """What of all findings is open, contained and closed, for the dashboard."""
    from leakscreen.commands.act_status import containment
    from review.models import Scan

    try:
        figures = containment(folder, settings)
    except LeakscreenError as error:  # a journal of actions that was changed must not keep anybody from reviewing
        log_event("refer.containment", f"warning: what is contained cannot be counted: {error}", level=WARNING)
        return
    Scan.objects.filter(pk=scan_id).update(containment=figures)


def _count_people(folder: Any, manifest: dict[str, Any], scan_id: str) -> dict[str, Any] | None:
    """Different people in referred files, for the dashboard; scans before format 4 did not look for them."""
    from pipelines.people.entries import FORMAT_WITH_PEOPLE
    from review.models import Scan

    if manifest.get("format", 1) < FORMAT_WITH_PEOPLE:
        return None
    from leakscreen.commands.people import count_people

    figures = count_people([folder], "referred", 0)
    people = {**figures["people"], "known": figures["known"], "by_source": figures["by_source"]}
    Scan.objects.filter(pk=scan_id).update(people=people)
    return people


def _count(folder: Any, manifest: dict[str, Any], scan_id: str, screened: bool) -> int:
    """Aggregates all rows of the scan for the dashboard."""
    from pipelines.bundle.bundle import rules_in
    from review.dashboard.aggregate import COLUMNS, Aggregate, ScanNumbers
    from review.dashboard.figures import RuleShape

    summary = folder.read_summary()
    shapes = tuple(
        RuleShape(rule.id, rule.radius, rule.screens, _tried_prototypes(rule)) for rule in rules_in(folder.bundle).rules
    )
    stages = tuple(
        (name, float(figures["seconds"]), int(figures["bytes"])) for name, figures in summary["stages"].items()
    )
    return Aggregate(ScanNumbers(scan_id, shapes, stages, float(summary["seconds"])), screened).take(
        folder.rows(COLUMNS)
    )


def _tried_prototypes(rule: Any) -> tuple[tuple[int, int], ...]:
    """The dashboard counts vectors of whole files, so that a rule about one person cannot be tried with them."""
    return () if rule.same_person else tuple((prototype.bits, prototype.care) for prototype in rule.prototypes)


def is_intact(folder: Any, manifest: dict[str, Any], key_file: str, done: str = "referred") -> bool:
    """False where results of an older version have no seals; refuses those that somebody changed."""
    from pipelines.results.seal import fault_in, has_seals, key_of_seals
    from screening.privacy.key import fingerprint, load_key

    if not has_seals(folder):
        words = f"warning: {folder.uri}: has no seals, so that nobody can say whether it was changed"
        log_event("refer.unsealed", words, level=WARNING)
        return False
    key = load_key(key_file)
    if fingerprint(key) != manifest["hmac_key"]["fingerprint"]:
        raise OutputError(
            f"{folder.uri}: its seals cannot be checked with this HMAC key; give the LEAKSCREEN_HMAC_KEY or"
            " privacy.key_file of the scan"
        )
    if fault := fault_in(folder, key_of_seals(key)):
        raise OutputError(f"{fault}; nothing was {done}: find out who can write there, and scan again")
    return True


def _facts(folder: Any, manifest: dict[str, Any], sealed: bool) -> Any:
    from review.referrals.intake import ScanFacts

    try:
        return ScanFacts(
            id=manifest["scan_id"],
            folder=folder.uri,
            sources=tuple(manifest["sources"]),
            started=datetime.fromisoformat(manifest["started"]),
            rules_sha256=manifest["rules"]["sha256"],
            model_sha256=manifest["health_model"]["sha256"],
            sealed=sealed,
        )
    except (KeyError, TypeError, ValueError):
        raise OutputError(f"{folder.manifest}: lacks what a referral needs; run a new scan") from None


def _audit(
    folder: Any, count: int, stages: tuple[str, ...], seed: int, columns: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    """So many contents that were not referred, as many of each stage, with all their files."""
    import pyarrow.compute as pc

    frame = {uri: (stage, name) for uri, stage, _, name in frame_of(folder) if stage in stages}
    sizes = Counter(stage for stage, _ in frame.values())
    shares = allocate(sizes, count, max(_AT_LEAST, count // max(1, len(sizes))))
    reservoirs = {stage: Reservoir(share, seed) for stage, share in shares.items()}
    for uri, (stage, _) in frame.items():
        reservoirs[stage].offer(uri)
    chosen = {frame[uri][1]: frame[uri][0] for reservoir in reservoirs.values() for uri in reservoir.drawn()}
    names = sorted(chosen)
    examined = pc.field("status").isin([status.value for status in EXAMINED])
    for row in folder.rows(columns, where=examined & (pc.field("sha256").isin(names) | pc.field("uri").isin(names))):
        stage = chosen[row["sha256"] or row["uri"]]
        yield {**row, "stratum": stage, "probability": f"{shares[stage]}/{sizes[stage]}"}


def print_counts(counts: dict[str, Any]) -> None:
    print(
        f"{counted(counts['files'], 'file')}: {counted(counts['new'], 'new referral')}, {counts['known']:,} known,"
        f" {counts['asked_again']:,} reopened"
    )
    for queue, strata in counts["samples"].items():
        drawn, there = (sum(sizes[index] for sizes in strata.values()) for index in (0, 1))
        print(f"queue {queue}: {drawn:,} of {there:,} sampled for review")
    if counts["grouped"]:
        print(f"{counts['grouped']:,} of all referrals are alike in groups, and can be judged together")
    if "audit" in counts:
        drawn = counted(counts["audit"]["files"], "file")
        print(f"audit: {drawn} of those that were not referred drawn; all are judged blind")
