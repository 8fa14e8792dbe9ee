"""The console script: runs the command line and turns named faults into one plain sentence and exit code 2."""

import sys

from core.errors import LeakscreenError


def main() -> None:
    from leakscreen.cli import app

    try:
        app()
    except LeakscreenError as error:
        print(f"leakscreen: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("leakscreen: interrupted; finished work units are kept, go on with `leakscreen scan --resume`", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(2)


if __name__ == "__main__":
    main()
