"""A case: what is done about a referral that was decided as PHI, and its history."""

from enum import StrEnum

from django.conf import settings
from django.db import models

from review.models.referral import Referral


class CaseState(StrEnum):
    OPEN = "open"
    TOLD = "told"  # the owner of the file knows
    CONTAINED = "contained"  # nobody who should not can read it any more
    CLOSED = "closed"
    VOID = "void"  # the decision was taken back, or is another one now


class CaseEventKind(StrEnum):
    OPENED = "opened"
    STATE = "state"
    ASSIGNEE = "assignee"
    DUE = "due"
    NOTE = "note"


class Case(models.Model):
    referral = models.OneToOneField(Referral, primary_key=True, on_delete=models.PROTECT)
    state = models.CharField(max_length=10)
    assignee = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="cases")
    due = models.DateField(null=True)
    round = models.PositiveIntegerField()  # of the decision that it follows from
    opened = models.DateTimeField()
    changed = models.DateTimeField()
    closed = models.DateTimeField(null=True)

    class Meta:
        indexes = (models.Index(fields=("state", "due", "opened"), name="case_in_order"),)


class CaseEvent(models.Model):
    """One line of the history; its note is removed when its retention ends, the line stays."""

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="events")
    at = models.DateTimeField()
    actor = models.CharField(max_length=150)  # a user name, or that of the command that acted
    kind = models.CharField(max_length=10)
    before = models.CharField(max_length=150, blank=True)
    after = models.CharField(max_length=150, blank=True)
    note = models.TextField(blank=True)

    class Meta:
        ordering = ("pk",)
