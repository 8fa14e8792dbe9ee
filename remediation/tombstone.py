"""An action -> the note that is left in place of a file: whom to ask, and nothing of what was found."""

from datetime import date
from pathlib import Path

from core.errors import SettingsError
from core.settings.act import ActSettings

_TEXT = """\
This file was moved to a safe place on {date}.

It was not deleted. To ask about it, or to get it back, contact {contact}
and give the reference {reference}.
"""


def tombstone(settings: ActSettings, reference: str, today: date) -> str:
    text = _TEXT
    if settings.tombstone_file:
        try:
            text = Path(settings.tombstone_file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            raise SettingsError(f"act.tombstone_file: {settings.tombstone_file} cannot be read as UTF-8") from None
    for name, value in (("date", today.isoformat()), ("contact", settings.contact), ("reference", reference)):
        text = text.replace("{" + name + "}", value)
    if reference not in text:
        text += f"\nReference: {reference}\n"  # no two notes are alike, so that each is known again
    return text
