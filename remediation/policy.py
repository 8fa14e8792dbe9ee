"""Targets and the [[policy]] tables -> what each policy proposes; a policy never approves, and never acts."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase

from core.checks import did_you_mean
from core.errors import SettingsError
from core.settings.act import ACTIONS, PolicySettings
from remediation.action import Target

_NEEDS_FILE = "replace"


def check_policies(policies: Sequence[PolicySettings]) -> None:
    names = [policy.name for policy in policies]
    for number, policy in enumerate(policies, 1):
        place = f"[[policy]] {number}"
        if not policy.name or names.count(policy.name) > 1:
            raise SettingsError(f"{place}: needs a name of its own")
        if policy.do == _NEEDS_FILE:
            raise SettingsError(f"{place} ({policy.name}): replace needs a copy for each file; propose it by hand")
        if policy.do == "move" and not policy.to:
            raise SettingsError(f"{place} ({policy.name}): move needs `to`, the folder to move files to")


def proposals_of(
    policies: Iterable[PolicySettings], targets: Collection[Target], verified: Collection[str] | None, now: datetime
) -> Iterator[tuple[PolicySettings, Target]]:
    """`verified` are the uris that reviewers decided to be health information; None where there is no review."""
    for policy in policies:
        for target in targets:
            if _applies(policy, target, verified or (), now):
                yield policy, target


def _applies(policy: PolicySettings, target: Target, verified: Collection[str], now: datetime) -> bool:
    if policy.verified and target.uri not in verified:
        return False
    if policy.risk and target.risk not in policy.risk:
        return False
    readers = {word.strip() for word in target.access.split(",")}
    if policy.access and not readers & set(policy.access):
        return False
    if policy.paths and not any(fnmatchcase(target.uri, pattern) for pattern in policy.paths):
        return False
    return not policy.older_than_days or _is_older(target.mtime, now - timedelta(days=policy.older_than_days))


def _is_older(mtime: str, than: datetime) -> bool:
    """A file whose time is unknown is not old."""
    if not mtime:
        return False
    written = datetime.fromisoformat(mtime)
    return (written if written.tzinfo else written.replace(tzinfo=UTC)) < than


def checked_action(word: str) -> str:
    if word not in ACTIONS:
        raise SettingsError(f"--do: {word!r} is not one of {', '.join(ACTIONS)}{did_you_mean(word, ACTIONS)}")
    return word
