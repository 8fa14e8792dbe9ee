"""Values of a summary -> text on a page; undefined values become a dash, invisible characters become visible."""

import unicodedata
from datetime import datetime
from typing import Any

UNDEFINED = "–"
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BYTE_UNITS = ("B", "kB", "MB", "GB", "TB", "PB")
_LONGEST = 600


def visible(text: str) -> str:
    """Spells out characters that hide, reorder or break text, so that no file name can pass for another."""
    if text.isascii() and text.isprintable():
        shown = text
    else:
        shown = "".join(f"[U+{ord(char):04X}]" if unicodedata.category(char) in _INVISIBLE else char for char in text)
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST // 2]} … {shown[-_LONGEST // 2 :]}"


def number(value: Any) -> float | None:
    """A finite number, or None for anything else."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or value != value
        or value in (float("inf"), float("-inf"))
    ):
        return None
    return value


def count(value: Any) -> str:
    amount = number(value)
    return UNDEFINED if amount is None else f"{int(amount):,}"


def share(part: Any, whole: Any) -> str:
    """A percentage; without a whole it is undefined, not zero."""
    some, all_ = number(part), number(whole)
    if some is None or not all_:
        return UNDEFINED
    percent = 100 * some / all_
    if 0 < percent < 0.1:
        return "< 0.1 %"
    if 99.9 < percent < 100:
        return "> 99.9 %"
    return f"{percent:.0f} %" if percent in (0, 100) else f"{percent:.1f} %"


def size(value: Any) -> str:
    amount = number(value)
    if amount is None:
        return UNDEFINED
    for unit in _BYTE_UNITS:
        if amount < 1000 or unit == _BYTE_UNITS[-1]:
            break
        amount /= 1000
    return f"{amount:.0f} {unit}" if unit == "B" or amount >= 100 else f"{amount:.1f} {unit}"


def duration(value: Any) -> str:
    seconds = number(value)
    if seconds is None:
        return UNDEFINED
    if 0 < seconds < 0.001:
        return "under 1 ms"
    if seconds < 60:
        return f"{seconds:.2g} s" if seconds < 1 else f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"


def decimal(value: Any) -> str:
    amount = number(value)
    return UNDEFINED if amount is None else f"{amount:.3f}"


def moment(value: Any) -> str:
    """An ISO time in a readable form; any other text stays as it is."""
    if not value:
        return UNDEFINED
    try:
        parsed = datetime.fromisoformat(str(value))
    except ValueError:
        return str(value)
    return f"{parsed.day} {parsed:%B %Y, %H:%M} {parsed.tzname() or ''}".rstrip()


def page_title(scan_id: Any) -> str:
    """The title of a page about a scan."""
    return f"Scan {UNDEFINED if scan_id is None else scan_id} · leakscreen"


def plural(value: Any, one: str, many: str) -> str:
    """`1 file`, `2 files`, `– files`."""
    return f"{count(value)} {one if number(value) == 1 else many}"
