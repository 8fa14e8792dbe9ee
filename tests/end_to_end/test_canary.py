"""We must not become the leak: 200 planted values appear raw in no artefact, log or temporary file of a scan."""

import email.message
import gzip
import io
import random
import zipfile
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from faker import Faker
from reportlab.pdfgen import canvas
from stdnum import luhn
from stdnum.ca import sin

from tests.end_to_end.conftest import Run, rows_of

PEOPLE = 40  # each plants five values


def people() -> list[dict[str, str]]:
    """Values that occur nowhere else: long invented surnames, and numbers with right check digits."""
    fake, dice = Faker("en_CA"), random.Random(11)
    fake.seed_instance(11)
    made = []
    for index in range(PEOPLE):
        surname = fake.unique.last_name() + fake.unique.last_name().lower()
        number = f"{dice.randint(10_000_000, 79_999_999)}"
        made.append(
            {
                "name": f"{fake.unique.first_name()} {surname}",
                "sin": sin.format(number + luhn.calc_check_digit(number)),
                "email": f"{surname.lower()}.{index}@example.org",
                "phone": f"613-{dice.randint(210, 989)}-{dice.randint(1000, 9999)}",
                "card": f"{dice.randint(1000, 9999)}-{dice.randint(100, 999)}-{dice.randint(100, 999)}"
                f"-{fake.random_letter().upper()}Q",
            }
        )
    return made


def letter(person: dict[str, str]) -> str:
    return (
        f"Patient: {person['name']}\nSIN {person['sin']}\nOHIP health card {person['card']}\n"
        f"Phone {person['phone']}, e-mail {person['email']}\n"
        "History of present illness: chest pain and dyspnea for two days. Hypertension, type 2 diabetes mellitus.\n"
        "Medications: metformin 500 mg, lisinopril 10 mg. Assessment: acute myocardial infarction. BP 150/95.\n"
    )


def write(folder: Path, index: int, text: str) -> None:
    kind = ("txt", "html", "docx", "xlsx", "pdf", "eml", "zip", "gz", "utf16", "broken")[index % 10]
    path = folder / f"file-{index:03}.{kind}"
    if kind == "docx":
        document = docx.Document()
        document.add_paragraph(text)
        document.core_properties.author = text.splitlines()[0]
        document.save(str(path))
    elif kind == "xlsx":
        book = openpyxl.Workbook()
        for line in text.splitlines():
            book.active.append([line])
        book.save(path)
    elif kind == "pdf":
        page = canvas.Canvas(str(path))
        for row, line in enumerate(text.splitlines()):
            page.drawString(40, 780 - 15 * row, line)
        page.save()
    elif kind == "eml":
        message = email.message.EmailMessage()
        message["From"], message["Subject"] = "ward@example.net", text.splitlines()[0].replace("\n", " ")
        message.set_content(text)
        message.add_attachment(text.encode(), maintype="text", subtype="plain", filename="note.txt")
        path.write_bytes(bytes(message))
    elif kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a/b.txt", text)
    else:
        path.write_bytes(encoded(kind, text))


def encoded(kind: str, text: str) -> bytes:
    if kind == "gz":
        return gzip.compress(text.encode())
    if kind == "broken":
        return b"%PDF-1.7\n" + text.encode()
    return text.encode("utf-16" if kind == "utf16" else "utf-8")


def everything_readable(file: Path) -> bytes:
    """A file's bytes and, where they are packed, what is in them."""
    raw = file.read_bytes()
    if file.suffix == ".parquet":
        return raw + repr(pq.read_table(file).to_pylist()).encode() + repr(pq.read_metadata(file).metadata).encode()
    if file.suffix == ".arrow":
        return raw + repr(pa.ipc.open_file(file).read_all().to_pylist()).encode()
    if file.suffix in (".zip", ".docx", ".xlsx"):
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            return raw + b"".join(archive.read(name) for name in archive.namelist())
    return raw


def needles(person: dict[str, str]) -> list[bytes]:
    plain = {person[key] for key in person} | {
        person["name"].split()[1],
        person["sin"].replace("-", ""),
        person["phone"].replace("-", ""),
    }
    return [form for value in plain for form in (value.lower().encode(), value.lower().encode("utf-16-le"))]


@pytest.fixture(autouse=True)
def own_cache(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the home, which is searched: the cache must hold no value either."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / ".cache"))


def test_no_planted_value_appears_raw(leakscreen: Run, home: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    planted = people()
    assert len({value for person in planted for value in person.values()}) == 200
    for index, person in enumerate(planted):
        write(source, index, letter(person))
    words = ("scan", source, "--workers", "2", "--set", "scan.unit_files=8", "--out")
    outputs = [
        leakscreen(*words, tmp_path / "out"),
        leakscreen("scan", source, "--workers", "1", "--json", "--out", tmp_path / "two"),
    ]
    outputs.append(leakscreen("report", tmp_path / "out"))
    outputs.append(leakscreen("breach", tmp_path / "out", "--out", home / "breach.docx"))
    secret = {"LEAKSCREEN_LIST_PASSPHRASE": "a passphrase of the canary"}
    letters = ("addressees", tmp_path / "out", "--out", home / "letters.sealed", "--reason", "canary")
    outputs.append(leakscreen(*letters, environ=secret))
    assert [ran.code for ran in outputs] in ([3, 3, 0, 0, 0], [0, 0, 0, 0, 0]), [ran.err for ran in outputs]
    opened = leakscreen("addressees", "--open", home / "letters.sealed", environ=secret)
    assert sum(person["name"] in opened.out for person in planted) >= PEOPLE * 0.7
    rows: list[dict[str, Any]] = rows_of(tmp_path / "out")
    assert sum(row["referred"] for row in rows) >= PEOPLE * 0.7, (
        "the canary must be seen by the tool, or its silence says nothing"
    )
    rows_of_people = [
        row for file in (tmp_path / "out").glob("scan=*/people/*.parquet") for row in pq.read_table(file).to_pylist()
    ]
    assert len(rows_of_people) >= PEOPLE * 0.7
    artefacts = [
        file for folder in (tmp_path / "out", tmp_path / "two", home) for file in folder.rglob("*") if file.is_file()
    ]
    contents = {str(file): everything_readable(file).lower() for file in artefacts}
    contents |= {f"output of run {index}": (ran.out + ran.err).lower().encode() for index, ran in enumerate(outputs)}
    leaks = [
        (place, index)
        for index, person in enumerate(planted)
        for needle in needles(person)
        for place, text in contents.items()
        if needle in text
    ]
    assert leaks == []


def test_spans_print_no_value(leakscreen: Run) -> None:
    person = people()[0]
    ran = leakscreen("spans", "-", stdin=letter(person))
    assert ran.code == 0, ran.err
    assert ran.out.count("\n") >= 5
    assert not [needle for needle in needles(person) if needle in (ran.out + ran.err).lower().encode()]


def test_no_planted_value_appears_in_copies_mapping_or_messages(leakscreen: Run, home: Path, tmp_path: Path) -> None:
    """One file of each kind, and one whose copy cannot be clean; the folder of copies, the mapping, all output."""
    source, out, mapping = tmp_path / "source", tmp_path / "out", tmp_path / "mapping"
    source.mkdir()
    planted = people()[:10]
    for index, person in enumerate(planted):
        write(source, index, letter(person))
    name = planted[0]["name"].split()[1]
    stuck = f"MSH|^~\\&|LAB|HOSP|||20210312||ORU^R01|1|P|2.5\rPID|1||4839201||ZED^{name}||19470305|F\rZED|1|a|b|c|d\r"
    (source / f"{name}.hl7").write_text(stuck)
    secret = {"LEAKSCREEN_MAPPING_PASSPHRASE": "a passphrase of the canary"}
    ran = leakscreen("deidentify", source, "--out", out, "--way", "surrogate", "--mapping", mapping, environ=secret)
    again = leakscreen("deidentify", source / "file-000.txt", "--out", tmp_path / "one.txt", "--json")
    assert (ran.code, again.code) == (3, 0), ran.err
    copies = [file for file in out.rglob("*") if file.is_file()]
    assert {file.suffix for file in copies} >= {".txt", ".html", ".docx", ".xlsx", ".pdf", ".eml", ".utf16"}
    assert "failed: still in the copy" in ran.out, "the canary of failures must be seen to fail"
    artefacts = [*copies, mapping, tmp_path / "one.txt", *(file for file in home.rglob("*") if file.is_file())]
    contents = {str(file): everything_readable(file).lower() for file in artefacts}
    paths = "\n".join(str(file.relative_to(tmp_path)) for file in copies)
    named = ran.out.replace(str(source / f"{name}.hl7"), "")  # the report names the files that it was given
    contents |= {"names of copies": paths.lower().encode(), "output": (named + ran.err + again.out).lower().encode()}
    leaks = [
        (place, index)
        for index, person in enumerate(planted)
        for needle in needles(person)
        for place, text in contents.items()
        if needle in text
    ]
    assert leaks == []
