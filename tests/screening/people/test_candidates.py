"""Which passages the health stage judges, whose they are, and what it reads of them."""

import pytest

from core.records import Role, Screening, Segment
from screening.people.candidates import passage_text
from screening.screen import Screen

FILLER = "The committee met again and spoke about the weather for a long time. " * 40
PATIENTS = """Patient Name,DOB,Diagnosis,Medication
Mary Sloan,1971-02-03,asthma,salbutamol
Tom Hart,1980-05-06,type 2 diabetes,metformin
Charles Miller,1990-01-02,depression,sertraline
"""
NAMED = {"subject-with-health", "name-with-birth-date", "name-with-number", "name-in-health-table"}


def screened(screen: Screen, text: str) -> Screening:
    return screen.screen([Segment("", text)])


def read(screen: Screen, text: str) -> list[str]:
    return [passage_text(text, candidate) for candidate in screened(screen, text).candidates]


def fired(screen: Screen, text: str) -> set[str]:
    return {hit.rule for hit in screened(screen, text).rules} & NAMED


JUDGED = {
    "table": (PATIENTS, Role.SUBJECT),
    "table with tabs": (PATIENTS.replace(",", "\t"), Role.SUBJECT),
    "short headings": (
        "pt_nm,dob,Dx,Rx\nSloan Mary,1971-02-03,J45.901,salbutamol\nHart Tom,1980-05-06,E11.9,metformin\n",
        Role.SUBJECT,
    ),
    "json": ('{"patient": {"name": "Mary Sloan", "diagnosis": "asthma"}}', Role.SUBJECT),
    "json lines": (
        '{"name": "Mary Sloan", "diagnosis": "asthma"}\n{"name": "Tom Hart", "diagnosis": "gout"}\n',
        Role.SUBJECT,
    ),
    "sql": ("INSERT INTO p (id, name, dx) VALUES (1,'Mary Sloan','asthma'),(2,'Tom Hart','gout');", Role.SUBJECT),
    "note": ("Patient: Mary Sloan\nSeen for asthma, wheezing at night. Salbutamol as needed.\n", Role.SUBJECT),
    "sick note": ("Tom Hart, 43 yo, is unfit for work until Friday because of a wrist fracture.\n", Role.SUBJECT),
    "titled": ("Mrs. Sloan has breast cancer and starts chemotherapy on Monday.\n", Role.SUBJECT),
    "full name alone": ("Mary Sloan and her chemotherapy were discussed at length.\n", Role.OTHER),
    "relative": ("my mother Mary Sloan, on insulin for her diabetes\n", Role.RELATIVE),
    "mail about oneself": (
        "From: Mary Sloan <mary@example.org>\nSubject: tomorrow\n\nI have pneumonia, my doctor gave me antibiotics.\n",
        Role.AUTHOR,
    ),
}
NOT_JUDGED = {
    "directory of doctors": """Name,Title,Department,Phone
Dr. Mary Sloan,Cardiologist,Cardiology,613-555-0142
Dr. Tom Hart,Surgeon,Surgery,613-555-0143
Dr. Charles Miller,Oncologist,Oncology,613-555-0144
""",
    "column of doctors": "Physician,Clinic,Specialty\nMary Sloan,Elm Street,asthma\nTom Hart,Oak Street,diabetes\n",
    "authors": """Asthma in children: a review
Authors: Mary Sloan and others
Abstract. Asthma is common. Forty trials of salbutamol were reviewed.
""",
    "signature": "Vaccines against influenza have arrived.\n\nKind regards,\nMary Sloan\nReception\n",
    "byline": "By Mary Sloan\n\nInfluenza is spreading in the province, and hospitals are full.\n",
    "quoted": "Influenza comes early this year, Tom Hart said on Monday.\n",
    "no health": "Mary Sloan sent the minutes of the meeting, and Tom Hart will bring the keys.\n",
    "nobody": "Asthma is treated with salbutamol. Diabetes is treated with insulin.\n",
}


@pytest.mark.parametrize(("text", "role"), JUDGED.values(), ids=JUDGED)
def test_passages_about_somebody_are_judged(screen: Screen, text: str, role: Role) -> None:
    screening = screened(screen, text)
    assert role in {candidate.role for candidate in screening.candidates}
    assert screening.positive


@pytest.mark.parametrize("text", NOT_JUDGED.values(), ids=NOT_JUDGED)
def test_passages_about_nobody_are_not_judged(screen: Screen, text: str) -> None:
    assert screened(screen, text).candidates == ()
    assert "subject-with-health" not in fired(screen, text)


def test_a_note_is_found_in_a_long_text(screen: Screen) -> None:
    note = "Patient: Mary Sloan\nSeen for asthma, wheezing at night. Salbutamol as needed.\n"
    (candidate,) = screened(screen, f"{FILLER * 4}\n\n\n{note}\n\n{FILLER * 4}").candidates[:1]
    assert candidate.role is Role.SUBJECT
    assert candidate.passage.end - candidate.passage.start < 2_000


def test_the_patient_of_a_form_is_carried_to_later_passages(screen: Screen) -> None:
    form = f"Patient: Mary Sloan\n\n{FILLER}\n\nDiagnosis: asthma, treated with salbutamol.\n"
    last = screened(screen, form).candidates[-1]
    assert (last.role, form[last.person :][:10]) == (Role.SUBJECT, "Mary Sloan")
    assert "asthma" in passage_text(form, last) and "subjecttoken" in passage_text(form, last)


def test_no_value_of_a_person_is_read_by_the_health_stage(screen: Screen) -> None:
    text = "Patient: Mary Sloan, DOB 1971-02-03, MRN 4471902, tel 613-555-0142. Dr. Tom Hart: asthma J45.901.\n"
    (passage,) = read(screen, text)
    for value in ("Mary", "Sloan", "1971", "4471902", "555", "Hart", "J45"):
        assert value not in passage
    for word in ("subjecttoken", "birthdatetoken", "recordnumbertoken", "doctortoken", "icdcode", "asthma"):
        assert word in passage


def test_the_heading_is_read_with_the_rows(screen: Screen) -> None:
    (passage,) = read(screen, PATIENTS)
    assert passage.startswith("Patient Name,DOB,Diagnosis,Medication\n")
    assert passage.count("subjecttoken") == 3


def test_a_list_of_patients_is_screened_by_rules_about_one_person(screen: Screen) -> None:
    assert fired(screen, PATIENTS) == {"subject-with-health", "name-with-birth-date", "name-in-health-table"}


SAME_PERSON = [
    ("Mary Sloan, date of birth 1971-02-03\n", {"name-with-birth-date"}),
    (f"Mary Sloan sent the minutes.\n\n\n{FILLER}\n\n\nDate of birth: 1971-02-03\n", set()),
    (f"Mary Sloan wrote.\n\n\n{FILLER}\n\n\nTom Hart, date of birth 1971-02-03\n", {"name-with-birth-date"}),
    ("Mary Sloan, MRN 4471902\n", {"name-with-number"}),
    (f"Mary Sloan sent the minutes.\n\n\n{FILLER}\n\n\nMRN: 4471902\n", set()),
    (f"Mary Sloan sent the minutes.\n\n\n{FILLER}\n\n\nAsthma is common.\n", set()),
]


@pytest.mark.parametrize(("text", "rules"), SAME_PERSON)
def test_a_rule_about_one_person_needs_all_of_it_from_that_person(screen: Screen, text: str, rules: set[str]) -> None:
    assert fired(screen, text) == rules


def test_the_evidence_names_role_and_passage(screen: Screen) -> None:
    roles = {(piece.characteristic, piece.role, piece.passage) for piece in screened(screen, PATIENTS).evidence}
    assert ("last_name", "subject", "rows 2 to 4") in roles
    assert ("birth_date", "", "rows 2 to 4") in roles


def test_candidates_hold_no_text(screen: Screen) -> None:
    assert "Sloan" not in repr(screened(screen, PATIENTS).candidates)


def test_the_one_name_of_a_form_is_not_voted_down_by_its_other_fields(screen: Screen) -> None:
    form = (
        "Full name\tMary Sloan\nDate of birth\t1961-03-04\nPhone\t204-555-0148\nDiagnosis\tasthma\nDrug\tbudesonide\n"
    )
    (passage,) = read(screen, form)
    assert "subjecttoken" in passage and "Sloan" not in passage and "asthma" in passage
