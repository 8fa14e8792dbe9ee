"""A passage -> whether it is about software, as changelogs, commits and source code are."""

import re
from collections.abc import Iterator
from functools import lru_cache

from screening.people.letter_runs import letter_runs

# Each begins with letters or a sign that every match has, or looks back from them: these are searched fast.
_COMMITS = (
    re.compile(r"commit (?<!\wcommit )[0-9a-f]{40}\b"),
    re.compile(r"igned-off-by:(?<=\b[Ss]igned-off-by:)"),
    re.compile(r" -- (?<=^ -- ).{0,80}<.{0,80}>  \w{3}, ", re.MULTILINE),
    re.compile(r"; urgency="),
)
# Identifiers are no marks where they name a value, as keys, headings and quoted words do: data has these too.
_FROM_UNDERSCORE = re.compile(r"_\w*")
_IDENTIFIER = re.compile(r"_*[A-Za-z][A-Za-z0-9]*(?!(?:_\d+)+$)(?:_[A-Za-z0-9]+)+")  # no `IMG_0231`
_NAMES_VALUE = re.compile(r"[\"'`]|[ \t]*[=:,|;\t]")
_CALL = re.compile(r"\(\)(?<=\w..)")
_MEMBER = re.compile(r"->\w")
_SCOPE = re.compile(r"::(?<=\w..)\w")
_FILE = re.compile(  # the letter before the point counts too
    r"\.(?<=[\w-]\.)(?:[ch]|cc|cpp|py|pyx|js|ts|go|rs|am|ac|in|texi|po|so|sh|pl|pm|patch|diff|el|m4|la|rb|cmake|toml|conf)\b"
)
_OPTION = re.compile(r"--(?<![^\s(\[`'\"]--)[a-z]{3,}[\w-]*")
_NUMBER_SIGN = re.compile(r"#(?:(?<=^#)(?:include|define|if)|(?<=\(#)\d{2,}\))", re.MULTILINE)
_VARIABLE = re.compile(r"\$(?<!\w\$)[a-z_]\w*\b")
_SIGNED = re.compile(
    r"\b(?:[Ss]igned-off|[Rr]eviewed|[Tt]ested|[Aa]cked|[Rr]eported|[Ss]uggested|[Cc]o-\w+|[Pp]ointed-out)-by:"
)
_SIZE = re.compile(r" bytes(?<=\d bytes)\b")
_PHRASES = (  # with the runs of letters of which each has one, and how many letters of a match are before its first
    ((b"commit",), 0, re.compile(r"commit (?<!\wcommit )[0-9a-f]{7,40}\b")),
    ((b"RFC",), 0, re.compile(r"RFC(?<!\wRFC) ?\d{3,}")),
    ((b"CVE",), 0, re.compile(r"CVE-(?<!\wCVE-)\d{4}")),
    ((b"memory",), 0, re.compile(r"memory leak(?<!\wmemory leak)s?\b")),
    ((b"merge",), 0, re.compile(r"merge request(?<!\wmerge request)\b")),
    ((b"pull",), 0, re.compile(r"pull request(?<!\wpull request)\b")),
    ((b"Closes", b"closes"), 1, re.compile(r"loses:(?<=\b[Cc]loses:) ?#")),
    ((b"Bug", b"bug", b"Bugs", b"bugs"), 1, re.compile(r"ug(?<=\b[Bb]ug)(?:s? #?\d{3,}| fix\w*)")),
    ((b"Issue", b"issue", b"Issues", b"issues"), 1, re.compile(r"ssue(?<=\b[Ii]ssue)s? #?\d{3,}")),
    ((b"Patch", b"patch"), 1, re.compile(r"atch (?<=\b[Pp]atch )(?:by|from) ")),
    ((b"Build", b"build"), 1, re.compile(r"uild fix(?<=\b[Bb]uild fix)\w*")),
    ((), 1, re.compile(r"ugfix(?<=\b[Bb]ugfix)\w*")),
)
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
_LETTERS = re.compile(r"[A-Za-z]+")
_BY_RUN = {
    _LETTERS.findall(word)[0].encode(): re.compile(rf"{word}(?<![A-Za-z]{word})(?![A-Za-z0-9])") for word in _WORDS
}
_CHARS_A_MARK = 300  # prose about people has a mark here and there
_MOST_CHARS = 3_000  # that are looked at
_ROWS_CHARS = 1_000  # more than a few rows have
_NEIGHBOURS_CHARS = 4_000


def is_about_software(text: str) -> bool:
    """Whether it has so many marks of software that the people named in it are most likely its authors."""
    looked_at = text[:_MOST_CHARS]
    needed = _needed(len(looked_at))
    return _marks_in(looked_at, needed) >= needed


def are_about_software(text: str, start: int, end: int) -> bool:
    """The same of a few rows of a table; their neighbours are looked at with them, and most have hardly a mark."""
    if end - start <= _ROWS_CHARS and _are_whole_rows(text, start, end):
        first, last, marks = _neighbours(text, start // _NEIGHBOURS_CHARS)
        if marks < _needed(end - start) and first <= start and end <= last:
            return False
    return is_about_software(text[start:end])


def _are_whole_rows(text: str, start: int, end: int) -> bool:
    """Whole lines, or what is inserted into a database in brackets: what is next to them is no part of a mark."""
    return (text[start - 1 : start] in ("", "\n") or text[start] == "(") and (
        text[end : end + 1] in ("", "\n") or text[end - 1] == ")"
    )


def _needed(length: int) -> int:
    return 2 + length // _CHARS_A_MARK


@lru_cache(maxsize=2)
def _neighbours(text: str, number: int) -> tuple[int, int, int]:
    """Whole lines around the rows that begin in this stretch, and how many marks they have, as far as it matters."""
    first = text.rfind("\n", 0, number * _NEIGHBOURS_CHARS) + 1
    last = text.find("\n", (number + 1) * _NEIGHBOURS_CHARS + _ROWS_CHARS)
    last = len(text) if last < 0 else last
    most = _needed(_ROWS_CHARS)
    is_too_long = last - first > 2 * (_NEIGHBOURS_CHARS + _ROWS_CHARS)
    return first, last, most if is_too_long else _marks_in(text[first:last], most)


def _marks_in(text: str, most: int) -> int:
    """Different ones; no more are looked for once there are so many."""
    if any(commit.search(text) is not None for commit in _COMMITS):
        return most
    marks: set[str] = set()  # the same again adds nothing
    for find in (_listed, _files, _signs, _calls, _identifiers, _phrases):
        marks.update(find(text))
        if len(marks) >= most:
            return most
    return len(marks)


def _listed(text: str) -> set[str]:
    runs = letter_runs(text) if text.isascii() else None
    if runs is None:
        return {*_WORDS.intersection(_WORD.findall(text))}
    found = [match for run in _BY_RUN.keys() & runs if (match := _BY_RUN[run].search(text)) is not None]
    if any(text[max(0, match.start() - 1)].isdigit() for match in found):  # `386GNU`: the rest of it decides
        return {*_WORDS.intersection(_WORD.findall(text))}
    return {match[0] for match in found}


def _files(text: str) -> Iterator[str]:
    for match in _FILE.finditer(text):
        yield text[match.start() - 1 : match.end()]
    for match in _OPTION.finditer(text):
        yield match[0]


def _signs(text: str) -> Iterator[str]:
    for match in _NUMBER_SIGN.finditer(text):
        yield text[match.start() - match[0].endswith(")") : match.end()]
    for match in _VARIABLE.finditer(text):
        yield match[0]


def _calls(text: str) -> Iterator[str]:
    found = [(match.start() - 1, match.end()) for call in (_CALL, _SCOPE) for match in call.finditer(text)]
    return _apart(text, found + [match.span() for match in _MEMBER.finditer(text)])


def _apart(text: str, found: list[tuple[int, int]]) -> Iterator[str]:
    """None overlaps another: of `a->b()` the first counts."""
    at = 0
    for start, end in sorted(found):
        if start >= at:
            yield text[start:end]
            at = end


def _identifiers(text: str) -> Iterator[str]:
    for match in _FROM_UNDERSCORE.finditer(text):
        start, end = match.span()
        while start and text[start - 1].isalnum():
            start -= 1
        if (
            text[max(0, start - 1) : start] not in ('"', "'", "`", ".")
            and _IDENTIFIER.fullmatch(text, start, end) is not None
            and _NAMES_VALUE.match(text, end) is None
        ):
            yield text[start:end]


def _phrases(text: str) -> Iterator[str]:
    runs = letter_runs(text)
    found = [
        (match.start() - before, match.end())
        for having, before, phrase in _PHRASES
        if runs is None or not having or not runs.isdisjoint(having)
        for match in phrase.finditer(text)
    ]
    found += _sizes(text)
    found += {match.span() for start, end in _stretches(text, "-by:") for match in _SIGNED.finditer(text, start, end)}
    return _apart(text, found)


def _sizes(text: str) -> Iterator[tuple[int, int]]:
    """`\\d+ bytes`."""
    for match in _SIZE.finditer(text):
        start = match.start()
        while start and text[start - 1].isdecimal():
            start -= 1
        if not start or not (text[start - 1].isalnum() or text[start - 1] == "_"):
            yield start, match.end()


def _stretches(text: str, ending: str) -> Iterator[tuple[int, int]]:
    """What is before each such ending, from the last blank on."""
    end = text.find(ending)
    while end >= 0:
        start = end
        while start and not text[start - 1].isspace():
            start -= 1
        yield start, end + len(ending)
        end = text.find(ending, end + 1)
