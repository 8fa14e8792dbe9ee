"""Where a long text hints at health is found once; every part of it is then answered as if it were read by itself."""

import random
import re

import pytest

from benchmarks.awkward_tables import awkward_tables
from screening.people.health_words import health_hints, hints_at_health
from screening.people.hint_places import HintPlaces
from screening.people.medical_text import is_medical_stretch, medical_among, without_values
from screening.people.mentions import Mention

ROWS = (
    "Mary Sloan,1980-01-02,asthma\nTom Hart,1981-02-03,\nAnn Corona,1950-05-06,flu shot\nJane Roe,1990-09-09,E11.9\n"
    "Bob Low,1960-06-06,metformin 500 mg\nUma May,1970-07-07,blood pressure high\nIda Fox,1971-01-01,D1234_x\n"
    "BloodGlucose,7,HbA1c\nxE11.9,1,asthma_1\nMary Asthma,1980-01-02,none\n"
)
WITH_OTHER_LETTERS = ROWS.replace("Hart", "Cœur")  # a letter that single words cannot show
CLAIMS = ROWS + "HI*ABK:E119~\n"
TABLES = [ROWS, WITH_OTHER_LETTERS, CLAIMS, ROWS * 300, *awkward_tables(8, seed=11)]


def parts_of(text: str, seed: int) -> list[tuple[int, int]]:
    """Lines, a few lines together, and stretches that begin and end anywhere."""
    chance = random.Random(seed)
    lines = [line.span() for line in re.finditer(r"[^\n]+", text)]
    some = [(lines[at][0], lines[min(at + 4, len(lines) - 1)][1]) for at in range(0, len(lines), 5)]
    anywhere = sorted((low := chance.randrange(len(text)), low + chance.randint(0, 90)) for _ in range(400))
    return [*lines, *some, *((low, min(high, len(text))) for low, high in anywhere)]


@pytest.mark.parametrize("text", TABLES)
def test_each_part_has_as_many_hints_as_by_itself(text: str) -> None:
    places = HintPlaces(text)
    for low, high in parts_of(text, 1):
        assert places.hints(low, high) == health_hints(text[low:high]), text[low:high]


@pytest.mark.parametrize("text", TABLES)
def test_words_inside_names_are_left_out(text: str) -> None:
    places, unsure, asked = HintPlaces(text), 0, 0
    for low, high in parts_of(text, 2):
        words = [word.span() for word in re.finditer(r"[A-Z]\w+ [A-Z]\w+", text[low:high])][:2]
        names = [(low + first, low + last, "") for first, last in words]
        known = places.hints_outside(low, high, names)
        asked, unsure = asked + 1, unsure + (known is None)
        if known is not None:
            assert known == hints_at_health(without_values(text, low, high, names)), text[low:high]
    assert unsure < asked or "œ" in text or "HI*" in text


@pytest.mark.parametrize("text", TABLES)
def test_medical_rows_are_the_same_together_as_one_by_one(text: str) -> None:
    lines = [line.span() for line in re.finditer(r"[^\n]+", text)]
    for at in range(0, len(lines), 3):
        entries = [(line, list(names_in(text, *line))) for line in lines[at : at + 3]]
        assert medical_among(text, entries) == [is_medical_stretch(text, *line, names) for line, names in entries]


def names_in(text: str, low: int, high: int) -> list[Mention]:
    found = re.finditer(r"[A-Z]\w+ [A-Z]\w+", text[low:high])
    return [Mention(low + name.start(), low + name.end(), name[0], True, 2.0) for name in found]


def test_a_text_without_line_breaks_is_not_read_whole() -> None:
    text = "asthma " * 200_000
    places = HintPlaces(text)
    assert places.hints(700, 1_400) == 1
    assert places._read is None
