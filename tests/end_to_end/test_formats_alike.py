"""A text is judged alike in every format: what surrounds it neither drowns a leak nor makes one."""

import html
import os
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import docx
import openpyxl
from reportlab.pdfgen.canvas import Canvas

from tests.end_to_end.conftest import Run, rows_of

LEAKS = {
    "reception": "Notiz Empfang: Hr. Lutz Faber möchte dass seine HIV-Medikamente nicht mehr geschickt werden",
    "absence": "Fernand Caron est aux soins intensifs après un infarctus, il ne viendra pas lundi",
    "applicant": "Bewerber Nr. 14: Jonas Kirchhoff, sympathisch, hat aber erwähnt dass er Epilepsie hat",
    "invoice": "Nairobi Fertility & Conception\nPro-forma 0331   Mr & Mrs Kipkemboi\nICSI package   KES 480000\n"
    "Embryo freezing   45,000\nTESE (husband, azoospermia)   90,000\nGonal F 900IU x3   96,000\nDeposit paid 200,000",
}

HARMLESS = {
    "midwives": "Midwives: Ruth Amadi (lead), Tess Omar (diabetes in pregnancy), Kat Price. Tel 01632 960155",
    "training": "Trainee\tModule\tScore\nBecky Stroud\tDiabetes care\t88\nJo Field\tWounds\t74\nAmy Lund\tSepsis\t91",
    "spray": "Flu nasal spray: reception to year 6. Tell us of asthma or egg allergy on the form. Mr Dent",
    "thanks": "Acknowledgements. We thank Sister Ruth Amadi and the dialysis unit, and Mr Ian Frost for help.",
    "prices": "Cleaning 85 | Crown 1,150 | Root canal 1,050 | Extraction 180 | Dr. Zainab Mohiuddin & Dr. Scott Ferris",
}


def write_docx(path: Path, text: str) -> None:
    document: Any = docx.Document()
    document.core_properties.author = "Office of the Registrar"
    document.core_properties.comments = "made from the template of 2019"
    for line in text.splitlines():
        document.add_paragraph(line)
    document.save(str(path))


def write_pdf(path: Path, text: str) -> None:
    canvas: Any = Canvas(str(path))
    canvas.setTitle("Untitled document")
    canvas.setAuthor("Office of the Registrar")
    for number, line in enumerate(text.splitlines()):
        canvas.drawString(40, 800 - 14 * number, line)
    canvas.save()


def write_eml(path: Path, text: str) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"] = "Karen Hill <karen.hill@example.org>", "Bob Stone <bob@example.org>"
    mail["Subject"], mail["Date"] = "Re: update", "Mon, 3 Jun 2024 10:00:00 +0000"
    mail.set_content(text, cte="base64")
    path.write_bytes(bytes(mail))


def write_forwarded(path: Path, text: str) -> None:
    notice = "This email and any attachments are confidential. If you received it in error please notify the sender."
    write_eml(
        path,
        f"Bob, see below.\n\nThanks,\nKaren Hill\nOffice manager\n\n-----Original Message-----\n{text}\n\n{notice}\n",
    )


def write_quoted(path: Path, text: str) -> None:
    quoted = "".join(f"> {line}\n" for line in text.splitlines())
    write_eml(path, f"Noted.\n\nOn Mon, 3 Jun 2024 at 10:00, Bob Stone <bob@example.org> wrote:\n{quoted}")


def write_signed(path: Path, text: str) -> None:
    write_eml(path, f"Hi Bob,\n\n{text}\n\nBest regards,\n\nKaren Hill\nOffice Manager\nT 613-555-0142\n")


def write_xlsx(path: Path, text: str) -> None:
    book: Any = openpyxl.Workbook()
    for line in text.splitlines():
        book.active.append([line])
    book.properties.creator = "Office of the Registrar"
    book.save(path)


WRITERS: dict[str, Callable[[Path, str], Any]] = {
    "docx": write_docx,
    "pdf": write_pdf,
    "eml": write_eml,
    "forwarded.eml": write_forwarded,
    "quoted.eml": write_quoted,
    "signed.eml": write_signed,
    "xlsx": write_xlsx,
    "html": lambda path, text: path.write_text(f"<body><pre>{html.escape(text)}</pre></body>"),
    "txt": lambda path, text: path.write_text(text),
}


def referred_of(texts: dict[str, str], leakscreen: Run, folder: Path) -> tuple[list[str], int]:
    """The names of the files that are referred, and how many there are."""
    (folder / "share").mkdir()
    for name, text in texts.items():
        for ending, write in WRITERS.items():
            write(folder / "share" / f"{name} form 2019 v2.{ending}", text)
    ran = leakscreen("scan", folder / "share", "--out", folder / "out", "--workers", "1")
    assert ran.code == 0, ran.err
    rows = rows_of(folder / "out")
    return [Path(row["uri"]).name for row in rows if row["referred"]], len(rows)


def test_a_short_leak_is_referred_in_every_format(leakscreen: Run, tmp_path: Path) -> None:
    referred, files = referred_of(LEAKS, leakscreen, tmp_path)
    assert files == len(LEAKS) * len(WRITERS)
    assert {name for name in sorted(os.listdir(tmp_path / "share")) if name not in referred} == set()


def test_a_harmless_text_is_not_referred_in_any_format(leakscreen: Run, tmp_path: Path) -> None:
    referred, files = referred_of(HARMLESS, leakscreen, tmp_path)
    assert (referred, files) == ([], len(HARMLESS) * len(WRITERS))
