"""Lists, notes and mails are judged as people leak them: by their passages, and by whom these are about."""

import io
from pathlib import Path
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from core.reasons import reason_sentence
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


def report(pages: int, note: int) -> bytes:
    """A PDF with one note among pages that name people, too."""
    content = io.BytesIO()
    canvas = Canvas(content)
    minutes = [f"Item {item}: Peter Norton and Alice Webber spoke about the parking of bicycles." for item in range(30)]
    for number in range(1, pages + 1):
        for line, text in enumerate(NOTE.splitlines() if number == note else minutes):
            canvas.drawString(40, 800 - 20 * line, text)
        canvas.showPage()
    canvas.save()
    return content.getvalue()


def patients(rows: int) -> str:
    first = ("Mary", "Tom", "Charles", "Susan", "Peter", "Alice", "Linda", "George", "Karen", "Steven", "Laura")
    last = ("Sloan", "Hart", "Miller", "Baker", "Norton", "Webber", "Hughes", "Turner", "Collins", "Parker", "Edwards")
    illnesses = ("asthma", "type 2 diabetes", "depression", "epilepsy", "chronic kidney disease")
    lines = []
    for row in range(rows):
        birth = f"{1950 + row % 40}-02-{1 + row % 28:02}"
        lines.append(f"{first[row % 11]} {last[row // 11]},{birth},613-555-{row:04},{illnesses[row % 5]}")
    return "Patient Name,DOB,Phone,Diagnosis\n" + "\n".join(lines) + "\n"


def reason(row: dict[str, Any]) -> str:
    return reason_sentence(row["strongest"], row["health_role"], row["evidence"], row["health_terms"], row["persons"])


def test_what_decided_in_a_long_file_is_named_and_kept_as_evidence(leakscreen: Run, tmp_path: Path) -> None:
    folder = tmp_path / "share"
    folder.mkdir()
    (folder / "report.pdf").write_bytes(report(pages=20, note=13))
    (folder / "patients.csv").write_text(patients(110))
    ran = leakscreen("scan", folder, "--out", tmp_path / "out", "--workers", "1")
    assert ran.code == 0, ran.err
    rows = {Path(row["uri"]).name: row for row in rows_of(tmp_path / "out")}

    long = rows["report.pdf"]
    deciding = [piece for piece in long["evidence"] if piece["passage"] == long["strongest"]]
    assert long["strongest"] == "page 13" and {piece["where"] for piece in deciding} == {"page 13"}
    assert {piece["characteristic"] for piece in deciding} >= {"first_name", "last_name", "birth_date"}
    assert reason(long).startswith("Page 13 names one patient with a birth date, and mentions ")

    table = rows["patients.csv"]
    deciding = [piece for piece in table["evidence"] if piece["passage"] == table["strongest"]]
    assert len(table["evidence"]) == 50 and table["strongest"].startswith("rows ")
    assert {piece["characteristic"] for piece in deciding} >= {"last_name", "birth_date", "phone_number"}
    assert table["health_person"] in {piece["person"] for piece in deciding} and table["health_person"] > 0
    assert " patients with a birth date and a phone number, and mention " in reason(table)
    assert f" The whole file identifies {table['persons']} people." in reason(table) and table["persons"] > 80
