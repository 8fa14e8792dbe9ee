from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from core.errors import RuleError
from core.records import Span
from screening.privacy.mask import Masker
from screening.ruleset.allowlist import Allowed, Entry, active, append_entry, faults, load_entries
from screening.ruleset.ruleset import RuleSet

KEY = b"k" * 32
TODAY = date(2027, 3, 1)
VALUE = Entry("", "phone_number", "ab" * 16, "f1", "", "our own switchboard", "J. Okafor", date(2028, 1, 1))
PATH = replace(VALUE, characteristic="", hmac="", key="", glob="*/samples/*")


def test_what_is_appended_is_read_back(tmp_path: Path) -> None:
    file = str(tmp_path / "allow.toml")
    entries = [replace(VALUE, file=file, reason='a "quoted" reason\nin two lines'), replace(PATH, file=file)]
    for entry in entries:
        append_entry(entry)
    assert load_entries([file], ["phone_number"]) == entries
    assert Path(file).stat().st_mode & 0o077 == 0


def test_only_what_is_current_and_made_with_this_key_applies() -> None:
    old, foreign = replace(VALUE, expires=date(2027, 2, 28)), replace(VALUE, key="f2")
    last_day = replace(PATH, expires=TODAY)
    assert active([VALUE, old, foreign, last_day], TODAY, "f1") == Allowed(
        frozenset({("phone_number", "ab" * 16)}), (("*/samples/*", ""),)
    )
    assert [entry for entry, _ in faults([VALUE, old, foreign, last_day], TODAY, "f1")] == [old, foreign]
    assert "expired on 2027-02-28" in faults([old], TODAY, "f1")[0][1]
    assert "another key" in faults([foreign], TODAY, "f1")[0][1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[value]]\ncharacteristic='phone_number'", "'hmac' is missing"),
        ("[[path]]\nglob='x'\nreason='r'\nauthor='a'", "'expires' is missing"),
        ("[[path]]\nglob='x'\nreason='r'\nauthor='a'\nexpires='soon'", "expires must be a date"),
        ("[[path]]\nglob='x'\nreason=' '\nauthor='a'\nexpires=2028-01-01", "reason is empty"),
        (
            "[[path]]\nglob='x'\ncharacteristic='fone'\nreason='r'\nauthor='a'\nexpires=2028-01-01",
            "did you mean 'phone_number'",
        ),
        ("[[paths]]\nglob='x'", "did you mean 'path'"),
        ("value =", "TOML"),
    ],
)
def test_a_fault_names_file_entry_and_remedy(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "allow.toml"
    file.write_text(text)
    with pytest.raises(RuleError, match=r"allow\.toml") as caught:
        load_entries([str(file)], ["phone_number"])
    assert message in str(caught.value)


def test_suppressed_hits_are_counted_not_lost(ruleset: RuleSet) -> None:
    masker = Masker(KEY, ruleset.characteristics)
    text = "call 613-555-0142 or 613 555 0142, not 613-555-0199, SIN 130 692 544"
    spans = [
        Span(5, 17, "phone_number", 0.8),
        Span(21, 33, "phone_number", 0.8),
        Span(39, 51, "phone_number", 0.8),
        Span(57, 68, "sin", 0.9),
    ]
    hashed = masker.masked_and_hashed("phone_number", "613.555.0142")[1]
    by_value = Allowed(frozenset({("phone_number", hashed)}))
    assert by_value.split(spans, text, "/a/b.txt", masker.masked_and_hashed) == (spans[2:], spans[:2])
    by_path = Allowed(paths=(("/a/*", "sin"),))
    assert by_path.split(spans, text, "/a/b.txt", masker.masked_and_hashed) == (spans[:3], spans[3:])
    assert by_path.split(spans, text, "/b/b.txt", masker.masked_and_hashed) == (spans, [])
    assert Allowed(paths=(("/a/*", ""),)).split(spans, text, "/a/b.txt", masker.masked_and_hashed) == ([], spans)
    assert Allowed.from_json(by_value.as_json()) == by_value
    assert Allowed.from_json(by_path.as_json()) == by_path
