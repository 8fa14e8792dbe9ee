"""A queue of referrals and the people who work on it."""

from django.conf import settings
from django.db import models


class Queue(models.Model):
    """A queue without reviewers is open to every reviewer."""

    name = models.CharField(max_length=100, unique=True)
    reviewers = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="queues")

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return str(self.name)
