"""Facts of a breach -> the same with laws, duties and diagnoses in the reader's language, where the data has it."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

_OF_A_DUTY = ("law", "source", "whom_it_binds", "notify", "by", "against", "note")
_PARTS = ("verified", "unverified")


@lru_cache
def phrases(language: str) -> dict[str, str]:
    """Empty for English, in which the data is written."""
    found: dict[str, str] = {}
    for name in ("duties.toml", "diagnoses.toml"):
        data = tomllib.loads(files("leakscreen").joinpath("breach", name).read_text("utf-8"))
        found |= data.get(language.partition("-")[0], {})
    return found


def spoken_facts(facts: Mapping[str, Any], language: str) -> dict[str, Any]:
    known = phrases(language)
    duties = [{**duty, **{key: known.get(duty[key], duty[key]) for key in _OF_A_DUTY}} for duty in facts["duties"]]
    parts = {name: _spoken_part(facts[name], known) for name in _PARTS}
    return {**facts, **parts, "duties": duties}


def _spoken_part(part: Mapping[str, Any] | None, known: Mapping[str, str]) -> dict[str, Any] | None:
    if part is None:
        return None
    diagnoses = [{**each, "name": known.get(each["name"], each["name"])} for each in part["by_diagnosis"]]
    return {**part, "by_diagnosis": diagnoses}
