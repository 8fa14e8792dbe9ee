"""Chats exported as JSON give one line a message."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from core.records import Document, Status

Examine = Callable[..., list[Document]]

SLACK = [
    {
        "type": "message",
        "user": "U1",
        "user_profile": {"real_name": "Coach Kim"},
        "ts": "1730000000.0000",
        "text": "Ann Example is out,\ntorn ACL",
        "event": {"mrn": 4711, "covid": "positive", "patient_id": "p7", "team": "T1"},
        "attachments": [{"id": 1, "fallback": "scan of the knee", "title_link": "https://x"}],
    },
    {"type": "message", "user": "U2", "ts": "1730000061.0001", "text": "thanks <@U1>"},
    {"type": "message", "subtype": "bot_message", "username": "helper", "text": "noted"},
]
TEAMS = {
    "value": [
        {
            "messageType": "message",
            "createdDateTime": "2025-01-15T09:00:00Z",
            "from": {"user": {"id": "x", "displayName": "Helen Healer"}},
            "body": {"contentType": "html", "content": "<div><p>Ann Example: <b>INR</b> 4.1</p></div>"},
        }
    ]
}
SKYPE = {
    "conversations": [
        {
            "displayName": "Ward seven",
            "MessageList": [{"displayName": "Helen", "content": "INR 4.1", "from": "8:helen"}],
        }
    ]
}
TELEGRAM = {
    "name": "Family",
    "messages": [
        {"id": 1, "type": "message", "from": "Ann Example", "text": ["see ", {"type": "bold", "text": "the scan"}]}
    ],
}
MESSENGER = {"messages": [{"sender_name": "Ann Example", "timestamp_ms": 1, "content": "the biopsy came back"}]}
DISCORD = {
    "channel": {"name": "ward"},
    "messages": [{"author": {"name": "ann", "nickname": "Ann E."}, "content": "the biopsy", "timestamp": "2025"}],
}


@pytest.mark.parametrize(
    ("export", "lines"),
    [
        (
            SLACK,
            [
                "Coach Kim: Ann Example is out, torn ACL",
                "mrn: 4711",
                "covid: positive",
                "patient id: p7",
                "fallback: scan of the knee",
                "U2: thanks Coach Kim",
                "helper: noted",
            ],
        ),
        (TEAMS, ["Helen Healer: Ann Example: INR 4.1"]),
        (SKYPE, ["Helen: INR 4.1", "from: 8:helen", "display name: Ward seven"]),
        (TELEGRAM, ["name: Family", "Ann Example: see the scan"]),
        (MESSENGER, ["Ann Example: the biopsy came back"]),
        (DISCORD, ["name: ward", "ann: the biopsy"]),
    ],
    ids=["slack", "teams", "skype", "telegram", "messenger", "discord"],
)
def test_a_message_is_a_line(examined: Examine, export: Any, lines: list[str]) -> None:
    (document,) = examined(json.dumps(export, indent=1).encode(), "chat.json")
    assert (document.status, document.media_type) == (Status.COMPLETE, "application/x-chat+json")
    assert sorted(document.text.splitlines()) == sorted(lines)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(SLACK)[:-20],
        '[{"type": "message", "user": "U1", "text": ""}]',
        '[{"type": "message", "user": "U1", "text": ' + "[" * 3000 + "]" * 3000 + "}]",
    ],
)
def test_what_has_no_messages_is_shown_as_it_is(examined: Examine, text: str) -> None:
    (document,) = examined(text.encode())
    assert (document.status, document.text) == (Status.COMPLETE, text)


def test_other_json_is_no_chat(examined: Examine) -> None:
    (document,) = examined(b'{"type": "message", "text": "queue entry without a sender"}')
    assert document.media_type == "application/json"
