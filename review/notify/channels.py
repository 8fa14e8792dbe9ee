"""All channels; a new one is a module and its line here."""

from core.settings import Settings
from review.notify.channel import Channel
from review.notify.mail import MailChannel
from review.notify.webhook import WebhookChannel

CHANNELS: tuple[Channel, ...] = (MailChannel(), WebhookChannel())


def configured_channels(settings: Settings) -> tuple[Channel, ...]:
    return tuple(channel for channel in CHANNELS if channel.configured(settings))
