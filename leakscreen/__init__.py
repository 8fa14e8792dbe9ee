"""The front door of leakscreen: the command line, and for programs `leakscreen.scan`, `screen_text` and the like.

import leakscreen

results = leakscreen.scan("share", out="results")
for row in results.referred():
    print(row["uri"], row["risk"])
"""

from __future__ import annotations  # `typing` is not loaded: `leakscreen check` has few milliseconds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from leakscreen.api import Evaluation, Results, ScreenedText, evaluate, read_results, scan, screen_text

__all__ = ["Evaluation", "Results", "ScreenedText", "evaluate", "read_results", "scan", "screen_text"]


def __getattr__(name: str) -> Any:
    """Loaded when it is first asked for, so that the command line starts without it."""
    if name in __all__:
        from leakscreen import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
