"""Elements of known exports that hold a record in their attributes -> one line a record."""

import base64
import binascii
import re
from collections.abc import Callable, Mapping

from extraction.readers.records.person import label

_HEALTH_KEY = re.compile(
    r"HK(?:(?:Quantity|Category|Characteristic|Correlation|Data|Clinical|Document)TypeIdentifier|CategoryValue"
    r"|WorkoutActivityType|MetadataKey|Biological(?=Sex)|(?=BloodType))(?=[A-Z])"
)
_SENT = "2"
_NOBODY = frozenset({"", "null", "(unknown)"})


def is_health_key(text: str) -> bool:
    """Whether a text is a name that Apple Health gives to a kind of data or value."""
    return text.startswith("HK") and _HEALTH_KEY.match(text) is not None


def words_of_key(text: str) -> str:
    """`HKQuantityTypeIdentifierBloodGlucose` -> `blood glucose`."""
    return label(_HEALTH_KEY.sub("", text, count=1))


def record_line(name: str, attributes: Mapping[str, str], packed: list[bytes]) -> str | None:
    """The line of a record, or nothing for an element that is none; adds files in it to `packed`."""
    say = _RECORDS.get(name)
    return say(attributes, packed) if say is not None else None


def _health_record(attributes: Mapping[str, str], _: list[bytes]) -> str | None:
    kind = attributes.get("type") or attributes.get("workoutActivityType") or ""
    if not is_health_key(kind):
        return None
    value = attributes.get("value") or attributes.get("totalEnergyBurned") or attributes.get("duration") or ""
    shown = words_of_key(value) if is_health_key(value) else f"{value} {attributes.get('unit', '')}"
    texts = (shown, attributes.get("startDate", ""), attributes.get("sourceName", ""))
    return f"{words_of_key(kind)}: " + ", ".join(text.strip() for text in texts if text.strip())


def _text_message(attributes: Mapping[str, str], _: list[bytes]) -> str | None:
    """`[Jan 5, 2025 9:12:03 AM] Ann Example (+15550123): see you`."""
    body = attributes.get("body")
    address = attributes.get("address") or ""
    if body is None or not address:
        return None
    name = (attributes.get("contact_name") or "").strip()
    who = address if name.lower() in _NOBODY else f"{name} ({address})"
    when = attributes.get("readable_date") or ""
    sent = "me to " if attributes.get("type") == _SENT else ""
    return f"{f'[{when}] ' if when else ''}{sent}{who}: {' '.join(body.split())}"


def _message_part(attributes: Mapping[str, str], packed: list[bytes]) -> str | None:
    """A part of a message with pictures: its text, and its file, which is in base64 within an attribute."""
    if "ct" not in attributes:
        return None
    data = attributes.get("data") or ""
    if data and data != "null":
        try:
            packed.append(base64.b64decode(data, validate=False))
        except (binascii.Error, ValueError):
            return data
    text = attributes.get("text") or ""
    is_shown = attributes["ct"].startswith("text/") and text != "null"
    return " ".join(text.split()) if is_shown else ""


_RECORDS: dict[str, Callable[[Mapping[str, str], list[bytes]], str | None]] = {
    "Record": _health_record,
    "Correlation": _health_record,
    "Workout": _health_record,
    "sms": _text_message,
    "part": _message_part,
}
