"""The category names of corpora and systems -> common categories, and labels of the measures per document."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

OTHER = "other"


def category_of(name: str) -> str:
    plain = name.strip().lower().replace("-", "_").replace(" ", "_").removeprefix("b_").removeprefix("i_")
    return _names("categories").get(plain, OTHER)


def label_of(category: str) -> str:
    """Name, location or other."""
    return _names("labels").get(category, OTHER)


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
