"""A token of the API: whose it is, what it may do and until when; only its keyed hash is kept."""

from django.conf import settings
from django.db import models


class ApiToken(models.Model):
    """Acts for its owner: it can never do more than the roles of that person allow at the moment."""

    name = models.CharField(max_length=100)  # what it is for
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="api_tokens")
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    made = models.DateTimeField()
    made_by = models.CharField(max_length=150)
    expires = models.DateTimeField()
    revoked = models.DateTimeField(null=True)
    last_used = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-pk",)
