"""Access lists of files on a real Samba server: restricted, undone, and left alone where somebody changed something."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import smbclient

from core.settings import SourceSettings
from extraction.opening.object_store import store_of
from remediation.action import Kind, State
from tests.remediation.trial import Trial
from tests.servers.samba import PASSWORD, FileServer, samba

CONTENT = b"words about somebody"
EVERYONE = "S-1-1-0:ALLOWED/0x0/READ"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FileServer]:
    with samba(tmp_path_factory.mktemp("samba")) as running, pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEAKSCREEN_SOURCE_PASSWORD", PASSWORD)
        yield running


def put(server: FileServer, name: str, content: bytes = CONTENT) -> str:
    how = {"username": server.user, "password": PASSWORD, "port": server.port}
    with smbclient.open_file(rf"\\127.0.0.1\share\{name}", "wb", **how) as file:
        file.write(content)
    return f"{server.address}/{name}"


def access(server: FileServer, name: str) -> str:
    (found,) = store_of(server.address, SourceSettings()).objects(name)
    return found.access


def test_a_list_is_restricted_and_comes_back_as_it_was(server: FileServer, tmp_path: Path) -> None:
    trial, uri = Trial(tmp_path), put(server, "open.txt")
    server.set_list("open.txt", EVERYONE)
    assert access(server, "open.txt") == "everyone, own list"
    done = trial.run(trial.approved(Kind.RESTRICT, uri, CONTENT))
    assert done.state is State.DONE, done.note
    assert access(server, "open.txt").startswith("owner")
    assert trial.undo(done).state is State.UNDONE
    assert access(server, "open.txt") == "everyone, own list"


def test_what_somebody_changed_is_left_alone(server: FileServer, tmp_path: Path) -> None:
    trial, uri = Trial(tmp_path), put(server, "changed.txt", b"other words")
    server.set_list("changed.txt", EVERYONE)
    left = trial.run(trial.approved(Kind.RESTRICT, uri, CONTENT))
    assert left.state is State.LEFT and access(server, "changed.txt") == "everyone, own list"
    gone = trial.run(trial.approved(Kind.RESTRICT, f"{server.address}/none.txt", CONTENT))
    assert (gone.state, gone.note) == (State.LEFT, "it is no longer there")
    done = trial.run(trial.approved(Kind.RESTRICT, uri, b"other words"))
    server.set_list("changed.txt", "S-1-5-32-545:ALLOWED/0x0/READ")
    still = trial.undo(done)
    assert still.state is State.DONE and "changed since" in still.note


def test_a_kill_between_journal_and_list_is_resumed(server: FileServer, tmp_path: Path) -> None:
    trial, uri = Trial(tmp_path), put(server, "resumed.txt")
    server.set_list("resumed.txt", EVERYONE)
    action = trial.approved(Kind.RESTRICT, uri, CONTENT)
    from remediation.run import doing_of

    facts = doing_of(action).begin(action, trial.here)
    begun = trial.register.record("bob", "begun", action.id, facts)
    doing_of(begun).carry_out(begun, trial.here)  # killed before the journal says that it is done
    (done,) = trial.runner().resume()
    assert done.state is State.DONE and access(server, "resumed.txt").startswith("owner")
    assert trial.undo(done).state is State.UNDONE and access(server, "resumed.txt") == "everyone, own list"


def test_other_actions_say_that_the_server_must_do_them(server: FileServer, tmp_path: Path) -> None:
    trial, uri = Trial(tmp_path), put(server, "moved.txt")
    left = trial.run(trial.approved(Kind.QUARANTINE, uri, CONTENT))
    assert left.state is State.LEFT and "act on the server itself" in left.note
