"""A scan whose referrals were taken in."""

from django.db import models


class Scan(models.Model):
    id = models.CharField(primary_key=True, max_length=200)
    folder = models.TextField()
    sources = models.JSONField(default=list)
    started = models.DateTimeField()
    rules_sha256 = models.CharField(max_length=64)
    model_sha256 = models.CharField(max_length=64, blank=True)
    people = models.JSONField(default=dict)  # different people in referred files: count, interval, by source
    containment = models.JSONField(default=dict)  # files found so far: open, contained, closed; by source
    taken_in = models.DateTimeField(null=True)  # when intake finished; empty means that it has to be repeated
