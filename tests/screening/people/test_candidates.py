"""Which passages the health stage judges, whose they are, and what it reads of them."""

import json

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
    "full name alone": ("We discussed it at length, the chemotherapy and all, with Mary Sloan.\n", Role.OTHER),
    "illness behind the name": ("Mary Sloan (hip replacement, home on Tuesday)\n", Role.SUBJECT),
    "first name with an illness": (
        "RE: Confidential - Eleftheria Samara\nWe accept that Eleftheria's endometriosis amounts to a disability.\n",
        Role.SUBJECT,
    ),
    "relative": ("my mother Mary Sloan, on insulin for her diabetes\n", Role.RELATIVE),
    "mail about oneself": (
        "From: Mary Sloan <mary@example.org>\nSubject: tomorrow\n\nI have pneumonia, my doctor gave me antibiotics.\n",
        Role.SUBJECT,
    ),
    "mail that is signed": (
        "Hi Tom,\nsorry to miss the call. I had a seizure on Saturday.\n\nThanks\nMary Sloan\n",
        Role.SUBJECT,
    ),
    "letter": ("Dear Mr. Hart,\n\nyour biopsy shows a melanoma. Please call us.\n", Role.SUBJECT),
    "greeted": ("Hi Ms Garrity, just so you know that Mary Sloan in 3B has a peanut allergy.\n", Role.SUBJECT),
    "chat about oneself": (
        "[12/03/24, 08:02:44] Mary Sloan: hi. cant make it sunday\n"
        "[12/03/24, 08:03:10] Mary Sloan: im back on insulin and sleep all day\n"
        "[12/03/24, 08:05:02] Tom: oh no\n",
        Role.SUBJECT,
    ),
    "chat about somebody": (
        "12/03/2024, 08:02 - Lena: did you hear about Mary Sloan\n12/03/2024, 08:03 - Tom: no, what\n"
        "12/03/2024, 08:04 - Lena: she has leukemia\n",
        Role.SUBJECT,
    ),
    "chat with a name in its heads alone": (
        "Mary Sloan  9:14 AM\nmums biopsy is back, its malignant\nTom Hart  9:17 AM\noh no\nMary Sloan  9:18 AM\nyes\n",
        Role.AUTHOR,
    ),
    "fields of a record": (
        '{"clinic": "Elm Street", "person": {"given": "Hector", "family": "Villanueva"}, "notes": "chlamydia"}',
        Role.SUBJECT,
    ),
    "fields in capitals": ("MEMBER LAST: KOWALSKI\nMEMBER FIRST: BRENDA\nDX1: E11.65\nCPT: 99214\n", Role.SUBJECT),
    "segments": ("PID|1||5582||SLOAN^MARY^P||19660228|F\nAL1|1|DA|^CODEINE|MO|ITCHING\n", Role.OTHER),
    "table below its patient": (
        "Mary Sloan  DOB 02/03/1980\nDate,Test,Result\n2024-03-02,TSH,9.8\n2024-03-02,Ferritin,6\n",
        Role.SUBJECT,
    ),
    "list of surnames": (
        "Bed | Pt | Age | Issue\n1 | Sloan | 82F | NOF # day 2\n2 | Hart | 45M | insulin\n",
        Role.SUBJECT,
    ),
    "surname and initial": ("Sloan, M. 34/F. headache, started labetalol, pre-eclampsia.\n", Role.SUBJECT),
    "first name of a relative": ("insulin again for my mother Mary\n", Role.RELATIVE),
    "another sentence before": ("I'm a dentist. Mr. Tom Hart, 70, had zoledronate, necrotic pulp.\n", Role.SUBJECT),
    "rows of many statements": (
        "CREATE TABLE glucose(who text, at text, note text);\n"
        "INSERT INTO glucose VALUES('Mary Sloan','06:40','insulin');\n"
        "INSERT INTO glucose VALUES('Tom Hart','07:00','');\n",
        Role.OTHER,
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
    "directory without titles": """Who is who in cardiology
Helen Marks, consultant, heart failure, ext 2211
Yusuf Adan, arrhythmia nurse, ext 2212
Peter Nilsson, echo technician, ext 2214
""",
    "column of roles": "Name\tRole\tSpecialty\nMary Sloan\tFront desk\tasthma\nTom Hart\tNurse\tdiabetes\n",
    "bibliography": "1. Sloan Mary, Hart Tom. Asthma in school children. Lancet 1999;353:12-18.\n",
    "marked authors": "Ferritin and restless legs\nMary Sloan¹*, Tom Hart²\n¹ Neurology\nInsomnia is common.\n",
    "what somebody is": "Mary Sloan is a stoma nurse and speaks on colostomy care.\n",
    "contributors": "Dataset of heart failure.\nContributors: Mary Sloan, Tom Hart\n",
    "members": "Members: Mary Sloan, Tom Hart and Lucy Brandt\nThe committee reviews opioids.\n",
    "contact": "All staff need influenza vaccine. Questions to Mrs. Mary Sloan, ext 4410.\n",
    "applicant": "Dear Ms. Hart,\n\nthe dementia ward needs nurses, and here is a letter.\n",
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


def test_a_short_table_below_a_title_has_its_columns(screen: Screen) -> None:
    text = "Sick list May\nSurname;Since;Diagnosis\nThibodeau;2 May;slipped disc\nOkafor;9 May;pneumonia\n"
    assert "name-in-health-table" in fired(screen, f"{text}Please keep this to yourselves. Regards, Ann Miller\n")


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


def test_the_patient_of_a_record_is_read_with_what_is_below(screen: Screen) -> None:
    visits = [{"reason": "asthma", "note": FILLER[:1_500]} for _ in range(3)]
    text = json.dumps({"customer": "Mary Sloan", "email": "mary@example.org", "visits": visits})
    passages = read(screen, text)
    assert len(passages) == 3
    for passage in passages:
        assert "Sloan" not in passage and "mary@" not in passage
        assert "subjecttoken" in passage and "asthma" in passage


def test_no_value_of_a_person_is_read_by_the_health_stage(screen: Screen) -> None:
    text = "Patient: Mary Sloan, DOB 1971-02-03, MRN 4471902, tel 613-555-0142. Dr. Tom Hart: asthma J45.901.\n"
    (passage,) = read(screen, text)
    for value in ("Mary", "Sloan", "1971", "4471902", "555", "Hart", "J45"):
        assert value not in passage
    for word in ("subjecttoken", "birthdatetoken", "recordnumbertoken", "doctortoken", "icdcode", "asthma"):
        assert word in passage


def test_a_relative_who_is_ill_is_read_as_a_subject(screen: Screen) -> None:
    (passage,) = read(screen, "My mother Mary Sloan has asthma and diabetes, and takes metformin since March.\n")
    assert "subjecttoken" in passage and "relativetoken" not in passage


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


def test_figures_that_a_scanner_took_for_letters_are_letters_again(screen: Screen) -> None:
    (passage,) = read(screen, "Patient: Joseph Hart\nBiopsy susp1cious for carcin0ma, hba1c 7.1, B12 low")
    assert all(word in passage for word in ("suspicious", "carcinoma", "hba1c", "B12"))


def test_a_last_line_break_changes_nothing_that_is_judged(screen: Screen) -> None:
    text = "Trevor Lindqvist was diagnosed with bipolar disorder last week and is on lithium."
    assert read(screen, f"{text}\n\n") == read(screen, text)


def test_the_health_stage_reads_no_name_of_a_list_in_which_one_is_half_known(screen: Screen) -> None:
    text = (
        "EXAM ADJUSTMENTS\ns5520117 Auberon Stiles – dyslexia – extra time\n"
        "s5520980 Kirra Djandomerr – endometriosis – rest breaks\n"
        "s5521200 Saffron Bligh-Toomey – bipolar, recent admission – deferred\n"
    )
    (passage,) = read(screen, text)
    assert passage.count("subjecttoken") == 3
