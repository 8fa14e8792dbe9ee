"""Mail that is to be sent, kept in the transaction that causes it; its Message-ID is its name."""

from django.conf import settings
from django.db import models


class Outbox(models.Model):
    """At least once under one Message-ID: `sent` is set only after the server has taken it."""

    message_id = models.CharField(primary_key=True, max_length=200)
    recipient = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    subject = models.CharField(max_length=200)
    text = models.TextField()
    html = models.TextField(blank=True)
    created = models.DateTimeField()
    not_before = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    fault = models.CharField(max_length=200, blank=True)  # of the last attempt
    sent = models.DateTimeField(null=True, db_index=True)
