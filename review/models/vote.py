"""A vote: what one person judged, once and for all; another opinion is another vote."""

from enum import StrEnum

from django.conf import settings
from django.db import models

from review.models.frozen import Frozen
from review.models.referral import Referral


class Verdict(StrEnum):
    PHI = "phi"
    NOT_PHI = "not_phi"
    UNSURE = "unsure"
    CANNOT_TELL = "cannot_tell"
    WITHDRAWN = "withdrawn"  # takes the voter's last vote back


class Part(StrEnum):
    """In which part the voter judged."""

    REVIEW = "review"
    ADJUDICATION = "adjudication"


class Vote(Frozen):
    """`number` counts the votes of a referral: two at the same moment cannot both have it."""

    referral = models.ForeignKey(Referral, on_delete=models.PROTECT, related_name="votes")
    number = models.PositiveIntegerField()
    round = models.PositiveIntegerField()
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="votes")
    part = models.CharField(max_length=12)
    verdict = models.CharField(max_length=12)
    characteristics = models.JSONField(default=list)
    at = models.DateTimeField(db_index=True)
    seconds = models.PositiveIntegerField(null=True)  # from the first sight to the vote
    token = models.CharField(max_length=32, unique=True)  # of the form that was sent: sent twice, it counts once

    class Meta:
        constraints = (models.UniqueConstraint(fields=("referral", "number"), name="vote_number"),)
        indexes = (models.Index(fields=("reviewer", "at", "verdict", "seconds"), name="votes_by_reviewer"),)


class Note(models.Model):
    """A voter's comment, apart from the vote so that it can be removed when its time is over."""

    vote = models.OneToOneField(Vote, primary_key=True, on_delete=models.PROTECT)
    text = models.TextField()
