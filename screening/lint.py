"""A rule set -> the problems in it that loading does not see: bad patterns, examples that fail, unknown validators."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.errors import RuleError
from screening.definitions import Detector
from screening.patterns import Patterns
from screening.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Problem:
    file: str
    id: str
    message: str


def check_rules(ruleset: RuleSet) -> list[Problem]:
    """Every problem of every detector, in the order of the files; an empty list is a clean bill."""
    problems = [Problem(detector.file, detector.id, message) for detector in ruleset.detectors for message in _faults(detector, ruleset)]
    filled = {detector.characteristic for detector in ruleset.detectors} | {
        name for each in ruleset.characteristics for name in each.implies
    }
    if ruleset.names is not None:
        filled |= {"first_name", "last_name", "initials"} | {each.id for each in ruleset.characteristics if each.group == "none"}
    problems.extend(
        Problem("vector.toml", each.id, "no detector sets this characteristic; add one, or mark it reserved")
        for each in ruleset.characteristics
        if not each.reserved and each.id not in filled and not ruleset.disabled
    )
    return problems


def _faults(detector: Detector, ruleset: RuleSet) -> Iterator[str]:
    try:
        alone = Patterns(replace(ruleset, detectors=(detector,)))
    except RuleError as error:
        yield str(error).removeprefix(f"{detector.file}: detector {detector.id!r}: ")
        return
    if not detector.match:
        yield "there is no examples.match; add a text that the detector must find"
    if not detector.no_match:
        yield "there is no examples.no_match; add a text that the detector must leave alone"
    for text in detector.match:
        if not alone.candidates(text):
            yield f"examples.match: {text!r} is not found"
    for text in detector.no_match:
        if alone.candidates(text):
            yield f"examples.no_match: {text!r} is found, but must not be"
