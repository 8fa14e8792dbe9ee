"""A passage -> whether it is about software, as changelogs, commits and source code are."""

import re

_COMMIT = re.compile(
    r"\bcommit [0-9a-f]{40}\b|\b[Ss]igned-off-by:|^ -- .{0,80}<.{0,80}>  \w{3}, |; urgency=", re.MULTILINE
)
# Identifiers are no marks where they name a value, as keys, headings and quoted words do: data has these too.
_MARK = re.compile(
    r"(?<![\"'`\w.])_*[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b(?![\"'`]|[ \t]*[=:,|;\t])"
    r"|\w\(\)|->\w|\w::\w|^#(?:include|define|if)"
    r"|\b[\w-]+\.(?:[ch]|cc|cpp|py|pyx|js|ts|go|rs|am|ac|in|texi|po|so|sh|pl|pm|patch|diff|el|m4|la|rb|cmake|toml|conf)\b"
    r"|(?<![^\s(\[`'\"])--[a-z]{3,}[\w-]*"
    r"|\b(?:[Ss]igned-off|[Rr]eviewed|[Tt]ested|[Aa]cked|[Rr]eported|[Ss]uggested|[Cc]o-\w+|[Pp]ointed-out)-by:"
    r"|\bcommit [0-9a-f]{7,40}\b|\bRFC ?\d{3,}|(?<!\w)\$[a-z_]\w*\b|\b\d+ bytes\b|\b[Bb](?:ug ?|uild )fix\w*"
    r"|\b[Cc]loses: ?#|\(#\d{2,}\)|\bCVE-\d{4}|\b(?:[Bb]ugs?|[Ii]ssues?) #?\d{3,}|\b[Pp]atch (?:by|from) "
    r"|\b(?:upstream|autoconf|[Mm]akefile|compilers?|gcc|clang|segfaults?|refactor\w*|deprecated|API|ABI"
    r"|Linux|Debian|Ubuntu|Darwin|Solaris|glibc|x86|amd64|POSIX|GNU|Copyright|callbacks?|pointers?|memory leaks?|struct"
    r"|kernel|runtime|namespaces?|libtool|unicode|backport\w*|typos?|merge request|pull request|cipher)\b",
    re.MULTILINE,
)
_CHARS_A_MARK = 300  # prose about people has a mark here and there
_MOST_CHARS = 3_000  # that are looked at


def is_about_software(text: str) -> bool:
    """Whether it has so many marks of software that the people named in it are most likely its authors."""
    looked_at = text[:_MOST_CHARS]
    if _COMMIT.search(looked_at) is not None:
        return True
    needed = 2 + len(looked_at) // _CHARS_A_MARK
    marks: set[str] = set()  # the same word again adds nothing
    for mark in _MARK.finditer(looked_at):
        marks.add(mark.group())
        if len(marks) >= needed:
            return True
    return False
