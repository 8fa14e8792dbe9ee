"""Electronic book -> its pages in reading order, and its metadata; pictures as members."""

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote

from lxml import etree

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.readers.html import declared_charset, html_text
from extraction.readers.ooxml.package import Package, all_text
from extraction.readers.text.data_uris import files_within, without_data_uris
from extraction.readers.text.decode import decode

MEDIA_TYPES = frozenset({"application/epub+zip"})
IS_ARCHIVE = False

_ENCRYPTION = re.compile(r"META-INF/encryption\.xml", re.I)
_PACKAGE = re.compile(r".*\.opf", re.I)
_PAGE = re.compile(r".*\.x?html?", re.I)
_PICTURE = re.compile(r".*\.(?:png|jpe?g|gif|svg|webp|avif|bmp|tiff?|jxl)", re.I)
_IGNORED = frozenset({"identifier", "language", "format", "type", "date", "meta"})


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    package = Package(content, budget)
    locked = _locked_parts(package)
    spine: list[str] = []
    for name in package.matching(_PACKAGE):
        root = package.tree(name)
        if root is not None:
            spine += _spine(root, posixpath.dirname(name))
            metadata = next(root.iter("{*}metadata"), None)
            yield Segment("properties", all_text(metadata, _IGNORED))
    pages = list(dict.fromkeys([*(page for page in spine if package.has(page)), *package.matching(_PAGE)]))
    if pages and locked.issuperset(pages):
        raise StoppedError(Status.ENCRYPTED, "electronic book under digital rights management")
    for number, page in enumerate(pages, 1):
        if page not in locked:
            data = package.read(page)
            markup = decode(data, declared_charset(data))
            yield Segment(f"page {number}", html_text(without_data_uris(markup)[0]))
            yield from files_within(markup, budget)
    for name in package.matching(_PICTURE):
        if name not in locked:
            yield package.member(name)
    if locked.intersection(pages):
        raise StoppedError(Status.PARTIAL, f"{len(locked.intersection(pages)):,} encrypted pages")
    package.finish()


def _locked_parts(package: Package) -> frozenset[str]:
    locked: list[str] = []
    for name in package.matching(_ENCRYPTION):
        root = package.tree(name)
        if root is not None:
            locked += [unquote(reference.get("URI") or "") for reference in root.iter("{*}CipherReference")]
    return frozenset(locked)


def _spine(root: etree._Element, folder: str) -> Iterator[str]:
    """Paths of the pages in reading order; a path is a key into the archive, never opened as a file."""
    targets = {entry.get("id"): entry.get("href") or "" for entry in root.iter("{*}item")}
    for entry in root.iter("{*}itemref"):
        target = targets.get(entry.get("idref"))
        if target:
            yield posixpath.normpath(posixpath.join(folder, unquote(target.partition("#")[0])))
