"""Word, Excel and PowerPoint files -> runs of their texts; parts that nobody needs to read the text are left out."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lxml import etree

from deidentification.formats.opened import BROKEN, ENCRYPTED, RefusedError
from deidentification.formats.sheet_cells import Cells
from deidentification.formats.xml_tree import local, parsed, put
from deidentification.view import Run

_TYPES, _RELS = "[Content_Types].xml", ".rels"
_KEPT = re.compile(
    r"\[Content_Types\]\.xml|_rels/\.rels"
    r"|word/(?:document|styles|numbering|settings|fontTable|webSettings|footnotes|endnotes|comments|(?:header|footer)\d*"
    r"|theme/[^/]+)\.xml"
    r"|xl/(?:workbook|styles|sharedStrings|comments\d*|comments/[^/]+|theme/[^/]+|worksheets/[^/]+|tables/[^/]+"
    r"|drawings/[^/]+)\.xml"
    r"|ppt/(?:presentation|presProps|viewProps|tableStyles|(?:slides|slideLayouts|slideMasters|notesSlides|notesMasters"
    r"|theme|comments)/[^/]+)\.xml"
    r"|(?:word|xl|ppt)/(?:[^/]+/)?_rels/[^/]+\.rels|(?:word|xl|ppt)/media/[^/]+",
    re.IGNORECASE,
)
_PICTURE = re.compile(r"(?:word|xl|ppt)/media/[^/]+", re.IGNORECASE)
_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml", re.IGNORECASE)
_LOOKS = re.compile(
    r"(?:.*/)?(?:theme/[^/]+|fontTable|styles|numbering|webSettings|tableStyles|viewProps)\.xml", re.IGNORECASE
)
_SHARED, _STYLES = "xl/sharedStrings.xml", "xl/styles.xml"
_ORDER = ("word/document.xml", "xl/worksheets/", "ppt/slides/")
# What was deleted or moved away, how something looked before, data bound to it, objects of other programs, variables.
_GONE = frozenset(
    [
        "del",
        "moveFrom",
        "rPrChange",
        "pPrChange",
        "sectPrChange",
        "tblPrChange",
        "trPrChange",
        "tcPrChange",
        "tblGridChange",
        "numberingChange",
        "object",
        "OLEObject",
        "oleObj",
        "oleObjects",
        "docVars",
        "mailMerge",
        "rsids",
        "attachedTemplate",
        "dataBinding",
        "externalReferences",
        "pivotCaches",
        "legacyDrawing",
        "legacyDrawingHF",
        "controls",
        "graphicFrame",
        "customXmlDelRangeStart",
        "extLst",
    ]
)
_UNWRAPPED = frozenset({"ins", "moveTo"})
_BLANKED = frozenset({"author", "initials", "userId", "lastIdx", "date", "dt", "descr", "title", "providerId"})
_NAMED = frozenset({"name", "displayName", "instr", "tooltip", "uniqueName"})
_LINE_ENDS = frozenset({"p", "br", "cr", "row", "tr", "comment", "author", "si"})
_TAB_ENDS = frozenset({"tab", "tc", "c"})
_ELSEWHERE = "https://example.org/"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
_WHITE = bytes.fromhex(  # a picture of one white pixel
    "89504e470d0a1a0a0000000d4948445200000001000000010100000000376ef9240000000a49444154789c6368000000820081"
    "77cd72b60000000049454e44ae426082"
)


class OpenedPackage:
    is_prose = True

    def __init__(self, parts: Mapping[str, bytes]) -> None:
        self._parts = dict(parts)
        self._trees: dict[str, Any] = {}
        self._slots: dict[int, tuple[Any, str]] = {}  # run -> an element, and where in it its text is
        self._cells: Cells | None = None
        runs: list[Run] = []
        for name in sorted(parts, key=_rank):
            if name.lower().endswith((".xml", _RELS)):
                self._trees[name] = self._cleaned(name, parsed(parts[name]))
        if _SHARED in self._trees or any(_SHEET.fullmatch(name) for name in self._trees):
            self._cells = Cells(self._trees.get(_SHARED), self._trees.get(_STYLES))
        for name, tree in self._trees.items():
            if name not in (_TYPES, _SHARED) and not name.endswith(_RELS) and not _LOOKS.fullmatch(name):
                self._collect(name, tree, runs)
        self.runs: Sequence[Run] = tuple(runs)

    def _cleaned(self, name: str, root: Any) -> Any:
        if name == _TYPES:
            return _without(root, self._parts)
        if name.endswith(_RELS):
            return self._relations(name, root)
        for element in list(root.iter()):
            tag = local(element.tag)
            if tag in _GONE and element.getparent() is not None:
                _remove(element)
            elif tag in _UNWRAPPED:
                etree.strip_tags(element.getparent(), element.tag)
        for element in root.iter():
            for attribute in element.attrib:
                if local(attribute) in _BLANKED and local(element.tag) != "row":
                    element.set(attribute, "" if local(attribute) not in ("date", "dt") else "2000-01-01T00:00:00Z")
        return root

    def _relations(self, name: str, root: Any) -> Any:
        folder = name.rpartition("_rels/")[0]
        for relation in list(root):
            target = relation.get("Target", "")
            if relation.get("TargetMode") == "External":
                relation.set("Target", _ELSEWHERE)
            elif _resolved(folder, target) not in self._parts:
                root.remove(relation)
        return root

    def _collect(self, name: str, root: Any, runs: list[Run]) -> None:
        where = name.rpartition("/")[2].removesuffix(".xml")
        shown = self._cells.shown(root) if self._cells is not None and _SHEET.fullmatch(name) else {}
        for event, element in etree.iterwalk(root, events=("start", "end")):
            tag = local(element.tag)
            if event == "end":
                gap = "\n" if tag in _LINE_ENDS else "\t" if tag in _TAB_ENDS else ""
                if gap:
                    runs.append(Run(gap, is_fixed=True))
                continue
            for attribute, value in element.attrib.items():
                if local(attribute) in _NAMED and value.strip():
                    self._add(runs, element, f"@{attribute}", value, where)
                    runs.append(Run("\n", is_fixed=True))
            text = shown.get(element, element.text)
            if text and text.strip():
                self._add(runs, element, "text", text, where)
            elif text and tag == "t":
                runs.append(Run(text, is_fixed=True))

    def _add(self, runs: list[Run], element: Any, slot: str, text: str, where: str) -> None:
        self._slots[len(runs)] = (element, slot)
        runs.append(Run(text, where=where))

    def rewritten(self, new: Mapping[int, str]) -> bytes:
        for at, text in new.items():
            element, slot = self._slots[at]
            if slot != "text" or self._cells is None or not self._cells.put(element, text):
                put(element, slot, text)
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in self._contents():
                archive.writestr(zipfile.ZipInfo(name, _LONG_AGO), content, zipfile.ZIP_DEFLATED)
        return file.getvalue()

    def _contents(self) -> Iterator[tuple[str, bytes]]:
        for name in sorted(self._parts, key=_rank):
            if _PICTURE.fullmatch(name):
                yield name, _WHITE
            elif name in self._trees:
                yield name, etree.tostring(self._trees[name], encoding="UTF-8", xml_declaration=True, standalone=True)


def open_package(data: bytes, media_type: str) -> OpenedPackage:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [name for name in dict.fromkeys(archive.namelist()) if _KEPT.fullmatch(name)]
            return OpenedPackage({name: archive.read(name) for name in names})
    except RuntimeError:
        raise RefusedError(ENCRYPTED) from None
    except (zipfile.BadZipFile, KeyError, OSError, EOFError):
        raise RefusedError(BROKEN) from None


def _rank(name: str) -> tuple[int, int, str]:
    """Content types first, as readers expect them; then what people read first."""
    place = next((at for at, prefix in enumerate(_ORDER) if name.startswith(prefix)), len(_ORDER))
    return (name != _TYPES, place, name)


def _without(root: Any, kept: Mapping[str, bytes]) -> Any:
    """Content types of the parts that are left."""
    for element in list(root):
        part = element.get("PartName")
        if part is not None and part.removeprefix("/") not in kept:
            root.remove(element)
    return root


def _resolved(folder: str, target: str) -> str:
    """The part that a relation names: `../media/a.png` from `word/` is `media/a.png`."""
    if target.startswith("/"):
        return target[1:]
    path = folder.rstrip("/").split("/") if folder.strip("/") else []
    for step in target.split("/"):
        if step == "..":
            path = path[:-1]
        elif step != ".":
            path.append(step)
    return "/".join(path)


def _remove(element: Any) -> None:
    """With everything in it; the text behind it stays."""
    parent, before = element.getparent(), element.getprevious()
    if element.tail:
        if before is None:
            parent.text = (parent.text or "") + element.tail
        else:
            before.tail = (before.tail or "") + element.tail
    parent.remove(element)
