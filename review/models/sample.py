"""A draw: how many referrals of each stratum were drawn for review, out of how many."""

from django.db import models

from review.models.queue import Queue
from review.models.scan import Scan


class SamplePlan(models.Model):
    """The source of the probabilities that estimates are weighted by; one for each scan, queue and kind."""

    scan = models.ForeignKey(Scan, on_delete=models.PROTECT, related_name="plans")
    queue = models.ForeignKey(Queue, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=10)
    seed = models.BigIntegerField()
    budget = models.PositiveIntegerField()
    strata = models.JSONField()  # stratum -> [drawn, there]
    made = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("scan", "queue", "kind"), name="one_plan"),)
