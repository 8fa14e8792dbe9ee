"""The settled texts of a session -> documents with their spans, read again in the sandbox, under an audited action."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from evaluation.formats.document import CorpusDocument
from review.audit import record
from review.marking.marking import read_text, settled_marks
from review.marking.spans import as_entities, as_marked
from review.models import Marking, MarkingSession, Referral

GOLD = "consensus"


@dataclass(slots=True)
class Gathered:
    """Documents, and the ids of referrals that are left out: not settled yet, or changed or gone since."""

    documents: list[CorpusDocument] = field(default_factory=list)
    unsettled: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)


def gather(session: MarkingSession, who: str, form: str) -> Gathered:
    """On record before anything is read, and again with the numbers."""
    subject = f"session:{session.pk}"
    record(who, "marking export", subject, format=form)
    gathered = Gathered()
    for referral, text_hmac in _texts(session):
        marks = settled_marks(session, referral)
        text = read_text(referral, text_hmac) if marks is not None else None
        if marks is None:
            gathered.unsettled.append(str(referral.pk))
        elif text is None:
            gathered.unreadable.append(str(referral.pk))
        else:
            gathered.documents.append(
                CorpusDocument(
                    str(referral.pk), text, as_marked(marks), annotators=(as_entities(marks),), people=(GOLD,)
                )
            )
    counts = {name: len(getattr(gathered, name)) for name in Gathered.__slots__}
    record(who, "marking exported", subject, format=form, **counts)
    return gathered


def _texts(session: MarkingSession) -> Iterator[tuple[Referral, str]]:
    """A referral each, with the hash of the text that was marked: all markings of a text have the same."""
    seen = set()
    for marking in Marking.objects.filter(session=session).select_related("referral").order_by("referral", "pk"):
        if marking.referral_id not in seen:
            seen.add(marking.referral_id)
            yield marking.referral, marking.text_hmac
