"""The audit log: each entry carries the keyed hash of itself and of the one before."""

from django.db import models

from review.models.frozen import Frozen


class AuditEntry(Frozen):
    number = models.BigIntegerField(primary_key=True)
    at = models.CharField(max_length=32)  # as it was hashed
    actor = models.CharField(max_length=150)
    action = models.CharField(max_length=40, db_index=True)
    subject = models.CharField(max_length=200, db_index=True)
    details = models.TextField(blank=True)  # canonical JSON, as it was hashed
    previous = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ("number",)


class AuditHead(models.Model):
    """The last entry's number and hash; whoever appends locks this row."""

    id = models.PositiveSmallIntegerField(primary_key=True)
    number = models.BigIntegerField()
    hash = models.CharField(max_length=64)
