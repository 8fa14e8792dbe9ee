"""The identity of a person at the OpenID Connect provider; unlike a name, it never passes to somebody else."""

from django.conf import settings
from django.db import models


class OidcIdentity(models.Model):
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="identity"
    )
    issuer = models.CharField(max_length=500)
    subject = models.CharField(max_length=255)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("issuer", "subject"), name="one_account_an_identity"),)
