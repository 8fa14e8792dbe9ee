"""A few kills at random moments; `python -m benchmarks.act_kills` tries a thousand."""

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.act_kills import KEY, Round
from remediation.action import Kind
from remediation.vault import Vault


def test_random_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    """In a fresh interpreter: the count of calls by a profile function hangs in one that has loaded everything."""
    words = ("--kills", "12", "--seed", "7", "--place", str(tmp_path))
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.act_kills", *words], capture_output=True, text=True, check=False, timeout=240
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert (found["kills"], found["lost"], found["double"], found["torn"]) == (12, 0, 0, 0)


def test_what_is_lost_double_or_torn_would_be_seen(tmp_path: Path) -> None:
    """The look after a kill finds the faults that it is there for."""
    import random

    round = Round(tmp_path / "round", random.Random(1), 1, tmp_path / "elsewhere")
    round.prepare()
    assert not round.look()
    actions = {action.kind: action for action in round.register().actions}
    vault = Vault(tmp_path / "round" / "act" / "vault", KEY)
    double = actions[Kind.QUARANTINE]
    vault.seal(double.id, iter([Path(double.target.path).read_bytes()]), {})
    assert not round.look(), "a draft counts for nothing"
    vault.hold(double.id)
    Path(actions[Kind.REPLACE].target.path).unlink()
    Path(actions[Kind.DELETE].target.path).unlink()  # and no journal says that it was begun
    Path(actions[Kind.RESTRICT].target.path).chmod(0o604)
    assert round.look() == {"double": 1, "lost": 2, "torn": 1}
    journal = tmp_path / "round" / "act" / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b"alice", b"zelda", 1))
    assert round.look() == {"torn": 1}
