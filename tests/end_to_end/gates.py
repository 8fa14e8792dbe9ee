"""A gate in a process of its own, as `leakscreen gate run` starts it, and mails that it judges."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

from tests.end_to_end.conftest import KEY
from tests.end_to_end.postfix import Postfix

RECORD = (
    "Patient: {name}, born 03/14/1961, MRN {number}.\n"
    "Admitted with chest pain; acute myocardial infarction. Type 2 diabetes mellitus.\n"
    "Medications: metoprolol 50 mg, atorvastatin 20 mg. Discharged home.\n"
)


@dataclass(slots=True)
class RunningGate:
    process: "subprocess.Popen[bytes]"
    home: Path
    out: Path
    environ: dict[str, str]

    @property
    def log(self) -> str:
        return (self.home / "gate.log").read_text()

    def judges(self) -> list[int]:
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(pid) for pid in children.split()]

    def stop(self) -> int:
        self.process.terminate()
        return self.process.wait(30)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)


def start_gate(home: Path, postfix: Postfix, listen: int, settings: Mapping[str, object] | None = None) -> RunningGate:
    """Returns when it is ready."""
    (home / "tmp").mkdir(parents=True, exist_ok=True)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LEAKSCREEN_")}
    environ = {**clean, "HOME": str(home), "TMPDIR": str(home / "tmp"), "LEAKSCREEN_HMAC_KEY": KEY}
    chosen = {
        "gate.listen": f"127.0.0.1:{listen}",
        "gate.out": home / "gate",
        "gate.queue_directory": postfix.queue,
        "gate.postfix_config": postfix.config,
        "gate.workers": 1,
        "gate.refer_minutes": 0,
        "gate.flush_seconds": 0.5,
        **(settings or {}),
    }
    words = [word for key, value in chosen.items() for word in ("--set", f"{key}={value}")]
    log = home / "gate.log"
    with log.open("wb") as sink:
        process = subprocess.Popen(
            [sys.executable, "-m", "leakscreen", "gate", "run", *words], stderr=sink, stdout=sink, env=environ, cwd=home
        )
    deadline = time.monotonic() + 120
    while b"listens on" not in log.read_bytes():
        assert process.poll() is None and time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)
    return RunningGate(process, home, home / "gate", environ)


@contextlib.contextmanager
def running_gate(
    home: Path, postfix: Postfix, listen: int, settings: Mapping[str, object] | None = None
) -> Iterator[RunningGate]:
    gate = start_gate(home, postfix, listen, settings)
    try:
        yield gate
    finally:
        if gate.process.poll() is None:
            gate.stop()


def mail(
    mark: str, text: str = "Lunch at noon on Friday?\n", to: str = "bob@elsewhere.test", **attachments: bytes
) -> EmailMessage:
    """`mark` is its Message-ID."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ann@hospital.test", to, "About Friday"
    message["Message-ID"] = f"<{mark}@hospital.test>"
    message.set_content(text)
    for name, content in attachments.items():
        message.add_attachment(content, "application", "octet-stream", filename=name.replace("__", "."))
    return message
