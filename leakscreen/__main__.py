"""The console script: runs the command line and turns named faults into one plain sentence and exit code 2."""

import errno
import os
import sys

from core.errors import LeakscreenError
from core.log import ERROR, log_event
from leakscreen.cli.fast_scan import PlainScan, plain_scan
from leakscreen.commands.stopping import STOPPED, was_stopped

FAILED, INTERRUPTED = 2, 130
_KEPT = "finished work units are kept, go on with `leakscreen scan --resume`"


def main() -> None:
    """Ends without winding the interpreter down: native threads of Beam's libraries were seen to abort it there, work done and all."""
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
    _tell(f"stopped by SIGTERM; {_KEPT}")
    return STOPPED


def _run_command() -> int:
    try:
        asked = plain_scan(sys.argv[1:])
        if asked is not None:
            return _scan(asked)
        from leakscreen.cli.app import app

        app()
    except LeakscreenError as error:
        if was_stopped():
            raise
        _tell(str(error))
    except BrokenPipeError:
        pass
    except SystemExit as end:
        if end.code == INTERRUPTED:  # what the command line makes of Ctrl-C
            _tell(f"interrupted; {_KEPT}")
        return end.code if isinstance(end.code, int) else FAILED if end.code else 0
    except Exception as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            _tell(
                f"no space is left to write to ({errno.errorcode[error.errno]}); make room and run the same command again; {_KEPT}"
            )
        elif _is_of_database(error):
            _tell(_of_database(error))
        else:
            raise
    return FAILED


def _scan(asked: PlainScan) -> int:
    from leakscreen.commands.scan import run

    try:
        return run(tuple(asked.sources), (), asked.flags, quiet=asked.quiet, as_json=asked.as_json)
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def _tell(words: str) -> None:
    log_event("failed", f"leakscreen: {words}", level=ERROR)


def _is_of_database(error: Exception) -> bool:
    """Asked of what is loaded: most commands never load Django."""
    django = sys.modules.get("django.db")
    return django is not None and isinstance(error, django.OperationalError | django.InterfaceError)


def _of_database(error: Exception) -> str:
    """Without the database's own words, which may quote what is in it."""
    why = "its disk is full" if "full" in str(error) else "it does not answer"
    return (
        f"the review database cannot be used: {why}; nothing is half done: run the same command again when it is back"
    )


if __name__ == "__main__":
    main()
