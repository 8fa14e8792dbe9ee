"""What the tests of mail and webhook share: settings, referrals that wait, a clock that is set by hand."""

import dataclasses
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings as django_settings

from core.settings import Settings
from core.settings.notify import MailSettings, WebhookSettings
from review.models import Referral
from review.referrals.intake import Intake
from tests.review.made_rows import facts, many

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
URL = "https://review.example.org"


class HandClock:
    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **span: float) -> None:
        self.now += timedelta(**span)


def mail_settings(**values: Any) -> MailSettings:
    usual = {"host": "127.0.0.1", "security": "none", "sender": "digest@example.org", "site": "Ward 7", "timeout": 5.0}
    return dataclasses.replace(MailSettings(), **{**usual, **values})


def use_settings(
    monkeypatch: pytest.MonkeyPatch, *, mail: MailSettings | None = None, webhook: WebhookSettings | None = None
) -> None:
    before: Settings = django_settings.LEAKSCREEN
    changed = dataclasses.replace(
        before,
        review=dataclasses.replace(before.review, url=URL),
        mail=mail or MailSettings(),
        webhook=webhook or WebhookSettings(),
    )
    monkeypatch.setattr(django_settings, "LEAKSCREEN", changed)


def take_in(count: int, asked: datetime = NOON, scan: int = 1, start: int = 0) -> None:
    """So many referrals that wait since then."""
    rows = many(count, start)
    Intake(facts(scan)).take(rows)
    Referral.objects.filter(asked_in=f"scan-{scan}").update(asked=asked)
