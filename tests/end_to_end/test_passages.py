"""Lists, notes and mails are judged as people leak them: by their passages, and by whom these are about."""

from pathlib import Path

from tests.end_to_end.conftest import Run, rows_of

FILLER = "The committee met again and spoke about the weather for a long time. " * 6 + "\n\n"
NOTE = (
    "Patient: Mary Sloan, DOB 1971-02-03\n"
    "Seen for asthma with wheezing and shortness of breath. Salbutamol 100 mcg two puffs as needed, prednisone 40 mg.\n"
)
LEAKS = {
    "patients.csv": "Patient Name,DOB,Diagnosis,Medication\n"
    "Mary Sloan,1971-02-03,asthma,salbutamol\n"
    "Tom Hart,1980-05-06,type 2 diabetes,metformin\n"
    "Charles Miller,1990-01-02,depression,sertraline\n",
    "note.txt": NOTE,
    "diluted.txt": FILLER * 70 + NOTE + "\n" + FILLER * 70,
    "mail.txt": "From: Mary Sloan <mary@example.org>\nTo: office@example.org\nSubject: off sick\n\n"
    "I can't come in. I have pneumonia, and my doctor put me on amoxicillin 500 mg for a week.\n",
}
HARMLESS = {
    "doctors.csv": "Name,Title,Department,Phone\n"
    "Dr. Mary Sloan,Cardiologist,Cardiology,613-555-0142\n"
    "Dr. Tom Hart,Surgeon,Surgery,613-555-0143\n"
    "Dr. Charles Miller,Oncologist,Oncology,613-555-0144\n",
    "paper.txt": "Asthma in children: a review\nAuthors: Mary Sloan, Tom Hart\nCorrespondence: sloan@example.org\n\n"
    "Abstract. Asthma is common in children. We reviewed forty trials of salbutamol and prednisone.\n",
    "notice.txt": "Vaccines against influenza have arrived, and appointments can be made by phone.\n\n"
    "Kind regards,\nMary Sloan\nReception, 613-555-0142\n",
    "minutes.txt": FILLER * 3 + "Mary Sloan, born 1971-02-03, took the chair.\n",
}


def test_leaks_are_referred_and_what_is_about_nobody_is_not(leakscreen: Run, tmp_path: Path) -> None:
    folder = tmp_path / "share"
    folder.mkdir()
    for name, text in {**LEAKS, **HARMLESS}.items():
        (folder / name).write_text(text)
    ran = leakscreen("scan", folder, "--out", tmp_path / "out", "--workers", "1")
    assert ran.code == 0, ran.err
    rows = {Path(row["uri"]).name: row for row in rows_of(tmp_path / "out")}
    assert {name for name, row in rows.items() if row["referred"]} == set(LEAKS)

    patients = rows["patients.csv"]
    assert (patients["strongest"], patients["health_role"]) == ("rows 2 to 4", "subject")
    assert patients["passages"] == {"judged": 1, "positive": 1}
    assert {(piece["role"], piece["passage"]) for piece in patients["evidence"]} >= {("subject", "rows 2 to 4")}
    assert {hit["rule"] for hit in patients["rules"]} >= {"subject-with-health", "name-with-birth-date"}
    assert rows["diluted.txt"]["passages"]["positive"] >= 1
    assert rows["mail.txt"]["health_role"] == "subject"  # who writes of the own illness
    assert rows["minutes.txt"]["screened_positive"] and rows["minutes.txt"]["passages"]["judged"] == 0
