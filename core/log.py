"""An event -> one line on standard error: a sentence for people, or JSON for machines.

`logging` is imported only where JSON is asked for: a re-scan of unchanged files does without it.
"""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import logging
    from types import TracebackType

INFO, WARNING, ERROR = 20, 30, 40  # the numbers of the logging module
_LONGEST_MESSAGE = 1_000


class _Format:
    is_json = False


def logs_json() -> bool:
    return _Format.is_json


def log_event(event: str, text: str = "", *, level: int = INFO, **facts: str | float | bool | None) -> None:
    """People get the text, if there is one; machines get the event with its facts."""
    if _Format.is_json:
        import logging

        logging.getLogger("leakscreen").log(level, text, extra={"event": event, "facts": facts})
    elif text:
        print(text, file=sys.stderr, flush=True)


def log_as_json() -> None:
    """From now on this process writes only JSON lines to standard error: its events, and errors of libraries."""
    import logging

    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(cast("logging.Formatter", JsonLines()))
    handler.addFilter(_is_event_or_error)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    logging.getLogger("leakscreen").setLevel(logging.INFO)
    _Format.is_json = True


def _is_event_or_error(record: "logging.LogRecord") -> bool:
    return hasattr(record, "event") or record.levelno >= ERROR


class JsonLines:
    """Formats log records. Of an exception only class and place are written: its message may quote a file's content.

    It does not subclass `logging.Formatter`, so that this module does not import `logging`.
    """

    def format(self, record: "logging.LogRecord") -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": getattr(record, "event", record.name),
        }
        message = record.getMessage()
        if message:
            line["message"] = message[:_LONGEST_MESSAGE]
        line |= getattr(record, "facts", {})
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = f"{record.exc_info[0].__name__} at {place_of(record.exc_info[2])}"
        return json.dumps(line)


def place_of(trace: "TracebackType | None") -> str:
    """File name and line of the innermost frame."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else "an unknown place"
