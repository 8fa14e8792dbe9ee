"""`leakscreen check`: a file -> one verdict, from the resident gate or by loading the models here."""

from __future__ import annotations  # `typing` would load as long as the gate takes to answer

import json
import os
import socket
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from core.settings import Settings

_SOCKET = "~/.local/share/leakscreen/check.sock"
_LONGEST_ANSWER = 1 << 20
_EXIT = {"clear": 0, "referred": 1, "not-examined": 3}
_FAILED, _INTERRUPTED = 2, 130


def answer_of_gate(words: Sequence[str]) -> int | None:
    """Prints the verdict of a gate with default settings, and returns the exit code.

    None, and nothing printed, where more is asked for, or no gate answers: then the whole command line is loaded.
    """
    files = [word for word in words if word != "--json"]
    if len(files) != 1 or files[0].startswith("-") or _has_settings():
        return None
    uri = os.path.abspath(files[0])
    try:
        descriptor = _opened(uri)
    except OSError:
        return None
    try:
        verdict = ask_service(uri, descriptor, os.path.expanduser(_SOCKET))
        if verdict is None:
            return None
        print(_shown(verdict, "--json" in words), flush=True)
        return _EXIT[verdict["verdict"]]
    except BrokenPipeError:  # nobody reads the verdict
        return _FAILED
    except KeyboardInterrupt:
        return _INTERRUPTED
    finally:
        os.close(descriptor)


def run(file: str, flags: dict[str, Any], config: Path | None, as_json: bool) -> int:
    from core.errors import SourceError
    from core.settings import load_settings

    settings = load_settings(flags, config=config)
    uri = os.path.abspath(file)
    try:
        descriptor = _opened(uri)
    except OSError as error:
        raise SourceError(f"{file}: cannot be read: {(error.strerror or 'error').lower()}") from None
    try:
        path = os.path.expanduser(settings.gate.socket or _SOCKET)
        verdict = ask_service(uri, descriptor, path) or _judged_here(uri, descriptor, settings)
    finally:
        os.close(descriptor)
    print(_shown(verdict, as_json))
    return _EXIT[verdict["verdict"]]


def _opened(path: str) -> int:
    return os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)


def ask_service(uri: str, descriptor: int, path: str) -> dict[str, Any] | None:
    """None where no service runs. It gets the open file, so that it reads what the caller may read."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        try:
            connection.connect(path)
        except OSError:
            return None
        socket.send_fds(connection, [json.dumps({"uri": uri}).encode()], [descriptor])
        answer = connection.recv(_LONGEST_ANSWER)
    if not answer:
        print("leakscreen: the gate gave no answer; judging here", file=sys.stderr)
        return None
    verdict: dict[str, Any] = json.loads(answer)
    return verdict


def _has_settings() -> bool:
    """Whether any may differ from the defaults: loading them takes longer than the verdict of a resident gate."""
    named = any(name.startswith("LEAKSCREEN_") and name != "LEAKSCREEN_HMAC_KEY" for name in os.environ)
    return named or os.path.exists("leakscreen.toml")


def _judged_here(uri: str, descriptor: int, settings: Settings) -> dict[str, Any]:
    from leakscreen.gate.judge import Judge
    from leakscreen.gate.verdict import verdict_of
    from pipelines.bundle.bundle import engines_in, make_bundle
    from pipelines.bundle.inputs import read_inputs
    from screening.privacy.key import load_key

    engines = engines_in(make_bundle(read_inputs(settings)).content, load_key(settings.privacy.key_file))
    judge = Judge(engines, seconds=0)
    try:
        return verdict_of(uri, judge.judge(uri, descriptor, "").records)
    finally:
        judge.close()


def _shown(verdict: dict[str, Any], as_json: bool) -> str:
    if as_json:
        return json.dumps(verdict, indent=2)
    lines = [f"{verdict['uri']}: {verdict['verdict']}"]
    lines += [
        f"  {entry['uri']}: risk {entry['risk']}, {entry['people']} people, {entry['place']}"
        for entry in verdict["referred"]
    ]
    lines += [f"  {entry['uri']}: {entry['status']}: {entry['reason']}" for entry in verdict["not_examined"]]
    return "\n".join("".join(letter if letter.isprintable() else "?" for letter in line) for line in lines)
