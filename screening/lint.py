"""A rule set -> the problems in it that loading does not see: bad patterns, examples that fail, unknown validators."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.errors import RuleError
from screening.patterns import PatternError, Patterns, compile_database, matcher_of
from screening.ruleset import Detector, RuleSet


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
        filled |= {"first_name", "last_name", "initials"}
    for each in ruleset.characteristics:
        if not each.reserved and each.id not in filled and not ruleset.disabled:
            problems.append(Problem("vector.toml", each.id, "no detector sets this characteristic; add one, or mark it reserved"))
    return problems


def _faults(detector: Detector, ruleset: RuleSet) -> Iterator[str]:
    try:
        matcher_of(detector, frozenset(each.id for each in ruleset.characteristics))
        compile_database([detector])
    except PatternError as error:
        yield str(error)
        return
    if not detector.match:
        yield "there is no examples.match; add a text that the detector must find"
    if not detector.no_match:
        yield "there is no examples.no_match; add a text that the detector must leave alone"
    yield from failing_examples(detector, ruleset)


def failing_examples(detector: Detector, ruleset: RuleSet) -> Iterator[str]:
    """The examples that the detector alone gets wrong."""
    try:
        alone = Patterns(replace(ruleset, detectors=(detector,)))
    except RuleError as error:
        yield str(error)
        return
    for text in detector.match:
        if not alone.candidates(text):
            yield f"examples.match: {text!r} is not found"
    for text in detector.no_match:
        if alone.candidates(text):
            yield f"examples.no_match: {text!r} is found, but must not be"
