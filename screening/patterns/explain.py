"""A text -> what each detector sees in it, and why it counts or not."""

from collections.abc import Iterator
from dataclasses import dataclass

from screening.patterns.matcher import SUREST, Matcher, in_clause, nearby
from screening.patterns.patterns import Patterns
from screening.ruleset.definitions import Scoring


@dataclass(frozen=True, slots=True)
class ExplainedMatch:
    """One match of one pattern, with everything that decided about it."""

    start: int
    end: int
    detector: str
    characteristic: str
    pattern: str
    base: float
    part_of_longer: bool
    keyword: str | None  # the word that must come before it; empty: none is needed; None: none was there
    validator: str
    valid: bool | None  # None: there is no validator
    raised_by: str
    lowered_by: str
    score: float
    threshold: float

    @property
    def counts(self) -> bool:
        return 0 < self.score >= self.threshold

    @property
    def reasons(self) -> tuple[str, ...]:
        """Each fact that decided, in the order in which they are checked."""
        lines = [f"the pattern matches: {self.base:.2f}"]
        if self.part_of_longer:
            return (*lines, "it is a piece of a longer word or number: it does not count")
        if self.keyword is None:
            return (*lines, "none of its keywords comes before it: it does not count")
        if self.keyword:
            lines.append(f"the keyword {self.keyword!r} comes before it")
        if self.valid is not None:
            lines.append(f"{self.validator} {'holds' if self.valid else 'does not hold: it does not count'}")
        if self.raised_by:
            lines.append(f"raised by {self.raised_by!r}")
        if self.lowered_by:
            lines.append(f"lowered by {self.lowered_by!r}")
        verdict = "reaches" if self.counts else "stays below"
        return (*lines, f"the score {self.score:.2f} {verdict} the threshold {self.threshold:.2f}")


def explain_matches(patterns: Patterns, text: str, *, misses: bool = False) -> list[ExplainedMatch]:
    """What the detectors find, in the order of the text; with `misses`, also matches that do not count."""
    seen = _everywhere(patterns, text) if misses else _triggered(patterns, text)
    wanted = [match for match in seen if misses or match.counts]
    return sorted(wanted, key=lambda match: (match.start, match.end, match.detector))


def _triggered(patterns: Patterns, text: str) -> Iterator[ExplainedMatch]:
    for matcher, matches in patterns.matches(text):
        for match in matches:
            for group, characteristic in matcher.groups:
                if match.start(group) >= 0:
                    yield assess(matcher, characteristic, text, match.start(group), match.end(group), patterns.scoring)


def _everywhere(patterns: Patterns, text: str) -> Iterator[ExplainedMatch]:
    """Also where no keyword would have led Hyperscan."""
    for matcher in patterns.matchers:
        for match in matcher.regex.finditer(text):
            for group, characteristic in matcher.groups:
                if match.start(group) >= 0:
                    yield assess(matcher, characteristic, text, match.start(group), match.end(group), patterns.scoring)


def assess(matcher: Matcher, characteristic: str, text: str, start: int, end: int, scoring: Scoring) -> ExplainedMatch:
    """The same verdict as `Matcher.alone` and `Matcher.weighed`, with its grounds."""
    detector = matcher.detector
    longer = not matcher.alone(text, start, end)
    before = matcher.announced(text, start)
    keyword = "" if matcher.required is None else (None if before is None else before.group())
    valid = None if matcher.validator is None else matcher.validator(text[start:end])
    raised = None if matcher.raised_by is None else nearby(matcher.raised_by, text, start, end, scoring)
    lowered = None if matcher.lowered_by is None else in_clause(matcher.lowered_by, text, start, end, scoring)
    score = 0.0
    if not longer and keyword is not None and valid is not False:
        score = detector.score + (scoring.raise_by if raised else 0.0) - (scoring.lower_by if lowered else 0.0)
        score = detector.score if matcher.no_context else round(min(max(score, 0.0), SUREST), 4)
    return ExplainedMatch(
        start=start,
        end=end,
        detector=detector.id,
        characteristic=characteristic,
        pattern=detector.pattern,
        base=detector.score,
        part_of_longer=longer,
        keyword=keyword,
        validator=detector.validator,
        valid=valid,
        raised_by=raised.group() if raised else "",
        lowered_by=lowered.group() if lowered else "",
        score=score,
        threshold=scoring.threshold,
    )
