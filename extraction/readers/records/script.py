"""NCPDP SCRIPT message in its EDIFACT form -> one block of labelled lines a prescription message."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.records import Segment
from extraction.readers.records.blocks import Blocks
from extraction.readers.records.codes import icd_text
from extraction.readers.records.person import address_line, iso_date, name_line

LONGEST_SEGMENT = 100_000  # a longer one is no segment: its text is kept as it is
_PROVIDERS = {"PC": "prescriber", "P1": "pharmacy", "P2": "pharmacy", "SU": "supervisor", "FC": "facility"}
_ID_KINDS = {"0B": "license", "D3": "NCPDP", "DH": "DEA", "HPI": "NPI", "SY": "SSN", "2U": "payer id", "1D": "medicaid"}
_DIAGNOSES = frozenset({"DX", "ABF", "ABK", "BF", "BK"})
_WITHOUT_MEANING = frozenset({"UNA", "UIT", "UIZ"})  # counters


@dataclass(frozen=True, slots=True)
class Marks:
    """The separators of a message, as its first segment shows them."""

    components: str = ":"
    elements: str = "+"
    release: str = "/"
    repeats: str = "*"
    segments: str = "'"


def marks_of(text: str) -> Marks:
    if text.startswith("UNA") and len(text) >= 9:
        components, elements, _, release, repeats, segments = list(text[3:9])
        return Marks(components, elements, release, repeats, segments)
    if text[3:4] == "\x1d":
        return Marks("\x1c", "\x1d", " ", "\x1f", "\x1e")
    return Marks()


class ScriptLines:
    """Says segments one by one into blocks; keeps what it does not know as it is."""

    def __init__(self, marks: Marks) -> None:
        self.blocks = Blocks()
        self._marks = marks
        release = re.escape(marks.release) if marks.release.strip() else ""
        self._before = f"(?<!{release})" if release else ""

    def pieces(self, text: str, mark: str) -> list[str]:
        return re.split(self._before + re.escape(mark), text)

    def add(self, raw: str) -> None:
        name, *elements = self.pieces(raw, self._marks.elements)
        fields = [*elements, *[""] * 12]
        says = {"UIH": self._add_header, "PVD": self._add_provider, "PTT": self._add_patient, "DRU": self._add_drug}
        if name in says:
            says[name](fields)
        elif name == "COO":
            self.blocks.add("insurance", " ".join(self._parts(field) for field in elements))
        elif name == "OBS":
            self.blocks.add("observation", " ".join(self._parts(field) for field in elements))
        elif name not in _WITHOUT_MEANING:
            self.blocks.keep(raw)

    def _components(self, field: str) -> list[str]:
        marks = self._marks
        pieces = self.pieces(field, marks.components)
        if marks.release.strip():
            pieces = [re.sub(re.escape(marks.release) + "(.)", r"\1", piece) for piece in pieces]
        return [*(piece.strip() for piece in pieces), *[""] * 12]

    def _parts(self, field: str) -> str:
        return " ".join(filter(None, self._components(field.replace(self._marks.repeats, " "))))

    def _name(self, field: str) -> str:
        family, given, middle, suffix, prefix, *_ = self._components(field)
        return name_line(
            (("prefix", prefix), ("given", given), ("middle", middle), ("family", family), ("suffix", suffix))
        )

    def _numbers(self, field: str) -> Iterator[tuple[str, str]]:
        for repeat in self.pieces(field, self._marks.repeats):
            number, kind, *_ = self._components(repeat)
            if number:
                yield _ID_KINDS.get(kind, "id"), number

    def _address(self, field: str) -> str:
        street, city, state, postal, *_ = self._components(field)
        return address_line((street,), city, state, postal)

    def _add_header(self, fields: list[str]) -> None:
        self.blocks.end()
        self.blocks.add("prescription message", self._components(fields[0])[3])

    def _add_provider(self, fields: list[str]) -> None:
        title = _PROVIDERS.get(fields[0], "provider")
        name, place = self._name(fields[4]), self._parts(fields[6])
        numbers = [f"{kind} {number}" for kind, number in self._numbers(fields[1])]
        self.blocks.add(title, ", ".join(filter(None, [name, place, *numbers])))
        self.blocks.add(f"{title} address", self._address(fields[7]))
        for _, number in self._numbers(fields[8]):
            self.blocks.add(f"{title} phone", number)
        for field in (fields[3], *fields[9:]):
            self.blocks.add(f"{title} detail", self._parts(field))

    def _add_patient(self, fields: list[str]) -> None:
        self.blocks.add("patient name", self._name(fields[2]))
        self.blocks.add("date of birth", iso_date(fields[1]))
        self.blocks.add("sex", fields[3])
        for kind, number in self._numbers(fields[4]):
            self.blocks.add("patient id" if kind == "id" else kind, number)
        self.blocks.add("address", self._address(fields[5]))
        for _, number in self._numbers(fields[6]):
            self.blocks.add("phone", number)
        for field in fields[7:]:
            self.blocks.add("patient detail", self._parts(field))

    def _add_drug(self, fields: list[str]) -> None:
        drug = self._components(fields[0])
        self.blocks.add("drug", drug[1])
        self.blocks.add("drug detail", " ".join(filter(None, drug[2:])))
        self.blocks.add("quantity", " ".join(self._components(fields[1])[:3]))
        self.blocks.add("sig", self._parts(fields[2]))
        for repeat in self.pieces(fields[3], self._marks.repeats):
            kind, value, *_ = self._components(repeat)
            title = {"85": "date written", "ZDS": "days supply", "07": "effective date"}.get(kind, "date")
            self.blocks.add(title, iso_date(value))
        self.blocks.add("refills", self._parts(fields[5]))
        for repeat in self.pieces(fields[6], self._marks.repeats):
            parts = [part for part in self._components(repeat) if part]
            for kind, code in zip(parts[1:], parts, strict=False):
                if kind in _DIAGNOSES:
                    self.blocks.add("diagnosis", icd_text(code))
        for field in fields[6:]:
            self.blocks.add("note", self._parts(field))


def script_segments(text: str) -> Iterator[Segment]:
    text = text.lstrip("\ufeff \t\r\n")
    marks = marks_of(text)
    lines = ScriptLines(marks)
    if text.startswith("UNA"):
        text = text[9:]
    for piece in lines.pieces(text, marks.segments):
        raw = piece.strip(" \t\r\n")
        if len(raw) > LONGEST_SEGMENT:
            lines.blocks.keep(raw)
        elif raw:
            lines.add(raw)
        yield from lines.blocks.full()
    yield from lines.blocks.rest()
