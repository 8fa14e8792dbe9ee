"""The category names of corpora and systems -> common categories, and labels of the measures per document."""

import tomllib
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

OTHER = "other"


class Scheme(StrEnum):
    """A set of categories: one that all corpora share, or the eight of the i2b2 challenge of 2006."""

    COMMON = "common"
    I2B2 = "i2b2"


def category_of(name: str, scheme: Scheme = Scheme.COMMON) -> str:
    plain = name.strip().lower().replace("-", "_").replace(" ", "_").removeprefix("b_").removeprefix("i_")
    return _names(scheme).get(plain, OTHER)


def scheme_of(names: Iterable[str]) -> Scheme:
    """The eight categories where a corpus marks patients and doctors apart."""
    return Scheme.I2B2 if {"patient", "doctor"} & {category_of(name, Scheme.I2B2) for name in names} else Scheme.COMMON


def label_of(category: str) -> str:
    """Name, location or other, of a common category."""
    return _names("labels").get(category, OTHER)


def is_name(category: str) -> bool:
    return category in _names("names")


def parted_by(category: str) -> str:
    """The characters that do not part two spans of the category from each other."""
    characters: str = _tables()["parted_by"].get(category, "")
    return characters


@cache
def _tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files("evaluation").joinpath("data/categories.toml").read_text(encoding="utf-8"))


@cache
def _names(section: str) -> dict[str, str]:
    listed = _tables()[section]
    return {name: category for category, names in listed.items() for name in names}
