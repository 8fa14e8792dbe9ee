"""What only a key opens is encrypted by name; a list of passwords opens zip, 7z, PDF and Office, kept nowhere."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from docx import Document as Docx
from msoffcrypto.format.ooxml import OOXMLFile
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from benchmarks.honesty_cases.locked import locked
from core.errors import SettingsError
from core.records import Document, Status
from core.settings import LimitSettings
from extraction.identify.identify import identify
from extraction.passwords import read_passwords
from extraction.readers.archives import seven_zip_passwords
from extraction.readers.archives.seven_zip import HeaderError
from extraction.sandbox import Sandbox
from tests.extraction.locked_office import locked_doc, locked_ppt, locked_xls

Examine = Callable[..., list[Document]]
SAMPLES = Path(__file__).parents[1] / "samples" / "encrypted"
WORDS = "Patient: Ann Example, MRN: 48813907"
PASSWORD = "sesame"
ARCHIVES = ("old.zip", "aes.zip", "aes-stored.zip", "solid.7z", "stored.7z", "names-locked.7z")


@pytest.fixture
def passwords_file(tmp_path: Path) -> Path:
    file = tmp_path / "passwords"
    file.write_text(f"wrong\n\n{PASSWORD}\nwrong\n")
    file.chmod(0o600)
    return file


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("sym.gpg", "encrypted by OpenPGP"),
        ("sym.asc", "encrypted by OpenPGP"),
        ("pub.gpg", "encrypted by OpenPGP"),
        ("both.gpg", "encrypted by OpenPGP"),
        ("ecc.gpg", "encrypted by OpenPGP"),
        ("o.enc", "encrypted by OpenSSL"),
        ("e.p7m", "encrypted by S/MIME"),
        ("es.p7m", "encrypted by S/MIME"),
        ("e.pem", "encrypted by S/MIME"),
        ("mail.eml", "encrypted by S/MIME"),
        ("old.zip", "password-protected zip entry"),
        ("aes.zip", "password-protected zip entry"),
    ],
)
def test_files_of_gpg_openssl_and_zip_are_encrypted(examined: Examine, name: str, reason: str) -> None:
    documents = examined((SAMPLES / name).read_bytes(), name)
    assert (documents[0].status, documents[0].reason) == (Status.ENCRYPTED, reason)


@pytest.mark.parametrize("case", list(locked()), ids=lambda case: case.name)
def test_nothing_locked_is_complete(examined: Examine, case: object) -> None:
    statuses = {document.status for document in examined(case.data, case.name)}  # type: ignore[attr-defined]
    assert (Status.ENCRYPTED in statuses) is case.leaks  # type: ignore[attr-defined]


def test_the_words_around_an_encrypted_part_are_kept(examined: Examine) -> None:
    text = f"{WORDS}\n\n{(SAMPLES / 'sym.asc').read_text()}"
    *_, document = examined(text.encode())
    assert (document.status, document.reason) == (Status.ENCRYPTED, "an encrypted part in it (pgp message)")
    assert WORDS in document.text


@pytest.mark.parametrize("data", [b"\x85\x01\x0c\x03" + bytes(300), b"\x8c\x0d\x04" + b"words " * 9, b"\xc1\x03"])
def test_few_bytes_are_no_proof_of_a_key(data: bytes) -> None:
    assert identify(data) != "application/pgp-encrypted"


def pdf() -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, encrypt=StandardEncryption(PASSWORD, strength=128))
    canvas.drawString(72, 700, WORDS)
    canvas.save()
    return out.getvalue()


def docx() -> bytes:
    document, plain, out = Docx(), io.BytesIO(), io.BytesIO()
    document.add_paragraph(WORDS)
    document.save(plain)
    OOXMLFile(plain).encrypt(PASSWORD, out)
    return out.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        *((SAMPLES / name).read_bytes() for name in ARCHIVES),
        *(pdf(), docx(), *(lock(WORDS, PASSWORD) for lock in (locked_doc, locked_xls, locked_ppt))),
    ],
    ids=[*ARCHIVES, "pdf", "docx", "doc", "xls", "ppt"],
)
def test_one_of_the_passwords_opens_it(examined: Examine, passwords_file: Path, data: bytes) -> None:
    with Sandbox(LimitSettings(file_seconds=30), passwords_file=str(passwords_file)) as within:
        documents = examined(data, within=within)
    assert any(WORDS in document.text for document in documents)
    assert not any(PASSWORD in document.reason for document in documents)
    assert Status.ENCRYPTED not in {document.status for document in documents}


def test_wrong_passwords_leave_it_encrypted(examined: Examine, passwords_file: Path) -> None:
    passwords_file.write_text("\n".join(f"wrong{number}" for number in range(600)))
    with Sandbox(LimitSettings(file_seconds=30), passwords_file=str(passwords_file)) as within:
        for name in ("old.zip", "aes.zip"):
            assert examined((SAMPLES / name).read_bytes(), within=within)[0].status is Status.ENCRYPTED
        for lock in (locked_doc, locked_xls, locked_ppt):
            assert examined(lock(WORDS, PASSWORD), within=within)[0].status is Status.ENCRYPTED


def test_wrong_passwords_leave_an_archive_encrypted(examined: Examine, passwords_file: Path) -> None:
    passwords_file.write_text("wrong\nalso wrong\n")
    with Sandbox(LimitSettings(file_seconds=30), passwords_file=str(passwords_file)) as within:
        for name in ("solid.7z", "stored.7z", "names-locked.7z"):
            assert examined((SAMPLES / name).read_bytes(), within=within)[0].status is Status.ENCRYPTED


def test_a_damaged_archive_is_never_complete_with_a_password(examined: Examine, passwords_file: Path) -> None:
    data = (SAMPLES / "solid.7z").read_bytes()
    with Sandbox(LimitSettings(file_seconds=30), passwords_file=str(passwords_file)) as within:
        for place in range(32, len(data), 40):
            documents = examined(data[:place] + b"\xff" + data[place + 1 :], within=within)
            assert {document.status for document in documents} & {Status.ENCRYPTED, Status.FAILED}


def test_many_rounds_for_one_password_are_refused() -> None:
    with pytest.raises(HeaderError):
        seven_zip_passwords._key("a", b"", 40)


def test_what_stays_locked_in_a_presentation_is_said(examined: Examine, passwords_file: Path) -> None:
    with Sandbox(LimitSettings(file_seconds=30), passwords_file=str(passwords_file)) as within:
        (document,) = examined(locked_ppt(WORDS, PASSWORD, pictures=bytes(range(200))), within=within)
    assert WORDS in document.text
    assert document.status is Status.PARTIAL
    assert document.reason == "pictures or properties of a password-protected presentation"


@pytest.mark.parametrize(
    ("mode", "content", "fault"),
    [(0o644, b"a\n", "others may read"), (0o600, b"\xff\n", "not UTF-8"), (0o600, b"a" * 200_000, "larger than")],
)
def test_a_passwords_file_is_refused(tmp_path: Path, mode: int, content: bytes, fault: str) -> None:
    file = tmp_path / "passwords"
    file.write_bytes(content)
    file.chmod(mode)
    with pytest.raises(SettingsError, match=fault):
        Sandbox(LimitSettings(), passwords_file=str(file))


def test_a_missing_passwords_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="No such file"):
        read_passwords(str(tmp_path / "none"))
