"""Every example of every shipped detector, one by one, against that detector."""

import pytest

from core.records import Span
from screening.lint import found_by
from screening.patterns.patterns import Patterns
from screening.ruleset.definitions import Detector
from screening.ruleset.ruleset import load_rules

RULES = load_rules()
DETECTORS = RULES.detectors
PATTERNS = Patterns(RULES, every_language=True)


def found(detector: Detector, text: str) -> list[Span]:
    return found_by(detector, PATTERNS, text)


@pytest.mark.parametrize(
    ("detector", "text"), [pytest.param(d, text, id=f"{d.id}: {text!r}") for d in DETECTORS for text in d.match]
)
def test_finds(detector: Detector, text: str) -> None:
    spans = found(detector, text)
    assert spans, "the example is not found"
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    if len(spans) == 1:
        assert spans[0].characteristic == detector.characteristic


@pytest.mark.parametrize(
    ("detector", "text"), [pytest.param(d, text, id=f"{d.id}: {text!r}") for d in DETECTORS for text in d.no_match]
)
def test_leaves_alone(detector: Detector, text: str) -> None:
    assert found(detector, text) == []


@pytest.mark.parametrize("detector", [pytest.param(d, id=d.id) for d in DETECTORS])
def test_finds_the_same_behind_letters_beyond_ascii(detector: Detector) -> None:
    lead = "日本語 – 😀 é\n"
    for text in detector.match:
        shifted = [
            (span.start - len(lead), span.end - len(lead), span.characteristic) for span in found(detector, lead + text)
        ]
        assert shifted == [(span.start, span.end, span.characteristic) for span in found(detector, text)]
