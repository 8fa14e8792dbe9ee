"""The console script: arguments -> an exit code. What the running gate can answer loads nothing but the question."""

import os
import sys


def main() -> None:
    if sys.argv[1:2] == ["check"]:
        from leakscreen.commands.check import answer_of_gate

        code = answer_of_gate(sys.argv[2:])
        if code is not None:
            os._exit(code)
    from leakscreen.command_line import main

    main()


if __name__ == "__main__":
    main()
