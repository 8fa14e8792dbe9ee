"""`leakscreen rules`: the rule files -> a list, or what is wrong with them."""

import json
from datetime import date
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from core.errors import RuleError
from core.settings import Settings, load_settings
from screening.lint import check_rules
from screening.privacy.key import fingerprint, load_key
from screening.ruleset.allowlist import faults, load_entries
from screening.ruleset.ruleset import RuleSet, rules_of

FINE, WRONG = 0, 2


def _load(flags: dict[str, Any], config: Path | None) -> RuleSet:
    settings = load_settings(flags, config=config)
    return rules_of(settings.rules)


def list_rules(flags: dict[str, Any], config: Path | None, as_json: bool) -> None:
    rules = _load(flags, config)
    characteristics = [
        {"bit": bit, "id": entry.id, "label": entry.label} for bit, entry in enumerate(rules.characteristics)
    ]
    detectors = [
        {
            "id": entry.id,
            "characteristic": entry.characteristic,
            "country": entry.country,
            "description": entry.description,
        }
        for entry in rules.detectors
    ]
    screening = [
        {"id": entry.id, "description": entry.description, "radius": entry.radius, "screens": entry.screens}
        for entry in rules.rules
    ]
    if as_json:
        facts = {"version": rules.version, "sha256": rules.sha256}
        print(
            json.dumps(
                {**facts, "characteristics": characteristics, "detectors": detectors, "rules": screening}, indent=2
            )
        )
        return
    console = Console()
    for title, rows in (("PII vector", characteristics), ("Detectors", detectors), ("Screening rules", screening)):
        table = Table(title=f"{title} ({len(rows)})", title_justify="left")
        for column in rows[0]:
            table.add_column(column)
        for row in rows:
            table.add_row(*(str(value) for value in row.values()))
        console.print(table)


def _allow_list_problems(rules: RuleSet, settings: Settings) -> list[dict[str, str]]:
    entries = load_entries(settings.rules.allow, [entry.id for entry in rules.characteristics])
    if not entries:
        return []
    found_faults = faults(entries, date.today(), fingerprint(load_key(settings.privacy.key_file)))
    return [{"file": entry.file, "id": "allow list", "message": message} for entry, message in found_faults]


def check(flags: dict[str, Any], config: Path | None, as_json: bool) -> int:
    try:
        rules = _load(flags, config)
        problems = [{"file": entry.file, "id": entry.id, "message": entry.message} for entry in check_rules(rules)]
        problems += _allow_list_problems(rules, load_settings(flags, config=config))
    except RuleError as error:
        if not as_json:
            raise
        problems = [{"file": "", "id": "", "message": str(error)}]
    if as_json:
        print(json.dumps({"ok": not problems, "problems": problems}, indent=2))
    elif problems:
        for problem in problems:
            print(f"{problem['file']}: {problem['id']}: {problem['message']}")
    else:
        print(f"{len(rules.detectors)} detectors and {len(rules.rules)} rules: no problems")
    return WRONG if problems else FINE
