"""`leakscreen doctor`: this machine -> the protections that really work, and the optional parts that are installed.

With `--service`: what the review service needs.
"""

import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from core.errors import SandboxError
from core.records import FileRef, Status
from core.settings import Settings, load_settings
from extraction.confinement.self_test import AttemptResult, run_self_test
from extraction.examine import examine
from extraction.format import Need
from extraction.registry import Registry
from extraction.sandbox import Protection, Sandbox, probe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leakscreen.commands.doctor_service import Check

FINE, UNPROTECTED = 0, 2
_LEFT = (
    "left to a hijacked parser: to ask whether a path exists, who owns it and how large it is (Landlock cannot refuse)"
)
_YES, _NO = "[green]yes[/]", "[bold red]NO[/]"


@dataclass(frozen=True, slots=True)
class Part:
    """An optional part; `found` is what is installed of it, or empty."""

    name: str
    gives: str
    found: str
    get: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    protection: Protection
    attempts: tuple[AttemptResult, ...]
    parses: str  # why no file can be parsed here, or empty
    parts: tuple[Part, ...]

    @property
    def ok(self) -> bool:
        return self.protection.exists and not self.parses and all(attempt.refused for attempt in self.attempts)

    def as_dict(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "protection": self.protection.as_dict(),
            "deeds": [
                {"deed": attempt.name, "by": attempt.by, "refused": attempt.refused} for attempt in self.attempts
            ],
            "left": _LEFT,
            "parser": self.parses or "works",
            "parts": [{**asdict(part), "missing": not part.found} for part in self.parts],
        }


def run(flags: dict[str, Any], config: Path | None, as_json: bool) -> int:
    diagnosis = diagnose(load_settings(flags, config=config))
    if as_json:
        print(json.dumps(diagnosis.as_dict(), indent=2))
    else:
        _print(diagnosis)
    return FINE if diagnosis.ok else UNPROTECTED


def run_for_service(flags: dict[str, Any], config: Path | None, state: Path | None, as_json: bool) -> int:
    from leakscreen.commands.doctor_service import FAULT, check_service

    checks = check_service(load_settings(flags, config=config), state)
    ok = not any(check.state == FAULT for check in checks)
    if as_json:
        print(json.dumps({"ok": ok, "checks": [asdict(check) for check in checks]}, indent=2))
    else:
        _print_service(checks, ok)
    return FINE if ok else UNPROTECTED


def _print_service(checks: "Sequence[Check]", ok: bool) -> None:
    console = Console()
    colours = {"ok": "[green]ok[/]", "warning": "[yellow]warning[/]", "fault": "[bold red]FAULT[/]", "off": "off"}
    table = Table(title="The service", title_justify="left")
    for column in ("", "state", "found", "what to do"):
        table.add_column(column)
    for check in checks:
        table.add_row(check.name, colours[check.state], escape(check.found), escape(check.remedy))
    console.print(table)
    console.print(
        "The service can work." if ok else "[bold red]The service cannot work as it should[/]: see FAULT above."
    )


def diagnose(settings: Settings) -> Diagnosis:
    return Diagnosis(
        probe(),
        tuple(run_self_test(settings.limits)),
        _try_to_parse(settings),
        tuple(_part(need) for need in Registry().needs),
    )


def _try_to_parse(settings: Settings) -> str:
    """Sends one file all the way through the sandbox."""
    try:
        with tempfile.TemporaryDirectory(prefix="leakscreen-doctor-") as folder, Sandbox(settings.limits) as sandbox:
            path = Path(os.path.realpath(folder), "a.txt")
            path.write_text("words", encoding="utf-8")
            (document,) = examine(FileRef(str(path), os.fsencode(path), 5, 0), sandbox)
    except SandboxError as error:
        return str(error)
    return "" if document.status is Status.COMPLETE else f"{document.status.value}: {document.reason}"


def _part(need: Need) -> Part:
    return Part(need.name, need.gives, need.find(), need.get)


def _print(diagnosis: Diagnosis) -> None:
    console = Console()
    protection = diagnosis.protection
    table = Table(title="Protections of the parser process", title_justify="left")
    for column in ("", "here", ""):
        table.add_column(column)
    landlock = f"version {protection.landlock_abi}" if protection.landlock_abi else _NO
    table.add_row("Landlock", landlock, "blocks access to files; Linux 5.13 or later")
    table.add_row(
        "seccomp", _YES if protection.seccomp else _NO, "blocks network and new processes; x86_64 and aarch64"
    )
    table.add_row("limits", _YES if protection.rlimits else _NO, "on memory, open files, CPU time")
    table.add_row("parser", _NO if diagnosis.parses else _YES, diagnosis.parses or "parsed a test file")
    table.add_section()
    for attempt in diagnosis.attempts:
        table.add_row(attempt.name, "[green]refused[/]" if attempt.refused else "[bold red]POSSIBLE[/]", attempt.by)
    console.print(table)
    console.print(_LEFT)
    parts = Table(title="Optional parts", title_justify="left")
    for column in ("part", "installed", "provides", "how to get it"):
        parts.add_column(column)
    for part in diagnosis.parts:
        parts.add_row(part.name, part.found or "[yellow]missing[/]", part.gives, "" if part.found else part.get)
    console.print(parts)
    if diagnosis.ok:
        console.print("Hostile files can be parsed safely on this machine.")
    else:
        console.print("[bold red]Hostile files cannot be parsed safely on this machine[/]: see the marks above.")
