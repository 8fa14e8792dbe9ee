"""Facts of a breach -> one self-contained page, or a Word document; both without a value and without a script."""

import base64
import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape

from jinja2 import Environment, PackageLoader, StrictUndefined

_STYLE = """
:root { color-scheme: light; }
body { margin: 0; font: 16px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; color: #1b2225; }
main { max-width: 64rem; margin: 0 auto; padding: 1.5rem 1.25rem; }
h1 { font-size: 1.8rem; } h2 { font-size: 1.25rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: .92rem; }
caption { text-align: left; font-weight: 600; padding: .2rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid #dfe2df; }
.name { overflow-wrap: anywhere; } .day { white-space: nowrap; }
.tables { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); }
.tables { gap: 0 2.5rem; align-items: start; }
.number { text-align: right; white-space: nowrap; }
.figure { font-size: 1.5rem; font-weight: 650; } .soft { color: #566166; font-size: .85rem; font-weight: 400; }
.caution { border-left: 5px solid #a85508; background: #fff6e5; padding: .7rem 1rem; }
@media print { section { break-inside: avoid-page; } main { max-width: none; padding: 0; } }
"""
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
ABOUT_DIAGNOSES = (
    "Groups come from the medical terms that weighed most in each file. Its people are all whom the file concerns:"
    " not everybody in it has the diagnosis, and further ones may be named."
)
_EPOCH = (1980, 1, 1, 0, 0, 0)
_TYPES = (
    '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns='
    '"http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type='
    '"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>'
    "</Relationships>"
)


def as_json(facts: Mapping[str, Any]) -> bytes:
    return json.dumps(facts, indent=2).encode() + b"\n"


def as_page(facts: Mapping[str, Any]) -> bytes:
    environment = Environment(
        loader=PackageLoader("leakscreen", "breach"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    digest = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    page = environment.get_template("breach.html.j2")
    return (
        page.render(
            facts=facts,
            about_diagnoses=ABOUT_DIAGNOSES,
            since=since,
            in_words=in_words,
            style=_STYLE,
            style_hash=f"sha256-{digest}",
        )
        .lstrip()
        .encode("utf-8")
    )


def as_document(facts: Mapping[str, Any]) -> bytes:
    body = "".join(_blocks(facts))
    text = f'<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>'
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        parts = {"[Content_Types].xml": _TYPES, "_rels/.rels": _RELATIONS, "word/document.xml": text}
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), content.encode("utf-8"), zipfile.ZIP_DEFLATED)
    return sink.getvalue()


def _blocks(facts: Mapping[str, Any]) -> Iterator[str]:
    yield _paragraph("Breach report", size=36)
    made = facts["made"][:16].replace("T", " ")
    yield _paragraph(f"Made {made} UTC; discovered {facts['discovered'] or 'on a day that was not given'}.")
    for scan in facts["scans"]:
        yield _paragraph(f"Scan {scan['id']} of {scan['started'][:10]}: {', '.join(scan['sources'])}")
    for name, title in (("verified", "Verified"), ("unverified", "Not verified")):
        if facts[name] is not None:
            yield from _part(title, facts[name])
    if facts["done"]:
        yield _paragraph("What was done", size=28)
        for name, counts in facts["done"].items():
            if counts:
                yield _table((name.capitalize(), "files"), counts.items())
    yield _paragraph("Whom to tell", size=28)
    yield _paragraph(facts["not_advice"])
    rows = [
        (
            f"{duty['law']} ({duty['source']})",
            f"{duty['place']}: {duty['people']:,}",
            duty["notify"],
            f"{duty['by']} {duty['latest'] or ''}".strip(),
            f"{duty['checked']}, with {duty['against']}",
        )
        for duty in facts["duties"]
    ]
    yield _table(("Law", "People", "Tell", "By", "Compared"), rows)


def _part(title: str, part: Mapping[str, Any]) -> Iterator[str]:
    people = part["people"]["people"]
    yield _paragraph(title, size=28)
    yield _paragraph(
        f"{people['count']:,} people (surely {people['surely_distinct']:,}, at most {people['at_most']:,}), "
        f"{part['people']['with_health']:,} with health information, in {part['files']:,} files."
    )
    tables = {
        "What was exposed": in_words(part["people"]["by_characteristic"]),
        "Country and region": part["people"]["by_jurisdiction"],
        "Who may read the files": part["by_access"],
        "Owner": part["by_owner"],
    }
    for heading, values in tables.items():
        yield _table((heading, ""), values.items())
    diagnoses = [(each["name"], each["files"], each["people"]) for each in part["by_diagnosis"]]
    yield _paragraph(ABOUT_DIAGNOSES)
    yield _table(("Diagnoses named", "files", "people in them"), diagnoses)
    yield _paragraph(since(part))
    rows = [
        (file["uri"], file["people"], file["owner"], file["access"], file["first_seen"] or "", file["case"] or "")
        for file in part["listed"]
    ]
    yield _table(("File", "people", "owner", "access", "first seen", "case"), rows)


def in_words(counts: Mapping[str, int]) -> dict[str, int]:
    """Ids of characteristics as words."""
    return {name.replace("_", " ").replace("nhs", "NHS"): count for name, count in counts.items()}


def since(part: Mapping[str, Any]) -> str:
    """Since when the files may lie there; a copy keeps an older time, so it says when they were written."""
    words = []
    if part["oldest"]:
        words.append(f"The files were last written to between {part['oldest'][:10]} and {part['newest'][:10]}.")
    if part["first_seen"]:
        words.append(f"A scan saw the first of them on {part['first_seen']}.")
    return " ".join(words)


def _paragraph(text: str, size: int = 22) -> str:
    return f'<w:p><w:r><w:rPr><w:sz w:val="{size}"/></w:rPr><w:t xml:space="preserve">{_plain(text)}</w:t></w:r></w:p>'


def _table(headings: tuple[str, ...], rows: Any) -> str:
    cells = "".join(_row(row) for row in (headings, *rows))
    return f"<w:tbl><w:tblPr/><w:tblGrid/>{cells}</w:tbl><w:p/>"


def _row(cells: Any) -> str:
    return "<w:tr>" + "".join(f"<w:tc>{_paragraph(str(cell), 18)}</w:tc>" for cell in cells) + "</w:tr>"


def _plain(text: str) -> str:
    """XML knows no control characters; names of files may have any."""
    return escape("".join(character if character.isprintable() else "\ufffd" for character in text))


FORMS: dict[str, Callable[[Mapping[str, Any]], bytes]] = {"html": as_page, "docx": as_document, "json": as_json}
