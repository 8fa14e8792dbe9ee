"""The sample share: same seed, same files; the truth tells exactly what lies on disk."""

import csv
import email
import email.policy
import gzip
import io
import re
import zipfile
from collections import Counter
from datetime import date
from pathlib import Path
from random import Random

import docx
import openpyxl
import pptx
import pypdfium2
import pytest
from stdnum import luhn
from stdnum.ca import bc_phn, sin
from stdnum.gb import nhs
from stdnum.us import ssn

from core.errors import OutputError
from leakscreen.demo import Planted, make_share, make_small_files, numbers, write_truth
from leakscreen.demo.conditions import CONDITIONS
from leakscreen.demo.people import make_people
from leakscreen.demo.phrases import illness
from leakscreen.demo.wrap import LOCKED, TORN

FILES = 120


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Planted]]:
    folder = tmp_path_factory.mktemp("share") / "new" / "share"
    return folder, make_share(folder, files=FILES, seed=7, phi_share=0.1)


def content_of(document: Planted) -> bytes:
    outer, _, inner = document.uri.partition("!")
    data = Path(outer).read_bytes()
    if not inner:
        return data
    if outer.endswith(".gz"):
        return gzip.decompress(data)
    if outer.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.read(inner)
    attachments = {
        part.get_filename(): part
        for part in email.message_from_bytes(data, policy=email.policy.default).iter_attachments()
    }
    content = attachments[inner].get_content()
    return content.encode() if isinstance(content, str) else bytes(content)


def readable(planted: list[Planted]) -> list[Planted]:
    return [document for document in planted if document.form not in (LOCKED, TORN)]


def text_of(document: Planted) -> str:
    """The text as the library of each format reads it: an independent check of what was written."""
    data = io.BytesIO(content_of(document))
    if document.form == "docx":
        opened = docx.Document(data)
        cells = [cell.text for table in opened.tables for row in table.rows for cell in row.cells]
        return "\n".join([paragraph.text for paragraph in opened.paragraphs] + cells)
    if document.form == "pdf":
        with pypdfium2.PdfDocument(data) as pages:
            return "\n".join(page.get_textpage().get_text_range() for page in pages)
    if document.form == "xlsx":
        return "\n".join(
            str(cell.value) for sheet in openpyxl.load_workbook(data) for row in sheet.iter_rows() for cell in row
        )
    if document.form == "pptx":
        return "\n".join(
            shape.text_frame.text
            for slide in pptx.Presentation(data).slides
            for shape in slide.shapes
            if shape.has_text_frame
        )
    if document.form == "eml":
        body = email.message_from_bytes(data.getvalue(), policy=email.policy.default).get_body()
        assert body is not None
        return str(body.get_content())
    return data.getvalue().decode()


def test_the_same_seed_gives_the_same_bytes(share: tuple[Path, list[Planted]], tmp_path: Path) -> None:
    folder, planted = share
    again = make_share(tmp_path / "again", files=FILES, seed=7, phi_share=0.1)
    assert [(document.uri.removeprefix(str(tmp_path / "again")), document.kind) for document in again] == [
        (document.uri.removeprefix(str(folder)), document.kind) for document in planted
    ]
    for path in (path for path in folder.rglob("*") if path.is_file()):
        twin = tmp_path / "again" / path.relative_to(folder)
        assert path.read_bytes() == twin.read_bytes(), path
        assert path.stat().st_mtime == twin.stat().st_mtime


def test_another_seed_gives_other_text(tmp_path: Path) -> None:
    one, two = (make_small_files(tmp_path / str(seed), 40, seed) for seed in (1, 2))
    assert not {content_of(document) for document in one} & {content_of(document) for document in two}


def test_every_file_on_disk_has_its_truth_and_no_other(share: tuple[Path, list[Planted]]) -> None:
    folder, planted = share
    on_disk = {str(path) for path in folder.rglob("*") if path.is_file()}
    assert {document.uri.partition("!")[0] for document in planted} == on_disk
    assert len(on_disk) == FILES
    assert len({document.uri for document in planted}) == len(planted)
    for path in on_disk:
        members = {document.uri.partition("!")[2] for document in planted if document.uri.startswith(f"{path}!")}
        if path.endswith(".zip"):
            with zipfile.ZipFile(path) as archive:
                assert set(archive.namelist()) == members
        elif path.endswith(".eml"):
            message = email.message_from_bytes(Path(path).read_bytes(), policy=email.policy.default)
            assert {part.get_filename() for part in message.iter_attachments()} == members


def test_every_document_is_readable_by_its_library(share: tuple[Path, list[Planted]]) -> None:
    for document in readable(share[1]):
        assert len(text_of(document).split()) > 10, document


def test_locked_and_torn_documents_can_be_read_by_nobody(share: tuple[Path, list[Planted]]) -> None:
    unreadable = {document.form: document for document in share[1] if document.form in (LOCKED, TORN)}
    with pytest.raises(pypdfium2.PdfiumError, match="password"):
        pypdfium2.PdfDocument(content_of(unreadable[LOCKED]))
    with pytest.raises(zipfile.BadZipFile):
        zipfile.ZipFile(io.BytesIO(content_of(unreadable[TORN])))
    assert not any(document.phi for document in unreadable.values())


def test_planted_documents_hold_a_person_and_an_illness(share: tuple[Path, list[Planted]]) -> None:
    planted = [document for document in share[1] if document.phi]
    assert len(planted) == round(FILES * 0.1)
    assert len({document.template for document in planted}) == 8
    assert any(".zip!" in document.uri for document in planted)
    assert any(".eml!" in document.uri for document in planted)
    people = make_people(Random(7), 240)
    for document in planted:
        words = " ".join(text_of(document).split()).lower()
        assert any(condition.name.lower() in words for condition in CONDITIONS), document
        assert any(
            person.first.lower() in words and person.last.lower() in words and person.postcode.lower() in words
            for person in people
        ) or any(person.health_card.partition(": ")[2].lower() in words for person in people), document


def test_health_and_plain_documents_name_nobody(share: tuple[Path, list[Planted]]) -> None:
    people = make_people(Random(7), 240)
    for document in readable(share[1]):
        if document.kind in {"health", "plain"}:
            text = text_of(document)
            assert not any(person.name in text or person.phone in text or person.email in text for person in people), (
                document
            )


@pytest.mark.parametrize(
    ("files", "share_of_phi", "expected"),
    [(300, 0.01, 3), (1000, 0.01, 10), (50, 0.01, 1), (40, 0.0, 0), (40, 0.5, 20), (3, 1.0, 3), (0, 0.01, 0)],
)
def test_prevalence(tmp_path: Path, files: int, share_of_phi: float, expected: int) -> None:
    planted = make_small_files(tmp_path / "small", files, 3, phi_share=share_of_phi)
    assert len(planted) == files
    assert sum(document.phi for document in planted) == expected


def test_kinds_of_a_share_of_the_usual_size(tmp_path: Path) -> None:
    kinds = Counter(document.kind for document in make_small_files(tmp_path / "small", 300))
    assert kinds == {"phi": 3, "pii": 107, "health": 42, "plain": 148}


def test_small_files_are_spread_over_folders_of_a_thousand(tmp_path: Path) -> None:
    planted = make_small_files(tmp_path / "small", 1_500, 5)
    assert Counter(Path(document.uri).parent.name for document in planted) == {"000": 1_000, "001": 500}
    assert {document.form for document in planted} == {"txt", "csv", "html", "eml"}
    assert all(Path(document.uri).stat().st_size > 0 for document in planted)


def test_the_truth_file_has_one_row_per_document(share: tuple[Path, list[Planted]], tmp_path: Path) -> None:
    write_truth(share[1], tmp_path / "truth.csv")
    with (tmp_path / "truth.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["uri"], row["phi"], row["kind"]) for row in rows] == [
        (document.uri, "1" if document.kind == "phi" else "0", document.kind) for document in share[1]
    ]
    assert all(Path(row["uri"]).is_absolute() for row in rows)


def test_a_folder_in_use_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep")
    for make in (make_share, lambda folder: make_small_files(folder, 5)):
        with pytest.raises(OutputError, match="not empty"):
            make(tmp_path)
    with pytest.raises(OutputError, match=r"mine\.txt"):
        make_share(tmp_path / "mine.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_numbers_carry_valid_check_digits() -> None:
    dice = Random(11)
    for _ in range(200):
        assert sin.is_valid(numbers.social_insurance_number(dice))
        assert ssn.is_valid(numbers.social_security_number(dice))
        assert nhs.is_valid(numbers.nhs_number(dice))
        assert bc_phn.is_valid(numbers.british_columbia_phn(dice))
        assert luhn.is_valid(re.sub(r"\D", "", numbers.ontario_health_card(dice)))


def test_an_illness_fits_the_person() -> None:
    dice = Random(2)
    for person in make_people(dice, 120):
        for _ in range(20):
            condition = illness(dice, person, date(2021, 6, 1))
            assert person.female or not condition.women_only
            assert condition.ages[0] <= person.age(date(2021, 6, 1)) <= condition.ages[1]


def test_somebody_born_after_the_visit_by_a_typing_error_has_an_illness() -> None:
    person = make_people(Random(2), 1)[0]
    assert illness(Random(2), person, date(person.born.year - 1, 6, 1)).ages[0] == 0
