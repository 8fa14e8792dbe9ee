"""Log-ins and log-outs -> entries of the audit log."""

from typing import Any

from django.contrib.auth.signals import user_logged_in, user_logged_out

from review.audit import record


def connect() -> None:
    user_logged_in.connect(_logged_in, dispatch_uid="review")
    user_logged_out.connect(_logged_out, dispatch_uid="review")


def _logged_in(sender: Any, user: Any, **_: Any) -> None:
    record(user.get_username(), "log-in", f"user:{user.pk}")


def _logged_out(sender: Any, user: Any, **_: Any) -> None:
    if user is not None:
        record(user.get_username(), "log-out", f"user:{user.pk}")
