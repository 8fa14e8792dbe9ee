"""Everybody of whom a text tells more than a name is one entry, with keyed hashes and no value."""

import pytest

from core.records import PersonSeen, Role, Segment
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

SCREEN = Screen(load_rules(), b"k" * 32)
OTHER_KEY = Screen(load_rules(), b"j" * 32)
HEADING = "mrn,last_name,first_name,dob,phone,diagnosis\n"


def people(text: str, screen: Screen = SCREEN) -> tuple[PersonSeen, ...]:
    return screen.screen([Segment("", text)]).people


def characteristics(person: PersonSeen) -> set[str]:
    return {each.id for each in load_rules().characteristics if person.bits & each.value}


@pytest.mark.parametrize(
    "text",
    [
        "Patient: Charles Sloan\nDOB: 1970-03-12\nMRN 4471223\nHealth card number: 1461-088-591-BF\n",
        "Re: SLOAN, Charles, born 12 March 1970, MRN 4471223, health card number: 1461088591\n",
        "Patient: Charles Sloan, DOB 03/12/1970, MRN: 4471223. Health card number: 1461 088 591\n",
        "mrn\tfirst_name\tlast_name\tdob\n4471223\tCHARLES\tSLOAN\t12.03.1970\nHealth card number 1461-088-591 QM",
    ],
)
def test_one_person_has_the_same_hashes_however_it_is_written(text: str) -> None:
    (written,) = people(text)
    (plain,) = people("Patient: Charles Sloan, DOB: 1970-03-12, MRN 4471223, health card number: 1461-088-591-BF\n")
    assert written.role is Role.SUBJECT
    for name in ("given", "surname", "given_sound", "birth", "birth_year", "record_numbers"):
        assert getattr(written.keys, name) == getattr(plain.keys, name) != 0, name
    assert set(written.keys.health_numbers) <= set(plain.keys.health_numbers)


def test_other_people_and_other_keys_have_other_hashes() -> None:
    text = "Patient: Charles Sloan, DOB: 1970-03-12, MRN 4471223\n"
    (one,), (under_other_key,) = people(text), people(text, OTHER_KEY)
    (other,) = people("Patient: Maria Tremblay, DOB: 1971-04-13, MRN 9988112\n")
    for different in (other, under_other_key):
        assert all(one.keys[at] != different.keys[at] for at in range(9))
        assert one.identity != different.identity


def test_a_table_has_as_many_people_as_rows_and_no_cap() -> None:
    rows = "".join(
        f"{100_000 + n},Sloan,Charles,19{n % 90 + 10}-0{n % 9 + 1}-1{n % 7},416-555-0{n:03},asthma\n"
        for n in range(400)
    )
    found = people(HEADING + rows)
    assert len(found) == 400 and not any(person.is_name_alone for person in found)
    assert all(person.role is Role.SUBJECT and len(person.keys.record_numbers) == 1 for person in found)
    assert len({person.identity for person in found}) == 400


def test_two_people_of_one_name_are_two_and_one_person_named_twice_is_one() -> None:
    twice = "Charles Sloan, born 1970-03-12. Mr. Sloan has asthma. Charles Sloan can be reached at 416-555-0143.\n"
    (one,) = people(twice)
    assert len(one.mentions) == 3 and one.keys.phones
    two = "Charles Sloan, born 1970-03-12, MRN 4471223.\n\n\n\nCharles Sloan, born 1988-09-30, MRN 4471999.\n"
    assert len(people(two)) == 2


def test_half_a_name_before_the_whole_one_is_the_same_person() -> None:
    (one,) = people("Patient Ms. Sloan\n\nI saw Denise Sloan, born 11/05/1985. Her number is 647-555-0190.\n")
    assert len(one.mentions) == 2


@pytest.mark.parametrize(
    "text",
    [
        "Signed-off-by: Charles Sloan https://example.org/patches/1\n",
        "Charles Sloan, device serial number: SN-83920-AX1\n",
        "Charles Sloan lives in Toronto.\n",
        "Thanks, Charles\n416-555-0143\n",
    ],
)
def test_a_name_with_a_web_address_a_device_or_a_town_is_nobody(text: str) -> None:
    assert people(text) == ()


def test_what_belongs_to_the_doctor_is_not_the_patients() -> None:
    letter = "RE: Teresa Graves, DOB: 2010-12-04\n\nShe has asthma.\n\n"
    text = f"{letter}With kind regards, Dr. John Jackson, 206-555-0126, jj@mail.example.com\n"
    patient, doctor = people(text)
    assert (patient.role, doctor.role) == (Role.SUBJECT, Role.PROFESSIONAL)
    assert not patient.keys.phones and not patient.keys.emails
    assert doctor.keys.phones and doctor.keys.emails


def test_a_street_named_after_people_is_nobody_and_takes_nothing_from_the_patient() -> None:
    text = "Re: Joanna Goodwin, born 07 April 2004, 34 Harris Court, Leeds L90 0PQ. NHS number: 943 476 5919\n"
    (patient,) = people(text)
    assert patient.keys.health_numbers and patient.country == "GB"


def test_numbers_without_a_name_are_people_line_by_line() -> None:
    rows = "".join(f"{n:03}-45-6789,19{n}-03-12,type 2 diabetes\n" for n in range(50, 60) if n not in (66,))
    found = people("ssn,dob,diagnosis\n" + rows)
    assert len(found) == 10
    assert all(person.keys.national_numbers and not person.keys.surname for person in found)
    assert not any(person.is_name_alone for person in found)


def test_invisible_characters_change_nothing() -> None:
    plain = "Patient: Charles Sloan, DOB: 1970-03-12, MRN 4471223, has asthma.\n"
    (one,), (hidden,) = people(plain), people(plain.replace("Sloan", "Slo\u200ban"))
    assert one.keys == hidden.keys
    assert one.mentions == hidden.mentions


def test_everything_tied_to_a_person_is_in_the_bits() -> None:
    (one,) = people("Patient: Charles Sloan, DOB: 1970-03-12, MRN 4471223, phone 416-555-0143, asthma.\n")
    assert {"first_name", "last_name", "birth_date", "medical_record_number", "phone_number"} <= characteristics(one)


LISTED = ("Nora Whitcombe", "Silas Pemberton", "Devon Clarke", "Lucille Fontaine", "Charles Sloan", "Maria Tremblay")
ILL = ("flu", "heart bypass", "asthma", "epilepsy", "migraine", "type 2 diabetes")


@pytest.mark.parametrize(
    "text",
    [
        "name,diagnosis\n" + "".join(f"{name},{ill}\n" for name, ill in zip(LISTED, ILL, strict=True)),
        "Ward round:\n" + "".join(f"{name} - {ill}, review\n" for name, ill in zip(LISTED, ILL, strict=True)),
        "Sick list: " + "; ".join(f"{name} - {ill}" for name, ill in zip(LISTED, ILL, strict=True)),
    ],
)
def test_everybody_in_a_list_of_the_ill_is_a_person(text: str) -> None:
    found = people(text)
    assert all(person.is_name_alone for person in found)
    assert len({person.identity for person in found}) == len(LISTED)
    assert {person.role for person in found} == {Role.SUBJECT}


def test_relatives_and_doctors_beside_a_patient_are_none_of_the_patients() -> None:
    text = "Patient: Charles Sloan, DOB 1970-03-12, has asthma. Next of kin: wife Mary Sloan, 416-555-0143. Dr. Hart\n"
    assert [person.role for person in people(text) if person.is_affected] == [Role.SUBJECT]


@pytest.mark.parametrize(
    "record",
    [
        '{"first": "Sophie", "last": "Francis", "dob": "1970-03-12"}',
        '{"lastName":"Francis","firstName":"Sophie","dob":"1970-03-12"}',
        "<patient><given>Sophie</given><family>Francis</family><dob>1970-03-12</dob></patient>",
    ],
)
def test_labels_say_which_part_of_a_name_is_which(record: str) -> None:
    (one,), (plain,) = people(record), people("Patient: Sophie Francis, DOB 1970-03-12\n")
    assert one.keys[:9] == plain.keys[:9]


def test_a_word_of_a_disease_takes_no_number_of_the_next_patient() -> None:
    text = "".join(
        f"MRN: 44712{n}\nPatient: {name}\nDx: Major depressive disorder\n" for n, name in enumerate(LISTED, 10)
    )
    assert [len(person.keys.record_numbers) for person in people(text)] == [1] * len(LISTED)


@pytest.mark.parametrize(
    "text",
    [
        "Return-Path: whisper@oz.example\nDelivery-Date: Thu Sep  5 23:42:38 2002\nFrom: whisper@oz.example\n",
        "Lyons D. Gene expression. J Virol 85, phone 416-555-0142\n",
    ],
)
def test_days_and_journals_are_nobody(text: str) -> None:
    assert all(text.startswith(("Lyons", "D."), at) for person in people(text) for at in person.mentions)


def test_the_address_of_a_writer_makes_nobody_ill() -> None:
    (found,) = people("Mark Harris                 mark@monitor.example\n")
    assert found.role is Role.OTHER
