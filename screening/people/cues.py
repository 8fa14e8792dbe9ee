"""The listed words that show roles -> look-ups by phrase, in small letters and without marks."""

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources

from core.records import Role

_FOLDER = resources.files("screening") / "data"
_FILES = "roles"  # roles.toml, and one file a further language
_WORD = re.compile(r"[^\W_]+")
MARKED_BY = "weak"  # a label that also stands before things
GREETED = "greeted"
_GREETING_CHARS = 24
_GREETING = re.compile(r"(?:\w+ )?(\w+) $")
COLON = ":"  # ends a cue that counts only with a colon behind it
Shown = frozenset[str]


class Cues:
    """All cues of all roles; one look-up says which roles a phrase shows."""

    def __init__(self, tables: dict[str, dict[str, list[str]]]) -> None:
        self.before: dict[str, Shown] = {}
        self.after: dict[str, Shown] = {}
        self.headings: dict[str, tuple[str, ...]] = {}
        for role in Role:
            table = tables.get(role, {})
            self._add(self.before, table.get("before", ()), role)
            self._add(self.before, table.get("weak", ()), MARKED_BY)
            self._add(self.after, table.get("after", ()), role)
            self.headings[role] = tuple(table.get("headings", ()))
        around = tables["around"]
        self._add(self.before, around["greetings"], GREETED)
        self.greetings = frozenset(around["greetings"])
        self.articles = frozenset(around["articles"])
        self.joints = frozenset(around["joints"])
        self.titles = frozenset((*around["titles"], "dr", "prof"))  # of people of any role
        self.personal_titles = frozenset(around["titles"])
        self.abbreviations = self.titles | frozenset(around["abbreviations"])
        self.professions = frozenset(around["professions"])
        self.speaking = frozenset(around["speaking"])
        self.obituary = tuple(tables["published"]["obituary"])
        self._add(self.before, self.professions - self.before.keys() - set(around["anybody"]), Role.PROFESSIONAL)
        self._add(self.after, self.professions, Role.PROFESSIONAL)

    def _add(self, phrases: dict[str, Shown], cues: Iterable[str], shown: str) -> None:
        for cue in cues:
            phrase = " ".join(_WORD.findall(cue.lower())) + (COLON if cue.endswith(COLON) else "")
            phrases[phrase] = phrases.get(phrase, frozenset()) | {shown}


@cache
def read_cues() -> Cues:
    """The cues that are shipped, of all languages together: a letter may greet in one and speak in another."""
    tables: dict[str, dict[str, list[str]]] = {}
    for file in sorted(_FOLDER.iterdir(), key=lambda file: file.name):
        if file.name.startswith(_FILES) and file.name.endswith(".toml"):
            for name, table in tomllib.loads(file.read_text(encoding="utf-8")).items():
                for key, words in table.items():
                    tables.setdefault(name, {}).setdefault(key, []).extend(words)
    return Cues(tables)


def is_greeted(text: str, start: int) -> bool:
    """Whether a greeting is right before a name."""
    match = _GREETING.search(text[max(0, start - _GREETING_CHARS) : start].lower())
    if match is None:
        return False
    greetings = read_cues().greetings
    return match[1] in greetings or match[0].rstrip() in greetings
