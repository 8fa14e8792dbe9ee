"""OpenDocument package -> the text of all its parts, changes and properties; objects and pictures as members."""

import re
from collections.abc import Iterator

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.readers.ooxml.package import Package
from extraction.readers.opendocument import OpenDocumentText
from extraction.readers.xml.parse import feed

_PREFIXES = ("application/vnd.oasis.opendocument.", "application/vnd.sun.xml.")
_OASIS_KINDS = (
    "text text-template text-master text-web spreadsheet spreadsheet-template presentation presentation-template"
)
_MORE_KINDS = "graphics graphics-template chart chart-template formula formula-template image database"
_SUN_KINDS = "writer writer.template writer.global calc calc.template impress impress.template draw draw.template math"
MEDIA_TYPES = frozenset(
    [
        *(_PREFIXES[0] + kind for kind in f"{_OASIS_KINDS} {_MORE_KINDS}".split()),
        *(_PREFIXES[1] + kind for kind in _SUN_KINDS.split()),
    ]
)
IS_ARCHIVE = False

_MANIFEST = re.compile(r"META-INF/manifest\.xml", re.I)
_PARTS = (re.compile(r"content\.xml", re.I), re.compile(r"styles\.xml", re.I), re.compile(r"meta\.xml", re.I))
_OBJECT_PARTS = re.compile(r"[^/]+/content\.xml", re.I)
_PICTURES = re.compile(r"(?:[^/]+/)?(?:Pictures|media)/[^/]+", re.I)
_OF_PROGRAMS = re.compile(
    r"mimetype|(?:.+/)?settings\.xml|META-INF/.+|(?:.+/)?manifest\.rdf|layout-cache|Configurations2/.*|Thumbnails/.+"
    r"|ObjectReplacements/.+|.+/(?:styles|meta)\.xml|.+-lb\.xml|.+-lc\.xml|(?:.+/)?Fonts/.+|.*/",
    re.I,
)
_OBJECT_FILES = re.compile(r"Object[^/]*|database/script", re.I)


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    package = Package(content, budget)
    for name in package.matching(_MANIFEST):
        if b"encryption-data" in package.read(name):
            raise StoppedError(Status.ENCRYPTED, "password-protected OpenDocument file")
    for pattern in _PARTS:
        for name in package.matching(pattern):
            yield from _part(package, name)
    for number, name in enumerate(package.matching(_OBJECT_PARTS), 1):
        for segment in _part(package, name):
            yield Segment(f"object {number} {segment.where}", segment.text)
    for pattern in (_OBJECT_FILES, _PICTURES):
        for name in package.matching(pattern):
            yield package.member(name)
    yield from package.previews()
    yield from package.rest(_OF_PROGRAMS)
    package.finish()


def _part(package: Package, name: str) -> Iterator[Segment]:
    data = package.read(name)
    fault = yield from feed(data, OpenDocumentText(kind_of(data)))
    package.fault = package.fault or fault


def kind_of(data: bytes) -> str:
    """Tables are sheets only in a spreadsheet, and pages are slides only in a presentation or drawing."""
    if re.search(rb"<office:spreadsheet[\s>/]", data):
        return "sheet"
    return "slide" if re.search(rb"<office:(?:presentation|drawing)[\s>/]", data) else "none"
