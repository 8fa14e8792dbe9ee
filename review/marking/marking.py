"""A person and a text -> what this person marked in it: two apart and blind, then the consensus of a third."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from core.errors import ReviewError
from evaluation.span_agreement import Annotated, entity_counts
from evaluation.spans import categories as categories_of
from evaluation.spans import tokens
from review.accounts.roles import Role, roles_of
from review.audit import record
from review.marking.spans import Mark, as_marked, checked, keyed_hash, suggested, text_of
from review.models import Marking, MarkingAgreement, MarkingPart, MarkingSession, Referral
from review.referrals.blind import is_hidden
from review.referrals.leases import closed_queues
from review.reveal.reveal import BUSY, CHANGED, SHOWN, reveal
from review.translation import gettext as _

_TWO = 2
_LONGEST_REASON = 300


class NotYoursToMarkError(Exception):
    """The text is not for this person now; the message says why."""


@dataclass(frozen=True, slots=True, repr=False)
class Opened:
    """A text for one person to mark; `others` are both annotations, for the consensus alone."""

    part: MarkingPart
    text: str
    text_hmac: str
    marks: tuple[Mark, ...]
    others: tuple[tuple[Mark, ...], ...] = ()


def make_session(name: str, maker: str) -> MarkingSession:
    name = name.replace("\0", "").strip()[:100]
    if not name:
        raise ReviewError(_("a session needs a name"))
    with transaction.atomic():
        session: MarkingSession
        session, new = MarkingSession.objects.get_or_create(
            name=name, defaults={"made": timezone.now(), "made_by": maker}
        )
        if new:
            record(maker, "marking session", f"session:{session.pk}")
    return session


def part_in(session: MarkingSession, referral: Referral, user: Any) -> MarkingPart:
    """Whose turn it is: nobody annotates a text twice, and whoever annotated it does not settle it."""
    if is_hidden(referral):
        raise NotYoursToMarkError(_("This file is judged blind; it can be marked after its decision."))
    if referral.queue_id in closed_queues(user):
        raise NotYoursToMarkError(_("This file is in a queue of other people."))
    there = _of(session, referral)
    mine = next((marking for marking in there if marking.person_id == user.pk), None)
    annotations = [marking for marking in there if marking.part == MarkingPart.ANNOTATION]
    settled = any(marking.part == MarkingPart.CONSENSUS for marking in there)
    if mine is not None:
        if mine.part == MarkingPart.ANNOTATION and len(annotations) == _TWO:
            raise NotYoursToMarkError(_("Two people have marked this text; yours can no longer change."))
        return MarkingPart(mine.part)
    if len(annotations) < _TWO:
        if Role.REVIEWER not in roles_of(user):
            raise NotYoursToMarkError(_("Reviewers mark this text first."))
        return MarkingPart.ANNOTATION
    if settled:
        raise NotYoursToMarkError(_("This text is settled."))
    if Role.ADJUDICATOR not in roles_of(user):
        raise NotYoursToMarkError(_("Two people have marked this text; an adjudicator settles it."))
    return MarkingPart.CONSENSUS


def open_text(session: MarkingSession, referral: Referral, user: Any, reason: str) -> Opened:
    """Reads the file again; that it was read, by whom and why is on record, as for every reveal."""
    part = part_in(session, referral, user)
    text, prefilled = _read(session, referral, user, reason)
    there = _of(session, referral)
    mine = next((marking for marking in there if marking.person_id == user.pk), None)
    others: tuple[tuple[Mark, ...], ...] = ()
    if part is MarkingPart.CONSENSUS:
        others = tuple(_marks(marking) for marking in there if marking.part == MarkingPart.ANNOTATION)
        prefilled = tuple(mark for mark in others[0] if mark in others[1])  # what both marked alike
    return Opened(part, text, keyed_hash(text), _marks(mine) if mine else prefilled, others)


def save_marks(session: MarkingSession, referral: Referral, user: Any, given: Any, text_hmac: str) -> Marking:
    """Refused where the file changed since it was opened, or since somebody else marked it."""
    part_in(session, referral, user)
    text, _marks = _read(session, referral, user, "to save what was marked")
    with transaction.atomic():
        Referral.objects.select_for_update().get(pk=referral.pk)
        part = part_in(session, referral, user)  # again: somebody may have been faster
        known = {marking.text_hmac for marking in _of(session, referral)} | {text_hmac}
        if known != {keyed_hash(text)}:
            raise ReviewError(_("the text is not the one that was marked: the file has changed; nothing was saved"))
        marks = checked(given, len(text))
        values = {
            "part": part,
            "text_hmac": text_hmac,
            "characters": len(text),
            "spans": [list(mark) for mark in marks],
            "at": timezone.now(),
        }
        marking: Marking = Marking.objects.update_or_create(
            session=session, referral=referral, person=user, defaults=values
        )[0]
        subject = f"referral:{referral.pk}"
        record(user.get_username(), "marked", f"session:{session.pk}", about=subject, part=part.value, spans=len(marks))
        _compare(session, referral, text)
    return marking


def settled_marks(session: MarkingSession, referral: Referral) -> tuple[Mark, ...] | None:
    """The consensus, or what two people marked alike; None as long as there is neither."""
    there = _of(session, referral)
    consensus = next((marking for marking in there if marking.part == MarkingPart.CONSENSUS), None)
    if consensus is not None:
        return _marks(consensus)
    both = [_marks(marking) for marking in there]
    return both[0] if len(both) == _TWO and set(both[0]) == set(both[1]) else None


def read_text(referral: Referral, text_hmac: str) -> str | None:
    """The text, if it is still the one that was marked."""
    revealed = reveal(referral)
    text = text_of(revealed)
    return text if revealed.outcome == SHOWN and keyed_hash(text) == text_hmac else None


def _read(session: MarkingSession, referral: Referral, user: Any, reason: str) -> tuple[str, tuple[Mark, ...]]:
    subject, who = f"referral:{referral.pk}", user.get_username()
    record(who, "reveal", subject, reason=reason[:_LONGEST_REASON], session=session.pk)
    revealed = reveal(referral)
    record(who, "revealed", subject, outcome=revealed.outcome)
    if revealed.outcome != SHOWN:
        raise ReviewError(_("The text cannot be read: %s.") % _why_unread(revealed.outcome))
    return text_of(revealed), suggested(revealed)


def _why_unread(outcome: str) -> str:
    if outcome == CHANGED:
        return _("the file has changed since it was scanned")
    return _("other texts are being read") if outcome == BUSY else _("it is no longer there")


def _of(session: MarkingSession, referral: Referral) -> list[Marking]:
    return list(Marking.objects.filter(session=session, referral=referral).order_by("pk"))


def _marks(marking: Marking) -> tuple[Mark, ...]:
    return tuple(Mark(*span) for span in marking.spans)


def _compare(session: MarkingSession, referral: Referral, text: str) -> None:
    """While the text is at hand: counts of tokens and entities, from which nothing of it can be read."""
    annotations = [marking for marking in _of(session, referral) if marking.part == MarkingPart.ANNOTATION]
    if len(annotations) < _TWO:
        return
    first, second = (as_marked(_marks(marking)) for marking in annotations)
    document = Annotated(text, {"first": first, "second": second})
    both, either = entity_counts([document], whole=True)
    overlapping, _whole = entity_counts([document], whole=False)
    MarkingAgreement.objects.update_or_create(
        session=session,
        referral=referral,
        defaults={
            "both_exact": both,
            "both_partial": overlapping,
            "either": either,
            "tokens": _table(text, first, second),
        },
    )


def _table(text: str, first: Sequence[Any], second: Sequence[Any]) -> list[list[Any]]:
    places = tokens(text)
    counts = Counter(zip(categories_of(places, first), categories_of(places, second), strict=True))
    return [[ours, theirs, count] for (ours, theirs), count in counts.items()]
