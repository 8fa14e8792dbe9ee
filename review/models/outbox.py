"""Messages to send, stored in the transaction that causes them under their Message-ID."""

from django.conf import settings
from django.db import models


class Outbox(models.Model):
    """Sent at least once under one Message-ID: `sent` is set only after the other side has accepted the message."""

    message_id = models.CharField(primary_key=True, max_length=200)
    channel = models.CharField(max_length=10, default="mail")  # the name of a channel in review/notify
    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )  # of a mail
    subject = models.CharField(max_length=200)
    text = models.TextField()
    html = models.TextField(blank=True)
    created = models.DateTimeField()
    not_before = models.DateTimeField(null=True)  # while a process sends it, no other may before this moment
    attempts = models.PositiveIntegerField(default=0)
    fault = models.CharField(max_length=200, blank=True)  # of the last attempt
    sent = models.DateTimeField(null=True, db_index=True)
    refused = models.DateTimeField(null=True)  # for good: tried again only on request


class DigestMark(models.Model):
    """The last period that a recipient got a digest for, and up to which moment; moves with each row of the outbox."""

    key = models.CharField(primary_key=True, max_length=100)
    period = models.CharField(max_length=40, blank=True)
    until = models.DateTimeField(null=True)
