"""XML bytes -> its character data and attribute values as labelled lines, without markup."""

import base64
import binascii
import re
from dataclasses import dataclass, field

from lxml import etree

from extraction.readers.records.person import address_line, iso_date, label, name_line

FEED = 1 << 16
DEPTH = 256
HL7_NAMESPACES = frozenset({"urn:hl7-org:v3", "http://hl7.org/fhir", "urn:hl7-org:sdtc"})
_IDENTIFIER_OIDS = {"2.16.840.1.113883.4.1": "SSN", "2.16.840.1.113883.4.6": "NPI"}
_LAYOUT_NAMES = (
    "p para paragraph text content td th tr li item list table tbody thead tfoot caption div span body section title "
    "row cell entry col colgroup br b i u em strong footnote html head root data value string t r"
)
_LAYOUT = frozenset(_LAYOUT_NAMES.split())
_CELLS = frozenset({"td", "th", "cell"})
_ROWS = frozenset({"tr", "row"})
_IGNORED_NAMES = (
    "codeSystem codeSystemName codeSystemVersion code sdtcValueSet valueSet root typeCode classCode moodCode "
    "nullFlavor use determinerCode contextControlCode contextConductionInd styleCode inversionInd negationInd ID url "
    "mediaType representation assigningAuthorityName operator independentInd border width align valign colspan rowspan "
    "cellpadding cellspacing listType"
)
_IGNORED_IN_HL7 = frozenset(_IGNORED_NAMES.split())
_SKIPPED_IN_HL7 = frozenset({"templateId", "typeId", "realmCode"})
_NAME_GROUPS = frozenset({"name"})
_ADDRESS_GROUPS = frozenset({"addr", "address"})
_STREET = frozenset({"streetaddressline", "line", "street", "housenumber", "streetname", "additionallocator", "unitid"})
_SCHEMES = re.compile(r"(?:tel|mailto|fax|sip|sms):(?=.)", re.I)
_PLACE_OF_CODE = re.compile(r"(?:https?://|urn:|#)\S+")
_BLANKS = re.compile(r"\s+")


class TooDeepError(Exception):
    """Elements are nested deeper than in any honest file."""


@dataclass(slots=True)
class _Group:
    """A person's name or an address: its parts make one line."""

    depth: int
    kind: str
    parts: list[tuple[str, str]] = field(default_factory=list)


class LineTarget:
    """A target for lxml's parser; `text` and `packed` hold the result. `packed`: files in base64 within the XML."""

    def __init__(self, *, clinical: bool) -> None:
        self._clinical = clinical  # a fragment of a clinical document without a namespace
        self._pieces: list[str] = []
        self._buffer: list[str] = []
        self._names: list[str] = []
        self._gap = True  # the next text begins a line
        self._ended = False  # the last tag was an end tag
        self._label = ""
        self._group: _Group | None = None
        self._base64_depth = 0
        self.packed: list[bytes] = []

    @property
    def text(self) -> str:
        joined = re.sub(r"[ \t]*\n[\s]*", "\n", "".join(self._pieces))
        return joined.strip()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._flush(starts=True)
        space, _, name = tag.rpartition("}")
        self._names.append(name)
        if len(self._names) > DEPTH:  # libxml2 applies its own limit only if it builds a tree
            raise TooDeepError
        self._ended = False
        health = space[1:] in HL7_NAMESPACES or (self._clinical and not space)
        if name.lower() in _CELLS and self._gap:
            self._pieces.append("\t")
            self._gap = False
            self._label = ""
        else:
            self._label = "" if name.lower() in _LAYOUT else name
            if name.lower() in _ROWS:
                self._pieces.append("\n")
        if self._group is None and name in _NAME_GROUPS | _ADDRESS_GROUPS and self._gap:
            self._group = _Group(len(self._names), name)
        if attributes.get("representation") == "B64":
            self._base64_depth = len(self._names)
        if not (health and name in _SKIPPED_IN_HL7):
            self._add_attributes(name, attributes, health)

    def _add_attributes(self, name: str, attributes: dict[str, str], health: bool) -> None:
        root = attributes.get("root", "")
        for key, raw in attributes.items():
            space, _, local = key.rpartition("}")
            value = raw.strip()
            if not value or space.endswith(("XMLSchema-instance", "XML/1998/namespace")):
                continue
            if health and (local in _IGNORED_IN_HL7 or _PLACE_OF_CODE.fullmatch(value)):
                continue
            if health:
                value = _SCHEMES.sub("", iso_date(value), count=1)
            title = name if local in ("value", "extension", "displayName") else local
            if local == "extension" and root in _IDENTIFIER_OIDS:
                title = _IDENTIFIER_OIDS[root]
            self._say(title, value)

    def _say(self, title: str, value: str) -> None:
        if self._group is not None:
            self._group.parts.append((title, value))
        elif self._gap:
            shown = title if title.isupper() else label(title)
            self._pieces.append(f"\n{shown}: {value}")
        else:
            self._pieces.append(f" {value} ")

    def data(self, text: str) -> None:
        self._buffer.append(text)

    def comment(self, text: str) -> None:
        self._flush(starts=False)
        self._pieces.append(f"\n{text.strip()}\n")
        self._gap = True

    def pi(self, target: str, text: str | None = None) -> None:
        if target != "xml-stylesheet":
            self.comment(text or "")

    def end(self, tag: str) -> None:
        self._flush(starts=False)
        depth = len(self._names)
        self._names.pop()
        self._ended = True
        self._label = ""
        if self._group is not None and self._group.depth == depth:
            group, self._group = self._group, None
            self._pieces.append("\n" + _group_text(group))
            self._gap = True

    def close(self) -> "LineTarget":
        self._flush(starts=False)
        return self

    def _flush(self, *, starts: bool) -> None:
        text = "".join(self._buffer)
        self._buffer.clear()
        if not text.strip():
            if "\n" in text or (self._ended and starts and not text):
                self._gap = True
            elif text and not self._gap:
                self._pieces.append(" ")
            return
        if self._base64_depth and len(self._names) >= self._base64_depth:
            self._base64_depth = 0
            if self._take_packed(text):
                return
        self._add_text(_BLANKS.sub(" ", text))

    def _add_text(self, text: str) -> None:
        if self._group is not None:
            self._group.parts.append((self._names[-1], text))
            return
        if self._gap:
            self._pieces.append("\n")
            if self._label:
                self._pieces.append(f"{label(self._label)}: ")
        self._pieces.append(text)
        self._gap = False
        self._label = ""

    def _take_packed(self, text: str) -> bool:
        try:
            self.packed.append(base64.b64decode(text, validate=False))
        except (binascii.Error, ValueError):
            return False
        return True


def _group_text(group: _Group) -> str:
    parts = [(kind, text.strip()) for kind, text in group.parts]
    if group.kind in _NAME_GROUPS:
        whole = name_line(parts)
        rest = [
            entry for entry in parts if not whole or entry[0] not in ("prefix", "given", "middle", "family", "suffix")
        ]
        shown = [f"name: {whole}"] if whole else []
    else:
        by_kind = {kind.lower(): text for kind, text in reversed(parts)}
        street = [text for kind, text in parts if kind.lower() in _STREET]
        postal = by_kind.get("postalcode", "")
        whole = address_line(
            street, by_kind.get("city", ""), by_kind.get("state", ""), postal, by_kind.get("country", "")
        )
        rest = [
            entry for entry in parts if entry[0].lower() not in _STREET | {"city", "state", "postalcode", "country"}
        ]
        shown = [f"address: {whole}"] if whole else []
    return "\n".join([*shown, *(f"{label(kind)}: {text}" for kind, text in rest)])


def xml_lines(data: bytes) -> LineTarget:
    """Raises XMLSyntaxError if the data is not XML, and TooDeepError if it is nested too deeply."""
    try:
        return _parsed(data, recover=False)
    except etree.XMLSyntaxError as error:
        if error.code != etree.ErrorTypes.NS_ERR_UNDEFINED_NAMESPACE:
            raise
    return _parsed(data, recover=True)


def _parsed(data: bytes, *, recover: bool) -> LineTarget:
    target = LineTarget(clinical=b" codeSystem=" in data)
    parser = etree.XMLParser(
        target=target, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=recover
    )
    for start in range(0, len(data), FEED):
        parser.feed(data[start : start + FEED])
    parser.close()
    return target
