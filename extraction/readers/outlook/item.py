"""MAPI properties of an item from a mail store -> an Outlook item as a file, so that one reader serves both."""

import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from extraction.readers.ole.compound_writer import write_compound
from extraction.readers.outlook.mapi import BINARY, STRING, UNICODE

Property = tuple[int, int, bytes]  # number, kind, value
Streams = dict[tuple[str, ...], bytes]
_INTEGER = 0x0003
_ATTACHED_DATA = 0x3701


@dataclass(frozen=True, slots=True, repr=False)
class Attached:
    """A file, or an item within the item."""

    properties: tuple[Property, ...]
    data: bytes = b""
    item: Mapping[tuple[str, ...], bytes] = field(default_factory=dict)


def item_streams(
    properties: Iterable[Property],
    recipients: Iterable[Iterable[Property]],
    attachments: Iterable[Attached],
    *,
    within: bool = False,
) -> Streams:
    streams = dict(_streams(properties, 24 if within else 32))
    for number, recipient in enumerate(recipients):
        streams |= _under(f"__recip_version1.0_#{number:08X}", dict(_streams(recipient, 8)))
    for number, attached in enumerate(attachments):
        own = dict(_streams((entry for entry in attached.properties if entry[0] != _ATTACHED_DATA), 8))
        if attached.item:
            own |= _under(f"__substg1.0_{_ATTACHED_DATA:04X}000D", attached.item)
        else:
            own[(f"__substg1.0_{_ATTACHED_DATA:04X}{BINARY:04X}",)] = attached.data
        streams |= _under(f"__attach_version1.0_#{number:08X}", own)
    return streams


def item_file(streams: Streams) -> bytes:
    return write_compound(streams)


def _streams(properties: Iterable[Property], header: int) -> Iterator[tuple[tuple[str, ...], bytes]]:
    table = [bytes(header)]
    for number, kind, value in properties:
        if kind in (UNICODE, STRING, BINARY):
            yield (f"__substg1.0_{number:04X}{kind:04X}",), value
        elif kind == _INTEGER and len(value) >= 4:
            table.append(struct.pack("<HHI", kind, number, 6) + value[:4] + bytes(4))
    yield ("__properties_version1.0",), b"".join(table)


def _under(storage: str, streams: Mapping[tuple[str, ...], bytes]) -> Streams:
    return {(storage, *path): data for path, data in streams.items()}
