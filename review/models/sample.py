"""A draw: how many of how many referrals of each stratum people are asked about."""

from django.db import models

from review.models.queue import Queue
from review.models.scan import Scan


class SamplePlan(models.Model):
    """The probabilities that estimates are weighted with; one for each scan, queue and kind."""

    scan = models.ForeignKey(Scan, on_delete=models.PROTECT, related_name="plans")
    queue = models.ForeignKey(Queue, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=10)
    seed = models.BigIntegerField()
    budget = models.PositiveIntegerField()
    strata = models.JSONField()  # stratum -> [drawn, there]
    made = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("scan", "queue", "kind"), name="one_plan"),)
