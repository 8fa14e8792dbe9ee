"""A log record -> one line without content of files, forms or the database."""

import logging
from typing import Any

from core.log import place_of


class LogLines(logging.Formatter):
    """Logs the class and place of an exception, not its message, which may quote content."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return super().format(record).encode("unicode_escape").decode("ascii")

    def formatException(self, ei: Any) -> str:  # noqa: N802
        kind, _, trace = ei
        return f"{kind.__name__ if kind else 'error'} at {place_of(trace)}"
