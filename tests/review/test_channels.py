"""A channel is one object in the tuple: it drafts digests and sends them, and nothing else has to change."""

import subprocess
import sys
from collections.abc import Mapping
from datetime import datetime

import pytest

from core.settings import Settings, load_settings
from review.models import Outbox
from review.notify import channels
from review.notify.channel import Channel, Draft, Drafted, Sender
from review.notify.outbox import due_drafts, put_in_outbox, send_due
from tests.review.telling import NOON, HandClock, take_in, use_settings


class Pager:
    """A channel that the service does not know, and its own sender."""

    name = "pager"
    enabled_by = "pager.number"
    hold_seconds = 1.0

    def __init__(self) -> None:
        self.sent: list[str] = []

    def configured(self, settings: Settings) -> bool:
        return True

    def drafts(self, now: datetime) -> Drafted:
        return Drafted((Draft("pager", f"<{now:%d}@pager>", self.name, None, f"day:{now:%d}", "work", "5", "", {}),))

    def sender(self, settings: Settings, environ: Mapping[str, str]) -> Sender:
        return self

    def send(self, row: Outbox) -> None:
        self.sent.append(row.text)

    def close(self) -> None: ...


@pytest.mark.usefixtures("database_url")
def test_a_new_channel_needs_its_object_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    pager: Channel = Pager()
    monkeypatch.setattr(channels, "CHANNELS", (*channels.CHANNELS, pager))
    use_settings(monkeypatch)
    assert [draft.channel for draft in due_drafts(NOON).drafts] == ["pager"]
    assert len(put_in_outbox(NOON).drafts) == 1
    assert put_in_outbox(NOON).drafts == ()  # once a period
    assert send_due({pager.name: pager.sender(load_settings({}, environ={}), {})}, HandClock()).sent == 1
    assert isinstance(pager, Pager)
    assert pager.sent == ["5"]


@pytest.mark.usefixtures("database_url")
def test_a_channel_that_is_not_configured_drafts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    use_settings(monkeypatch)
    take_in(1)
    assert due_drafts(NOON) == Drafted(())
    assert channels.configured_channels(load_settings({}, environ={})) == ()


def test_names_are_distinct_and_fit_the_column() -> None:
    names = [channel.name for channel in channels.CHANNELS]
    assert len(set(names)) == len(names)
    assert all(len(name) <= Outbox._meta.get_field("channel").max_length for name in names)


def test_whether_a_channel_is_configured_needs_no_database() -> None:
    """The scheduler asks before Django is configured."""
    program = """
from core.settings import load_settings
from review.notify.channels import configured_channels
print([channel.name for channel in configured_channels(load_settings({"mail.host": "localhost"}, environ={}))])
"""
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout == "['mail']\n"
