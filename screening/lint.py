"""A rule set -> the problems that loading does not see: bad or slow patterns, failing examples, unknown validators."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.errors import RuleError
from core.records import Span
from screening.backtracking import slow_patterns
from screening.patterns.patterns import Patterns
from screening.ruleset.definitions import Detector
from screening.ruleset.parse import ignored_keys
from screening.ruleset.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Problem:
    file: str
    id: str
    message: str


def check_rules(ruleset: RuleSet) -> list[Problem]:
    """Every problem of every detector, in the order of the files; an empty list is a clean bill."""
    unusable = _unusable(ruleset)
    usable = [detector for detector in ruleset.detectors if detector.id not in unusable]
    flags = {detector.id: int(re.ASCII | (re.IGNORECASE if detector.ignore_case else 0)) for detector in usable}
    slow = slow_patterns({detector.id: (detector.pattern, flags[detector.id]) for detector in usable})
    sound = tuple(detector for detector in usable if detector.id not in slow)
    patterns = Patterns(replace(ruleset, detectors=sound), every_language=True)
    problems: list[Problem] = []
    for detector in ruleset.detectors:
        refused = unusable.get(detector.id) or slow.get(detector.id)
        messages = [refused] if refused else list(_faults(detector, patterns))
        problems.extend(Problem(detector.file, detector.id, message) for message in messages)
    return [*problems, *_unfilled(ruleset), *_without_effect(ruleset)]


def _without_effect(ruleset: RuleSet) -> Iterator[Problem]:
    for file, raw in ruleset.sources:
        for key in ignored_keys(file, raw):
            yield Problem(file, "names", f"[names] {key} has no effect on a scan; remove it")


def _unusable(ruleset: RuleSet) -> dict[str, str]:
    """Detectors that cannot be made ready, and why; each is tried alone only where all together fail."""
    try:
        Patterns(ruleset, every_language=True)
    except RuleError:
        return {detector.id: refusal for detector in ruleset.detectors if (refusal := _refusal(detector, ruleset))}
    return {}


def _refusal(detector: Detector, ruleset: RuleSet) -> str:
    try:
        Patterns(replace(ruleset, detectors=(detector,)), every_language=True)
    except RuleError as error:
        return str(error).removeprefix(f"{detector.file}: detector {detector.id!r}: ")
    return ""


def _faults(detector: Detector, patterns: Patterns) -> Iterator[str]:
    if not detector.match:
        yield "there is no examples.match; add a text that the detector must find"
    if not detector.no_match:
        yield "there is no examples.no_match; add a text that the detector must leave alone"
    for text in detector.match:
        if not found_by(detector, patterns, text):
            yield f"examples.match: {text!r} is not found"
    for text in detector.no_match:
        if found_by(detector, patterns, text):
            yield f"examples.no_match: {text!r} is found, but must not be"


def found_by(detector: Detector, patterns: Patterns, text: str) -> list[Span]:
    """What this one of the detectors finds."""
    return [span for owner, span in patterns.owned_candidates(text) if owner is detector]


def _unfilled(ruleset: RuleSet) -> Iterator[Problem]:
    filled = {detector.characteristic for detector in ruleset.detectors} | {
        name for characteristic in ruleset.characteristics for name in characteristic.implies
    }
    if ruleset.names is not None:
        filled |= {"first_name", "last_name", "initials"} | {
            characteristic.id for characteristic in ruleset.characteristics if characteristic.group == "none"
        }
    for characteristic in ruleset.characteristics:
        if not characteristic.reserved and characteristic.id not in filled and not ruleset.disabled:
            yield Problem(
                "vector.toml", characteristic.id, "no detector sets this characteristic; add one, or mark it reserved"
            )
