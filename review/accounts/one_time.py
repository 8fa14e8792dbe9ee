"""An account -> a link that logs it in once, for whoever starts the service; and a link -> its account."""

import getpass
import re
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction
from django.urls import reverse

from review.accounts.roles import Role
from review.audit import SYSTEM, record

_FIRST_ROLES = (Role.MANAGER, Role.REVIEWER)
_LONGEST_NUMBER = 9


class _Links(PasswordResetTokenGenerator):
    """Signed with the service's key, and made of the last log-in: any log-in ends it, an hour does too."""

    key_salt = "leakscreen.one-time"


_links = _Links()


def first_account() -> Any:
    """The account of whoever runs this command: manager and reviewer where there is no manager yet.

    None where others manage the service and nobody of this name has an account, and under single sign-on, which decides
    who may log in.
    """
    if settings.OIDC_PROVIDER is not None:
        return None
    people = get_user_model().objects.filter(is_active=True)
    name = _own_name()
    known = people.filter(username=name).first()
    if known is not None or people.filter(groups__name=Role.MANAGER).exists():
        return known
    return _make(name)


@transaction.atomic
def _make(name: str) -> Any:
    """Without a password: the link is the way in, until its owner sets one on the page People."""
    user = get_user_model()(username=name)
    user.set_unusable_password()
    user.save()
    user.groups.set(Group.objects.filter(name__in=_FIRST_ROLES))
    record(SYSTEM, "person", f"user:{user.pk}", new=True, roles=sorted(_FIRST_ROLES), first=True)
    return user


def _own_name() -> str:
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # a container may run as a user without a name
        name = ""
    return re.sub(r"[^\w.@+-]", "", name)[:150] or "reviewer"


def link_for(user: Any) -> str:
    """The path of a link that works once."""
    return str(reverse("enter", args=[f"{user.pk}-{_links.make_token(user)}"]))


def account_of(token: str) -> Any:
    """The account that the link's token belongs to; None where it does not work, or no longer. Within a transaction."""
    number, _, rest = token.partition("-")
    if settings.OIDC_PROVIDER is not None or not number.isdecimal() or len(number) > _LONGEST_NUMBER:
        return None
    user = get_user_model().objects.select_for_update().filter(is_active=True, pk=int(number)).first()
    return user if user is not None and _links.check_token(user, rest) else None
