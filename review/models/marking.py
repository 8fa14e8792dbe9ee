"""Marked spans: who marked what in which text, as offsets and categories; the text itself is kept nowhere."""

from enum import StrEnum

from django.conf import settings
from django.db import models

from review.models.referral import Referral


class MarkingPart(StrEnum):
    ANNOTATION = "annotation"  # one of two, apart
    CONSENSUS = "consensus"  # by a third person, who sees both


class MarkingSession(models.Model):
    """Texts that are marked together for one corpus."""

    name = models.CharField(max_length=100, unique=True)
    made = models.DateTimeField()
    made_by = models.CharField(max_length=150)

    class Meta:
        ordering = ("-pk",)


class Marking(models.Model):
    """All that one person marked in one text; `spans` are [start, end, category, identifier, entity]."""

    session = models.ForeignKey(MarkingSession, on_delete=models.PROTECT, related_name="markings")
    referral = models.ForeignKey(Referral, on_delete=models.PROTECT, related_name="markings")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    part = models.CharField(max_length=10)
    text_hmac = models.CharField(max_length=64)
    characters = models.PositiveIntegerField()
    spans = models.JSONField(default=list)
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("session", "referral", "person"), name="one_marking"),)
        indexes = (models.Index(fields=("session", "referral", "part"), name="markings_of_text"),)


class MarkingAgreement(models.Model):
    """Two annotations of one text, compared: counts alone, from which the agreement of a session is pooled."""

    session = models.ForeignKey(MarkingSession, on_delete=models.CASCADE, related_name="agreements")
    referral = models.ForeignKey(Referral, on_delete=models.CASCADE, related_name="+")
    both_exact = models.PositiveIntegerField()
    both_partial = models.PositiveIntegerField()
    either = models.PositiveIntegerField()  # what each marked, added up
    tokens = models.JSONField(default=list)  # [first's category, second's category, tokens]

    class Meta:
        constraints = (models.UniqueConstraint(fields=("session", "referral"), name="one_marking_agreement"),)
