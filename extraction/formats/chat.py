"""Chats that Slack, Teams, Telegram, Discord or Messenger exported as JSON -> one line a message."""

import json
from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.limits.budget import Budget
from extraction.readers.records.chat import ChatLines
from extraction.readers.text.decode import decode

MEDIA_TYPES = frozenset({"application/x-chat+json"})
IS_ARCHIVE = False
PLAIN_BEYOND_LIMIT = True


def extract(content: Content, budget: Budget) -> Iterator[Segment]:
    """Text without messages, and invalid JSON, is passed on as it is, so that no text is lost."""
    text = decode(content.data, cut=bool(content.fault))
    lines = ChatLines()
    try:
        export = json.loads(text)
        lines.learn(export)
        lines.add(export)
    except (ValueError, RecursionError):
        lines = ChatLines()
    yield Segment("", "\n".join(lines.lines) if lines.messages else text)
