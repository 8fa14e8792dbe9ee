"""A register, a vault and a file with an approved action on it, for the tests of actions."""

import hashlib
from pathlib import Path
from typing import Any

from core.settings.act import ActSettings
from remediation.action import Action, Kind, Target
from remediation.actions.doing import Here
from remediation.journal import Journal
from remediation.register import Register
from remediation.run import Runner
from remediation.vault import Vault

KEY = bytes(range(32))


def sha256_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class Trial:
    """Two people, alice and bob, and a place for the journal and the vault."""

    def __init__(self, place: Path, **here: Any) -> None:
        self.folder = place / "act"
        self.folder.mkdir(exist_ok=True)
        self.vault = Vault(self.folder / "vault", KEY)
        settings = here.pop("settings", ActSettings(contact="privacy@example.org"))
        self.here = Here(vault=self.vault, settings=settings, **here)
        self.register = Register(Journal.open(self.folder, KEY))

    def approved(self, kind: Kind, path: Path | str, content: bytes, **options: str) -> Action:
        """An action on content that was judged, whatever is at the path."""
        target = Target(str(path), str(path), sha256_of(content), len(content), owner="ann")
        action = self.register.propose("alice", kind, target, options=options, reason="a trial")
        assert action is not None
        return self.register.approve("bob", action)

    def run(self, action: Action) -> Action:
        (ended,) = self.runner().run([action])
        return ended

    def undo(self, action: Action, to: str = "") -> Action:
        (ended,) = self.runner().undo([action], to)
        return ended

    def runner(self) -> Runner:
        return Runner(self.register, self.here, "bob")
