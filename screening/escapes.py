"""Line breaks, tabs and quotes that JSON, SQL and logs write as escapes -> blanks, so that they hide no name."""

import re

# Escapes, and paths of Windows, in which `\n` begins a name.
_ESCAPED = re.compile(r"""(?:(?<![^\W_])[C-HX-Zc-hx-z]:|(?<![^\s"'(=])\\)\\[^\s"'<>|]*|\\+[nrt]|(?<!\\)\\\"""")


def with_blank_escapes(text: str) -> str:
    r"""`asthma\nTom Hart`, with as many blanks as there were characters."""
    return _ESCAPED.sub(_blank, text) if "\\" in text else text


def _blank(match: re.Match[str]) -> str:
    is_path = match[0][-1] not in 'nrt"' or match[0][:-1].strip("\\")
    return match[0] if is_path else " " * len(match[0])
