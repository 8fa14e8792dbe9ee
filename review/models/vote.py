"""A vote: one person's judgement, never changed; a new opinion is a new vote."""

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
    """The part in which the voter judged."""

    REVIEW = "review"
    ADJUDICATION = "adjudication"


class Vote(Frozen):
    """`number` counts the votes of a referral, so two simultaneous votes cannot both be saved."""

    referral = models.ForeignKey(Referral, on_delete=models.PROTECT, related_name="votes")
    number = models.PositiveIntegerField()
    round = models.PositiveIntegerField()
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="votes")
    part = models.CharField(max_length=12)
    verdict = models.CharField(max_length=12)
    characteristics = models.JSONField(default=list)
    at = models.DateTimeField(db_index=True)
    seconds = models.PositiveIntegerField(null=True)  # from opening the referral to the vote
    group = models.CharField(max_length=32, null=True)  # that was judged as one; null: this file alone
    token = models.CharField(max_length=32, unique=True)  # of the form: a form that is sent twice counts once

    class Meta:
        constraints = (models.UniqueConstraint(fields=("referral", "number"), name="vote_number"),)
        indexes = (models.Index(fields=("reviewer", "at", "verdict", "seconds"), name="votes_by_reviewer"),)


class Note(models.Model):
    """A voter's comment, apart from the vote so that it can be removed when its retention ends."""

    vote = models.OneToOneField(Vote, primary_key=True, on_delete=models.PROTECT)
    text = models.TextField()
