"""Actions killed at random moments -> every file in its old or its new place: `python -m benchmarks.act_kills`.

Each round proposes and approves every kind of action on its own files, carries them out and undoes half of what can be
undone. The process is killed between two calls of the code of remediation, drawn from all of them, or after a random
time. After each kill the disk is looked at as it is, before anything is resumed:

- lost: the content is neither in its old place nor held, in the vault or in the private folder on its way there
- double: it is in its old place and also in the new one
- torn: mode, label or allow list is neither as before nor as after; or the journal does not verify

The next process resumes, and is killed again. At the end of a round everything must be done or undone, and nothing left
lying about. `--each-call KIND` draws nothing: an action of that kind and its undo are killed once at every call.
"""

import argparse
import contextlib
import hashlib
import json
import os
import random
import shutil
import signal
import socket
import stat
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email import message_from_bytes
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

from aiosmtpd.controller import Controller

import remediation
from core.settings import Settings, load_settings
from leakscreen.commands.act_setup import here_of
from remediation.action import Action, Kind, State, Target
from remediation.actions.marks import LABEL, label_of
from remediation.actions.swap import copy_id
from remediation.journal import Journal
from remediation.register import Register, in_state
from remediation.run import Runner
from remediation.vault import Vault

KEY = bytes(range(32))
SIZES = (0, 300, 70_000, 3_000_000)
_ROOM = os.path.dirname(remediation.__file__)
_LONG_AGO = 1_500_000_000
_DONE, _KILLED = 0, -signal.SIGKILL
_KINDS = (*Kind, Kind.MOVE, Kind.QUARANTINE, Kind.DELETE, Kind.QUARANTINE)


class Post:
    """What a real server on loopback took, by Message-ID."""

    def __init__(self) -> None:
        self.taken: Counter[str] = Counter()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        self.taken[str(message_from_bytes(envelope.content)["Message-ID"])] += 1
        return "250 OK"


@contextlib.contextmanager
def mail_server() -> Iterator[tuple[Post, int]]:
    post = Post()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    controller = Controller(post, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield post, port
    finally:
        controller.stop()


class Work(Protocol):
    """What a killed process was at."""

    def work(self) -> None: ...


Pace = tuple[int, float]  # the calls, and the seconds, of an undisturbed round


@dataclass(slots=True)
class Round(Work):
    """One share with an action on each of its files."""

    place: Path
    dice: random.Random
    port: int
    elsewhere: Path  # on another file system, if there is one
    kinds: Sequence[Kind] = _KINDS
    undo: float = 0.5  # of what can be undone
    settings: Settings = field(default_factory=Settings)
    contents: dict[str, str] = field(default_factory=dict)  # path to hash
    undone: set[str] = field(default_factory=set)

    def prepare(self) -> None:
        for folder in ("share", "moved", "act"):
            (self.place / folder).mkdir(parents=True)
        self.elsewhere.mkdir(parents=True)
        flags = {
            "act.folder": str(self.place / "act"),
            "act.allow_file": str(self.place / "allow.toml"),
            "act.owner_fallback": "owner@example.org",
            "mail.host": "127.0.0.1",
            "mail.port": self.port,
            "mail.security": "none",
            "mail.sender": "act@example.org",
        }
        self.settings = load_settings(flags, environ={})
        register = self.register()
        vault = self.vault()
        for number, kind in enumerate(self.kinds):
            path = self.place / "share" / f"{number:02}-{kind}.txt"
            path.write_bytes(self.dice.randbytes(SIZES[number % len(SIZES)]) + os.urandom(8))
            path.chmod(0o644)
            os.setxattr(path, "user.comment", b"kept")
            os.utime(path, (_LONG_AGO, _LONG_AGO))
            self.contents[str(path)] = _hash(path) or ""
            self._propose(register, vault, kind, path, number)
        for action in register.actions:
            register.approve("bob", action)
        undoable = [action.id for action in register.actions if action.kind not in (Kind.DELETE, Kind.TELL)]
        self.undone = set(self.dice.sample(undoable, int(len(undoable) * self.undo)))

    def _propose(self, register: Register, vault: Vault, kind: Kind, path: Path, number: int) -> None:
        target = Target(str(path), str(path), self.contents[str(path)], owner="100")
        id, options = register.new_id(), {}
        if kind is Kind.MOVE:
            is_first = kind not in self.kinds[:number]
            options["to"] = str((self.place / "moved" if is_first else self.elsewhere) / path.name)
        elif kind is Kind.REPLACE:
            options["copy_sha256"] = vault.seal(copy_id(id), iter([b"redacted"]), {})
            vault.hold(copy_id(id))
        elif kind is Kind.IGNORE:
            options["until"] = "2099-12-31"
        register.propose("alice", kind, target, id=id, options=options, reason="a trial")

    def register(self) -> Register:
        return Register(Journal.open(self.place / "act", KEY))

    def vault(self) -> Vault:
        return Vault(self.place / "act" / "vault", KEY)

    def work(self) -> None:
        """What one process does: resume, carry out, undo."""
        register = self.register()
        runner = Runner(register, here_of(self.settings, self.vault()), "carol")
        runner.resume()
        runner.run(in_state(register.actions, State.APPROVED))
        runner.undo(one for one in in_state(register.actions, State.DONE) if one.id in self.undone)

    def look(self) -> Counter[str]:
        """The disk as a kill left it."""
        faults: Counter[str] = Counter()
        journal = Journal.keyed(self.place / "act", KEY)
        if journal.load():
            faults["torn"] += 1
            return faults
        begun = {entry.id for entry in journal.entries if entry.event == "begun"}
        for action in Register(journal).actions:
            faults[self._fault(action, action.id in begun)] += 1
        del faults[""]
        return faults

    def _fault(self, action: Action, begun: bool) -> str:
        path, sha256 = Path(action.target.path), action.target.sha256
        old = _hash(path) == sha256
        beside = {path.parent, Path(action.options.get("to", path)).parent}
        on_its_way = any(_hash(file) == sha256 for one in beside for file in one.glob(f".leakscreen-{action.id}/*"))
        match action.kind:
            case Kind.QUARANTINE | Kind.REPLACE:
                vault = self.vault()
                if old:
                    return "double" if vault.holds(action.id) else ""
                return "" if on_its_way or vault.content_hash(action.id) == sha256 else "lost"
            case Kind.MOVE:
                new = _hash(Path(action.options["to"])) == sha256
                return "double" if old and new else "" if old or new or on_its_way else "lost"
            case Kind.DELETE:
                return "double" if old and on_its_way else "" if old or begun else "lost"
            case Kind.RESTRICT:
                return "" if old and stat.S_IMODE(path.stat().st_mode) in (0o644, 0o600) else "torn"
            case Kind.LABEL:
                labels = (None, label_of(action))
                return "" if old and _attribute(path, LABEL) in labels else "torn"
            case Kind.IGNORE:
                return "" if old and self._allowed(action) in (0, 1) else "torn"
        return "" if old else "lost"

    def _allowed(self, action: Action) -> int:
        try:
            listed = tomllib.loads((self.place / "allow.toml").read_text())
        except FileNotFoundError:
            return 0
        except ValueError:
            return -1
        return sum(action.id in entry["reason"] for entry in listed.get("path", ()))

    def check_end(self, post: Post) -> None:
        """Everything is where it belongs, as it was, and nothing is left of the way there."""
        for action in self.register().actions:
            path, sha256 = Path(action.target.path), action.target.sha256
            undone = action.id in self.undone
            expect(action.state is (State.UNDONE if undone else State.DONE), f"{action.kind} is {action.state}")
            there = undone or action.kind in (Kind.RESTRICT, Kind.LABEL, Kind.TELL, Kind.IGNORE)
            expect((_hash(path) == sha256) is there, f"{action.kind}: content")
            if undone:
                status = path.stat()
                kept = (stat.S_IMODE(status.st_mode), int(status.st_mtime), _attribute(path, "user.comment"))
                expect(kept == (0o644, _LONG_AGO, "kept"), f"{action.kind}: metadata {kept}")
            held = action.kind in (Kind.QUARANTINE, Kind.REPLACE) and not undone
            expect(self.vault().holds(action.id) is held, f"{action.kind}: vault")
            if action.kind is Kind.IGNORE:
                expect(self._allowed(action) == (not undone), "allow list")
            if action.kind is Kind.TELL:
                expect(sum(action.id in message for message in post.taken) == 1, "mail")
        expect(not list(self.place.glob("share/.*")), "something was left beside the files")
        expect(not list(self.elsewhere.glob(".*")), "something was left where files were moved to")
        expect(not list(self.place.glob("act/vault/*.part")), "a draft was left in the vault")
        expect(self.look() == Counter(), "faults at the end")


def _hash(path: Path) -> str | None:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def _attribute(path: Path, name: str) -> str | None:
    try:
        return os.getxattr(path, name).decode()
    except OSError:
        return None


def expect(fine: bool, what: str) -> None:
    if not fine:
        raise SystemExit(f"not as it should be: {what}")


class KillAt:
    """Ends this process at a certain call, or return from a call, of the code of remediation."""

    def __init__(self, number: int) -> None:
        self.left = number
        self.seen = 0

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if frame.f_code.co_filename.startswith(_ROOM):
            self.seen += 1
            if self.seen == self.left:
                os.kill(os.getpid(), signal.SIGKILL)


def started(round: Work, at: int = 0) -> int:
    """Starts a process of its own for the work; returns its number."""
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        if at:
            sys.setprofile(KillAt(at))
        round.work()
        code = _DONE
    finally:
        sys.setprofile(None)
        os._exit(code)


def ended(process: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


@dataclass(slots=True)
class Result:
    kills: int = 0
    rounds: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    mails_sent_twice: int = 0


def _finish(round: Round, post: Post) -> None:
    """An undisturbed process does the rest; then nothing of the round is left on the disk."""
    if ended(started(round)) != _DONE:
        raise SystemExit("the last process failed")
    round.check_end(post)
    shutil.rmtree(round.place)
    shutil.rmtree(round.elsewhere)


def killed(place: Path, kills: int, seed: int, in_a_row: int = 5) -> Result:
    """As many kills as asked for, in as many rounds as that takes."""
    dice, result = random.Random(seed), Result()
    with mail_server() as (post, port), tempfile.TemporaryDirectory(dir=_other_file_system(place)) as elsewhere:
        rehearsal = Round(place / "rehearsal", dice, port, Path(elsewhere, "rehearsal"))
        rehearsal.prepare()
        pace = rehearsed(rehearsal)
        rehearsal.check_end(post)
        while result.kills < kills:
            name = f"round-{result.rounds}"
            round = Round(place / name, dice, port, Path(elsewhere, name))
            round.prepare()
            wanted = min(in_a_row, kills - result.kills)
            while wanted and disturbed(round, dice, pace):
                wanted -= 1
                result.kills += 1
                result.faults += round.look()
            _finish(round, post)
            result.rounds += 1
            if result.rounds % 50 == 0:
                so_far = f"  {result.kills} kills in {result.rounds} rounds: {dict(result.faults)}"
                print(so_far, file=sys.stderr, flush=True)
        result.mails_sent_twice = sum(count - 1 for count in post.taken.values())
    return result


def killed_at_each_call(place: Path, kind: Kind) -> Result:
    """A move also to another file system."""
    dice, result = random.Random(0), Result()
    kinds = (kind, kind) if kind is Kind.MOVE else (kind,)
    with mail_server() as (post, port), tempfile.TemporaryDirectory(dir=_other_file_system(place)) as elsewhere:

        def prepared(name: str) -> Round:
            round = Round(place / name, dice, port, Path(elsewhere, name), kinds, undo=1.0)
            round.prepare()
            return round

        calls, _ = rehearsed(prepared("rehearsal"))
        for at in range(1, calls + 1):
            round = prepared(f"call-{at}")
            result.kills += ended(started(round, at)) == _KILLED
            result.faults += round.look()
            _finish(round, post)
            result.rounds += 1
        result.mails_sent_twice = sum(count - 1 for count in post.taken.values())
    return result


def _other_file_system(place: Path) -> Path:
    """Or the same, where there is none."""
    known = (Path("/dev/shm"), Path("/var/tmp"))
    others = (one for one in known if os.access(one, os.W_OK) and one.stat().st_dev != place.stat().st_dev)
    return next(others, place)


def rehearsed(round: Work) -> Pace:
    counter = KillAt(0)
    sys.setprofile(counter)
    began = time.monotonic()
    try:
        round.work()
    finally:
        sys.setprofile(None)
    return counter.seen, time.monotonic() - began


def disturbed(round: Work, dice: random.Random, pace: Pace) -> bool:
    """False where the work was over before its moment came."""
    calls, seconds = pace
    by_time = dice.random() < 0.3
    process = started(round, 0 if by_time else dice.randrange(1, calls))
    if by_time:
        time.sleep(dice.random() * seconds / 2)
        os.kill(process, signal.SIGKILL)
    code = ended(process)
    if code not in (_DONE, _KILLED):
        raise SystemExit(f"a process ended with {code}")
    return code == _KILLED


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1_000)
    parser.add_argument("--in-a-row", type=int, default=5, help="kills of one round, at most")
    parser.add_argument("--seed", type=int, default=23)
    parser.add_argument("--place", help="a folder on the file system to try (default: that of temporary files)")
    parser.add_argument("--each-call", choices=list(Kind), metavar="KIND", help="one kill at every call, of one kind")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.place) as folder:
        if arguments.each_call:
            result = killed_at_each_call(Path(folder), Kind(arguments.each_call))
        else:
            result = killed(Path(folder), arguments.kills, arguments.seed, arguments.in_a_row)
    print(
        json.dumps(
            {
                "kills": result.kills,
                "rounds": result.rounds,
                **{fault: result.faults[fault] for fault in ("lost", "double", "torn")},
                "mails sent twice under one Message-ID": result.mails_sent_twice,
            }
        )
    )
    if result.faults:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
