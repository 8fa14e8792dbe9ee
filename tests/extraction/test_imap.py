"""Mails of a real Dovecot -> objects and Documents: all folders, no flag touched, each fault a reason."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import SourceError
from core.records import Document, FileRef, Status
from core.settings import LimitSettings, SourceSettings
from extraction.examine import examine
from extraction.opening.fetch_ahead import fetch
from extraction.opening.mailbox_names import decoded, key_of_folder
from extraction.opening.object_store import ObjectError, Store, StoredObject, split_address, store_of
from extraction.opening.stores import imap
from extraction.sandbox import Sandbox
from tests.servers.dovecot import PASSWORD, MailServer, dovecot


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MailServer]:
    with dovecot(tmp_path_factory.mktemp("dovecot")) as running, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(running.authority))
        patch.setenv("LEAKSCREEN_SOURCE_PASSWORD", PASSWORD)
        running.append("INBOX", "first words", "second words", attached=b"attached words")
        running.append("Entw&APw-rfe/2024", "drafted words")
        yield running


def store(server: MailServer) -> Store:
    return store_of(server.address)


def keys(listed: Iterator[StoredObject]) -> list[str]:
    return [stored.key.rpartition("-")[0] for stored in listed]


def examined(server: MailServer, key: str, sandbox: Sandbox) -> list[Document]:
    address = f"{server.address}/{key}"
    return list(examine(FileRef(uri=address, path=address.encode(), size=0, mtime_ns=0), sandbox))


def test_every_mail_of_every_folder_is_listed(server: MailServer) -> None:
    assert keys(store(server).objects("")) == ["Entwürfe/2024/1", "INBOX/1", "INBOX/2", "Public/team/1"]
    assert keys(store(server).objects("Entwürfe/")) == ["Entwürfe/2024/1"]
    (mail,) = store(server).objects("Entwürfe/2024/")
    assert mail.size > 100 and mail.mtime_ns == 1_605_607_200 * 10**9 and mail.owner == "alice"
    assert [again.key for again in store(server).objects(mail.key)] == [mail.key]
    with pytest.raises(ObjectError, match="no such folder"):
        list(store(server).objects("Nowhere/"))


def test_a_folder_that_is_shared_with_the_user_is_read(server: MailServer, sandbox: Sandbox) -> None:
    (mail,) = store(server).objects("Public/")
    assert mail.owner == "" and "shared words" in examined(server, mail.key, sandbox)[-1].text


def test_a_long_mailbox_with_gaps_is_listed_range_by_range(server: MailServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.append("Long", *(f"mail {number}" for number in range(12)))
    client = server.client()
    client.select("Long")
    client.uid("STORE", "2:9", "+FLAGS", "(\\Deleted)")
    client.expunge()
    client.logout()
    monkeypatch.setattr(imap, "_LISTED_AT_ONCE", 2)
    assert keys(store(server).objects("Long/")) == ["Long/1", "Long/10", "Long/11", "Long/12"]


def test_a_mail_is_a_file_and_its_attachment_a_member(server: MailServer, sandbox: Sandbox) -> None:
    key = next(store(server).objects("INBOX/")).key
    attached, mail = examined(server, key, sandbox)
    assert (attached.uri, attached.text) == (f"{server.address}/{key}!note.txt", "attached words")
    assert "first words" in mail.text and mail.status is Status.COMPLETE


def test_no_flag_is_touched(server: MailServer, sandbox: Sandbox) -> None:
    server.append("Unread", "unread words")
    (mail,) = store(server).objects("Unread/")
    assert "unread words" in examined(server, mail.key, sandbox)[-1].text
    client = server.client()
    client.select("Unread", readonly=True)
    assert b"\\Seen" not in client.uid("FETCH", "1", "(FLAGS)")[1][0]
    assert b"\\Recent" in client.uid("FETCH", "1", "(FLAGS)")[1][0]


def test_a_large_mail_is_read_in_pieces_and_to_its_end(server: MailServer) -> None:
    server.append("Large", "x" * 70 + "\n", attached=b"0123456789abcdef\n" * 400_000)
    (mail,) = store(server).objects("Large/")
    limits = LimitSettings()
    opened = fetch(f"{server.address}/{mail.key}".encode(), limits)
    try:
        assert opened.size == mail.size > 6_000_000
    finally:
        opened.close()
    part = store(server).fetch(mail.key, 10, start=5)
    assert (part.size, len(b"".join(part.chunks))) == (mail.size, 10)


def test_a_mailbox_that_grows_is_listed_as_it_was(server: MailServer) -> None:
    server.append("Growing", "one", "two")
    listing = store(server).objects("Growing/")
    next(listing)
    server.append("Growing", "three")
    assert len(list(listing)) == 1
    assert len(list(store(server).objects("Growing/"))) == 3


def test_a_mailbox_that_was_made_anew_has_other_mails(server: MailServer) -> None:
    server.append("Renewed", "old words")
    (old,) = store(server).objects("Renewed/")
    client = server.client()
    client.delete("Renewed")
    client.logout()
    server.append("Renewed", "new words")
    (new,) = store(server).objects("Renewed/")
    assert old.key.startswith("Renewed/1-") and new.key.startswith("Renewed/1-") and old.etag != new.etag
    with pytest.raises(ObjectError, match="vanished"):
        fetch(f"{server.address}/{old.key}".encode(), LimitSettings())


def test_a_folder_without_permission_is_a_fault_and_the_others_are_listed(server: MailServer) -> None:
    server.append("Closed", "closed words")
    (server.folder / "mail/alice/Closed/dovecot-acl").write_text("owner l\n")
    try:
        faults = {stored.key: stored.fault for stored in store(server).objects("") if stored.fault}
        assert faults == {"Closed": "folder not listed: permission denied"}
    finally:
        (server.folder / "mail/alice/Closed/dovecot-acl").unlink()


@pytest.mark.parametrize("named", ["imap", "imaps"])
def test_a_wrong_password_is_a_reason_that_does_not_quote_it(
    server: MailServer, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    monkeypatch.setenv("LEAKSCREEN_SOURCE_PASSWORD", "wrong secret")
    port = server.port if named == "imaps" else server.plain_port
    with pytest.raises(ObjectError, match=r"^permission denied \(the server refused user or password\)$"):
        list(store_of(f"{named}://alice@localhost:{port}", SourceSettings(connections=2)).objects(""))


def test_starttls_is_asked_for(server: MailServer) -> None:
    assert "INBOX/1" in keys(store_of(f"imap://alice@localhost:{server.plain_port}").objects("INBOX/"))


def test_an_expired_certificate_is_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with dovecot(tmp_path, expired=True) as server:
        monkeypatch.setenv("SSL_CERT_FILE", str(server.authority))
        monkeypatch.setenv("LEAKSCREEN_SOURCE_PASSWORD", PASSWORD)
        with pytest.raises(ObjectError, match=r"certificate is not valid \(certificate has expired\)"):
            list(store_of(server.address).objects(""))


def test_credentials_come_from_a_file_that_only_its_owner_may_read(
    server: MailServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LEAKSCREEN_SOURCE_PASSWORD")
    file = tmp_path / "credentials.toml"
    file.write_text(f'["imaps://localhost:{server.port}"]\nuser = "alice"\npassword = "{PASSWORD}"\n')
    settings = SourceSettings(credentials_file=str(file))
    place = f"imaps://localhost:{server.port}"
    file.chmod(0o640)
    with pytest.raises(SourceError, match="others may read"):
        store_of(place, settings)
    file.chmod(0o600)
    assert "INBOX/1" in keys(store_of(place, settings).objects("INBOX/"))


def test_a_server_that_is_gone_is_a_reason() -> None:
    with pytest.raises(ObjectError, match=r"cannot be reached \(ConnectionRefusedError\)"):
        list(store_of("imaps://alice@127.0.0.1:9").objects(""))


def test_names_of_folders() -> None:
    assert decoded(b"Entw&APw-rfe") == "Entwürfe" and decoded(b"A&-B") == "A&B" and decoded(b"bad&x") == "bad&x"
    assert key_of_folder("INBOX.a/b.c", ".") == "INBOX/a%2Fb/c"
    assert split_address("imaps://a@b:993/INBOX/1-x.eml") == ("imaps://a@b:993", "INBOX/1-x.eml")
