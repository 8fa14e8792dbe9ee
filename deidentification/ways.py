"""TOML -> for each characteristic the way in which it is replaced."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any

from core.checks import did_you_mean
from core.errors import SettingsError

WAYS = ("mask", "tag", "surrogate", "year", "age", "head", "province", "keep")
PRESETS = ("tag", "mask", "generalise", "surrogate")
KEEP = "keep"
_FILE = files("deidentification") / "data" / "ways.toml"


@dataclass(frozen=True, slots=True)
class Ways:
    by_characteristic: Mapping[str, str]
    otherwise: str
    tags: Mapping[str, str]
    numbered: frozenset[str]
    in_place: frozenset[str]
    labels: frozenset[str] = frozenset()  # words of headings, which are nobody's name
    labels_of_type: Mapping[str, frozenset[str]] = field(default_factory=dict)
    exceptions: tuple[tuple[str, str], ...] = ()  # characteristic and pattern of what detectors take for it
    births: tuple[date, date] = (date.min, date.max)  # surrogate birth dates lie between them
    net: tuple[tuple[str, str], ...] = ()  # characteristic and pattern of what a copy is safer without

    def of(self, characteristic: str) -> str:
        return self.by_characteristic.get(characteristic, self.otherwise)

    def keeps(self, characteristic: str) -> bool:
        return self.of(characteristic) == KEEP

    def tag_of(self, characteristic: str) -> str:
        return self.tags.get(characteristic) or characteristic.replace("_", " ").upper()


def read_ways(preset: str, own: str = "", known: frozenset[str] = frozenset()) -> Ways:
    """The shipped preset, with the entries of the user's own file over it."""
    data = tomllib.loads(_FILE.read_text("utf-8"))
    chosen: dict[str, str] = dict(data["preset"][preset])
    if own:
        chosen.update(_own(Path(own).expanduser(), known))
    return Ways(
        by_characteristic=chosen,
        otherwise=chosen.pop("else"),
        tags=data["tags"],
        numbered=frozenset(data["numbered"]["characteristics"]),
        in_place=frozenset(data["in_place"]["characteristics"]),
        labels=frozenset(data["labels"]["words"].split()),
        labels_of_type={kind: frozenset(words.split()) for kind, words in data["labels_of_type"].items()},
        exceptions=tuple((entry["characteristic"], entry["pattern"]) for entry in data["not"]),
        births=(data["births"]["first"], data["births"]["last"]),
        net=tuple((entry["characteristic"], entry["pattern"]) for entry in data["net"]),
    )


def _own(path: Path, known: frozenset[str]) -> dict[str, str]:
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: the file of ways cannot be read: {(error.strerror or '').lower()}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: no TOML: {error}") from None
    entries: Any = data.get("ways")
    if set(data) - {"version", "ways"} or not isinstance(entries, dict):
        raise SettingsError(f'{path}: expected one table [ways], such as `date = "year"`')
    for name, way in entries.items():
        if known and name not in known | {"else"}:
            raise SettingsError(f"{path}: no characteristic is called {name!r}{did_you_mean(name, known)}")
        if way not in WAYS:
            raise SettingsError(f"{path}: {name}: {way!r} is not one of {', '.join(WAYS)}")
    return dict(entries)
