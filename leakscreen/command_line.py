"""Arguments -> an exit code; an expected error becomes one sentence and exit code 2."""

import errno
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from core.errors import LeakscreenError
from core.log import ERROR, log_event
from core.no_dumps import forbid_dumps
from leakscreen.commands.stopping import STOPPED, was_stopped

FAILED, INTERRUPTED = 2, 130
_KEPT = "finished work units are kept; continue with `leakscreen scan --resume`"
_QUIET = ("--quiet", "-q")


def main() -> None:
    """Exits without shutting the interpreter down: native threads of Beam's libraries can abort it there."""
    # A scan has a process for each core. Threads of matrix products would only wait for each other; numpy reads this
    # when it is imported, which happens later.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    forbid_dumps()
    code = _run()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        code = FAILED
    os._exit(code)


def _run() -> int:
    try:
        return _run_command()
    except BaseException:
        if not was_stopped():
            raise
    _report_failure(f"stopped by SIGTERM; {_KEPT}")
    return STOPPED


def _run_command() -> int:
    try:
        request = plain_scan(sys.argv[1:])
        if request is not None:
            return _scan(request)
        from leakscreen.cli.app import app

        app()
    except LeakscreenError as error:
        if was_stopped():
            raise
        _report_failure(str(error))
    except BrokenPipeError:
        pass
    except SystemExit as end:
        if end.code == INTERRUPTED:  # typer turns Ctrl-C into this
            _report_failure(f"interrupted; {_KEPT}")
        return end.code if isinstance(end.code, int) else FAILED if end.code else 0
    except Exception as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            _report_failure(
                f"no space left to write to ({errno.errorcode[error.errno]}); free some and run the same command again;"
                f" {_KEPT}"
            )
        elif _is_database_error(error):
            _report_failure(_database_message(error))
        else:
            raise
    return FAILED


@dataclass(slots=True)
class PlainScan:
    """What an ordinary `leakscreen scan` asks for."""

    sources: list[str] = field(default_factory=list)
    flags: dict[str, Any] = field(default_factory=dict)
    quiet: bool = False
    as_json: bool = False


def plain_scan(words: Sequence[str]) -> PlainScan | None:
    """The arguments of an ordinary scan, read without typer, which loads longer than unchanged files take to scan.

    None if they ask for anything else, or may be wrong: the full command line knows every option and explains mistakes.
    """
    if not words or words[0] != "scan":
        return None
    request = PlainScan()
    rest = iter(words[1:])
    for word in rest:
        if word in _QUIET:
            request.quiet = True
        elif word == "--json":
            request.as_json = True
        elif word == "--out":
            value = next(rest, "")
            if not value or value.startswith("-") or "scan.out" in request.flags:
                return None
            request.flags["scan.out"] = value
        elif word.startswith("-") or not word:
            return None
        else:
            request.sources.append(word)
    return request


def _scan(request: PlainScan) -> int:
    from leakscreen.commands.scan import run

    try:
        return run(tuple(request.sources), (), request.flags, quiet=request.quiet, as_json=request.as_json)
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def _report_failure(message: str) -> None:
    log_event("failed", f"leakscreen: {message}", level=ERROR)


def _is_database_error(error: Exception) -> bool:
    """Looks only at loaded modules: most commands never import Django."""
    django = sys.modules.get("django.db")
    return django is not None and isinstance(error, django.OperationalError | django.InterfaceError)


def _database_message(error: Exception) -> str:
    """Leaves out the database's own message, which may quote personal data."""
    why = "its disk is full" if "full" in str(error) else "it does not answer"
    return (
        f"the review database cannot be used: {why}; nothing was left half done: "
        "run the same command again when it is back"
    )
