"""What happens -> a line for people, or an event of the log for machines; the log is loaded only for those."""

import sys

INFO, WARNING, ERROR = 20, 30, 40  # as the log numbers them


class _Told:
    as_json = False


def tell_as_json() -> None:
    from core.log_lines import log_as_json

    log_as_json()
    _Told.as_json = True


def tells_json() -> bool:
    return _Told.as_json


def tell(event: str, text: str = "", *, level: int = INFO, **facts: str | float | bool | None) -> None:
    """For people the text alone, where there is one; for machines the event with its facts."""
    if _Told.as_json:
        import logging

        logging.getLogger("leakscreen").log(level, text, extra={"event": event, "facts": facts})
    elif text:
        print(text, file=sys.stderr, flush=True)
