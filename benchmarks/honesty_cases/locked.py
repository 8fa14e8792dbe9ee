"""The letter under a key or a password: nothing can read it, so nothing may call it complete."""

import base64
import io
import os
from collections.abc import Iterator

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from docx import Document
from msoffcrypto.format.ooxml import OOXMLFile
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from benchmarks.honesty_cases.case import HARMLESS, LETTER, LINES, Case

_PASSWORD = "correct horse battery"
_KEY_PACKET = b"\x85\x01\x0c\x03" + bytes(range(8)) + b"\x01" + bytes(258)
_PASSWORD_PACKET = b"\x8c\x0d\x04\x09\x03\x0a" + bytes(range(8)) + b"\xff"
_CMS = bytes.fromhex("308006092a864886f70d010703a080")
_VAULT_LINES = "6162636465666768696a6b6c6d6e6f70" * 5


def locked() -> Iterator[Case]:
    secret = _encrypted(LETTER.encode())
    pgp = {
        "key.gpg": _KEY_PACKET + b"\xd2\xff" + len(secret).to_bytes(4, "big") + secret,
        "password.gpg": _PASSWORD_PACKET + b"\xd2\xff" + len(secret).to_bytes(4, "big") + secret,
    }
    for name, data in pgp.items():
        yield Case(name, data)
        yield Case(name.replace(".gpg", ".asc"), _armour("PGP MESSAGE", data).encode())
    yield Case("mail-body.eml", _mail(_armour("PGP MESSAGE", pgp["key.gpg"])))
    yield Case("notes-with-message.txt", (HARMLESS + "\n\n" + _armour("PGP MESSAGE", pgp["key.gpg"])).encode())
    yield Case("openssl.enc", b"Salted__" + secret)
    yield Case("openssl.b64", base64.encodebytes(b"Salted__" + secret))
    age = b"age-encryption.org/v1\n-> X25519 " + base64.b64encode(bytes(32)) + b"\n--- abc\n" + secret
    yield Case("letter.age", age)
    yield Case("letter.age.txt", _armour("AGE ENCRYPTED FILE", age).encode())
    yield Case("smime.p7m", _CMS + secret)
    yield Case("smime.pem", _armour("CMS", _CMS + secret).encode())
    yield Case("smime.eml", _mail_with(_CMS + secret))
    yield Case("vault.yml", f"$ANSIBLE_VAULT;1.1;AES256\n{_VAULT_LINES}\n".encode())
    yield Case("letter.pdf", _pdf())
    yield Case("letter.docx", _docx())
    mentioned = "Paste it between -----BEGIN PGP MESSAGE----- and the end."
    yield Case("manual.txt", f"{HARMLESS}\n{mentioned}\n".encode(), leaks=False)


def _encrypted(data: bytes) -> bytes:
    encryptor = Cipher(algorithms.AES(os.urandom(32)), modes.CTR(os.urandom(16))).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def _armour(kind: str, data: bytes) -> str:
    return f"-----BEGIN {kind}-----\n\n{base64.encodebytes(data).decode()}-----END {kind}-----\n"


def _mail(body: str) -> bytes:
    return f"From: a@example.org\nTo: b@example.org\nMIME-Version: 1.0\nSubject: note\n\n{body}".encode()


def _mail_with(data: bytes) -> bytes:
    kind = "Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m"
    headers = f"From: a@example.org\nMIME-Version: 1.0\n{kind}\nContent-Transfer-Encoding: base64\n\n"
    return headers.encode() + base64.encodebytes(data)


def _pdf() -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, encrypt=StandardEncryption(_PASSWORD, strength=128))
    for number, line in enumerate(LINES):
        canvas.drawString(72, 760 - 18 * number, line)
    canvas.save()
    return out.getvalue()


def _docx() -> bytes:
    document, plain, out = Document(), io.BytesIO(), io.BytesIO()
    for line in LINES:
        document.add_paragraph(line)
    document.save(plain)
    OOXMLFile(plain).encrypt(_PASSWORD, out)
    return out.getvalue()
