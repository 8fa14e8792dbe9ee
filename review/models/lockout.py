"""Failed log-ins in a row, by user name or by address."""

from django.db import models


class Lockout(models.Model):
    key = models.CharField(primary_key=True, max_length=200)
    failures = models.PositiveIntegerField(default=0)
    until = models.DateTimeField(null=True)
    last = models.DateTimeField()
