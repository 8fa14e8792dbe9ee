"""A log record -> one line of JSON: the event and its facts, and nothing that a file, a form or a database said."""

import json
import logging
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

_LONGEST = 1_000


class JsonLines(logging.Formatter):
    """Of an exception its class and where it came from: its message may quote what must not be written down."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": getattr(record, "event", record.name),
        }
        message = record.getMessage()
        if message:
            line["message"] = message[:_LONGEST]
        line |= getattr(record, "facts", {})
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = f"{record.exc_info[0].__name__} at {place_of(record.exc_info[2])}"
        return json.dumps(line)


def place_of(trace: TracebackType | None) -> str:
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else "an unknown place"


def log_as_json() -> None:
    """From now on this process writes nothing but lines of JSON on standard error: its own events, and errors of the libraries."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(_events_and_errors)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    logging.getLogger("leakscreen").setLevel(logging.INFO)


def _events_and_errors(record: logging.LogRecord) -> bool:
    return hasattr(record, "event") or record.levelno >= logging.ERROR
