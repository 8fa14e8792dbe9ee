"""What a command did -> the next command to type."""

import sys
from pathlib import Path


def print_next(words: str, *arguments: str) -> None:
    """Named as this one was called, so that it can be copied."""
    own = sys.argv[0] if Path(sys.argv[0]).name == "leakscreen" else "leakscreen"
    print(f"Next: {' '.join((own, *arguments))}   ({words})")
