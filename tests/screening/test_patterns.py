"""The two-pass engine finds exactly what a plain search of the whole text finds."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from screening.patterns.matcher import matcher_of
from screening.patterns.patterns import Patterns
from screening.ruleset.definitions import Detector
from screening.ruleset.ruleset import load_rules

RULES = load_rules()
TRICKY = {
    r"\b\d{3}-\d{4}\b": "",
    r"\d{2}(?:-\d{2}\b)?": "",
    r"\b[A-Z]{1,3} ?\d{1,4}\b": "",
    r"(?:ab|a)(?:b1|1)?": "",
    r"\b(?:[A-Zé][a-z]{0,3} ){1,3}St\b": " St",
    r"x{1,5}(?:y|\b)": "",
    r"\bA[ab]{0,3}- ?\d{1,3}(?:-\d)?": r"\bA[ab]{0,3}-",
    r"a1|b-\d{1,3}": r"a1|b-",
}
BASE = next(each for each in RULES.detectors if each.id == "uuid")


def detector(pattern: str, trigger: str) -> Detector:
    return replace(
        BASE, id="own", pattern=pattern, trigger=trigger, ignore_case=False, keywords=(), score=0.9, standalone=False
    )


ENGINES = {
    pattern: Patterns(replace(RULES, detectors=(detector(pattern, trigger),))) for pattern, trigger in TRICKY.items()
}


def whole_words(pattern: str, text: str) -> list[tuple[int, int]]:
    spans = [match.span() for match in re.compile(pattern, re.ASCII).finditer(text)]
    return [
        (start, end)
        for start, end in spans
        if not (start and text[start - 1].isalnum() and text[start].isalnum())
        and not (end < len(text) and text[end].isalnum() and text[end - 1].isalnum())
    ]


@pytest.mark.parametrize("pattern", TRICKY)
@settings(deadline=None)
@given(text=st.text(alphabet="aAbB12 -xySté😀\n", max_size=60))
def test_windows_find_what_a_plain_search_finds(pattern: str, text: str) -> None:
    assert [(span.start, span.end) for span in ENGINES[pattern].candidates(text)] == whole_words(pattern, text)


@pytest.mark.parametrize("pattern", TRICKY)
def test_far_apart_matches_are_all_found(pattern: str) -> None:
    piece = "AB 12, 123-4567 ab1 xxxxy é Ab Cd St "
    text = ("." * 300).join([piece] * 5)
    assert [(span.start, span.end) for span in ENGINES[pattern].candidates(text)] == whole_words(pattern, text)


def test_groups_named_after_characteristics_make_spans_of_their_own() -> None:
    own = detector(r"(?P<last_name>[A-Z]{2,9})/(?P<first_name>[A-Z]{2,9})", "")
    spans = Patterns(replace(RULES, detectors=(own,))).candidates("seat 12A DOE/JANE")
    assert [(span.start, span.end, span.characteristic) for span in spans] == [
        (9, 12, "last_name"),
        (13, 17, "first_name"),
    ]


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("code 7777", 0.6),
        ("secret code 7777", 0.95),
        ("lot code 7777", 0.0),
        ("code 7777 secret", 0.95),
        ("insecretly code 7777", 0.6),
    ],
)
def test_words_nearby_raise_and_lower_the_score(text: str, score: float) -> None:
    own = replace(detector(r"\b7{4}\b", ""), score=0.6, raised_by=("secret",), lowered_by=("lot",))
    spans = Patterns(replace(RULES, detectors=(own,))).candidates(text)
    assert [span.score for span in spans] == ([score] if score else [])


@pytest.mark.parametrize(
    "order",
    [("secret", "lot", "plain"), ("plain", "plain", "secret"), ("lot", "lot", "lot"), ("plain", "plain", "plain")],
)
def test_of_many_matches_each_is_weighed_by_its_own_words(order: tuple[str, ...]) -> None:
    own = replace(detector(r"\b7{4}\b", ""), score=0.6, raised_by=("secret",), lowered_by=("lot",))
    engine = Patterns(replace(RULES, detectors=(own,)))
    parts = [f"{'x' * 300} {word} 7777 {'x' * 300} " for word in order * 20]
    alone = [span.score for part in parts for span in engine.candidates(part)]
    assert [span.score for span in engine.candidates("".join(parts))] == alone


def test_a_required_word_must_stand_shortly_before() -> None:
    own = replace(detector(r"\b7{4}\b", ""), keywords=("pass code",), near=15)
    engine = Patterns(replace(RULES, detectors=(own,)))
    assert engine.candidates("PASS  CODE 7777")
    assert not engine.candidates("7777 pass code")
    assert not engine.candidates("pass code, so they say, 7777")


def test_a_number_that_goes_on_is_no_number() -> None:
    own = replace(detector(r"\b\d{3}-\d{3}\b", ""), standalone=True)
    engine = Patterns(replace(RULES, detectors=(own,)))
    assert [
        engine.candidates(text) != [] for text in ("123-456", "123-456.", "123-456-7", "9.123-456", "x-123-456")
    ] == [
        True,
        True,
        False,
        False,
        True,
    ]


def test_the_width_of_a_pattern_is_its_longest_match() -> None:
    assert matcher_of(detector(r"a{2,7}b?", ""), frozenset()).width == 8


def test_nothing_in_nothing_out() -> None:
    assert Patterns(replace(RULES, detectors=())).candidates("613-555-0142") == []
