"""An action on a file of a case: what people want next, and its state in the journal of actions."""

from enum import StrEnum

from django.db import models

from review.models.case import Case

ASKED = "asked"  # not in the journal yet; from then on the state is the journal's


class Wish(StrEnum):
    """What people want of the command that acts; it takes wishes when it runs next."""

    PROPOSE = "propose"
    APPROVE = "approve"
    REJECT = "reject"
    UNDO = "undo"
    NOTHING = ""


class CaseAction(models.Model):
    """One action on one file. Its path, steps and note are removed when its retention ends; the line stays."""

    id = models.CharField(primary_key=True, max_length=16)  # in the journal, too
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="actions")
    uri = models.TextField(blank=True)
    kind = models.CharField(max_length=10)
    state = models.CharField(max_length=12)
    proposed_by = models.CharField(max_length=150)
    approved_by = models.CharField(max_length=150, blank=True)
    wish = models.CharField(max_length=10, blank=True)
    wished_by = models.CharField(max_length=150, blank=True)
    wished = models.DateTimeField()
    steps = models.JSONField(default=list)  # of the dry run
    fault = models.TextField(blank=True)  # why the dry run would leave the file alone
    note = models.TextField(blank=True)  # how it ended
    changed = models.DateTimeField()

    class Meta:
        ordering = ("wished", "pk")
        indexes = (models.Index(fields=("wish", "wished"), condition=~models.Q(wish=""), name="action_wished"),)
