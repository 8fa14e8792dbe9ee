"""The name of a source -> the kind of store that it is in, if any; loads no store."""

import re
from dataclasses import dataclass

_PASSWORD = re.compile(r"\A([a-z0-9+.-]+://[^/@:]*):(?!\d+(?:/|\Z)).*@", re.S)  # what follows may be a port


@dataclass(frozen=True, slots=True)
class Scheme:
    """One kind of store. A new one needs an entry in `SCHEMES`, its module, and its extra if it has a library."""

    name: str  # what its addresses begin with
    form: str  # an address as messages show it; everything before the last name identifies the store
    extra: str  # the extra of leakscreen that installs the library; empty where none is needed
    module: str  # has `open_store(place, settings) -> Store`
    folders: bool = True  # False where a store has no folders of its own, so that an empty one cannot exist

    @property
    def mark(self) -> str:
        """What is between store and key, where the name of the store is itself a path; empty elsewhere."""
        return "//" if "//" in self.form.partition("://")[2] else ""

    @property
    def store_names(self) -> int:
        """How many names of an address identify the store; the key follows them."""
        return self.form.partition("://")[2].count("/")


_STORES = "extraction.opening.stores"
SCHEMES = {
    scheme.name: scheme
    for scheme in (
        Scheme("s3", "s3://bucket/prefix", "s3", f"{_STORES}.s3", folders=False),
        Scheme("gs", "gs://bucket/prefix", "gcs", f"{_STORES}.gcs", folders=False),
        Scheme("azfs", "azfs://account/container/prefix", "azure", f"{_STORES}.azure", folders=False),
        Scheme("smb", "smb://server/share/path", "sources", f"{_STORES}.smb"),
        Scheme("imaps", "imaps://user@server/folder", "", f"{_STORES}.imap"),
        Scheme("imap", "imap://user@server/folder", "", f"{_STORES}.imap"),
        Scheme("sftp", "sftp://user@server/path", "sources", f"{_STORES}.sftp"),
        Scheme("davs", "davs://user@server/path", "", f"{_STORES}.webdav"),
        Scheme("git", "git:///srv/repository.git//path", "", f"{_STORES}.git"),
        Scheme("postgresql", "postgresql://user@server/database/table", "sources", f"{_STORES}.sql"),
        Scheme("mysql", "mysql://user@server/database/table", "sources", f"{_STORES}.sql"),
        Scheme("sqlite", "sqlite:///srv/file.db//table", "sources", f"{_STORES}.sql"),
    )
}


def scheme_of(address: str | bytes) -> Scheme | None:
    """None for a local path. Local paths in records are absolute; an address begins with its scheme."""
    text = address if isinstance(address, str) else address.decode("ascii", "replace")
    name, separator, _ = text.partition("://")
    return SCHEMES.get(name) if separator else None


def is_object(address: str | bytes) -> bool:
    return scheme_of(address) is not None


def without_password(address: str) -> str:
    """The address as it may be shown and stored."""
    return _PASSWORD.sub(r"\1@", address)
