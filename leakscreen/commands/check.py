"""`leakscreen check`: a file -> one verdict, from the resident gate or by loading the models here."""

import json
import os
import socket
import sys
from typing import TYPE_CHECKING, Any

from core.errors import SourceError

if TYPE_CHECKING:
    from pathlib import Path

    from core.settings import Settings

_SOCKET = "~/.local/share/leakscreen/check.sock"
_LONGEST_ANSWER = 1 << 20
_EXIT = {"clear": 0, "referred": 1, "not-examined": 3}


def run(file: str, flags: dict[str, Any], config: "Path | None", as_json: bool) -> int:
    settings = _settings(flags, config)
    uri = os.path.abspath(file)
    try:
        descriptor = os.open(uri, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise SourceError(f"{file}: cannot be read: {(error.strerror or 'error').lower()}") from None
    try:
        path = os.path.expanduser(settings.gate.socket if settings and settings.gate.socket else _SOCKET)
        verdict = ask_service(uri, descriptor, path) or _judged_here(uri, descriptor, settings)
    finally:
        os.close(descriptor)
    print(json.dumps(verdict, indent=2) if as_json else _sentence(verdict))
    return _EXIT[verdict["verdict"]]


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


def _settings(flags: dict[str, Any], config: "Path | None") -> "Settings | None":
    """None where all are the defaults: loading them takes longer than the verdict of a resident gate."""
    named = any(name.startswith("LEAKSCREEN_") and name != "LEAKSCREEN_HMAC_KEY" for name in os.environ)
    if not flags and config is None and not named and not os.path.exists("leakscreen.toml"):
        return None
    from core.settings import load_settings

    return load_settings(flags, config=config)


def _judged_here(uri: str, descriptor: int, settings: "Settings | None") -> dict[str, Any]:
    from core.settings import load_settings
    from leakscreen.gate.judge import Judge
    from leakscreen.gate.verdict import verdict_of
    from pipelines.bundle.bundle import engines_in, make_bundle
    from pipelines.bundle.inputs import read_inputs
    from screening.privacy.key import load_key

    settings = settings or load_settings()
    engines = engines_in(make_bundle(read_inputs(settings)).content, load_key(settings.privacy.key_file))
    judge = Judge(engines, seconds=0)
    try:
        return verdict_of(uri, judge.judge(uri, descriptor, "").records)
    finally:
        judge.close()


def _sentence(verdict: dict[str, Any]) -> str:
    words = [f"{verdict['uri']}: {verdict['verdict']}"]
    words += [
        f"  {entry['uri']}: risk {entry['risk']}, {entry['people']} people, {entry['place']}"
        for entry in verdict["referred"]
    ]
    words += [f"  {entry['uri']}: {entry['status']}: {entry['reason']}" for entry in verdict["not_examined"]]
    return "\n".join(words)
