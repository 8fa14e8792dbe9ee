"""What is to be sent, kept in the transaction that causes it; its Message-ID is its name."""

from enum import StrEnum

from django.conf import settings
from django.db import models


class Channel(StrEnum):
    MAIL = "mail"
    WEBHOOK = "webhook"


class Outbox(models.Model):
    """At least once under one Message-ID: `sent` is set only after the other side has taken it."""

    message_id = models.CharField(primary_key=True, max_length=200)
    channel = models.CharField(max_length=10, default=Channel.MAIL.value)
    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )  # of a mail
    subject = models.CharField(max_length=200)
    text = models.TextField()
    html = models.TextField(blank=True)
    created = models.DateTimeField()
    not_before = models.DateTimeField(null=True)  # while somebody sends it, until when nobody else does
    attempts = models.PositiveIntegerField(default=0)
    fault = models.CharField(max_length=200, blank=True)  # of the last attempt
    sent = models.DateTimeField(null=True, db_index=True)
    refused = models.DateTimeField(null=True)  # for good: it is not tried again unless somebody asks for it


class DigestMark(models.Model):
    """For whom which period was told last, and up to which moment; changed in the transaction that fills the outbox."""

    key = models.CharField(primary_key=True, max_length=100)
    period = models.CharField(max_length=40, blank=True)
    until = models.DateTimeField(null=True)
