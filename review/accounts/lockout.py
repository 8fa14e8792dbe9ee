"""Repeated failed log-ins -> a user name, or an address, that is locked for a while."""

from datetime import timedelta

from django.conf import settings
from django.contrib.auth.forms import UsernameField
from django.db import transaction
from django.utils import timezone

from review.models import Lockout

_NAME_FIELD = UsernameField(max_length=150)
_ADDRESS_TIMES = 10  # many people may share one address


def cleaned(username: str) -> str:
    """The name as the log-in form looks it up: what is typed differently and means the same account is the same."""
    return str(_NAME_FIELD.to_python(username))


def keys_of(username: str, address: str) -> tuple[str, str]:
    return f"user:{cleaned(username).lower()[:180]}", f"address:{address[:180]}"


def is_locked(username: str, address: str) -> bool:
    return bool(Lockout.objects.filter(pk__in=keys_of(username, address), until__gt=timezone.now()).exists())


@transaction.atomic
def failed(username: str, address: str) -> None:
    review, now = settings.LEAKSCREEN.review, timezone.now()
    wait = timedelta(minutes=review.lockout_minutes)
    for key, times in zip(keys_of(username, address), (1, _ADDRESS_TIMES), strict=True):
        Lockout.objects.get_or_create(pk=key, defaults={"last": now})
        row = Lockout.objects.select_for_update().get(pk=key)
        row.failures = 1 if row.last < now - wait else row.failures + 1
        row.last = now
        if row.failures >= review.login_failures * times:
            row.until, row.failures = now + wait, 0
        row.save()


def succeeded(username: str) -> None:
    unlock(username)


def unlock(username: str) -> None:
    Lockout.objects.filter(pk=keys_of(username, "")[0]).delete()
