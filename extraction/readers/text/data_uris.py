"""Text with files in it, as data URIs -> the text with a note in place of each, and the files."""

import base64
import binascii
import re
from collections.abc import Iterator
from functools import partial

from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget

MARK = ";base64,"
SHORTEST_PICTURE = 200  # characters of base64; less than that is an icon
_URI = re.compile(
    r"data:([a-zA-Z]{1,20})/[a-zA-Z0-9.+-]{1,100}(?:;[^,;\"'()<>\s]{1,80}){0,3};base64,"
    r"((?:[A-Za-z0-9+/=_-]|%[0-9A-Fa-f]{2}|\\[nr/]){16,}+(?:\r?\n[ \t]{0,20}[A-Za-z0-9+/=]{40,}+)*+)"
)


_WITHIN = re.compile(
    r"""["'(]\s*data:([a-zA-Z]{1,20})/[a-zA-Z0-9.+-]{1,80}(?:;[^,;"']{0,80}){0,3};base64,([A-Za-z0-9+/=\s%]{16,})"""
)


def without_data_uris(text: str) -> tuple[str, list[str]]:
    """The text, and the base64 of the files that it held."""
    if MARK not in text:
        return text, []
    packed: list[str] = []

    def note(match: re.Match[str]) -> str:
        is_picture = match[1].lower() == "image"
        if len(match[2]) >= SHORTEST_PICTURE or not is_picture:
            packed.append(match[2])
        return "[picture]" if is_picture else "[file]"

    return _URI.sub(note, text), packed


def opened(packed: str, name: str, budget: Budget) -> Content:
    """Cuts base64 where it cannot be decoded, as a browser does."""
    packed = re.sub(r"[^A-Za-z0-9+/]", "", re.sub(r"\\[nr]", "", packed))
    budget.expand(len(packed) * 3 // 4)
    try:
        data = base64.b64decode(packed[: len(packed) // 4 * 4])
    except binascii.Error:
        data = b""
    limit = budget.limits.member_bytes
    return Content(data[:limit], len(data), name, budget.member_reason if len(data) > limit else "")


def files_within(markup: str, budget: Budget) -> Iterator[Member]:
    """Files in the attributes of HTML, SVG and other markup."""
    if MARK not in markup:
        return
    for number, (kind, packed) in enumerate(_WITHIN.findall(markup), 1):
        if len(packed) >= SHORTEST_PICTURE or kind.lower() != "image":
            name = f"embedded {number}"
            yield Member(name, partial(opened, packed, name, budget))
