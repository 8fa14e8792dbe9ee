"""XML bytes -> its character data and attribute values as labelled lines, without markup."""

import base64
import binascii
import re
from dataclasses import dataclass, field

from lxml import etree

from extraction.readers.records.person import address_line, iso_date, label, name_line
from extraction.readers.text.data_uris import without_data_uris
from extraction.readers.xml.records import is_health_key, record_line, words_of_key

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
_TITLES_IN_HL7 = {"birthTime": "date of birth", "birthDate": "date of birth", "administrativeGenderCode": "sex"}
_SKIPPED_IN_HL7 = frozenset({"templateId", "typeId", "realmCode"})
_NAME_GROUPS = frozenset({"name"})
_ADDRESS_GROUPS = frozenset({"addr", "address"})
_STREET_NAMES = (
    "streetaddressline line street housenumber streetname additionallocator unitid addressline1 addressline2"
)
_STREET = frozenset(_STREET_NAMES.split())
_OTHER_ADDRESS_PARTS = frozenset({"city", "state", "stateprovince", "postalcode", "zipcode", "country", "countrycode"})
_NAME_PARTS = {
    "prefix": "prefix",
    "given": "given",
    "firstname": "given",
    "middle": "middle",
    "middlename": "middle",
    "family": "family",
    "lastname": "family",
    "suffix": "suffix",
}
# What a name means by the element around it; the innermost counts.
_ROLES = {
    "associatedentity": "contact",
    "author": "author",
    "contact": "contact",
    "dataenterer": "author",
    "doctor": "doctor",
    "encounterparticipant": "provider",
    "guardian": "guardian",
    "informant": "provider",
    "insured": "insured",
    "legalauthenticator": "signed by",
    "authenticator": "signed by",
    "patient": "patient name",
    "performer": "performed by",
    "pharmacist": "pharmacist",
    "pharmacy": "pharmacy",
    "physician": "physician",
    "practitioner": "practitioner",
    "prescriber": "prescriber",
    "provider": "provider",
    "recordtarget": "patient name",
    "relatedentity": "contact",
    "responsibleparty": "provider",
    "subscriber": "subscriber",
    "supervisor": "supervisor",
}
# Elements of a clinical document that are about one person each: the name comes first, and what is theirs below it.
_PARTIES = frozenset(
    {
        "patientRole",
        "guardian",
        "assignedAuthor",
        "assignedEntity",
        "associatedEntity",
        "relatedEntity",
        "intendedRecipient",
    }
)
_NAMED_BY_PARENT = frozenset({"date", "datetime", "value"})  # within the element that says what they mean
_RECORD_CHILDREN = 2  # an element with as many others in it is a record where it is repeated
_RECORD_ATTRIBUTES = 3
_NEXT_RECORD = "\n\0\n"  # no XML contains this character
_SCHEMES = re.compile(r"(?:tel|mailto|fax|sip|sms):(?=.)", re.I)
_PLACE_OF_CODE = re.compile(r"(?:https?://|urn:|#)\S+")
_BLANKS = re.compile(r"\s+")


_GROUPS = _NAME_GROUPS | _ADDRESS_GROUPS
_NOT_RECORDS = _LAYOUT | _NAME_GROUPS | _ADDRESS_GROUPS | {"telecom", "id", "identifier", "templateid", "record", "sms"}
_LEVELS_LOOKED_AT = 8


class TooDeepError(Exception):
    """Elements are nested deeper than in any honest file."""


@dataclass(slots=True)
class _Group:
    """A person's name or an address: its parts make one line."""

    depth: int
    kind: str
    role: str = ""  # of the person
    parts: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Frame:
    """An open element: how much is in it, and which child came last."""

    children: int = 0
    attributes: int = 0
    last: str = ""
    last_is_record: bool = False


@dataclass(slots=True)
class _Party:
    """Somebody in a clinical document, while the element is open."""

    depth: int
    start: int  # where the name belongs, among the pieces of the text
    later: list[str] = field(default_factory=list)  # others who are named within, such as a guardian


class LineTarget:
    """A target for lxml's parser; `text` and `packed` hold the result. `packed`: files in base64 within the XML."""

    def __init__(self, *, clinical: bool) -> None:
        self._clinical = clinical  # a fragment of a clinical document without a namespace
        self._pieces: list[str] = []
        self._buffer: list[str] = []
        self._names: list[str] = []
        self._frames: list[_Frame] = [_Frame()]
        self._gap = True  # the next text begins a line
        self._ended = False  # the last tag was an end tag
        self._label = ""
        self._group: _Group | None = None
        self._parties: list[_Party] = []
        self._base64_depth = 0
        self.packed: list[bytes] = []

    @property
    def text(self) -> str:
        joined = re.sub(r"[ \t]*\n[\s]*", "\n", "".join(self._pieces))
        return re.sub(r"(?:\n?\0\n?)+", "\n\n", joined).strip()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._flush(starts=True)
        space, _, name = tag.rpartition("}")
        self._names.append(name)
        if len(self._names) > DEPTH:  # libxml2 applies its own limit only if it builds a tree
            raise TooDeepError
        self._ended = False
        self._enter(name, len(attributes))
        line = record_line(name, attributes, self.packed) if attributes else None
        if line is not None:
            self._pieces.append(f"\n{line}\n")
            self._gap = True
            return
        folded = name.lower()
        health = space[1:] in HL7_NAMESPACES or (self._clinical and not space)
        if health and name == "section" and self._gap:
            self._pieces.append(_NEXT_RECORD)
        if health and name in _PARTIES and self._gap:
            self._parties.append(_Party(len(self._names), len(self._pieces)))
            self._pieces += (_NEXT_RECORD, "")
        if folded in _CELLS and self._gap:
            self._pieces.append("\t")
            self._gap = False
            self._label = ""
        else:
            self._label = self._label_of(name, folded)
            if folded in _ROWS:
                self._pieces.append("\n")
        if self._group is None and folded in _GROUPS and self._gap:
            self._group = _Group(len(self._names), folded, self._role())
        if attributes and not (health and name in _SKIPPED_IN_HL7):
            if attributes.get("representation") == "B64":
                self._base64_depth = len(self._names)
            self._add_attributes(name, attributes, health)

    def _enter(self, name: str, attributes: int) -> None:
        """A record that follows another of its kind begins after a blank line."""
        parent = self._frames[-1]
        parent.children += 1
        if name == parent.last and parent.last_is_record and self._gap and self._group is None:
            self._pieces.append(_NEXT_RECORD)
        self._frames.append(_Frame(attributes=attributes))

    def _leave(self, name: str) -> None:
        frame = self._frames.pop()
        parent = self._frames[-1]
        parent.last = name
        parent.last_is_record = (
            frame.children >= _RECORD_CHILDREN or frame.attributes >= _RECORD_ATTRIBUTES
        ) and name.lower() not in _NOT_RECORDS

    def _label_of(self, name: str, folded: str) -> str:
        """A value or date is named by the element around it: `<Quantity><Value>60` is a quantity."""
        if folded in _NAMED_BY_PARENT:
            parent = self._names[-2] if len(self._names) > 1 else ""
            if parent and parent.lower() not in _LAYOUT:
                return parent
        if folded == "businessname" and self._role():
            return self._role()
        return "" if folded in _LAYOUT else name

    def _role(self) -> str:
        for name in reversed(self._names[-_LEVELS_LOOKED_AT:]):
            role = _ROLES.get(name.lower())
            if role:
                return role
        return ""

    def _add_attributes(self, name: str, attributes: dict[str, str], health: bool) -> None:
        root = attributes.get("root", "")
        for key, raw in attributes.items():
            space, _, local = key.rpartition("}")
            value = without_data_uris(raw)[0].strip()
            if not value or space.endswith(("XMLSchema-instance", "XML/1998/namespace")):
                continue
            if health and (local in _IGNORED_IN_HL7 or _PLACE_OF_CODE.fullmatch(value)):
                continue
            if health:
                value = _SCHEMES.sub("", iso_date(value), count=1)
            title = name if local in ("value", "extension", "displayName") else local
            if health:
                title = _TITLES_IN_HL7.get(title, title)
            if local == "extension" and root in _IDENTIFIER_OIDS:
                title = _IDENTIFIER_OIDS[root]
            elif title == "id" and self._names[-2:-1] == ["patientRole"]:
                title = "patient id"
            self._say(title, value)

    def _say(self, title: str, value: str) -> None:
        if is_health_key(title):
            title = words_of_key(title)
        if is_health_key(value):
            value = words_of_key(value)
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
        self._leave(self._names.pop())
        self._ended = True
        self._label = ""
        if self._group is not None and self._group.depth == depth:
            group, self._group = self._group, None
            self._add_group(group)
            self._gap = True
        if self._parties and self._parties[-1].depth == depth:
            self._leave_party(self._parties.pop())

    def _add_group(self, group: _Group) -> None:
        line = "\n" + _group_text(group)
        place = self._parties[-1].start + 1 if self._parties and group.kind in _NAME_GROUPS else 0
        if place and not self._pieces[place]:
            self._pieces[place] = line
        else:
            self._pieces.append(line)

    def _leave_party(self, party: _Party) -> None:
        self._pieces += (*party.later, _NEXT_RECORD)
        if self._parties:
            self._parties[-1].later += self._pieces[party.start :]
            del self._pieces[party.start :]
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
        self._add_text(_BLANKS.sub(" ", without_data_uris(text)[0]))

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
        whole = name_line((_NAME_PARTS.get(kind.lower(), kind), text) for kind, text in parts)
        rest = [entry for entry in parts if not whole or entry[0].lower() not in _NAME_PARTS]
        shown = [f"{group.role or 'name'}: {whole}"] if whole else []
    else:
        by_kind = {kind.lower(): text for kind, text in reversed(parts)}
        street = [text for kind, text in parts if kind.lower() in _STREET]
        whole = address_line(
            street,
            by_kind.get("city", ""),
            by_kind.get("state") or by_kind.get("stateprovince", ""),
            by_kind.get("postalcode") or by_kind.get("zipcode", ""),
            by_kind.get("country") or by_kind.get("countrycode", ""),
        )
        rest = [entry for entry in parts if entry[0].lower() not in _STREET | _OTHER_ADDRESS_PARTS]
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
