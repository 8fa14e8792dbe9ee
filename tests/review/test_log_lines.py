"""Log lines tell what broke and where, and nothing of what it broke on."""

import logging
import sys

from review.service.log_lines import LogLines


def test_an_exception_is_its_class_and_its_place() -> None:
    try:
        raise ValueError("Margaret Okafor, 416-555-0142")
    except ValueError:
        record = logging.LogRecord(
            "django.request", logging.ERROR, "x.py", 1, "Internal Server Error: %s", ("/a\nb",), sys.exc_info()
        )
    line = LogLines().format(record)
    assert "ValueError at test_log_lines.py:" in line
    assert "Okafor" not in line and "\n" not in line
