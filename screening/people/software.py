"""A passage -> whether it is about software, as changelogs, commits and source code are."""

import re
from collections.abc import Iterator

_COMMIT = re.compile(
    r"\bcommit [0-9a-f]{40}\b|\b[Ss]igned-off-by:|^ -- .{0,80}<.{0,80}>  \w{3}, |; urgency=", re.MULTILINE
)
# Identifiers are no marks where they name a value, as keys, headings and quoted words do: data has these too.
_IDENTIFIER = re.compile(r"(?<![\"'`\w.])_*[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b(?![\"'`]|[ \t]*[=:,|;\t])")
_CALL = re.compile(r"\w\(\)|->\w|\w::\w")
_FILE = re.compile(  # a point first, because it is searched fast; the letter before it counts too
    r"\.(?<=[\w-]\.)(?:[ch]|cc|cpp|py|pyx|js|ts|go|rs|am|ac|in|texi|po|so|sh|pl|pm|patch|diff|el|m4|la|rb|cmake|toml|conf)\b"
)
_OPTION = re.compile(r"--(?<![^\s(\[`'\"]--)[a-z]{3,}[\w-]*")
_PHRASE = re.compile(
    r"\b(?:[Ss]igned-off|[Rr]eviewed|[Tt]ested|[Aa]cked|[Rr]eported|[Ss]uggested|[Cc]o-\w+|[Pp]ointed-out)-by:"
    r"|\bcommit [0-9a-f]{7,40}\b|\bRFC ?\d{3,}|\b\d+ bytes\b|\b[Bb](?:ug ?|uild )fix\w*"
    r"|\b[Cc]loses: ?#|\bCVE-\d{4}|\b(?:[Bb]ugs?|[Ii]ssues?) #?\d{3,}|\b[Pp]atch (?:by|from) "
    r"|\bmemory leaks?\b|\b(?:merge|pull) request\b"
)
_IN_COMMITS = ("commit ", "igned-off-by:", " -- ", "; urgency=")  # one of these is in every match
_IN_PHRASES = (
    *(
        "-by:",
        "commit ",
        "RFC",
        " bytes",
        "fix",
        "loses:",
        "CVE-",
        "ug ",
        "ugs ",
        "ssue ",
        "ssues ",
        "atch by ",
        "atch from ",
    ),
    *("memory leak", " request"),
)
_SIGN = re.compile(r"^#(?:include|define|if)|(?<!\w)\$[a-z_]\w*\b|\(#\d{2,}\)", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]+")
_WORDS = frozenset(
    [
        *(
            "upstream",
            "autoconf",
            "Makefile",
            "makefile",
            "compiler",
            "compilers",
            "gcc",
            "clang",
            "segfault",
            "segfaults",
        ),
        *(
            "deprecated",
            "API",
            "ABI",
            "Linux",
            "Debian",
            "Ubuntu",
            "Darwin",
            "Solaris",
            "glibc",
            "x86",
            "amd64",
            "POSIX",
        ),
        *(
            "GNU",
            "Copyright",
            "callback",
            "callbacks",
            "pointer",
            "pointers",
            "struct",
            "kernel",
            "runtime",
            "namespace",
        ),
        *("namespaces", "libtool", "unicode", "backport", "backports", "backported", "typo", "typos", "cipher"),
        *("refactor", "refactored", "refactoring", "refactors", "refactorings"),
    ]
)
_CHARS_A_MARK = 300  # prose about people has a mark here and there
_MOST_CHARS = 3_000  # that are looked at


def is_about_software(text: str) -> bool:
    """Whether it has so many marks of software that the people named in it are most likely its authors."""
    looked_at = text[:_MOST_CHARS]
    if any(part in looked_at for part in _IN_COMMITS) and _COMMIT.search(looked_at) is not None:
        return True
    needed = 2 + len(looked_at) // _CHARS_A_MARK
    marks: set[str] = set(_WORDS.intersection(_WORD.findall(looked_at)))  # the same word again adds nothing
    if len(marks) >= needed:
        return True
    for pattern in _patterns(looked_at):
        before = pattern is _FILE
        for match in pattern.finditer(looked_at):
            marks.add(looked_at[match.start() - before : match.end()])
            if len(marks) >= needed:
                return True
    return False


def _patterns(text: str) -> Iterator[re.Pattern[str]]:
    """Those that may match; to look for what they need first takes a tenth of the time."""
    if "_" in text:
        yield _IDENTIFIER
    if "()" in text or "->" in text or "::" in text:
        yield _CALL
    if "." in text:
        yield _FILE
    if "--" in text:
        yield _OPTION
    if "#" in text or "$" in text:
        yield _SIGN
    if any(part in text for part in _IN_PHRASES):
        yield _PHRASE
