"""What a token may be used for; its owner's roles limit it further."""

from collections.abc import Iterable
from enum import StrEnum


class Scope(StrEnum):
    REFERRALS_READ = "referrals:read"
    REFERRALS_JUDGE = "referrals:judge"
    CASES_CHANGE = "cases:change"
    CASES_ACT = "cases:act"
    VIEWS_CHANGE = "views:change"
    IGNORED_CHANGE = "ignored:change"
    SCANS_READ = "scans:read"
    SCANS_START = "scans:start"
    MARKING_MANAGE = "marking:manage"
    DASHBOARD_READ = "dashboard:read"
    BREACH_READ = "breach:read"
    LABELS_EXPORT = "labels:export"
    AUDIT_READ = "audit:read"


WORDS = {
    Scope.REFERRALS_READ: "list and read referrals with their masked evidence, groups, cases and marking sessions",
    Scope.REFERRALS_JUDGE: "take the next referral, vote on one or on a group, adjudicate and undo",
    Scope.CASES_CHANGE: "change the state, assignee and due day of cases, and add notes",
    Scope.CASES_ACT: "propose, approve, reject and undo actions on the files of cases",
    Scope.VIEWS_CHANGE: "save and remove views",
    Scope.IGNORED_CHANGE: "ignore a folder or a value from now on",
    Scope.SCANS_READ: "read and compare scans, queues and counts",
    Scope.SCANS_START: "start a scan of a source that may be started from the browser",
    Scope.MARKING_MANAGE: "make marking sessions",
    Scope.DASHBOARD_READ: "read the figures of the dashboard",
    Scope.BREACH_READ: "read and download the breach report",
    Scope.LABELS_EXPORT: "export decisions as labels",
    Scope.AUDIT_READ: "read and check the audit log",
}


def scopes_of(names: Iterable[str]) -> tuple[Scope, ...]:
    """Each once, in one order; a ValueError names what is no scope."""
    wanted = set(names)
    unknown = sorted(wanted - set(Scope))
    if unknown:
        raise ValueError(f"{unknown[0]!r} is not a scope; choose from {', '.join(Scope)}")
    return tuple(scope for scope in Scope if scope in wanted)
