"""Security descriptors of Windows, of files and of shares -> who owns a file and who may read it, in a few words."""

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from core.access import EVERYONE, GROUP, OWNER

_READ = 0x8000_0000 | 0x1000_0000 | 0x1  # generic read, generic all, read data
_ALLOW, _DENY = (0, 9), (1, 10)
_INHERIT_ONLY, _INHERITED = 0x08, 0x10
_HAS_LIST, _PROTECTED, _SELF_RELATIVE = 0x0004, 0x1000, 0x8000
_HEADER = 20  # bytes
_EVERYTHING = 0x1F_01FF
_KEEPERS = ("S-1-5-18", "S-1-5-32-544")  # the system, administrators
_ALL = frozenset(  # whoever has an account, or none
    ("S-1-1-0", "S-1-5-11", "S-1-5-7", "S-1-5-2", "S-1-5-32-545", "S-1-5-32-546")
)
_ALL_OF_DOMAIN = ("-513", "-514")  # domain users, domain guests
_ALWAYS = frozenset(("S-1-5-18", "S-1-5-32-544", "S-1-3-0", "S-1-3-4"))  # the system, administrators, the owner
_MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class Name:
    text: str
    is_user: bool = False


Names = Callable[[set[str]], Mapping[str, Name]]


@dataclass(frozen=True, slots=True)
class Descriptor:
    owner: str  # as a SID
    readers: tuple[str, ...] | None  # SIDs; None where there is no list, so that everybody may read
    inherited: bool  # whether all entries that let somebody read come from the folder above

    @property
    def circle(self) -> str:
        if self.readers is None or any(_is_everyone(sid) for sid in self.readers):
            return EVERYONE
        return GROUP if self.named else OWNER

    @property
    def named(self) -> tuple[str, ...]:
        """Readers beside the owner, the system and administrators."""
        return tuple(
            sid for sid in self.readers or () if sid not in _ALWAYS and sid != self.owner and not _is_everyone(sid)
        )


def parsed(raw: bytes) -> Descriptor:
    """A self-relative descriptor. Entries count in their order, as Windows reads them: what denies before it allows."""
    _, _, control, owner, _, _, at = struct.unpack_from("<BBHIIII", raw)
    owner_sid = _sid(raw, owner) if owner else ""
    if not control & _HAS_LIST or not at:
        return Descriptor(owner_sid, None, False)
    readers: dict[str, bool] = {}
    denied: set[str] = set()
    for kind, flags, mask, sid in _entries(raw, at):
        if flags & _INHERIT_ONLY or not mask & _READ:
            continue
        if kind in _DENY:
            denied.add(sid)
        elif kind in _ALLOW and sid not in denied and "S-1-1-0" not in denied:
            readers[sid] = readers.get(sid, True) and bool(flags & _INHERITED)
    return Descriptor(owner_sid, tuple(readers), bool(readers) and all(readers.values()))


def owner_only(raw: bytes) -> bytes:
    """A descriptor whose list lets the owner, the system and administrators do everything, and nobody else anything.

    The folder above adds nothing to it.
    """
    owner = struct.unpack_from("<BBHIIII", raw)[3]
    sids = [raw[owner : owner + 8 + 4 * raw[owner + 1]]] if owner else []
    sids += [_packed_sid(sid) for sid in _KEEPERS]
    entries = b"".join(struct.pack("<BBHI", 0, 0, 8 + len(sid), _EVERYTHING) + sid for sid in sids)
    header = struct.pack("<BBHIIII", 1, 0, _SELF_RELATIVE | _PROTECTED | _HAS_LIST, 0, 0, 0, _HEADER)
    return header + struct.pack("<BBHHH", 2, 0, 8 + len(entries), len(sids), 0) + entries


def in_words(of_file: Descriptor, of_share: Descriptor | None, names: Names) -> str:
    """The circle that file and share let read together; whom the file's list names; what the share's list adds.

    `of_share` is None where the server does not show it.
    """
    circles = [of_file.circle] + ([of_share.circle] if of_share else [])
    words = [max(circles, key=(EVERYONE, GROUP, OWNER).index), *_named(of_file, names)]
    words.append("inherited" if of_file.inherited else "own list")
    if of_share is not None and of_share.circle != EVERYONE:
        words.append(f"share only for {' and '.join(_named(of_share, names)) or 'administrators'}")
    return ", ".join(words)


def _named(descriptor: Descriptor, names: Names) -> list[str]:
    known = names(set(descriptor.named))
    words = [
        f"{'user' if name.is_user else 'group'} {name.text}"
        for name in (known.get(sid, Name(sid)) for sid in descriptor.named)
    ]
    more = len(words) - _MOST_NAMED
    return [*words[:_MOST_NAMED], f"{more} more"] if more > 0 else words


def _is_everyone(sid: str) -> bool:
    return sid in _ALL or (sid.startswith("S-1-5-21-") and sid.endswith(_ALL_OF_DOMAIN))


def _entries(raw: bytes, at: int) -> Iterator[tuple[int, int, int, str]]:
    _, _, _, count, _ = struct.unpack_from("<BBHHH", raw, at)
    at += 8
    for _ in range(count):
        kind, flags, size, mask = struct.unpack_from("<BBHI", raw, at)
        if kind in _ALLOW or kind in _DENY:
            yield kind, flags, mask, _sid(raw, at + 8)
        at += size


def _packed_sid(sid: str) -> bytes:
    revision, authority, *rest = map(int, sid.split("-")[1:])
    return bytes((revision, len(rest))) + authority.to_bytes(6, "big") + struct.pack(f"<{len(rest)}I", *rest)


def _sid(raw: bytes, at: int) -> str:
    revision, count = raw[at], raw[at + 1]
    authority = int.from_bytes(raw[at + 2 : at + 8], "big")
    return "-".join(map(str, ("S", revision, authority, *struct.unpack_from(f"<{count}I", raw, at + 8))))
