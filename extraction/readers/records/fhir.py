"""FHIR resource in JSON -> its values as labelled lines, and the files that it contains."""

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from extraction.readers.html import html_text
from extraction.readers.records.person import address_line, label, name_line

DEPTH = 200
_SYSTEMS = {"http://hl7.org/fhir/sid/us-ssn": "SSN", "http://hl7.org/fhir/sid/us-npi": "NPI"}
_KINDS = {"SS": "SSN", "MR": "medical record number", "DL": "driver's license", "PPN": "passport number", "NPI": "NPI"}
_CONTACTS = frozenset({"phone", "fax", "email", "pager", "url", "sms", "other"})
_IGNORED_NAMES = (
    "fullUrl profile versionId lastUpdated url system use reference mode method ifNoneExist source contentType hash"
)
_IGNORED = frozenset(_IGNORED_NAMES.split())
_SUBJECTS = ("subject", "patient", "beneficiary")
_NAME_TITLES = {
    "contact": "contact",
    "Patient": "patient name",
    "Practitioner": "practitioner",
    "RelatedPerson": "relative",
}
_PLACE_OF_CODE = re.compile(r"(?:https?://|urn:)\S+")


@dataclass(slots=True, repr=False)
class FhirLines:
    lines: list[str] = field(default_factory=list)
    packed: list[bytes] = field(default_factory=list)
    _patients: dict[str, str] = field(default_factory=dict)  # reference -> name
    _keys: list[str] = field(default_factory=list)  # of the objects around the value
    _resource: str = ""

    def learn(self, value: Any) -> None:
        """Remembers the names of the patients in a resource or bundle, to name them beside what refers to them."""
        resources = [(value, "")]
        entries = value.get("entry") if isinstance(value, dict) else None
        resources += [
            (entry.get("resource"), str(entry.get("fullUrl") or ""))
            for entry in (entries if isinstance(entries, list) else ())
            if isinstance(entry, dict)
        ]
        for resource, address in resources:
            if isinstance(resource, dict) and resource.get("resourceType") == "Patient":
                name = _first_name(resource.get("name"))
                if name:
                    self._patients[f"Patient/{resource.get('id')}"] = name
                    self._patients[address] = name

    def add(self, value: Any, key: str = "", depth: int = 0) -> None:
        if depth > DEPTH:
            raise RecursionError
        if isinstance(value, dict):
            self._add_object(value, key, depth)
        elif isinstance(value, list):
            for entry in value:
                self.add(entry, key, depth + 1)
        elif value is not None and not isinstance(value, bool):
            self._add_scalar(key, str(value))

    def _add_scalar(self, key: str, value: str) -> None:
        if key in _IGNORED or _PLACE_OF_CODE.fullmatch(value):
            return
        if key == "div":
            self.lines.append(html_text(value))
        elif value.strip():
            self._say(self._title(key), value)

    def _say(self, title: str, value: str) -> None:
        """Says it once: a concept often repeats the words of its code."""
        line = f"{title}: {value.strip()}"
        if not self.lines or self.lines[-1] != line:
            self.lines.append(line)

    def _title(self, key: str) -> str:
        """The label of a value; a text or code is named by what it describes."""
        if key == "birthDate":
            return "date of birth"
        if key not in ("text", "coding", "display"):
            return label(key)
        around = [name for name in self._keys if name != "coding"]
        concept = around[-1].removesuffix("CodeableConcept") if around else ""
        if concept == "code" and self._resource:
            return label(self._resource)
        return label(concept) if concept not in ("", "resource", "contained") else label(key)

    def _add_object(self, entry: dict[str, Any], key: str, depth: int) -> None:
        around = self._resource
        taken: set[str] = set()
        if isinstance(entry.get("resourceType"), str):
            self._begin_resource(entry)
            taken.add("resourceType")
        taken.update(self._known_shape(entry, key))
        self._keys.append(key)
        for name, value in entry.items():
            if name not in taken:
                self.add(value, name, depth + 1)
        self._keys.pop()
        self._resource = around

    def _begin_resource(self, entry: dict[str, Any]) -> None:
        self._resource = entry["resourceType"]
        self.lines.append(f"\n{label(self._resource)}")
        for key in _SUBJECTS:
            subject = entry.get(key)
            reference = subject.get("reference") if isinstance(subject, dict) else None
            name = self._patients.get(reference, "") if isinstance(reference, str) and reference else ""
            if name:
                self.lines.append(f"patient: {name}")

    def _known_shape(self, entry: dict[str, Any], key: str) -> Iterator[str]:
        """Adds the line of a name, address, contact, identifier or code; returns the keys that it used."""
        if isinstance(entry.get("family"), str) or isinstance(entry.get("given"), list):
            yield from self._add_name(entry)
        elif "line" in entry or "postalCode" in entry:
            yield from self._add_address(entry)
        elif str(entry.get("system")) in _CONTACTS and isinstance(entry.get("value"), str):
            self.lines.append(f"{entry['system']}: {entry['value']}")
            yield from ("system", "value", "rank")
        elif key == "identifier" and isinstance(entry.get("value"), str):
            self.lines.append(f"{_identifier_kind(entry)}: {entry['value']}")
            yield from ("value", "system", "type")
        elif isinstance(entry.get("display"), str) and "code" in entry:
            self._say(self._title(key), entry["display"] + _icd_note(entry))
            yield from ("display", "code", "version")
        elif isinstance(entry.get("display"), str) and key in _SUBJECTS:
            self._say("patient", entry["display"])
            yield "display"
        elif isinstance(entry.get("display"), str):
            self._say(label(key) or "display", entry["display"])
            yield "display"
        elif isinstance(entry.get("value"), int | float) and isinstance(entry.get("unit"), str):
            self._say("value" if key.startswith("value") else label(key), f"{entry['value']} {entry['unit']}")
            yield from ("value", "unit", "code")
        elif isinstance(entry.get("data"), str) and self._take_packed(entry["data"]):
            yield "data"

    def _add_name(self, entry: dict[str, Any]) -> Iterator[str]:
        name = _name_of(entry)
        title = _NAME_TITLES.get(self._keys[-1] if self._keys else "") or _NAME_TITLES.get(self._resource, "name")
        self.lines.append(f"{title}: {name}")
        yield from ("prefix", "given", "family", "suffix")
        if entry.get("text") == name:
            yield "text"

    def _add_address(self, entry: dict[str, Any]) -> Iterator[str]:
        city, state, postal, country = (
            " ".join(_texts(entry.get(kind))) for kind in ("city", "state", "postalCode", "country")
        )
        self.lines.append(f"address: {address_line(_texts(entry.get('line')), city, state, postal, country)}")
        yield from ("line", "city", "state", "postalCode", "country")

    def _take_packed(self, text: str) -> bool:
        try:
            self.packed.append(base64.b64decode(text, validate=True))
        except (binascii.Error, ValueError):
            return False
        return True


def _name_of(entry: dict[str, Any]) -> str:
    return name_line(
        [(kind, text) for kind in ("prefix", "given", "family", "suffix") for text in _texts(entry.get(kind))]
    )


def _first_name(names: Any) -> str:
    for entry in names if isinstance(names, list) else ():
        if isinstance(entry, dict):
            name = _name_of(entry) or " ".join(_texts(entry.get("text")))
            if name:
                return name
    return ""


def _icd_note(entry: dict[str, Any]) -> str:
    system, code = entry.get("system"), entry.get("code")
    return f" (ICD {code})" if isinstance(system, str) and "icd" in system.lower() and isinstance(code, str) else ""


def _texts(value: Any) -> list[str]:
    return [entry for entry in (value if isinstance(value, list) else [value]) if isinstance(entry, str)]


def _identifier_kind(entry: dict[str, Any]) -> str:
    system = entry.get("system")
    if isinstance(system, str) and system in _SYSTEMS:
        return _SYSTEMS[system]
    kind = entry.get("type")
    codings = kind.get("coding") if isinstance(kind, dict) else None
    for coding in codings if isinstance(codings, list) else ():
        code = coding.get("code") if isinstance(coding, dict) else None
        if isinstance(code, str) and code in _KINDS:
            return _KINDS[code]
    text = kind.get("text") if isinstance(kind, dict) else None
    return text if isinstance(text, str) else "identifier"
