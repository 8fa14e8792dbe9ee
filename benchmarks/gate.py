"""Mails through Postfix alone and through Postfix with the gate, in turn -> what the gate adds to each; and `check`.

    python -m benchmarks.gate [--mails 60]

Needs root and Debian's Postfix. The time of a mail is that from the end of its data to the server's answer.
"""

import argparse
import io
import os
import random
import smtplib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from email.message import EmailMessage
from pathlib import Path

import docx

from pipelines.runners.process_times import TICKS_A_SECOND, ticks_below
from tests.end_to_end.gates import RECORD, mail, running_gate
from tests.end_to_end.postfix import Postfix, free_port, running_postfix

_SIZE = 100_000
_WORDS = (
    "the meeting budget on agenda for please attached draft report and team next week project plan review of a to in "
    "delivery invoice order customer schedule office phone call update thanks regards figures quarter change"
)


def prose(seed: int, size: int) -> str:
    dice = random.Random(seed)
    vocabulary = _WORDS.split()
    words: list[str] = []
    length = 0
    while length < size:
        sentence = " ".join(dice.choices(vocabulary, k=dice.randint(6, 16))).capitalize() + "."
        words.append(sentence + ("\n\n" if dice.random() < 0.15 else "\n" if dice.random() < 0.5 else " "))
        length += len(words[-1])
    return "".join(words)[:size]


def mails_of(kind: str, count: int) -> list[EmailMessage]:
    """Each some 100 kB: text alone, the same with a record in it, or a letter and a document."""
    made = []
    for number in range(count):
        mark, text = f"{kind}-{number}-{time.time_ns()}", prose(number, _SIZE)
        if kind == "text with PHI":
            record = RECORD.format(name="Mary Thornton", number=f"{number:08}")
            text = text[: _SIZE // 2] + "\n\n" + record + "\n\n" + text[_SIZE // 2 :]
        if kind == "document":
            noise = random.Random(number).randbytes(55_000)
            made.append(mail(mark, prose(number, 2_000), plan__docx=_docx(prose(number, 30_000)), data__bin=noise))
        else:
            made.append(mail(mark.replace(" ", "-"), text))
    return made


def _docx(text: str) -> bytes:
    document, sink = docx.Document(), io.BytesIO()
    for paragraph in text.split("\n\n"):
        document.add_paragraph(paragraph)
    document.save(sink)
    return sink.getvalue()


def seconds_of(postfix: Postfix, messages: Sequence[EmailMessage]) -> list[float]:
    taken = []
    with smtplib.SMTP("127.0.0.1", postfix.port, timeout=120) as client:
        for message in messages:
            client.ehlo_or_helo_if_needed()
            client.mail("ann@hospital.test")
            client.rcpt("bob@elsewhere.test")
            began = time.perf_counter()
            code, words = client.data(message.as_bytes())
            taken.append(time.perf_counter() - began)
            if code != 250:
                raise SystemExit(f"a mail was not accepted: {code} {words!r}")
    return taken


def quantile(values: Sequence[float], share: float) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[round(100 * share) - 1]


def measure_checks(home: Path, environ: dict[str, str], count: int) -> tuple[list[float], list[float]]:
    """Of the whole command, with the start of Python, and of the question alone."""
    from leakscreen.commands.check import ask_service

    file = home / "note.txt"
    file.write_text(RECORD.format(name="Mary Thornton", number="00482913") * 3)
    command = [str(Path(sys.executable).with_name("leakscreen")), "check", str(file)]
    whole, asked = [], []
    path = str(home / ".local/share/leakscreen/check.sock")
    for _ in range(count):
        began = time.perf_counter()
        subprocess.run(command, env=environ, cwd=home, stdout=subprocess.DEVNULL, check=False)
        whole.append(time.perf_counter() - began)
        descriptor = os.open(file, os.O_RDONLY)
        began = time.perf_counter()
        verdict = ask_service(str(file), descriptor, path)
        asked.append(time.perf_counter() - began)
        os.close(descriptor)
        assert verdict is not None and verdict["verdict"] == "referred"
    return whole, asked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mails", type=int, default=60)
    count = parser.parse_args().mails
    listen = free_port()
    with (
        tempfile.TemporaryDirectory() as folder,
        running_postfix(None) as alone,
        running_postfix(listen) as judged,
        running_gate(Path(folder), judged, listen) as gate,
    ):
        print(f"{'mail of 100 kB':16} {'':14} {'p50 ms':>8} {'p95 ms':>8} {'max ms':>8}")
        for kind in ("text", "text with PHI", "document"):
            messages = mails_of(kind, count + 3)
            plain: list[float] = []
            gated: list[float] = []
            seconds_of(judged, messages[:3])  # the first mails start processes of Postfix
            seconds_of(alone, messages[:3])
            before = ticks_below(gate.process.pid)
            for message in messages[3:]:
                plain += seconds_of(alone, [message])
                gated += seconds_of(judged, [message])
            cpu = (ticks_below(gate.process.pid) - before) / TICKS_A_SECOND / count
            added = [with_gate - without for with_gate, without in zip(gated, plain, strict=True)]
            for name, values in (("Postfix alone", plain), ("with gate", gated), ("added", added)):
                figures = (quantile(values, 0.5), quantile(values, 0.95), max(values))
                print(f"{kind:16} {name:14}", *(f"{1000 * value:8.1f}" for value in figures))
            print(f"{kind:16} CPU ms of the gate and its parsers, a mail: {1000 * cpu:.1f}")
        checks = measure_checks(gate.home, gate.environ, 40)
        for name, values in zip(("check, command", "check, answer"), checks, strict=True):
            figures = (min(values), quantile(values, 0.5), quantile(values, 0.95))
            print(f"{name:31} min, p50, p95:", *(f"{1000 * value:8.1f}" for value in figures))


if __name__ == "__main__":
    main()
