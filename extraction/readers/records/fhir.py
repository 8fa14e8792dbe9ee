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
_PLACE_OF_CODE = re.compile(r"(?:https?://|urn:)\S+")


@dataclass(slots=True, repr=False)
class FhirLines:
    lines: list[str] = field(default_factory=list)
    packed: list[bytes] = field(default_factory=list)

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
        elif key == "resourceType":
            self.lines.append(f"\n{label(value)}")
        elif value.strip():
            self.lines.append(f"{label(key)}: {value.strip()}")

    def _add_object(self, entry: dict[str, Any], key: str, depth: int) -> None:
        taken = set(self._known_shape(entry, key))
        for name, value in entry.items():
            if name not in taken:
                self.add(value, name, depth + 1)

    def _known_shape(self, entry: dict[str, Any], key: str) -> Iterator[str]:
        """Adds the line of a name, address, contact, identifier or code; returns the keys that it used."""
        if isinstance(entry.get("family"), str) or isinstance(entry.get("given"), list):
            yield from self._add_name(entry)
        elif "line" in entry or "postalCode" in entry:
            yield from self._add_address(entry)
        elif entry.get("system") in _CONTACTS and isinstance(entry.get("value"), str):
            self.lines.append(f"{entry['system']}: {entry['value']}")
            yield from ("system", "value", "rank")
        elif key == "identifier" and isinstance(entry.get("value"), str):
            self.lines.append(f"{_identifier_kind(entry)}: {entry['value']}")
            yield from ("value", "system", "type")
        elif isinstance(entry.get("display"), str) and "code" in entry:
            self.lines.append(f"{label(key)}: {entry['display']}")
            yield from ("display", "code", "version")
        elif isinstance(entry.get("data"), str) and self._take_packed(entry["data"]):
            yield "data"

    def _add_name(self, entry: dict[str, Any]) -> Iterator[str]:
        parts = [(kind, text) for kind in ("prefix", "given", "family", "suffix") for text in _texts(entry.get(kind))]
        self.lines.append(f"name: {name_line(parts)}")
        yield from ("prefix", "given", "family", "suffix")

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
