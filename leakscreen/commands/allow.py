"""`leakscreen rules allow`: a value or a path -> an entry of an allow list, which never holds the value itself."""

import sys
from datetime import date
from pathlib import Path
from typing import Any

from core.checks import did_you_mean
from core.errors import RuleError, SettingsError
from core.settings import load_settings
from screening.patterns.patterns import Patterns
from screening.privacy.key import fingerprint, load_key
from screening.privacy.mask import Masker
from screening.ruleset.allowlist import Entry, append_entry, load_entries
from screening.ruleset.ruleset import RuleSet, rules_of


def run(
    value: str,
    path: str,
    characteristic: str,
    grounds: tuple[str, str, str],
    file: str,
    flags: dict[str, Any],
    config: Path | None,
) -> None:
    settings = load_settings(flags, config=config)
    rules = rules_of(settings.rules)
    if bool(value) == bool(path):
        raise SettingsError("give either a VALUE (or - to read it from standard input) or --path GLOB")
    characteristics = [entry.id for entry in rules.characteristics]
    if characteristic and characteristic not in characteristics:
        raise RuleError(
            f"--characteristic: there is no {characteristic!r}{did_you_mean(characteristic, characteristics)}"
        )
    file = file or (settings.rules.allow[0] if settings.rules.allow else "")
    if not file:
        raise SettingsError("which allow list? Give --file FILE, or set rules.allow")
    reason, author, expires = grounds
    key = load_key(settings.privacy.key_file)
    entry = Entry(file, characteristic, "", "", path, reason, author, _day(expires))
    entries = [entry] if path else _values(value, characteristic, entry, rules, key)
    if Path(file).exists():
        load_entries([file], characteristics)  # do not append to a list that cannot be read
    for added in entries:
        append_entry(added)
        print(f"{file}: {added.subject}, until {added.expires}")


def _values(value: str, characteristic: str, blank: Entry, rules: RuleSet, key: bytes) -> list[Entry]:
    if value == "-":
        value = sys.stdin.read().strip("\r\n")
    kinds = [characteristic] if characteristic else _kinds_of(value, rules)
    masker = Masker(key, rules.characteristics)
    made = [(kind, masker.masked_and_hashed(kind, value)[1]) for kind in kinds]
    return [
        Entry(blank.file, kind, hashed, fingerprint(key), "", blank.reason, blank.author, blank.expires)
        for kind, hashed in made
    ]


def _kinds_of(value: str, rules: RuleSet) -> list[str]:
    characteristics = {
        span.characteristic for span in Patterns(rules).candidates(value) if span.start == 0 and span.end == len(value)
    }
    if not characteristics:
        raise RuleError(
            "no detector recognises the value on its own; say what it is, such as --characteristic phone_number"
        )
    return sorted(characteristics)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise SettingsError(f"--expires must be a day such as 2027-12-31, not {text!r}") from None
