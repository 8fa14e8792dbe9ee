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
@media print { tr, .caution { break-inside: avoid; } h2, caption { break-after: avoid; }
main { max-width: none; padding: 0; } }
"""
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_BORDERS = (
    '<w:tblW w:w="5000" w:type="pct"/><w:tblBorders>'
    + "".join(f'<w:{side} w:val="single" w:sz="4" w:color="C8CCC8"/>' for side in ("top", "bottom", "insideH"))
    + "</w:tblBorders>"
)
ABOUT_DIAGNOSES = (
    "Groups come from the medical terms that weighed most in each file. Its people are all whom the file concerns:"
    " not everybody in it has the diagnosis, and further ones may be named."
)
NO_VALUE = (
    "This report holds no name and no number of anybody. The count says how sure the links between files are,"
    " not how many people a scan failed to see."
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
            no_value=NO_VALUE,
            about_duties=about_duties,
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
    yield _paragraph(about_duties(facts))
    rows = [
        (
            f"{duty['law']} ({duty['source']}, in force since {duty['in_force']}; binds {duty['whom_it_binds']})",
            f"{duty['place']}: {duty['people']:,} (from {duty['threshold']:,})",
            duty["notify"],
            f"{duty['by']} {duty['latest'] or ''}".strip(),
            f"{duty['checked']}, with {duty['against']}; {duty['note']}",
        )
        for duty in facts["duties"]
    ]
    yield _table(("Law", "People", "Tell", "By", "Compared"), rows)
    yield _paragraph(NO_VALUE, size=18)


def _part(title: str, part: Mapping[str, Any]) -> Iterator[str]:
    people = part["people"]["people"]
    yield _paragraph(title, size=28)
    yield _paragraph(
        f"{people['count']:,} people (surely {people['surely_distinct']:,}, at most {people['at_most']:,}), "
        f"{part['people']['with_health']:,} with health information"
        + (f", {part['known']:,} in the organisation's own list" if part["known"] else "")
        + f", in {part['files']:,} files."
    )
    if not part["files"]:
        return
    tables = {
        ("What was exposed", "people"): in_words(part["people"]["by_characteristic"]),
        ("Country and region", "people"): part["people"]["by_jurisdiction"],
        ("Source", "people"): part["people"]["by_source"],
        ("Kind of health information", "files"): part["by_health_class"],
        ("Risk", "files"): part["by_risk"],
        ("Who may read the files", "files"): part["by_access"],
        ("Owner", "files"): part["by_owner"],
    }
    for headings, values in tables.items():
        yield _table(headings, ((name, f"{count:,}") for name, count in values.items()))
    diagnoses = [
        (each["name"] + (" (needs particular care)" if each["sensitive"] else ""), each["files"], each["people"])
        for each in part["by_diagnosis"]
    ]
    yield _paragraph(ABOUT_DIAGNOSES)
    yield _table(("Diagnoses named", "files", "people in them"), diagnoses)
    yield _paragraph(since(part))
    rows = [
        (
            file["uri"],
            file["people"],
            file["owner"],
            file["access"],
            (file["since"] or "")[:10],
            file["first_seen"] or "",
            file["case"] or "",
        )
        for file in part["listed"]
    ]
    yield _table(("Files with most people", "people", "owner", "access", "written", "first seen", "case"), rows)


def in_words(counts: Mapping[str, int]) -> dict[str, int]:
    """Ids of characteristics as words."""
    return {name.replace("_", " ").replace("nhs", "NHS"): count for name, count in counts.items()}


def about_duties(facts: Mapping[str, Any]) -> str:
    """Whose number the laws are compared with."""
    of = "verified files" if facts["duties_of"] == "verified" else "files that nobody has verified"
    unknown = facts["of_unknown_place"]
    missing = f" {unknown:,} of them are of an unknown place, and in no law's number." if unknown else ""
    return f"Worked out from the people in the {of}.{missing}"


def since(part: Mapping[str, Any]) -> str:
    """Since when the files may lie there; a copy keeps an older time, so it says when they were written."""
    words = []
    if part["oldest"]:
        words.append(f"The files were last written to between {part['oldest'][:10]} and {part['newest'][:10]}.")
    if part["first_seen"]:
        words.append(f"A scan saw the first of them on {part['first_seen']}.")
    return " ".join(words)


def _paragraph(text: str, size: int = 22, *, is_bold: bool = False) -> str:
    bold = "<w:b/>" if is_bold or size > 22 else ""
    run = f'<w:rPr>{bold}<w:sz w:val="{size}"/></w:rPr><w:t xml:space="preserve">{_plain(text)}</w:t>'
    return f"<w:p><w:r>{run}</w:r></w:p>"


def _table(headings: tuple[str, ...], rows: Any) -> str:
    cells = _row(headings, is_heading=True) + "".join(_row(row) for row in rows)
    grid = "<w:gridCol/>" * len(headings)
    return f"<w:tbl><w:tblPr>{_BORDERS}</w:tblPr><w:tblGrid>{grid}</w:tblGrid>{cells}</w:tbl><w:p/>"


def _row(cells: Any, *, is_heading: bool = False) -> str:
    repeated = "<w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>" if is_heading else "<w:trPr><w:cantSplit/></w:trPr>"
    columns = "".join(f"<w:tc>{_paragraph(str(cell), 18, is_bold=is_heading)}</w:tc>" for cell in cells)
    return f"<w:tr>{repeated}{columns}</w:tr>"


def _plain(text: str) -> str:
    """XML knows no control characters; names of files may have any."""
    return escape("".join(character if character.isprintable() else "\ufffd" for character in text))


FORMS: dict[str, Callable[[Mapping[str, Any]], bytes]] = {"html": as_page, "docx": as_document, "json": as_json}
