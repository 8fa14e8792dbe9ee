"""A short leak is referred in every format: properties, headers and names of files do not drown it."""

import html
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.end_to_end.conftest import Run, rows_of

LEAKS = {
    "reception": "Notiz Empfang: Hr. Lutz Faber möchte dass seine HIV-Medikamente nicht mehr geschickt werden",
    "pills": "Docteur, les comprimés me donnent des vertiges, est-ce que j'arrête? Odette Pruvost",
    "applicant": "Bewerber Nr. 14: Jonas Kirchhoff, sympathisch, hat aber erwähnt dass er Epilepsie hat",
    "invoice": "Nairobi Fertility & Conception\nPro-forma 0331   Mr & Mrs Kipkemboi\nICSI package   KES 480000\n"
    "Embryo freezing   45,000\nTESE (husband, azoospermia)   90,000\nGonal F 900IU x3   96,000\nDeposit paid 200,000",
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
    mail["From"], mail["To"], mail["Subject"] = "office@example.org", "registrar@example.org", "Fwd: see below"
    mail.set_content(text, cte="base64")
    path.write_bytes(bytes(mail))


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
    "xlsx": write_xlsx,
    "html": lambda path, text: path.write_text(f"<body><pre>{html.escape(text)}</pre></body>"),
    "txt": lambda path, text: path.write_text(text),
}


@pytest.fixture(scope="module")
def formats(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("formats")
    for name, text in LEAKS.items():
        for ending, write in WRITERS.items():
            write(folder / f"{name} form 2019 v2.{ending}", text)
    return folder


def test_a_short_leak_is_referred_in_every_format(leakscreen: Run, formats: Path, tmp_path: Path) -> None:
    ran = leakscreen("scan", formats, "--out", tmp_path / "out", "--workers", "1")
    assert ran.code == 0, ran.err
    rows = rows_of(tmp_path / "out")
    assert len(rows) == len(LEAKS) * len(WRITERS)
    assert [Path(row["uri"]).name for row in rows if not row["referred"]] == []
    assert {row["passages"]["judged"] for row in rows} == {1}
