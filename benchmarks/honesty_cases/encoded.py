"""The letter in base64, hex and the like, within text of several kinds."""

import base64
import binascii
import gzip
import json
import quopri
import urllib.parse
import zlib
from collections.abc import Iterator

from benchmarks.honesty_cases.appended import picture
from benchmarks.honesty_cases.case import HARMLESS, LETTER, LINES, Case
from benchmarks.honesty_cases.typed_page import pdf

_DATA = LETTER.encode()
_BASE64 = base64.b64encode(_DATA).decode()
_LINES_OF_BASE64 = base64.encodebytes(_DATA).decode()


def encoded() -> Iterator[Case]:
    for name, text in {**_base64(), **_other()}.items():
        yield Case(name, text.encode())
    yield Case("hashes.txt", "\n".join(f"{number:064x}" for number in range(10**70, 10**70 + 50)).encode(), leaks=False)
    harmless = base64.b64encode(HARMLESS.encode()).decode()
    yield Case("harmless.json", json.dumps({"note": harmless}).encode(), leaks=False)
    measures = ", ".join(str(36 + place % 90) for place in range(400))
    yield Case("measures.txt", f"Temperatures and ages: {measures}\n".encode(), leaks=False)
    yield Case("links.txt", b"see https://example.org/a%20b%20c/d%20e%20f.html?x=%5B1%5D\n" * 5, leaks=False)


def _base64() -> dict[str, str]:
    packed = base64.b64encode(gzip.compress(_DATA)).decode()
    url_safe = base64.urlsafe_b64encode(json.dumps({"note": " ".join(LINES)}).encode()).decode().rstrip("=")
    return {
        "base64.txt": f"kept for later:\n{_LINES_OF_BASE64}\nend of it\n",
        "base64-one-line.txt": _BASE64,
        "base64.json": json.dumps({"id": 7, "payload": _BASE64}),
        "base64-lines.json": json.dumps({"id": 7, "payload": _LINES_OF_BASE64}),
        "base64.xml": f"<?xml version='1.0'?><store><entry>{_BASE64}</entry></store>",
        "base64-lines.xml": f"<?xml version='1.0'?><store><entry>\n{_LINES_OF_BASE64}</entry></store>",
        "base64.html": f"<html><body><p>words</p><div hidden>{_BASE64}</div></body></html>",
        "base64.log": f"2026-01-05 10:11:12 INFO body={_BASE64} status=200\n",
        "base64.csv": f"id,payload\n1,{_BASE64}\n2,none\n",
        "base64-of-utf16.ps1": "powershell -enc " + base64.b64encode(LETTER.encode("utf-16-le")).decode(),
        "base64-twice.txt": base64.b64encode(_BASE64.encode()).decode(),
        "base64-of-pdf.json": json.dumps({"file": base64.b64encode(pdf(LINES)).decode()}),
        "gzip-in-base64.txt": f"blob: {packed}\n",
        "gzip-in-base64.json": json.dumps({"blob": packed}),
        "zlib-in-base64.txt": base64.b64encode(zlib.compress(_DATA)).decode(),
        "token.log": f"Authorization: Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.{url_safe}.c2lnbmF0dXJl\n",
        "short-data-uri.html": f'<html><a href="data:text/plain;base64,{_BASE64}">note</a></html>',
        "picture-with-text-behind.html": '<html><img src="data:image/jpeg;base64,'
        + base64.b64encode(picture("jpeg") + _DATA).decode()
        + '"></html>',
    }


def _other() -> dict[str, str]:
    spelled = "".join(f"={byte:02X}" + ("=\n" if place % 24 == 23 else "") for place, byte in enumerate(_DATA))
    return {
        "hex.txt": _DATA.hex(),
        "hex-prefix.sql": f"INSERT INTO notes VALUES (1, 0x{_DATA.hex()});",
        "hex-quoted.sql": f"INSERT INTO notes VALUES (1, X'{_DATA.hex().upper()}');",
        "hex-spaced.txt": _DATA.hex(" "),
        "hex-of-gzip.log": f"body {gzip.compress(_DATA).hex()} end",
        "escaped.json": '{"note": "' + "".join(f"\\u{byte:04x}" for byte in _DATA) + '"}',
        "escaped.py": "note = b'" + "".join(f"\\x{byte:02x}" for byte in _DATA) + "'",
        "entities.txt": "".join(f"&#{byte};" for byte in _DATA),
        "uuencoded.txt": f"as discussed\n\nbegin 644 note.txt\n{_uuencoded(_DATA)}`\nend\n",
        "uuencoded-pdf.txt": f"begin 644 note.pdf\n{_uuencoded(pdf(LINES))}`\nend\n",
        "quoted-printable.txt": quopri.encodestring(_DATA, quotetabs=True).decode(),
        "quoted-printable-all.log": f"DATA {spelled}\n",
        "base32.txt": base64.b32encode(_DATA).decode(),
        "ascii85.ps": base64.a85encode(_DATA, adobe=True).decode(),
        "octal.txt": "".join(f"\\{byte:03o}" for byte in _DATA),
        "codes.js": f"var note = String.fromCharCode({','.join(map(str, _DATA))});",
        "bits.txt": " ".join(f"{byte:08b}" for byte in _DATA),
        "registry.reg": f'[HKEY_CURRENT_USER\\x]\n"note"=hex(1):{LETTER.encode("utf-16-le").hex(",")}',
        "utf-7.txt": f"+{base64.b64encode(LETTER.encode('utf-16-be')).decode().rstrip('=')}-",
        "url-encoded.log": f"GET /save?note={urllib.parse.quote(LETTER)} HTTP/1.1\n",
        "url-encoded-plus.txt": f"id=7&note={urllib.parse.quote_plus(LETTER)}&x=1",
    }


def _uuencoded(data: bytes) -> str:
    return "".join(binascii.b2a_uu(data[start : start + 45]).decode() for start in range(0, len(data), 45))
