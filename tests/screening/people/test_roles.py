"""What stands around a name shows what the person is in the text."""

import pytest

from core.records import Role
from screening.people.roles import standing_of

# The name in brackets is the one that is asked about.
LINES = {
    Role.SUBJECT: """
[Tom Hart] (H205367, born 30/08/1991)
Deliver to: Mr. [Tom Hart], 14 Elm Street
Patient: [Mary Sloan]
Patient name: [Mary Sloan]
Pt [Sloan Mary]
pt name = [Mary Sloan]
Resident: [Mary Sloan], room 12
Insured: [Mary Sloan]
Claimant [Mary Sloan]
Member name: [Mary Sloan]
Donor: [Jorge Echeverria] ID 88217
Employee: [Mary Sloan]
Student [Mary Sloan]
Child: [Mary Sloan]
Mrs. [Sloan] came again
Herr [Weber] kam am Montag
the case of [Mary Sloan]
[Mary Sloan], 43 yo, fell in the garden
[Mary Sloan] (43)
[Mary Sloan], DOB 3 Feb 1971
[Mary Sloan] 1971-02-03
[Mary Sloan] born in Ottawa
[Mary Sloan] was diagnosed with gout
[Mary Sloan] was admitted on Friday
[Mary Sloan] is pregnant
[Mary Sloan] underwent surgery
[Mary Sloan] called in sick
[Mary Sloan]'s biopsy came back
[Mary Sloan] MRN 4471
[Sloan, Mary] #A44713 - on risperidone
Physio - [Mary Sloan] (ACL reconstruction, week 6)
a 62-year-old woman with lung cancer, [Mary Sloan]
My name is [Mary Sloan]
Re: [Mary Sloan]
Dear [Mary Sloan]
[Mary Sloan], doctor says it is gout
our receptionist ([Mary Sloan]) got bitten by a dog
Re Mrs. [Sloan], large-animal vet
Dear Dr, Mrs. [Sloan] came alone
Parent or Guardian of [Mary Sloan]
ward nurse: Mrs. [Sloan] is still in pain
Hi Mrs. [Sloan], Nurse Wick from the camp here
""",
    Role.RELATIVE: """
my mother [Mary Sloan] can no longer walk
his father [Tom Hart]
her son [Tom Hart]
our daughter [Mary Sloan]
the wife, [Mary Sloan], was told
husband: [Tom Hart]
brother [Tom Hart]
sister [Mary Sloan]
mum [Mary Sloan]
dad [Tom Hart]
grandmother [Mary Sloan]
grandfather: [Tom Hart]
aunt [Mary Sloan]
uncle [Tom Hart]
cousin [Tom Hart]
partner: [Tom Hart]
spouse: [Mary Sloan]
next of kin: [Tom Hart]
NOK [Tom Hart]
guardian: [Mary Sloan]
parent [Tom Hart]
""",
    Role.PROFESSIONAL: """
Mrs [Sloan]'s class is at the museum
Ms. [Sloan] has the rescue meds
Secretary: Mrs. [Sloan]
Headteacher Mrs [Sloan]
[Mary Sloan], Senior Recruiter
Nurse in charge today: Mrs. [Sloan]
Return form to Mrs [Sloan]
Dr. [Mary Sloan]
Dr [Sloan]
Prof. [Tom Hart]
Doctor [Tom Hart]
Nurse [Mary Sloan]
[Mary Sloan], MD
[Mary Sloan] M.D.
[Tom Hart], RN
[Tom Hart], PhD
[Mary Sloan], a cardiologist
[Mary Sloan], chief physician
[Tom Hart], senior consultant
Attending: [Mary Sloan]
Prescriber: [Mary Sloan]
Prescribed by [Mary Sloan]
Seen by [Tom Hart]
Signed by: [Tom Hart]
Reported by [Tom Hart]
Referring physician: [Mary Sloan]
Radiologist: [Mary Sloan]
Pharmacist [Tom Hart]
Dentist: [Tom Hart]
GP: [Mary Sloan]
""",
    Role.AUTHOR: """
by [Mary Sloan]
Author: [Mary Sloan]
Authors: [Mary Sloan] and others
Written by [Tom Hart]
edited by [Tom Hart]
Editor: [Tom Hart]
Copyright [Mary Sloan]
(c) [Mary Sloan]
Maintainer: [Tom Hart]
Speaker: [Mary Sloan]
Posted by [Mary Sloan]
Prepared by: [Tom Hart]
According to [Tom Hart]
From: [Mary Sloan] <mary@example.org>
cc: [Tom Hart]
Kind regards,\\n[Mary Sloan]
Sincerely,\\n[Tom Hart]
Cheers, [Tom]
Thanks,\\n[Mary]
[Sloan] et al
[Tom Hart] said on Monday
"It rained", said [Tom Hart]
[Mary Sloan] told the paper
[Mary Sloan]1, Tom Hart2 and others
[Mary Sloan]* and Tom Hart
Judge [Tom Hart]
""",
    Role.OTHER: """
the journal [Sloan Case] Reports (2021)
[Mary Sloan] sent the minutes
The insurer says [Mary Sloan] must call
We met [Tom Hart] at the station
Ask [Tom Hart] about the keys
Invoices go to [Mary Sloan]
[Mary Sloan], Nephrology, General Hospital
[Tom Hart] won the race
The painting shows [Mary Sloan]
with [Mary Sloan] in Ottawa
the song that [Tom Hart] sang
[Mary Sloan] and Tom Hart moved
[Tom Hart] built the bridge
the house of [Mary Sloan]
[Mary Sloan] will open the meeting
between [Tom Hart] and the city
[Tom Hart] scored twice
They elected [Mary Sloan]
a letter to [Tom Hart]
[Mary Sloan] plays the violin
the team around [Mary Sloan]
[Tom Hart] lost his keys
beside [Tom Hart]
""",
}
CASES = [
    pytest.param(role, line.replace("\\n", "\n"), id=f"{role.value}: {line}")
    for role, lines in LINES.items()
    for line in lines.strip().split("\n")
]


def asked(line: str) -> tuple[str, int, int]:
    start, end = line.index("["), line.index("]") - 1
    return line.replace("[", "").replace("]", ""), start, end


@pytest.mark.parametrize(("role", "line"), CASES)
def test_the_words_around_a_name_show_the_role(role: Role, line: str) -> None:
    text, start, end = asked(line)
    assert standing_of(text, start, end).role is role


def test_every_role_has_lines_enough() -> None:
    assert {role for role, lines in LINES.items() if lines.count("\n") > 20} == set(Role)


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("Patient Name", Role.SUBJECT),
        ("pt_nm", Role.SUBJECT),
        ("LAST_NAME", Role.SUBJECT),
        ("Prénom", Role.SUBJECT),
        ("employee", Role.SUBJECT),
        ("Attending Physician", Role.PROFESSIONAL),
        ("provider_name", Role.PROFESSIONAL),
        ("Contact", Role.PROFESSIONAL),
        ("City", Role.OTHER),
        ("product", Role.OTHER),
    ],
)
def test_the_heading_of_a_column_decides(heading: str, role: Role) -> None:
    assert standing_of("Mary Sloan", 0, 10, heading).role is role


@pytest.mark.parametrize(("text", "titled"), [("Mr. ", True), ("Frau ", True), ("Dr. ", False), ("farm ", False)])
def test_titles_stand_right_before_a_name(text: str, titled: bool) -> None:
    assert standing_of(f"{text}Sloan", len(text), len(text) + 5).has_title is titled
