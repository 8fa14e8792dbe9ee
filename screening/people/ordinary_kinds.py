"""A stretch of text -> whether it is of a kind, such as news or lessons, that tells of nobody's health."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from screening.people.people_here import Person

_FILE = resources.files("screening") / "data" / "ordinary_kinds.toml"
_PATIENTS, _TITLED = "patients", "titled"  # whom a kind may leave as they are


class _Kind(NamedTuple):
    spares: frozenset[str]
    decisive: re.Pattern[str]
    marks: re.Pattern[str]
    least: int

    def has(self, text: str) -> bool:
        return self.decisive.search(text) is not None or len(set(self.marks.findall(text))) >= self.least


def is_ordinary(text: str, person: Person) -> bool:
    """Whether nothing is told of the health of the person, because the text is of such a kind."""
    plain = text.lower().replace("’", "'")
    shown = {name for name, holds in ((_PATIENTS, person.is_patient), (_TITLED, person.is_announced)) if holds}
    return any(kind.has(plain) for kind in _kinds() if not shown & kind.spares)


@cache
def _kinds() -> tuple[_Kind, ...]:
    tables = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return tuple(
        _Kind(frozenset(table["spares"]), _any_of(table["decisive"]), _any_of(table["marks"]), table["least"])
        for table in tables.values()
    )


def _any_of(phrases: Sequence[str]) -> re.Pattern[str]:
    """Whole words, the longest first; no phrase at all matches nothing."""
    longest_first = sorted(phrases, key=len, reverse=True)
    each = (
        re.escape(phrase).replace(r"\*", r"\w*") + ("" if phrase[-1:] in ":)" else r"(?!\w)")
        for phrase in longest_first
    )
    return re.compile(rf"(?<!\w)(?:{'|'.join(each)})" if phrases else r"(?!)")
