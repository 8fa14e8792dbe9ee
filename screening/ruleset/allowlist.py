"""Allow-list files (TOML) -> the values, by keyed hash, and paths whose hits are counted but not reported."""

import json
import os
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from core.checks import did_you_mean
from core.errors import RuleError
from core.records import Span
from screening.ruleset.schema import Key, read_table

_GROUNDS = {"reason": Key(str), "author": Key(str), "expires": Key(date)}
_VALUE = {"characteristic": Key(str), "hmac": Key(str), "key": Key(str), **_GROUNDS}
_PATH = {"glob": Key(str), "characteristic": Key(str, ""), **_GROUNDS}
_KINDS = {"value": _VALUE, "path": _PATH}


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of an allow list: a value by its hash, or all files that a glob matches."""

    file: str
    characteristic: str  # empty: of any kind
    hmac: str
    key: str  # fingerprint of the key that made the hash
    glob: str
    reason: str
    author: str
    expires: date

    @property
    def subject(self) -> str:
        return f"path {self.glob!r}" if self.glob else f"value {self.hmac[:8]}… ({self.characteristic})"


@dataclass(frozen=True, slots=True)
class Allowed:
    """The entries that apply, in the form that a scan freezes."""

    values: frozenset[tuple[str, str]] = frozenset()
    paths: tuple[tuple[str, str], ...] = ()

    def split(
        self, spans: Sequence[Span], text: str, uri: str, masked_and_hashed: Callable[[str, str], tuple[str, str]]
    ) -> tuple[Sequence[Span], list[Span]]:
        """What is to be reported, and what is suppressed."""
        if not self.values and not self.paths:
            return spans, []
        here = {characteristic for glob, characteristic in self.paths if fnmatchcase(uri, glob)}
        kept: list[Span] = []
        suppressed: list[Span] = []
        for span in spans:
            kind = span.characteristic
            allowed = "" in here or kind in here
            if not allowed and self.values:
                allowed = (kind, masked_and_hashed(kind, text[span.start : span.end])[1]) in self.values
            (suppressed if allowed else kept).append(span)
        return kept, suppressed

    def covers(self, uri: str) -> bool:
        """Whether nothing of this file is to be reported, whatever its kind."""
        return any(not characteristic and fnmatchcase(uri, glob) for glob, characteristic in self.paths)

    def as_json(self) -> dict[str, list[list[str]]]:
        return {"values": [list(value) for value in sorted(self.values)], "paths": [list(path) for path in self.paths]}

    @classmethod
    def from_json(cls, document: Mapping[str, Sequence[Sequence[str]]]) -> "Allowed":
        return cls(
            frozenset((kind, hashed) for kind, hashed in document["values"]),
            tuple((glob, kind) for glob, kind in document["paths"]),
        )


NOTHING_ALLOWED = Allowed()


def load_entries(files: Sequence[str], characteristics: Iterable[str]) -> list[Entry]:
    known = list(characteristics)
    return [entry for file in files for entry in _read(file, known)]


def _read(file: str, known: Sequence[str]) -> list[Entry]:
    try:
        document = tomllib.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise RuleError(f"{file}: the allow list cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RuleError(f"{file}: cannot be read as TOML: {error}") from None
    entries = []
    for kind, listed in document.items():
        if kind not in _KINDS or not isinstance(listed, list):
            raise RuleError(
                f"{file}: {kind!r} is not known; an allow list holds [[value]] and [[path]]{did_you_mean(kind, _KINDS)}"
            )
        for number, raw in enumerate(listed, start=1):
            entries.append(_entry(file, kind, f"{file}: {kind} {number}", raw, known))
    return entries


def _entry(file: str, kind: str, place: str, raw: Any, known: Sequence[str]) -> Entry:
    values = read_table(raw, _KINDS[kind], place)
    if (values["characteristic"] or kind == "value") and values["characteristic"] not in known:
        raise RuleError(
            f"{place}: characteristic {values['characteristic']!r} is unknown"
            + did_you_mean(values["characteristic"], known)
        )
    for name in ("reason", "author"):
        if not values[name].strip():
            raise RuleError(
                f"{place}: {name} is empty; say it, as the entry hides nothing only when it can be asked about"
            )
    return Entry(**{"file": file, "hmac": "", "key": "", "glob": "", **values})


def active(entries: Iterable[Entry], today: date, fingerprint: str) -> Allowed:
    """What applies today, with this key; what has expired does not."""
    current = [entry for entry in entries if entry.expires >= today]
    return Allowed(
        values=frozenset(
            (entry.characteristic, entry.hmac) for entry in current if entry.hmac and entry.key == fingerprint
        ),
        paths=tuple((entry.glob, entry.characteristic) for entry in current if entry.glob),
    )


def faults(entries: Iterable[Entry], today: date, fingerprint: str) -> list[tuple[Entry, str]]:
    """Entries that do not apply, and why."""
    problems = []
    for entry in entries:
        if entry.expires < today:
            problems.append((entry, f"{entry.subject} expired on {entry.expires}; renew or remove it"))
        elif entry.hmac and entry.key != fingerprint:
            problems.append(
                (entry, f"{entry.subject} was hashed with another key, so that it can never match; add it again")
            )
    return problems


def append_entry(entry: Entry) -> None:
    """Adds it to its file, which is made, for its owner alone, where it is missing."""
    kind = "path" if entry.glob else "value"
    shown = {name: getattr(entry, name) for name in _KINDS[kind]}
    lines = [f"{name} = {value if isinstance(value, date) else json.dumps(value)}" for name, value in shown.items()]
    descriptor = os.open(entry.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "a", encoding="utf-8") as file:
        file.write(f"[[{kind}]]\n" + "\n".join(lines) + "\n\n")
