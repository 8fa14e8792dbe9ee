"""A new installation -> a database with its tables, and a first manager."""

import getpass
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from core.errors import ReviewError
from review.accounts.roles import Role
from review.audit import SYSTEM, record
from review.referrals.intake import tell_planner

NAME, PASSWORD, PASSWORD_FILE = "LEAKSCREEN_MANAGER", "LEAKSCREEN_MANAGER_PASSWORD", "LEAKSCREEN_MANAGER_PASSWORD_FILE"
_ONE_AT_A_TIME = 7_283_645  # any number, as long as every process takes the same


def ensure_database() -> None:
    """Creates or updates the tables; only its owner can read a SQLite file."""
    try:
        if connection.vendor == "sqlite":
            _make_file(Path(connection.settings_dict["NAME"]))
            call_command("migrate", verbosity=0, skip_checks=True)
            tell_planner()  # a migration that rebuilds a table forgets what is known of it
            return
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [_ONE_AT_A_TIME])
            try:
                call_command("migrate", verbosity=0, skip_checks=True)
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [_ONE_AT_A_TIME])
    except DatabaseError as error:
        raise ReviewError(
            f"the review database cannot be used: {str(error).strip().splitlines()[0]}; see review.database"
        ) from None


def _make_file(path: Path) -> None:
    """A file that is there is never opened: closing it would drop the locks of this process's connections."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise ReviewError(f"{path}: the review database cannot be created: {error.strerror}") from None


def ensure_manager(environ: Mapping[str, str] = os.environ) -> str | None:
    """The name of the manager that was created; None where there is a manager already."""
    if _has_manager() or _provider_makes_managers(environ):
        return None
    name, password = _from_environment(environ) or _from_terminal()
    return name if _make_manager(name, password) else None


def _has_manager() -> bool:
    found: bool = get_user_model().objects.filter(is_active=True, groups__name=Role.MANAGER).exists()
    return found


def _provider_makes_managers(environ: Mapping[str, str]) -> bool:
    """Whether single sign-on gives the manager role, and no manager with a password was asked for."""
    provider = settings.OIDC_PROVIDER
    return (
        provider is not None and NAME not in environ and any(Role.MANAGER in roles for roles in provider.roles.values())
    )


def _from_environment(environ: Mapping[str, str]) -> tuple[str, str] | None:
    if NAME not in environ:
        return None
    if PASSWORD in environ:
        return environ[NAME], environ[PASSWORD]
    if PASSWORD_FILE in environ:
        try:
            return environ[NAME], Path(environ[PASSWORD_FILE]).read_text(encoding="utf-8").rstrip("\r\n")
        except (OSError, UnicodeDecodeError):
            raise ReviewError(f"{environ[PASSWORD_FILE]}: the manager's password cannot be read") from None
    raise ReviewError(f"{NAME} is set, but neither {PASSWORD} nor {PASSWORD_FILE} is")


def _from_terminal() -> tuple[str, str]:
    if not sys.stdin.isatty():
        raise ReviewError(
            "there is no manager yet: start the service once on a terminal,"
            f" or set {NAME} and {PASSWORD} or {PASSWORD_FILE}"
        )
    print("There is no manager yet. Create the first one.")
    while True:
        name = input("User name: ").strip()
        password = getpass.getpass("Password, at least 12 characters: ")
        try:
            _checked_user(name, password)
        except ReviewError as error:
            print(f"{error}. Try again.")
            continue
        if getpass.getpass("Repeat the password: ") == password:
            return name, password
        print("The two passwords differ. Try again.")


def _checked_user(name: str, password: str) -> Any:
    user = get_user_model()(username=name)
    try:
        user.full_clean(exclude=["password"])
        validate_password(password, user)
    except ValidationError as error:
        raise ReviewError(f"the first manager cannot be created: {' '.join(error.messages).rstrip('.')}") from None
    return user


@transaction.atomic
def _make_manager(name: str, password: str) -> bool:
    """False where another process, started at the same time, was first: a cluster starts two at once."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_ONE_AT_A_TIME])
        if _has_manager():
            return False
    user = _checked_user(name, password)
    user.set_password(password)
    user.save()
    user.groups.add(Group.objects.get(name=Role.MANAGER))
    record(SYSTEM, "person", f"user:{user.pk}", new=True, roles=[Role.MANAGER.value], first=True)
    return True
