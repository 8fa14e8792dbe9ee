"""Outlook mail store -> its mails, contacts and appointments as numbered members."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pypff

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.readers.outlook.item import Attached, Property, Streams, item_file, item_streams
from extraction.readers.streams.read_member import embedded_content

MEDIA_TYPES = frozenset({"application/vnd.ms-outlook-pst"})
IS_ARCHIVE = True

MOST_FOLDERS = 100_000
DEPTH = 10  # items within items


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    store = pypff.file()
    store.open_file_object(content.file())
    lost = 0
    number = 0
    for item in _items(store.get_root_folder()):
        if item is None:
            lost += 1
            continue
        number += 1
        yield Member(f"item {number}", partial(_file, item, budget))
    if lost:
        raise StoppedError(Status.PARTIAL, f"{lost:,} folders or items could not be read")


def _items(root: Any) -> Iterator[Any]:
    """None for each folder or item that cannot be reached."""
    waiting = [root]
    for _ in range(MOST_FOLDERS):
        if not waiting:
            return
        folder = waiting.pop()
        try:
            messages, folders = folder.number_of_sub_messages, folder.number_of_sub_folders
        except OSError:
            yield None
            continue
        for index in range(messages):
            yield _reached(folder.get_sub_message, index)
        below = [_reached(folder.get_sub_folder, index) for index in range(folders)]
        yield from (entry for entry in below if entry is None)
        waiting.extend(entry for entry in reversed(below) if entry is not None)
    yield None


def _reached(get: Any, index: int) -> Any:
    try:
        return get(index)
    except OSError:
        return None


def _file(item: Any, budget: Budget) -> Content:
    return embedded_content(item_file(_streams(item, 0, budget)), budget)


def _streams(item: Any, depth: int, budget: Budget) -> Streams:
    properties = [
        entry for number in range(item.number_of_record_sets) for entry in _properties(item.get_record_set(number))
    ]
    recipients = [list(_properties(record_set)) for record_set in _recipients(item)]
    count = item.number_of_attachments if hasattr(item, "number_of_attachments") else 0
    attachments = [_attached(item.get_attachment(number), depth, budget) for number in range(count)]
    return item_streams(properties, recipients, attachments, within=depth > 0)


def _recipients(item: Any) -> Iterator[Any]:
    people = getattr(item, "recipients", None)
    if people is not None:
        yield from (people.get_record_set(number) for number in range(people.number_of_record_sets))


def _properties(record_set: Any) -> Iterator[Property]:
    for number in range(record_set.number_of_entries):
        entry = record_set.get_entry(number)
        if entry.entry_type is not None and entry.value_type is not None and entry.data is not None:
            yield entry.entry_type, entry.value_type, bytes(entry.data)


def _attached(attachment: Any, depth: int, budget: Budget) -> Attached:
    sets = range(attachment.number_of_record_sets)
    properties = tuple(entry for number in sets for entry in _properties(attachment.get_record_set(number)))
    if attachment.number_of_sub_items and depth < DEPTH:
        return Attached(properties, item=_streams(attachment.get_sub_item(0), depth + 1, budget))
    try:
        size = min(attachment.get_size(), budget.limits.member_bytes)
        data = bytes(attachment.read_buffer(size)) if size > 0 else b""
    except OSError:
        data = b""
    return Attached(properties, data)
