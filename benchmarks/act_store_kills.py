"""Actions on objects of an S3 server, killed at random moments: `python -m benchmarks.act_store_kills`.

As `benchmarks.act_kills`, with objects instead of files. A store has no step that moves: that an object is in both
places after a kill is counted apart, and must be over after the resume.
"""

import argparse
import hashlib
import json
import os
import random
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3

from benchmarks.act_kills import KEY, Work, disturbed, ended, expect, rehearsed, started
from core.settings.act import ActSettings
from remediation.action import Action, Kind, State, Target
from remediation.actions.doing import Here
from remediation.actions.marks import label_of
from remediation.actions.swap import copy_id
from remediation.journal import Journal
from remediation.register import Register, in_state
from remediation.run import Runner
from remediation.vault import Vault
from tests.object_servers import s3_server

BUCKET = "trials"
KINDS = (Kind.QUARANTINE, Kind.REPLACE, Kind.DELETE, Kind.MOVE, Kind.LABEL, Kind.QUARANTINE)


@dataclass(slots=True)
class StoreRound(Work):
    place: Path
    dice: random.Random
    client: Any
    undone: set[str] = field(default_factory=set)

    def prepare(self) -> None:
        self.place.mkdir(parents=True)
        register, vault = self.register(), self.vault()
        for number, kind in enumerate(KINDS):
            key = f"{self.place.name}/{number}-{kind}"
            content = self.dice.randbytes(400) + os.urandom(8)
            self.client.put_object(Bucket=BUCKET, Key=key, Body=content, Metadata={"ward": "3"})
            uri = f"s3://{BUCKET}/{key}"
            id, options = register.new_id(), {}
            if kind is Kind.MOVE:
                options["to"] = f"s3://{BUCKET}/{self.place.name}/away/{number}"
            elif kind is Kind.REPLACE:
                options["copy_sha256"] = vault.seal(copy_id(id), iter([b"redacted"]), {})
                vault.hold(copy_id(id))
            target = Target(uri, uri, hashlib.sha256(content).hexdigest())
            action = register.propose("alice", kind, target, id=id, options=options)
            assert action is not None
            register.approve("bob", action)
        undoable = [action.id for action in register.actions if action.kind is not Kind.DELETE]
        self.undone = set(self.dice.sample(undoable, 3))

    def register(self) -> Register:
        return Register(Journal.open(self.place, KEY))

    def vault(self) -> Vault:
        return Vault(self.place / "vault", KEY)

    def work(self) -> None:
        register = self.register()
        runner = Runner(register, Here(vault=self.vault(), settings=ActSettings()), "carol")
        runner.resume()
        runner.run(in_state(register.actions, State.APPROVED))
        runner.undo(one for one in in_state(register.actions, State.DONE) if one.id in self.undone)

    def look(self) -> Counter[str]:
        journal = Journal.keyed(self.place, KEY)
        if journal.load():
            return Counter(["torn"])
        begun = {entry.id for entry in journal.entries if entry.event == "begun"}
        return Counter(fault for one in Register(journal).actions if (fault := self._fault(one, one.id in begun)))

    def _fault(self, action: Action, begun: bool) -> str:
        sha256 = action.target.sha256
        old = self._hash(action.target.uri) == sha256
        match action.kind:
            case Kind.QUARANTINE | Kind.REPLACE:
                if old:
                    return "double" if self.vault().holds(action.id) else ""
                return "" if self.vault().content_hash(action.id) == sha256 else "lost"
            case Kind.MOVE:
                new = self._hash(action.options["to"]) == sha256
                return "moved, and not yet deleted" if old and new else "" if old or new else "lost"
            case Kind.DELETE:
                return "" if old or begun else "lost"
        return "" if old and self._label(action.target.uri) in (None, label_of(action)) else "torn"

    def check_end(self) -> None:
        for action in self.register().actions:
            undone = action.id in self.undone
            expect(action.state is (State.UNDONE if undone else State.DONE), f"{action.kind} is {action.state}")
            there = undone or action.kind is Kind.LABEL
            expect((self._hash(action.target.uri) == action.target.sha256) is there, f"{action.kind}: content")
            held = action.kind in (Kind.QUARANTINE, Kind.REPLACE) and not undone
            expect(self.vault().holds(action.id) is held, f"{action.kind}: vault")
            if there:
                head = self.client.head_object(Bucket=BUCKET, Key=_key(action.target.uri))
                expect(head["Metadata"] == {"ward": "3"}, f"{action.kind}: metadata")
            if action.kind is Kind.LABEL:
                expect((self._label(action.target.uri) is None) is undone, "label")
        expect(not list(self.place.glob("vault/*.part")), "a draft was left in the vault")
        expect(self.look() == Counter(), "faults at the end")

    def _hash(self, uri: str) -> str | None:
        try:
            return hashlib.sha256(self.client.get_object(Bucket=BUCKET, Key=_key(uri))["Body"].read()).hexdigest()
        except self.client.exceptions.NoSuchKey:
            return None

    def _label(self, uri: str) -> str | None:
        tags = self.client.get_object_tagging(Bucket=BUCKET, Key=_key(uri))["TagSet"]
        return next((str(tag["Value"]) for tag in tags if tag["Key"] == "leakscreen"), None)


def _key(uri: str) -> str:
    return uri.removeprefix(f"s3://{BUCKET}/")


def killed(place: Path, kills: int, seed: int, in_a_row: int = 5) -> tuple[int, int, Counter[str]]:
    """Kills, rounds and faults."""
    dice, done, rounds = random.Random(seed), 0, 0
    faults: Counter[str] = Counter()
    with s3_server() as environment:
        os.environ.update(environment)
        client = boto3.client("s3")
        client.create_bucket(Bucket=BUCKET)
        rehearsal = StoreRound(place / "rehearsal", dice, client)
        rehearsal.prepare()
        pace = rehearsed(rehearsal)
        rehearsal.check_end()
        while done < kills:
            round = StoreRound(place / f"round-{rounds}", dice, client)
            round.prepare()
            wanted = min(in_a_row, kills - done)
            while wanted and disturbed(round, dice, pace):
                wanted -= 1
                done += 1
                faults += round.look()
            expect(ended(started(round)) == 0, "the last process failed")
            round.check_end()
            rounds += 1
    return done, rounds, faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=23)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kills, rounds, faults = killed(Path(folder), arguments.kills, arguments.seed)
    counted = {fault: faults[fault] for fault in ("lost", "double", "torn", "moved, and not yet deleted")}
    print(json.dumps({"kills": kills, "rounds": rounds, **counted}))
    if faults["lost"] + faults["double"] + faults["torn"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
