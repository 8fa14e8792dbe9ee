"""What the service keeps: scans, referrals, votes, samples, the audit log, what the dashboard counts with, mail to send, log-ins."""

from review.models.audit import AuditEntry, AuditHead
from review.models.dashboard import Folder, PairedOpinion, ScanFigures, Seen, Unexamined
from review.models.frozen import FrozenError
from review.models.identity import OidcIdentity
from review.models.lockout import Lockout
from review.models.outbox import DigestMark, Outbox
from review.models.queue import Queue
from review.models.referral import Finding, Kind, Referral, ReferralPath, State, Wants
from review.models.sample import SamplePlan
from review.models.scan import Scan
from review.models.vote import Note, Part, Verdict, Vote

__all__ = [
    "AuditEntry",
    "AuditHead",
    "DigestMark",
    "Finding",
    "Folder",
    "FrozenError",
    "Kind",
    "Lockout",
    "Note",
    "OidcIdentity",
    "Outbox",
    "PairedOpinion",
    "Part",
    "Queue",
    "Referral",
    "ReferralPath",
    "SamplePlan",
    "Scan",
    "ScanFigures",
    "Seen",
    "State",
    "Unexamined",
    "Verdict",
    "Vote",
    "Wants",
]
