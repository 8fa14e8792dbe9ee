"""A mailbox on an IMAP server -> each mail as a file, without touching a flag; by the standard library."""

import imaplib
import re
import ssl
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from time import mktime
from typing import Any

from core.settings import SourceSettings
from extraction.opening.credentials import Credentials, credentials_for, split_port, split_user
from extraction.opening.mailbox_names import decoded, key_of_folder
from extraction.opening.object_store import Fetched, ObjectError, StoredObject
from extraction.opening.servers import REFUSED, SECONDS, Pool, unreachable

_CHUNK = 1 << 22
_LISTED_AT_ONCE = 1_000
_FAULTS = (imaplib.IMAP4.error, OSError)
_LISTED = re.compile(rb'\((?P<flags>[^)]*)\) (?:"(?P<mark>\\?.)"|NIL) (?P<name>.*)', re.S)
_QUOTED_PREFIX = re.compile(rb'\("((?:[^"\\]|\\.)*)" (?:"\\?(.)"|NIL)')
_KEY = re.compile(r"(?P<folder>.*)/(?P<uid>[1-9]\d*)-(?P<validity>[0-9a-z]+)\.eml", re.S)
_NO_MAILS = (b"\\noselect", b"\\nonexistent")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def open_store(place: str, settings: SourceSettings) -> "Mailbox":
    """`imaps` begins with TLS, `imap` asks for it first; without it, nothing is sent."""
    scheme, _, server = place.partition("://")
    return Mailbox(scheme == "imaps", split_user(server)[1], credentials_for(place, settings), settings.connections)


class _UnknownError(ObjectError):
    """A command that the server does not know, or a name that it cannot be asked for."""


@dataclass(frozen=True, slots=True)
class _Folder:
    name: bytes  # as the server writes it
    mark: str  # what parts its levels
    personal: bool

    @property
    def key(self) -> str:
        return key_of_folder(decoded(self.name), self.mark)


class Mailbox:
    """All folders that the user may see, shared ones too."""

    def __init__(self, tls: bool, host: str, credentials: Credentials, connections: int) -> None:
        self._tls = tls
        self._host, self._port = split_port(host, 993 if tls else 143)
        self._credentials = credentials
        self._pool: Pool[_Session] = Pool(connections, self._connect, lambda session: session.imap.shutdown())
        self._folders: list[_Folder] | None = None

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        wanted = prefix.strip("/")
        named = _KEY.fullmatch(prefix)
        if named:
            yield from (mail for mail in self._mails_of(self._folder(named["folder"])) if mail.key == prefix)
        elif prefix and not prefix.endswith("/"):
            return
        else:
            folders = self._below(wanted)
            if wanted and not folders:
                raise ObjectError("no such folder")
            for folder in folders:
                yield from self._mails_of(folder)

    def close(self) -> None:
        self._pool.close()

    def fetch(self, key: str, most: int, start: int = 0, version: str = "") -> Fetched:
        named = _KEY.fullmatch(key)
        if named is None:
            raise ObjectError("vanished")
        folder, uid, validity = self._folder(named["folder"]), named["uid"], named["validity"]
        size, body = self._piece(folder, uid, validity, start, min(most, _CHUNK))
        if len(body) < min(most, _CHUNK):  # that was all, whatever size the server gave
            return Fetched(start + len(body), iter((body,)), validity)
        return Fetched(max(size, start + len(body)), self._chunks(folder, uid, validity, start, most, body), validity)

    def _chunks(self, folder: _Folder, uid: str, validity: str, start: int, most: int, first: bytes) -> Iterator[bytes]:
        yield first
        got, full = len(first), True
        while full and got < most:
            wanted = min(most - got, _CHUNK)
            _, body = self._piece(folder, uid, validity, start + got, wanted)
            got, full = got + len(body), len(body) == wanted
            yield body

    def _piece(self, folder: _Folder, uid: str, validity: str, start: int, most: int) -> tuple[int, bytes]:
        with self._pool.connection() as session:
            if session.enter(folder) != validity:
                raise ObjectError("vanished")
            for facts, body in session.fetched(uid, f"(RFC822.SIZE BODY.PEEK[]<{start}.{most}>)"):
                if body is not None:
                    return int(_number(facts, b"RFC822.SIZE")), body
        raise ObjectError("vanished")

    def _mails_of(self, folder: _Folder) -> Iterator[StoredObject]:
        """By ranges of UIDs up to the last one that was there at first: what arrives later is for the next scan."""
        try:
            with self._pool.connection() as session:
                validity, last = session.enter(folder, anew=True), session.next_uid - 1
        except ObjectError as error:
            if error.is_passing:
                raise
            yield StoredObject(folder.key, 0, 0, fault=f"folder not listed: {error}")
            return
        low, step = 1, _LISTED_AT_ONCE
        while low <= last:
            high = min(last, low + step - 1)
            with self._pool.connection() as session:
                if session.enter(folder) != validity:
                    raise ObjectError("the mailbox was replaced while it was listed")
                mails = [facts for facts, _ in session.fetched(f"{low}:{high}", "(UID RFC822.SIZE INTERNALDATE)")]
            for facts in mails:
                if (uid := int(_number(facts, b"UID"))) <= last:  # an answer may be about others too
                    yield self._stored(folder, validity, uid, facts)
            low, step = high + 1, step * 2 if len(mails) < _LISTED_AT_ONCE // 2 else _LISTED_AT_ONCE

    def _stored(self, folder: _Folder, validity: str, uid: int, facts: bytes) -> StoredObject:
        moment = imaplib.Internaldate2tuple(facts)
        return StoredObject(
            f"{folder.key}/{uid}-{validity}.eml",
            int(_number(facts, b"RFC822.SIZE")),
            int(mktime(moment)) * 10**9 if moment else 0,
            f"{validity}.{uid}",
            self._credentials.user if folder.personal else "",
        )

    def _below(self, wanted: str) -> list[_Folder]:
        self._folders = None  # a listing looks anew
        return [
            folder
            for folder in self._all_folders()
            if not wanted or folder.key == wanted or folder.key.startswith(wanted + "/")
        ]

    def _folder(self, key: str) -> _Folder:
        for folder in self._all_folders():
            if folder.key == key:
                return folder
        raise ObjectError("vanished")

    def _all_folders(self) -> list[_Folder]:
        if self._folders is None:
            with self._pool.connection() as session:
                self._folders = sorted(session.folders(), key=lambda folder: folder.key)
        return self._folders

    def _connect(self) -> "_Session":
        user, password = self._credentials.user, self._credentials.password
        if not user or not password:
            raise ObjectError("no user or no password for it")
        context = ssl.create_default_context()
        try:
            if self._tls:
                imap: Any = imaplib.IMAP4_SSL(self._host, self._port, ssl_context=context, timeout=SECONDS)
            else:
                imap = imaplib.IMAP4(self._host, self._port, timeout=SECONDS)
                imap.starttls(context)
        except _FAULTS as error:
            raise unreachable(error) from None
        try:
            if "AUTH=PLAIN" in imap.capabilities:  # takes every character; LOGIN takes ASCII alone
                imap.authenticate("PLAIN", lambda _: f"\0{user}\0{password}".encode())
            else:
                imap.login(user, password)
        except imaplib.IMAP4.abort as error:
            raise unreachable(error) from None
        except UnicodeError:
            raise ObjectError("this server takes no password with such characters") from None
        except imaplib.IMAP4.error:  # its message may quote what was sent
            imap.shutdown()
            raise ObjectError(REFUSED) from None
        except OSError as error:
            raise unreachable(error) from None
        return _Session(imap)


class _Session:
    """One connection, and the folder that it has open, read-only."""

    def __init__(self, imap: Any) -> None:
        self.imap = imap
        self.next_uid = 1
        self._entered: bytes = b""
        self._validity = ""

    def enter(self, folder: _Folder, *, anew: bool = False) -> str:
        """EXAMINE, never SELECT: no flag changes. Returns the mailbox's UIDVALIDITY."""
        if anew or self._entered != folder.name:
            self._entered = b""
            self._asked("select", _quoted(folder.name), readonly=True)
            self._validity = _base36(int(self._said("UIDVALIDITY")))
            self.next_uid = int(self._said("UIDNEXT"))
            self._entered = folder.name
        return self._validity

    def folders(self) -> list[_Folder]:
        """Personal ones, those of other users and shared ones, each once."""
        spaces = [(b"", True)]
        with suppress(_UnknownError):  # a server may have no such command
            (answer,) = self._asked("namespace")
            shared = answer.partition(b")) ")[2]  # after the personal ones
            spaces += [(prefix, False) for prefix, _ in _QUOTED_PREFIX.findall(shared)]
        found: dict[bytes, _Folder] = {}
        for prefix, is_personal in reversed(spaces):
            for line in self._asked("list", _quoted(prefix), "*"):
                listed = _LISTED.match(line if isinstance(line, bytes) else b"".join(line) if line else b"")
                if listed and not any(flag in listed["flags"].lower() for flag in _NO_MAILS):
                    name = _unquoted(listed["name"])
                    mark = (listed["mark"] or b"").lstrip(b"\\").decode()
                    found.setdefault(name, _Folder(name, mark, is_personal))
        return list(found.values())

    def fetched(self, uids: str, what: str) -> Iterator[tuple[bytes, bytes | None]]:
        """What the server says of each mail, and its content where that was asked for."""
        for part in self._asked("uid", "FETCH", uids, what):
            if isinstance(part, tuple):
                yield part[0], part[1]
            elif part and b"UID" in part:
                yield part, None

    def _said(self, name: str) -> bytes:
        _, said = self.imap.response(name)
        if not said or not said[-1]:
            raise ObjectError(f"the server does not tell {name}")
        value: bytes = said[-1]
        return value

    def _asked(self, command: str, *words: Any, **named: Any) -> list[Any]:
        try:
            kind, said = getattr(self.imap, command)(*words, **named)
        except (imaplib.IMAP4.abort, OSError) as error:
            raise unreachable(error) from None
        except (imaplib.IMAP4.error, UnicodeError):
            raise _UnknownError("the server does not understand it") from None
        if kind != "OK":
            refused = b"NOPERM" in b"".join(part for part in said if isinstance(part, bytes))
            raise ObjectError("permission denied" if refused else "vanished or refused by the server")
        return list(said)


def _number(facts: bytes, name: bytes) -> bytes:
    found = re.search(rb"\b" + re.escape(name) + rb" (\d+)", facts)
    return found[1] if found else b"0"


def _base36(number: int) -> str:
    """Letters among digits: names of files are screened, and such a number alone could be somebody's."""
    digits = ""
    while number:
        number, rest = divmod(number, 36)
        digits = _DIGITS[rest] + digits
    return digits or "0"


def _quoted(name: bytes) -> str:
    return '"' + name.decode("latin-1").replace("\\", "\\\\").replace('"', '\\"') + '"'


def _unquoted(name: bytes) -> bytes:
    if name.startswith(b"{"):  # a literal, which follows its length
        return name.partition(b"}")[2].lstrip(b"\r\n")
    return re.sub(rb"\\(.)", rb"\1", name[1:-1]) if name.startswith(b'"') else name
