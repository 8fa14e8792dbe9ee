"""A log record -> one line without anything that a file, a form or a database said."""

import logging
from pathlib import Path
from types import TracebackType
from typing import Any


class LogLines(logging.Formatter):
    """Of an exception its class and where it came from: its message may quote what must not be written down."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return super().format(record).encode("unicode_escape").decode("ascii")

    def formatException(self, ei: Any) -> str:  # noqa: N802
        kind, _, trace = ei
        return f"{kind.__name__ if kind else 'error'} at {_place(trace)}"


def _place(trace: TracebackType | None) -> str:
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else "an unknown place"
