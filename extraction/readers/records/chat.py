"""Chat export in JSON -> one line a message: who wrote it, and what."""

import re
from collections.abc import Iterator
from typing import Any

from extraction.readers.html import html_text
from extraction.readers.records.person import label

DEPTH = 100
_TEXTS = ("text", "content", "body", "message")
_SENDERS = ("user_profile", "sender_name", "displayName", "from", "author", "sender", "username", "user", "bot_id")
_NAMES = ("real_name", "displayName", "display_name", "user", "name", "username", "nickname")
_TIME_NAMES = (
    "ts date date_unixtime timestamp timestamp_ms createdDateTime lastModifiedDateTime lastEditedDateTime edited "
    "originalarrivaltime thread_ts version etag"
)
_TIMES = frozenset(_TIME_NAMES.split())
# Keys of exports themselves; ids of anything else may be those of a person.
_TECHNICAL_NAMES = (
    "id type subtype messageType contentType chatType chatId conversationid conversationId threadid replyToId from_id "
    "client_msg_id team user_team source_team team_id bot_id app_id channel_id message_id color mimetype filetype "
    "locale importance avatar avatarUrl avatar_hash blocks reactions is_edited policyViolation"
)
_TECHNICAL = frozenset(_TECHNICAL_NAMES.split())
_TECHNICAL_VALUE = re.compile(r"(?:https?://|urn:)\S+|\S{80,}")
_MENTION = re.compile(r"<@([A-Z0-9]{2,20})(?:\|[^<>]{0,80})?>")
_MARKUP = re.compile(r"<[a-zA-Z/][^<>]{0,500}>")


class ChatLines:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.messages = 0
        self._names: dict[str, str] = {}  # by the id of an account

    def learn(self, value: Any, depth: int = 0) -> None:
        """Remembers who is behind an id, to write names in place of `<@U0123>`."""
        if depth > DEPTH:
            raise RecursionError
        if isinstance(value, list):
            for entry in value:
                self.learn(entry, depth + 1)
        elif isinstance(value, dict):
            account = value.get("user") or value.get("id")
            name = _name_of(value.get("user_profile") or value.get("profile"))
            if isinstance(account, str) and name:
                self._names[account] = name
            for entry in value.values():
                if isinstance(entry, list | dict):
                    self.learn(entry, depth + 1)

    def add(self, value: Any, key: str = "", depth: int = 0) -> None:
        if depth > DEPTH:
            raise RecursionError
        if isinstance(value, list):
            for entry in value:
                self.add(entry, key, depth + 1)
        elif isinstance(value, dict):
            self._add_object(value, depth)
        elif isinstance(value, str | int | float) and not isinstance(value, bool) and key not in _TIMES:
            text = " ".join(str(value).split())
            if text and not _TECHNICAL_VALUE.fullmatch(text):
                self.lines.append(f"{label(key)}: {text}")

    def _add_object(self, entry: dict[str, Any], depth: int) -> None:
        taken = set(self._add_message(entry))
        for name, value in entry.items():
            if name not in taken and name not in _TECHNICAL:
                self.add(value, name, depth + 1)

    def _add_message(self, entry: dict[str, Any]) -> Iterator[str]:
        """Adds the line of a message; returns the keys that it used."""
        sender_key = next((key for key in _SENDERS if _name_of(entry.get(key))), "")
        text_key = next((key for key in _TEXTS if _text_of(entry.get(key))), "")
        if not sender_key or not text_key:
            return
        name = _name_of(entry[sender_key])
        text = _MENTION.sub(lambda match: self._names.get(match[1], match[1]), _text_of(entry[text_key]))
        self.lines.append(f"{self._names.get(name, name)}: {' '.join(text.split())}")
        self.messages += 1
        yield from (sender_key, text_key)
        if "user_profile" in entry:
            yield "user"


def _name_of(value: Any) -> str:
    """A name as text, or within the objects that describe an account."""
    for _ in range(4):
        if isinstance(value, str):
            return " ".join(value.split())
        if not isinstance(value, dict):
            return ""
        value = next((value[key] for key in _NAMES if value.get(key)), None)
    return ""


def _text_of(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("content")
    if isinstance(value, list):  # Telegram cuts a text where a link or a bold word begins
        value = "".join(str(part.get("text", "")) if isinstance(part, dict) else str(part) for part in value)
    if not isinstance(value, str):
        return ""
    return html_text(value) if _MARKUP.search(value) and "<@" not in value else value
