"""A log record -> one line without anything that a file, a form or a database said."""

import logging
from typing import Any

from core.log import place_of


class LogLines(logging.Formatter):
    """Of an exception its class and where it came from: its message may quote what must not be written down."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return super().format(record).encode("unicode_escape").decode("ascii")

    def formatException(self, ei: Any) -> str:  # noqa: N802
        kind, _, trace = ei
        return f"{kind.__name__ if kind else 'error'} at {place_of(trace)}"
