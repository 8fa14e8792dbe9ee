"""The tables: scans, referrals, votes, cases, actions, samples, audit log, figures, mail, log-ins, tokens, markings."""

from review.models.action import ASKED, CaseAction, Wish
from review.models.audit import AuditEntry, AuditHead
from review.models.case import Case, CaseEvent, CaseEventKind, CaseState
from review.models.dashboard import Folder, Member, PairedOpinion, ScanFigures, Seen, Unexamined
from review.models.frozen import FrozenError
from review.models.identity import OidcIdentity
from review.models.lockout import Lockout
from review.models.marking import Marking, MarkingAgreement, MarkingPart, MarkingSession
from review.models.outbox import DigestMark, Outbox
from review.models.queue import Queue
from review.models.referral import Awaiting, Finding, FiredRules, Kind, Referral, ReferralPath, State
from review.models.sample import SamplePlan
from review.models.saved_view import SavedView
from review.models.scan import Scan
from review.models.token import ApiToken
from review.models.vote import Note, Part, Verdict, Vote

__all__ = [
    "ASKED",
    "ApiToken",
    "AuditEntry",
    "AuditHead",
    "Awaiting",
    "Case",
    "CaseAction",
    "CaseEvent",
    "CaseEventKind",
    "CaseState",
    "DigestMark",
    "Finding",
    "FiredRules",
    "Folder",
    "FrozenError",
    "Kind",
    "Lockout",
    "Marking",
    "MarkingAgreement",
    "MarkingPart",
    "MarkingSession",
    "Member",
    "Note",
    "OidcIdentity",
    "Outbox",
    "PairedOpinion",
    "Part",
    "Queue",
    "Referral",
    "ReferralPath",
    "SamplePlan",
    "SavedView",
    "Scan",
    "ScanFigures",
    "Seen",
    "State",
    "Unexamined",
    "Verdict",
    "Vote",
    "Wish",
]
