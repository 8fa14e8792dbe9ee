"""The console script: runs the command line and turns named faults into one plain sentence and exit code 2."""

import os
import sys

from core.errors import LeakscreenError

FAILED = 2


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
    from leakscreen.cli import app

    try:
        app()
    except LeakscreenError as error:
        print(f"leakscreen: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("leakscreen: interrupted; finished work units are kept, go on with `leakscreen scan --resume`", file=sys.stderr)
    except BrokenPipeError:
        pass
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else FAILED if end.code else 0
    return FAILED


if __name__ == "__main__":
    main()
