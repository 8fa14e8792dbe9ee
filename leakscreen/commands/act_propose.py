"""`leakscreen act propose`: the referred files of a scan -> proposals in the journal; nothing is touched."""

import contextlib
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from core.errors import RemediationError, SettingsError
from core.log import WARNING, log_event
from core.settings import Settings, load_and_configure_log
from core.settings.act import PolicySettings
from extraction.opening.addresses import is_object
from leakscreen.commands.act import DONE, plain, print_actions
from leakscreen.commands.act_copies import Copies, NoCopyError
from leakscreen.commands.act_setup import Setup, opened, uses_service
from leakscreen.console.next_step import print_next
from remediation.action import Action, Kind, Target
from remediation.actions.swap import copy_id
from remediation.policy import check_policies, checked_action, proposals_of
from remediation.targets import COLUMNS, Chosen, outer_uris, targets_of


@dataclass(frozen=True, slots=True)
class Wish:
    """What the flags ask for; without an action, the policies of the settings decide."""

    do: str = ""
    only: tuple[str, ...] = ()
    risk: tuple[str, ...] = ()
    verified: bool = False
    to: str = ""
    copy: Path | None = None
    until: str = ""
    label: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    kind: Kind
    target: Target
    options: dict[str, str]
    policy: str = ""


def run(scan: str, wish: Wish, dry_run: bool, flags: dict[str, Any], config: Path | None, as_json: bool) -> int:
    settings = load_and_configure_log(flags, config)
    _check(wish, settings)
    chosen, scan_id = chosen_of_scan(scan, settings)
    drafts = list(_drafts(wish, settings, chosen))
    if chosen.without_hash:
        count = len(chosen.without_hash)
        log_event("act.without_hash", f"{count:,} files were not hashed as a whole: no action on them", level=WARNING)
    if dry_run:
        for draft in drafts:
            print(f"{draft.kind:10}  {plain(draft.target.uri)}  {draft.policy}".rstrip())
        print(f"{len(drafts):,} would be proposed, if they are not yet; nothing was written")
        return DONE
    with opened(settings) as setup, contextlib.closing(Copies(wish.copy, settings)) as copies:
        made = [action for draft in drafts if (action := _propose(setup, draft, wish, copies, scan_id))]
        print_actions(made, as_json)
    if made and not as_json:
        print_next("by somebody else", "act", "approve", *(action.id for action in made[:3]))
    return DONE


def _check(wish: Wish, settings: Settings) -> None:
    check_policies(settings.policy)
    if not wish.do:
        if not settings.policy:
            raise SettingsError("what to do? Give --do ACTION, or write [[policy]] tables into the settings")
        return
    kind = Kind(checked_action(wish.do))
    if kind is Kind.MOVE and not wish.to:
        raise SettingsError("--do move: give --to, the folder to move files to")
    if kind is Kind.REPLACE and wish.copy is not None and len(wish.only) != 1:
        raise SettingsError("--do replace --with: give --only, the one file that the redacted copy replaces")
    if kind is Kind.IGNORE:
        if not wish.reason:
            raise SettingsError("--do ignore: give --reason, which the allow list keeps")
        try:
            date.fromisoformat(wish.until)
        except ValueError:
            raise SettingsError(f"--until must be a day such as 2027-12-31, not {wish.until!r}") from None


def chosen_of_scan(scan: str, settings: Settings) -> tuple[Chosen, str]:
    """What can be acted on, and the scan's id; refuses results that somebody changed."""
    from leakscreen.commands.refer import is_intact
    from pipelines.results.folder import open_scan

    folder = open_scan(scan)
    manifest = folder.read_manifest()
    folder.read_summary()  # an unfinished scan is refused here
    is_intact(folder, manifest, settings.privacy.key_file, done="proposed")
    return chosen_of(folder), str(manifest["scan_id"])


def chosen_of(folder: Any) -> Chosen:
    """The referred files of a scan, and the archives around referred members."""
    import pyarrow.compute as pc

    rows = list(folder.rows(COLUMNS, where=pc.field("referred")))
    around = {uri for row in rows if row["container_uri"] is not None for uri in outer_uris(row["uri"])}
    on_disk = pc.field("container_uri").is_null() & pc.field("uri").isin(sorted(around))
    outer = {row["uri"]: row for row in folder.rows(COLUMNS, where=on_disk)} if around else {}
    return targets_of(rows, outer, folder.read_manifest()["sources"])


def _drafts(wish: Wish, settings: Settings, chosen: Chosen) -> Iterator[Draft]:
    if not wish.do:
        needs_review = any(policy.verified for policy in settings.policy)
        verified = _verified(settings) if needs_review else None
        for policy, target in proposals_of(settings.policy, chosen.targets, verified, datetime.now(UTC)):
            if not wish.only or any(fnmatchcase(target.uri, pattern) for pattern in wish.only):
                yield Draft(Kind(policy.do), target, _options_of(policy, target), policy.name)
        return
    verified = _verified(settings) if wish.verified else None
    for target in chosen.targets:
        if wish.only and not any(fnmatchcase(target.uri, pattern) for pattern in wish.only):
            continue
        if wish.risk and target.risk not in wish.risk:
            continue
        if verified is not None and target.uri not in verified:
            continue
        yield Draft(Kind(wish.do), target, _options(wish, target))


def _options(wish: Wish, target: Target) -> dict[str, str]:
    match Kind(wish.do):
        case Kind.MOVE:
            return {"to": destination(wish.to, target)}
        case Kind.IGNORE:
            return {"until": wish.until}
        case Kind.LABEL:
            return {"label": wish.label} if wish.label else {}
    return {}


def _options_of(policy: PolicySettings, target: Target) -> dict[str, str]:
    match Kind(policy.do):
        case Kind.MOVE:
            return {"to": destination(policy.to, target)}
        case Kind.IGNORE:
            return {"until": (datetime.now(UTC).date() + timedelta(days=policy.days)).isoformat()}
    return {}


def destination(folder: str, target: Target) -> str:
    """Below the folder as it was below its source, so that names do not clash."""
    source = target.source.rstrip("/")
    below = target.path.removeprefix(f"{source}/") if target.path.startswith(f"{source}/") else ""
    name = below or target.path.rpartition("/")[2]
    if is_object(target.uri):
        return f"{folder.rstrip('/')}/{name}"
    return os.path.join(os.path.abspath(folder), name)


def _propose(setup: Setup, draft: Draft, wish: Wish, copies: Copies, scan_id: str) -> Action | None:
    """Nothing where it is proposed already, or where no copy can be made."""
    try:
        return proposed(setup, draft, wish, copies, scan_id)
    except NoCopyError as error:
        uri = plain(draft.target.uri)
        log_event("act.no_copy", f"{uri}: not proposed, there is no redacted copy of it: {error}", level=WARNING)
        return None


def proposed(setup: Setup, draft: Draft, wish: Wish, copies: Copies, scan_id: str, *, id: str = "") -> Action | None:
    """None where it is proposed already; raises NoCopyError where it takes a copy and none can be made."""
    options = dict(draft.options)
    register = setup.register
    if draft.kind is Kind.REPLACE and register.is_open(draft.kind, draft.target):
        return None
    id = id or register.new_id()
    if draft.kind is Kind.REPLACE:
        try:
            options["copy_sha256"] = _keep_copy(setup, id, copies, draft.target)
        except NoCopyError:
            setup.here.vault.remove(copy_id(id))
            raise
    return register.propose(
        setup.who,
        draft.kind,
        draft.target,
        id=id,
        scan_id=scan_id,
        policy=draft.policy,
        reason=wish.reason or draft.policy,
        options=options,
    )


def _keep_copy(setup: Setup, id: str, copies: Copies, target: Target) -> str:
    """The copy goes into the vault now, so that what is approved is what will be put in place."""
    sha256 = setup.here.vault.seal(copy_id(id), copies.of(target), {})
    setup.here.vault.hold(copy_id(id))
    if sha256 == target.sha256:
        setup.here.vault.remove(copy_id(id))
        raise RemediationError(f"{plain(target.uri)}: the copy is the file itself; nothing in it was replaced")
    return sha256


def _verified(settings: Settings) -> Collection[str]:
    """What reviewers decided to hold health information; a member stands for the file around it."""
    if not uses_service(settings):
        raise SettingsError("there is no review service here, so nothing is verified; see `leakscreen review`")
    from review.service.configuration import configure

    configure(settings)
    from review.referrals.verified import decided_uris
    from review.service.first_start import ensure_database

    ensure_database()
    phi = decided_uris().phi
    return {*phi, *(uri for member in phi for uri in outer_uris(member))}


def only_of(patterns: Sequence[str] | None) -> tuple[str, ...]:
    """A pattern of a local path is made absolute, as paths in results are."""
    return tuple(
        pattern if is_object(pattern) or pattern.startswith(("/", "*")) else os.path.abspath(pattern)
        for pattern in patterns or ()
    )
