"""Line breaks, tabs and quotes that JSON, SQL and logs write as escapes -> blanks, so that they hide no name."""

import re

_ESCAPED = re.compile(r"\\{1,8}[nrt]|\\\"(?<!\\\\\")")  # begins with one sign, because that is searched fast
_WRITTEN = ("\\n", "\\t", "\\r", '\\"')
_PATH = re.compile(r"[C-HX-Zc-hx-z]:\\|\\\\")  # of Windows, in which `\n` begins a name
_LONGEST_PATH = 260


def with_blank_escapes(text: str) -> str:
    r"""`asthma\nTom Hart`, with as many blanks as there were characters."""
    return _ESCAPED.sub(_blank, text) if any(escape in text for escape in _WRITTEN) else text


def _blank(match: re.Match[str]) -> str:
    escape = match[0]
    return escape if escape[-1] != '"' and _is_in_path(match.string, match.start()) else " " * len(escape)


def _is_in_path(text: str, place: int) -> bool:
    """Whether the word around the place begins as a path does."""
    low = max(0, place - _LONGEST_PATH)
    start = max(text.rfind(sign, low, place) for sign in " \n\t\"'(=<>|") + 1
    return _PATH.match(text, max(low, start)) is not None
