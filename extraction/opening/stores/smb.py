"""A share of an SMB server (Windows, Samba) -> its files, by smbprotocol: nothing is mounted, messages are encrypted.

Kerberos where the machine has a ticket and the library can use it, otherwise NTLM with user and password.
"""

import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any

import smbclient
from smbclient._io import SMBDirectoryIO, SMBFileTransaction, SMBPipeIO, SMBRawIO
from smbprotocol.exceptions import SMBException, SMBOSError, SMBResponseException
from smbprotocol.file_info import FileInformationClass
from smbprotocol.header import NtStatus
from smbprotocol.open import (
    FilePipePrinterAccessMask,
    SMB2QueryInfoRequest,
    SMB2QueryInfoResponse,
    SMB2SetInfoRequest,
)

from core.settings import SourceSettings
from extraction.opening.credentials import Credentials, credentials_for, split_port, split_user
from extraction.opening.folders import Subfolder, files_below, join
from extraction.opening.object_store import Fetched, ObjectError, StoredObject
from extraction.opening.servers import REFUSED, SECONDS, Pool, unreachable
from extraction.opening.windows_lists import Descriptor, Name, in_words, parsed
from extraction.opening.windows_rpc import LSA, SHARES, Rpc, RpcError, list_of_share, names_of

_CHUNK = 1 << 20
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FOLDER, _REPARSE, _OFFLINE = 0x10, 0x400, 0x1000 | 0x40_0000  # offline, recalled when it is read
_LINKS = (0xA000_000C, 0xA000_0003)  # symbolic link, junction
_SECURITY, _OWNER_AND_LIST = 3, 0x1 | 0x4
_LIST = 0x4
_SEE_LIST = FilePipePrinterAccessMask.READ_CONTROL
_WRITE_LIST = _SEE_LIST | FilePipePrinterAccessMask.WRITE_DAC
_LOCK_CONFLICT = 0xC000_0054
_REASONS = {
    NtStatus.STATUS_ACCESS_DENIED: "permission denied",
    NtStatus.STATUS_OBJECT_NAME_NOT_FOUND: "vanished",
    NtStatus.STATUS_OBJECT_PATH_NOT_FOUND: "vanished",
    NtStatus.STATUS_DELETE_PENDING: "vanished",
    NtStatus.STATUS_NO_SUCH_FILE: "vanished",
    NtStatus.STATUS_NOT_FOUND: "no such share",
    NtStatus.STATUS_BAD_NETWORK_NAME: "no such share",
    NtStatus.STATUS_SHARING_VIOLATION: "locked by another program",
    _LOCK_CONFLICT: "locked by another program",
    NtStatus.STATUS_OBJECT_NAME_INVALID: "impossible name",
    NtStatus.STATUS_FILE_IS_A_DIRECTORY: "not a regular file (directory)",
    NtStatus.STATUS_NOT_A_DIRECTORY: "vanished",
    NtStatus.STATUS_LOGON_FAILURE: REFUSED,
    NtStatus.STATUS_WRONG_PASSWORD: REFUSED,
    NtStatus.STATUS_PASSWORD_EXPIRED: "the password has expired",
}
_FAULTS = (SMBException, OSError, ValueError)


def open_store(place: str, settings: SourceSettings) -> "Share":
    server, _, share = place.partition("://")[2].partition("/")
    return Share(split_user(server)[1], share, credentials_for(place, settings), settings)


class Share:
    def __init__(self, host: str, share: str, credentials: Credentials, settings: SourceSettings) -> None:
        self._host, self._port = split_port(host, 445)
        self._share = share
        self._credentials = credentials
        self._lists = settings.access_lists
        self._pool: Pool[dict[str, Any]] = Pool(settings.connections, self._connect, _disconnect)
        self._names: dict[str, Name] = {}
        self._of_share: tuple[Descriptor | None] | None = None

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        if prefix and not prefix.endswith("/"):
            folder, _, name = prefix.rpartition("/")
            for entry in self._listed(folder, name):
                if isinstance(entry, StoredObject) and entry.key == prefix:
                    yield entry
        else:
            yield from files_below(prefix.strip("/"), self._listed)

    def close(self) -> None:
        self._pool.close()

    def fetch(self, key: str, most: int, start: int = 0, version: str = "") -> Fetched:
        chunks = self._chunks(key, most, start, version)
        size, held = next(chunks)
        return Fetched(size, (chunk for _, chunk in chunks if isinstance(chunk, bytes)), str(held))

    def _chunks(self, key: str, most: int, start: int, version: str) -> Iterator[tuple[int, str | bytes]]:
        """At first size and version, then the content. It shares the file with whoever reads, writes or deletes it."""
        with self._pool.connection() as cache:
            try:
                with SMBRawIO(self._path(key), mode="r", share_access="rwd", **self._with(cache)) as file:
                    size, held = file.fd.end_of_file, _version(file.fd.last_write_time, file.fd.end_of_file)
                    if version and version != held:
                        raise ObjectError("changed while it was fetched")
                    yield size, held
                    at, end = start, min(size, start + most)
                    while at < end:
                        chunk = file.fd.read(at, min(_CHUNK, end - at))
                        at += len(chunk)
                        yield size, chunk
            except _FAULTS as error:
                raise _reason(error) from None

    def _listed(self, folder: str, pattern: str = "*") -> Iterator[StoredObject | Subfolder]:
        with self._pool.connection() as cache:
            try:
                with SMBDirectoryIO(self._path(folder), share_access="rwd", **self._with(cache)) as opened:
                    for entry in opened.query_directory(
                        pattern, FileInformationClass.FILE_ID_FULL_DIRECTORY_INFORMATION
                    ):
                        found = self._entry(folder, entry, cache)
                        if found is not None:
                            yield found
            except SMBOSError as error:
                if error.ntstatus not in (NtStatus.STATUS_NO_SUCH_FILE, NtStatus.STATUS_NO_MORE_FILES):
                    raise _reason(error) from None
            except _FAULTS as error:
                raise _reason(error) from None

    def _entry(self, folder: str, entry: Any, cache: dict[str, Any]) -> StoredObject | Subfolder | None:
        raw = entry["file_name"].get_value()
        name = raw.decode("utf-16-le", "surrogatepass")
        if name in (".", ".."):
            return None
        attributes, tag = entry["file_attributes"].get_value(), entry["ea_size"].get_value()
        if not _is_text(name):
            shown = "".join(f"%u{ord(sign):04X}" if 0xD800 <= ord(sign) < 0xE000 else sign for sign in name)
            return StoredObject(join(folder, shown), 0, 0, fault="name is not valid Unicode")
        key = join(folder, name)
        if attributes & _REPARSE and tag in _LINKS:
            return StoredObject(key, 0, 0, fault="symbolic link")
        if attributes & _FOLDER:
            return Subfolder(key, str(entry["file_id"].get_value() or ""))
        size, written = entry["end_of_file"].get_value(), entry["last_write_time"].get_value()
        owner, access = self._access(key, cache) if self._lists else ("", "")
        changed = entry["change_time"].get_value()
        return StoredObject(
            key,
            size,
            _nanoseconds(written),
            f"{entry['file_id'].get_value():x}.{_nanoseconds(changed):x}",
            owner,
            access,
            "in an archive tier; it must be restored first" if attributes & _OFFLINE else "",
        )

    def list_of(self, key: str) -> bytes:
        """The security descriptor of a file: its owner and its access list."""
        with self._pool.connection() as cache, _explained():
            raw = SMBRawIO(self._path(key), share_access="rwd", desired_access=_SEE_LIST, **self._with(cache))
            asked = SMBFileTransaction(raw)
            _ask_security(asked)
            asked.commit()
            return bytes(asked.results[0])

    def set_list(self, key: str, descriptor: bytes) -> None:
        """The access list alone; the owner stays. One request: the list is the old one or the new one."""
        with self._pool.connection() as cache, _explained():
            raw = SMBRawIO(self._path(key), share_access="rwd", desired_access=_WRITE_LIST, **self._with(cache))
            asked = SMBFileTransaction(raw)
            request = SMB2SetInfoRequest()
            request["info_type"], request["additional_information"] = _SECURITY, _LIST
            request["file_id"], request["buffer"] = b"\xff" * 16, descriptor
            asked += (request, lambda sent: asked.raw.fd.connection.receive(sent))
            asked.commit()

    def _access(self, key: str, cache: dict[str, Any]) -> tuple[str, str]:
        """One message to the server: open, ask, close. A user who must not see the list gets words that say so."""
        raw = SMBRawIO(self._path(key), share_access="rwd", desired_access=_SEE_LIST, **self._with(cache))
        asked = SMBFileTransaction(raw)
        _ask_security(asked)
        try:
            asked.commit()
            descriptor = parsed(asked.results[0])
        except SMBOSError as error:
            return "", "list not shown" if error.ntstatus == NtStatus.STATUS_ACCESS_DENIED else ""
        except (struct.error, IndexError):
            return "", "list of an unknown kind"

        def names(sids: set[str]) -> dict[str, Name]:
            return self._named(sids, cache)

        owner = names({descriptor.owner}).get(descriptor.owner, Name(descriptor.owner)).text
        return owner, in_words(descriptor, self._list_of_share(cache), names)

    def _named(self, sids: set[str], cache: dict[str, Any]) -> dict[str, Name]:
        """Each SID is looked up once; one without a name stands for itself."""
        unknown = sorted(sid for sid in sids if sid and sid not in self._names)
        if unknown:
            self._names |= {sid: Name(sid) for sid in unknown}
            with suppress(RpcError, *_FAULTS):
                found = names_of(self._rpc(cache, *LSA), unknown)
                self._names |= {sid: Name(name, is_user) for sid, (name, is_user) in found.items()}
        return self._names

    def _list_of_share(self, cache: dict[str, Any]) -> Descriptor | None:
        if self._of_share is None:
            self._of_share = (None,)
            with suppress(RpcError, struct.error, IndexError, *_FAULTS):
                raw = list_of_share(self._rpc(cache, *SHARES), self._share)
                self._of_share = (parsed(raw) if raw else None,)
        return self._of_share[0]

    def _rpc(self, cache: dict[str, Any], pipe: str, interface: Any, version: int) -> Rpc:
        opened = SMBPipeIO(rf"\\{self._host}\IPC$\{pipe}", mode="r+", share_access="rwd", **self._with(cache))
        opened.open()

        def transceive(message: bytes) -> bytes:
            if message:
                opened.fd.write(message)
            return bytes(opened.fd.read(0, 65_536))

        return Rpc(transceive, interface, version)

    def _path(self, key: str) -> str:
        return "\\".join(["", "", self._host, self._share, *key.split("/")]).rstrip("\\")

    def _with(self, cache: dict[str, Any]) -> dict[str, Any]:
        return {"connection_cache": cache, "port": self._port, "username": self._credentials.user or None}

    def _connect(self) -> dict[str, Any]:
        cache: dict[str, Any] = {}
        try:
            smbclient.register_session(
                self._host,
                self._credentials.user or None,
                self._credentials.password or None,
                self._port,
                encrypt=True,
                connection_timeout=SECONDS,
                connection_cache=cache,
                require_signing=True,
            )
        except _FAULTS as error:
            raise _reason(error) from None
        except Exception:  # of the libraries for NTLM and Kerberos, whose messages may quote names
            raise ObjectError(REFUSED) from None
        return cache


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except _FAULTS as error:
        raise _reason(error) from None


def _disconnect(cache: dict[str, Any]) -> None:
    """Quietly: the library's own function prints the traceback of a connection that is broken already."""
    for name in list(cache):
        with suppress(Exception):
            cache.pop(name).disconnect()


def _ask_security(asked: Any) -> None:
    request = SMB2QueryInfoRequest()
    request["info_type"] = _SECURITY
    request["file_info_class"] = 0
    request["additional_information"] = _OWNER_AND_LIST
    request["output_buffer_length"] = 65_536
    request["file_id"] = b"\xff" * 16

    def receive(sent: Any) -> bytes:
        response = SMB2QueryInfoResponse()
        response.unpack(asked.raw.fd.connection.receive(sent)["data"].get_value())
        return bytes(response["buffer"].get_value())

    asked += (request, receive)


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _nanoseconds(moment: Any) -> int:
    if not isinstance(moment, datetime):
        return 0
    passed = moment - _EPOCH
    return ((passed.days * 86_400 + passed.seconds) * 10**6 + passed.microseconds) * 1000


def _version(written: Any, size: int) -> str:
    return f"{_nanoseconds(written):x}.{size}"


def _reason(error: Exception) -> ObjectError:
    """Words for what the server answers; its messages quote paths."""
    status = getattr(error, "ntstatus", getattr(error, "status", None))
    if isinstance(error, SMBOSError | SMBResponseException) and status is not None:
        return ObjectError(_REASONS.get(status) or f"the server refused it (0x{status:08X})")
    return unreachable(error)
