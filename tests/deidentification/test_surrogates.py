"""Surrogates are of the same make, the same for the same person, and valid for nobody."""

import re
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import luhn
from stdnum.ca import sin

from deidentification.deidentify import Deidentifier
from deidentification.surrogates.dates import days_first, shifted, year_of
from deidentification.surrogates.dice import Dice
from deidentification.surrogates.numbers import SurrogateNumbers
from deidentification.surrogates.places import province_of
from tests.deidentification.conftest import Make
from tests.deidentification.test_formats import copy_of

NUMBERS = SurrogateNumbers(Dice(b"k" * 32), lambda characteristic: [sin.is_valid])


@pytest.mark.parametrize(
    ("written", "days", "moved"),
    [
        ("2021-03-12", 30, "2021-04-11"),
        ("20210312", -12, "20210228"),
        ("202103121530", 1, "202103131530"),
        ("12/31/2020", 1, "01/01/2021"),
        ("5 March 1947", 10, "15 March 1947"),
        ("March 5th, 1947", -4, "March 1st, 1947"),
        ("Friday, 12 March 2021", 1, "Saturday, 13 March 2021"),
        ("12 MAR 2021", 20, "1 APR 2021"),
        ("3 mai 2020", 31, "3 juin 2020"),
        ("3. Dezember 2020", 31, "3. Januar 2021"),
        ("05.03.47", 1, "06.03.47"),
    ],
)
def test_dates_move_and_stay_written_as_they_were(written: str, days: int, moved: str) -> None:
    assert shifted(written, days, days_first([written], otherwise=False)) == moved


@pytest.mark.parametrize("written", ["next Tuesday", "March 2021", "31 February 2020", "12345"])
def test_what_is_no_day_is_not_moved(written: str) -> None:
    assert shifted(written, 3, day_first=False) is None


@given(st.dates(date(1900, 1, 1), date(2090, 1, 1)), st.integers(-1825, 1825))
def test_intervals_are_kept(day: date, days: int) -> None:
    moved = shifted(day.isoformat(), days, day_first=False)
    assert moved is not None and date.fromisoformat(moved) - day == timedelta(days=days)


def test_years_and_provinces() -> None:
    assert (year_of("5 March 1947"), year_of("19470305"), year_of("3/5/47")) == ("1947", "1947", "1947")
    assert (province_of("Ottawa"), province_of("Ontario"), province_of("Nowhere")) == ("Ontario", "Ontario", None)


@given(st.from_regex(r"\A[A-Z]{0,2}[1-9][0-9]{2}[- ]?[0-9]{3}[- ]?[0-9]{3}\Z"))
def test_numbers_have_the_same_form_and_wrong_check_digits(number: str) -> None:
    made = NUMBERS.number("sin", number)
    assert re.sub(r"\d", "9", re.sub(r"[A-Z]", "A", made)) == re.sub(r"\d", "9", re.sub(r"[A-Z]", "A", number))
    assert made != number
    assert made == NUMBERS.number("sin", number)
    digits = re.sub(r"\D", "", made)
    assert not sin.is_valid(made) and not (made.isdecimal() and luhn.is_valid(digits))


@given(st.from_regex(r"\A\([2-9][0-9]{2}\) [2-9][0-9]{2}-[0-9]{4}\Z"))
def test_phone_numbers_are_those_of_stories(number: str) -> None:
    assert re.fullmatch(r"\([2-9]\d\d\) 555-01\d\d", NUMBERS.phone("phone_number", number))


def names_in(deidentifier: Deidentifier, text: str) -> list[str]:
    made = copy_of(deidentifier, text.encode()).decode()
    return re.findall(r"<([^>]*)>", made)


def test_one_person_has_one_name_however_named(make: Make) -> None:
    text = (
        "Patient: <Mary Thompson>, born 5 March 1947.\nMrs <Thompson> was seen. <MARY THOMPSON> is well.\n"
        "Patient: <Peter Thompson>, born 7 May 1950.\nSigned by Dr. <Alan Becker>.\n"
    )
    full, short, capitals, peter, doctor = names_in(make("surrogate"), text)
    assert full.split()[1] == short and capitals == full.upper()
    assert len({full.split()[1], peter.split()[1], doctor.split()[1]}) == 3
    assert "Thompson" not in full + peter


def test_tags_count_people_through_all_files(make: Make) -> None:
    deidentifier = make("tag", **{"deidentify.date_shift_days": 9})
    first = names_in(deidentifier, "Patient: <Mary Thompson>, born 5 March 1947. Patient: <John Miller>, MRN 123123\n")
    second = names_in(deidentifier, "Patient: <John Miller>, MRN 123123, has asthma.\n")
    assert sorted(first) == ["[PATIENT 1]", "[PATIENT 2]"] and second == first[1:]


def test_dates_of_a_person_keep_their_distance(make: Make) -> None:
    text = "Patient: Mary Thompson, admitted 2021-03-01, discharged 2021-03-11, seen again on 2021-06-09 for asthma.\n"
    made = copy_of(make("surrogate"), text.encode()).decode()
    days = [date.fromisoformat(found) for found in re.findall(r"\d{4}-\d\d-\d\d", made)]
    assert [later - earlier for earlier, later in pairwise(days)] == [
        timedelta(days=10),
        timedelta(days=90),
    ]
    assert days[0] != date(2021, 3, 1)


def test_a_birth_date_moves_by_itself_and_is_the_same_everywhere(make: Make) -> None:
    """Also where nothing says that it is one; days from birth to a visit would tell who it is."""
    text = (
        "Patient: Mary Thompson, date of birth 1947-03-05, admitted 2021-03-01, discharged 2021-03-11 with asthma.\n"
        "Thompson, 1947-03-05, seen.\nPatient: Peter Miller, DOB 1950-05-07, admitted 2021-04-02 with pneumonia.\n"
    )
    made = copy_of(make("surrogate"), text.encode()).decode()
    born, admitted, discharged, again, peter, seen = map(date.fromisoformat, re.findall(r"\d{4}-\d\d-\d\d", made))
    assert born == again and discharged - admitted == timedelta(days=10)
    assert admitted - born != date(2021, 3, 1) - date(1947, 3, 5) and seen - peter != date(2021, 4, 2) - date(
        1950, 5, 7
    )
    assert all(date(1940, 1, 1) <= day <= date(1994, 12, 31) for day in (born, peter))


def test_generalised_values(make: Make) -> None:
    text = "Patient: Mary Thompson, aged 92 years, born 5 March 1947, lives in Ottawa, K1A 0B1, and has asthma.\n"
    made = copy_of(make("generalise"), text.encode()).decode()
    assert made == "Patient: [PATIENT 1], aged 90+ years, born 1947, lives in Ontario, K1A, and has asthma.\n"


def test_another_key_gives_other_names() -> None:
    pairs = [(Dice(bytes([number]) * 32).number(1_000_000, "given", "mary")) for number in range(20)]
    assert len(set(pairs)) == 20
