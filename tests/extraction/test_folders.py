"""Folders that a server lists -> the files below; no server can make the walk endless."""

from collections.abc import Iterator

import pytest

from extraction.opening.addresses import without_password
from extraction.opening.folders import Subfolder, files_below
from extraction.opening.object_store import ObjectError, StoredObject

TREE = {"": ["a", "b/"], "b": ["c", "d/"], "d": ["e"], "b/d": ["e"]}


def listed(folder: str) -> Iterator[StoredObject | Subfolder]:
    if folder == "b/d":
        raise ObjectError("permission denied")
    for name in TREE[folder]:
        key = f"{folder}/{name}".strip("/")
        yield Subfolder(key) if name.endswith("/") else StoredObject(key, 1, 1)


def test_a_folder_that_cannot_be_listed_is_a_fault_of_its_own() -> None:
    found = {stored.key: stored.fault for stored in files_below("", listed)}
    assert found == {"a": "", "b/c": "", "b/d": "folder not listed: permission denied"}
    with pytest.raises(ObjectError, match="permission denied"):
        list(files_below("b/d", listed))


@pytest.mark.parametrize(("key", "identity"), [("x/loop", "7"), ("x/../x", ""), ("x", ""), ("elsewhere", "")])
def test_a_server_that_leads_in_circles_is_left(key: str, identity: str) -> None:
    def lying(folder: str) -> Iterator[StoredObject | Subfolder]:
        yield Subfolder("x", "7") if not folder else Subfolder(key, identity)

    (fault,) = files_below("", lying)
    assert fault.fault.startswith("folder not listed: ")


def test_folders_that_never_end_are_left() -> None:
    def deeper(folder: str) -> Iterator[StoredObject | Subfolder]:
        yield Subfolder(f"{folder}/d".strip("/"))

    (fault,) = files_below("", deeper)
    assert fault.fault == "folder not listed: too deep"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("smb://alice:secret@server/share", "smb://alice@server/share"),
        ("smb://alice:se/cr@et@server/share", "smb://alice@server/share"),
        ("smb://:secret@server/share", "smb://@server/share"),
        ("sftp://server:2222/a@b", "sftp://server:2222/a@b"),
        ("sftp://alice@server:2222/a:b@c", "sftp://alice@server:2222/a:b@c"),
        ("s3://bucket/a@b", "s3://bucket/a@b"),
        ("git:///srv/a:b//c@d", "git:///srv/a:b//c@d"),
    ],
)
def test_a_password_is_never_part_of_what_is_shown(address: str, shown: str) -> None:
    assert without_password(address) == shown
