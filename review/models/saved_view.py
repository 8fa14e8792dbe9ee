"""A search of referrals under a name and an address of its own."""

from django.conf import settings
from django.db import models


class SavedView(models.Model):
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="views")
    name = models.CharField(max_length=80)
    query = models.TextField()  # as the address of the list has it
    shared = models.BooleanField(default=False)  # whether others find it on their lists

    class Meta:
        constraints = (models.UniqueConstraint(fields=("owner", "name"), name="one_view_a_name"),)
        ordering = ("name", "pk")
