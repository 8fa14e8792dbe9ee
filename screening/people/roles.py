"""The words around a mention -> the role of the person: subject, relative, professional, author or other."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources

from core.records import Role

_FILE = resources.files("screening") / "data" / "roles.toml"
_BEFORE = 48  # characters that are looked at
_FAR_BEFORE = 110
_AFTER = 48
_PERSONAL_HEADING = re.compile(
    r"\b(?:patient|pat|pt|client|member|employee|student|resident|insured|subscriber|claimant|donor|child|worker"
    r"|beneficiary|participant|first|last|f ?name|l ?name|surname|forename|lst|frst|prénom|prenom|vorname|nachname)\b",
    re.IGNORECASE,
)
_TITLE = re.compile(r"\b(?:mr|mrs|ms|miss|mme|mlle|m|sr|sra|srta|herr|frau|monsieur|madame)\.?[ \t]*$", re.IGNORECASE)
# `a 62-year-old female with stage IV lung cancer, ` stands before the name of a patient.
_AGED = re.compile(r"\b\d{1,3}[- ]?(?:years?[- ]old|yrs?[- ]old|yo|y/o|yr)\b[^.;\n]{0,80}$", re.IGNORECASE)
# Behind a name: an age, a sex or a date of birth.
_PERSONAL = re.compile(
    r"[ \t]*[\"'|]?[,;(|:\-–]{0,2}[ \t]*(?:\(?\d{1,3}[ \t]*(?:yo|y/o|yrs?|years?|jahre|ans|años|[mf])\b"
    r"|\(\d{1,3}\)(?!:)|(?<=,)[ \t]*\d{1,3},|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b|(?:19|20)\d\d-?\d\d-?\d\d\b"
    r"|[mf][ \t,]{1,2}\d{1,3}\b|\(?(?:yr|grade|gr) ?\d)",
    re.IGNORECASE,
)
# Authors of papers have marks of their institutions behind their names, and senders an address.
_MARKED = re.compile(
    r"(?:\d{1,2}|[ \t]\d{1,2}(?=[ \t]?[,#*†‡§-]))(?:[,#*†‡§-]+\d{0,2})*(?=[ \t]*[,;]?[ \t]+(?:[A-Z][a-z]|and\b))"
    r"|[ \t]?[*#†‡§]+|[ \t]*<[^>\n]+@"
)


class _Cues:
    def __init__(
        self, before: Sequence[str], after: Sequence[str], headings: Sequence[str] = (), weak: Sequence[str] = ()
    ) -> None:
        self.weak = _words_before(weak) if weak else None
        self.before = _words_before(before)
        self.after = _words_after(after) if after else None
        self.headings = re.compile(rf"\b(?:{_either(headings)})", re.IGNORECASE) if headings else None


def role_of(text: str, start: int, end: int, heading: str = "") -> Role:
    """The heading is that of the column which the name stands in, where it stands in one."""
    cues = _cues()
    before, after = text[max(0, start - _BEFORE) : start], text[end : end + _AFTER]
    professional = cues[Role.PROFESSIONAL]
    if heading:
        return _role_by_heading(heading, cues)
    if _applies(professional, before, after):
        return Role.PROFESSIONAL
    if _applies(cues[Role.SUBJECT], before, after):
        return Role.SUBJECT
    if _MARKED.match(after):
        return Role.AUTHOR
    if _PERSONAL.match(after):
        return Role.SUBJECT
    if _applies(cues[Role.RELATIVE], before, after):
        return Role.RELATIVE
    if _AGED.search(text[max(0, start - _FAR_BEFORE) : start]):
        return Role.SUBJECT
    weak = cues[Role.SUBJECT].weak
    if weak is not None and weak.search(before):
        return Role.SUBJECT
    if _applies(cues[Role.AUTHOR], before, after):
        return Role.AUTHOR
    return Role.OTHER


def is_announced(text: str, start: int, end: int) -> bool:
    """Whether a word that stands beside people alone shows that somebody is named here."""
    subject = _cues()[Role.SUBJECT]
    before, after = text[max(0, start - _BEFORE) : start], text[end : end + _AFTER]
    return _applies(subject, before, after) or _PERSONAL.match(after) is not None


def has_label(text: str, start: int) -> bool:
    """Whether a word such as `patient` stands right before a name."""
    return _cues()[Role.SUBJECT].before.search(text[max(0, start - _BEFORE) : start]) is not None


def _role_by_heading(heading: str, cues: dict[Role, "_Cues"]) -> Role:
    """Columns of other names, such as those of products, say nothing of a person."""
    plain = heading.replace("_", " ")
    for role in (Role.PROFESSIONAL, Role.SUBJECT):
        headings = cues[role].headings
        if headings is not None and headings.search(plain):
            return role
    return Role.OTHER


def is_personal_heading(heading: str) -> bool:
    """Whether a column holds people, and not merely names of whatever else a table lists."""
    return bool(heading) and _PERSONAL_HEADING.search(heading.replace("_", " ")) is not None


def has_title(text: str, start: int) -> bool:
    """Whether `Mr` or the like stands before a name."""
    return _TITLE.search(text[max(0, start - 12) : start]) is not None


def _applies(cues: _Cues, before: str, after: str) -> bool:
    return cues.before.search(before) is not None or (cues.after is not None and cues.after.match(after) is not None)


@cache
def _cues() -> dict[Role, _Cues]:
    tables = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {Role(name): _Cues(**table) for name, table in tables.items()}


def _words_before(words: Sequence[str]) -> re.Pattern[str]:
    """A cue, marks and blanks, perhaps a title, and then the name."""
    return re.compile(
        rf"(?<![^\W_])(?:{_either(words)})[\"'`*]?[ \t]*[.:#=\-–>|,(]{{0,2}}[ \t\"'*_]*(?:\n[ \t]*)?"
        r"(?:(?:dr|mr|mrs|ms|miss|prof)\.?[ \t]*)?$",
        re.IGNORECASE,
    )


def _words_after(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile(
        r"[ \t]*[\"'*_]{0,2}[,;(|:\-–]{0,2}[ \t]*(?:(?:a|an|the|our|senior|chief|lead|regd\.?|registered) )*"
        rf"(?:{_either(words)})(?![^\W_])",
        re.IGNORECASE,
    )


def _either(words: Sequence[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
