from pathlib import Path

import pytest

from core.errors import RuleError
from screening.lint import check_rules
from screening.ruleset.files import shipped_sources
from screening.ruleset.ruleset import load_rules, parse_rules

DETECTOR = """
[[detector]]
id = "badge"
characteristic = "other_unique_number"
description = "A badge"
pattern = 'B-\\d{4}'
score = 0.9
[detector.examples]
match = ["B-1234"]
no_match = ["B-12"]
"""
RULE = """
[[rule]]
id = "two-numbers"
description = "Both"
expression = "sin and ssn"
"""


def with_own(text: str, disable: tuple[str, ...] = ()) -> object:
    return parse_rules((*shipped_sources(), ("own.toml", text.encode())), disable)


def test_the_same_bytes_make_the_same_set_anywhere() -> None:
    first = load_rules(disable=["email"])
    assert parse_rules(first.sources, first.disabled) == first


def test_a_file_of_one_s_own_joins_the_shipped_ones(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(DETECTOR + RULE)
    own, shipped = load_rules([path]), load_rules()
    assert {each.id for each in own.detectors} - {each.id for each in shipped.detectors} == {"badge"}
    assert {each.id for each in own.rules} - {each.id for each in shipped.rules} == {"two-numbers"}
    assert own.sha256 != shipped.sha256


def test_what_is_disabled_is_gone_and_changes_the_hash() -> None:
    rules = load_rules(disable=["iban", "identifying-information", "names"])
    assert "iban" not in {each.id for each in rules.detectors}
    assert "identifying-information" not in {each.id for each in rules.rules}
    assert rules.names is None
    assert rules.sha256 != load_rules().sha256
    assert rules.characteristics == load_rules().characteristics


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("nonsense", ["own.toml", "TOML"]),
        ("[[detektor]]\nid='x'", ["own.toml", "'detektor'", "did you mean 'detector'"]),
        (DETECTOR.replace("pattern", "patern"), ["own.toml", "'badge'", "'patern'", "did you mean 'pattern'"]),
        (DETECTOR.replace('id = "badge"\n', ""), ["own.toml", "'id'", "missing"]),
        (DETECTOR.replace("0.9", '"high"'), ["'badge'", "score must be a number"]),
        (DETECTOR.replace("0.9", "9"), ["'badge'", "score is 9.0", "at most 1"]),
        (DETECTOR.replace("other_unique_number", "other_number"), ["'badge'", "did you mean 'other_unique_number'"]),
        (DETECTOR + DETECTOR, ["own.toml", "'badge'", "already taken"]),
        (DETECTOR.replace("badge", "iban"), ["own.toml", "'iban'", "already taken in records.toml"]),
        (RULE.replace("ssn", "snn"), ["own.toml", "'two-numbers'", "expression", "'snn'"]),
        (RULE.replace("sin and ssn", "sin and not sin"), ["'two-numbers'", "never fire"]),
        (RULE.replace("two-numbers", "email"), ["'email'", "already taken"]),
        ('[[prototype]]\nrule = "nope"\nid = "p"\nset = ["sin"]', ["'nope'", "no such rule"]),
        (RULE + '[[prototype]]\nrule = "two-numbers"\nid = "p"\nset = ["sim"]', ["'p'", "did you mean 'sin'"]),
        (
            RULE + '[[prototype]]\nrule = "two-numbers"\nid = "p"\nset = ["sin"]\nclear = ["sin"]',
            ["'p'", "both set and clear"],
        ),
        ('[[group]]\nid = "venue"\nexpression = "sin"', ["'venue'", "taken"]),
        ('[[characteristic]]\nid = "tattoo"\nlabel = "T"\ngroup = "other"', ["'tattoo'", "vector.toml"]),
        ("detector = 3", ["own.toml", "[[detector]]"]),
    ],
)
def test_a_fault_names_file_entry_key_and_remedy(text: str, parts: list[str]) -> None:
    with pytest.raises(RuleError) as caught:
        with_own(text)
    for part in parts:
        assert part in str(caught.value)


def test_a_reserved_place_takes_no_detector() -> None:
    vector = '[[characteristic]]\nid = "gait"\nlabel = "Gait"\ngroup = "other"\nreserved = true\n'
    sources = [(name, raw) for name, raw in shipped_sources() if name == "screening.toml"]
    detector = DETECTOR.replace("other_unique_number", "gait")
    with pytest.raises(RuleError, match=r"'badge'.*'gait' is reserved"):
        parse_rules((("vector.toml", vector.encode()), ("own.toml", detector.encode()), *sources))


def test_an_unknown_id_in_disable_is_named_with_the_nearest() -> None:
    with pytest.raises(RuleError, match=r"'ibann'.*did you mean 'iban'"):
        load_rules(disable=["ibann"])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match=r"gone\.toml.*cannot be read"):
        load_rules([tmp_path / "gone.toml"])


OLD_NAMES = (
    '[names]\ntitles = ["mr"]\nplaces = ["albany"]\nplace_starts = ["san"]\nordinary = ["will"]\n'
    'things = ["syndrome"]\n'
)


def test_lists_of_earlier_versions_that_never_changed_a_scan_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OLD_NAMES)
    rules, shipped = load_rules([path]), load_rules()
    assert rules.names is not None and shipped.names is not None
    assert rules.names.things == (*shipped.names.things, "syndrome")
    assert rules.names.never == shipped.names.never
    messages = [problem.message for problem in check_rules(rules) if problem.file == str(path)]
    assert [message.split()[1] for message in messages] == ["titles", "places", "place_starts", "ordinary"]
    assert all("has no effect on a scan; remove it" in message for message in messages)


def test_an_unknown_list_of_names_is_still_refused() -> None:
    with pytest.raises(RuleError, match="unknown key 'title'"):
        with_own('[names]\ntitle = ["mr"]\n')
