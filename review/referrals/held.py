"""Referrals of the mail gateway -> what reviewers decided about each mail that is on hold."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from extraction.extract import NESTING
from review.models import Kind, ReferralPath, Verdict


@dataclass(frozen=True, slots=True)
class HeldMail:
    """A mail, where the server keeps it, and the decisions about it and its attachments; empty where there is none."""

    uri: str
    path: bytes
    decisions: tuple[str, ...]

    @property
    def is_phi(self) -> bool:
        return Verdict.PHI.value in self.decisions

    @property
    def is_cleared(self) -> bool:
        return all(decision == Verdict.NOT_PHI.value for decision in self.decisions)


def held_mails(source: str) -> Iterator[HeldMail]:
    """Mails that were not held have no path of their own."""
    decisions: defaultdict[tuple[str, bytes], list[str]] = defaultdict(list)
    rows = ReferralPath.objects.filter(referral__source=source, referral__kind=Kind.REFERRED, path__isnull=False)
    for uri, path, decision in rows.order_by("uri").values_list("uri", "path", "referral__decision"):
        decisions[uri.partition(NESTING)[0], bytes(path)].append(decision)
    for (uri, path), own in decisions.items():
        yield HeldMail(uri, path, tuple(own))
