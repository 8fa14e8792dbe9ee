"""X12 interchange (claims, payments, benefits, enrolments) -> one block of labelled lines a patient or claim."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.records import Segment
from extraction.readers.records.blocks import Blocks
from extraction.readers.records.codes import icd_text, procedure_text
from extraction.readers.records.person import address_line, iso_date, name_line
from extraction.readers.records.x12_codes import (
    BENEFITS,
    CONTACTS,
    COVERAGES,
    DATES,
    DIAGNOSES,
    ENTITIES,
    ID_KINDS,
    PATIENTS,
    PROCEDURES,
    REFERENCES,
    RELATIONS,
    SERVICES,
)

LONGEST_SEGMENT = 100_000  # a longer one is no segment: its text is kept as it is
MOST_REPEATED = 12  # lines about a patient that are said again for the next claim
_WITHOUT_MEANING = frozenset({"ST", "SE", "GE", "IEA", "LX", "HL"})  # counters and control numbers
_LEVELS_OF_PEOPLE = frozenset({"22", "23", "PT"})
_LEVELS_OF_PLACES = frozenset({"19", "20", "21"})
_DATE_RANGE = re.compile(r"(\d{8})-(\d{8})")


@dataclass(frozen=True, slots=True)
class Marks:
    """The separators of an interchange; the first segment shows them by their place."""

    elements: str = "*"
    components: str = ":"
    repeats: str = "^"
    segments: str = "~"


def marks_of(text: str) -> Marks:
    """Counts elements, not characters: blanks in the first segment are often lost."""
    if not text.startswith("ISA") or len(text) < 20:
        return Marks(elements=text[2:3] if text[2:3] in ("*", "|", "^") else "*")
    elements = text[3]
    place = 3
    places = [place]
    while len(places) < 16 and 0 <= place < 400:
        place = text.find(elements, place + 1, 400)
        places.append(place)
    if place < 0 or len(places) < 16:
        return Marks(elements=elements)
    repeats = text[places[10] + 1 : places[11]]
    components, segments = text[place + 1 : place + 2], text[place + 2 : place + 3]
    if not components or not segments or components.isalnum() or segments.isalnum():
        return Marks(elements=elements)
    return Marks(elements, components, "^" if repeats.isalnum() or len(repeats) != 1 else repeats, segments)


class X12Lines:
    """Says segments one by one into blocks; keeps what it does not know as it is."""

    def __init__(self, marks: Marks) -> None:
        self.blocks = Blocks()
        self._marks = marks
        self._kind = ""  # of the transaction, such as 837
        self._has_dependents = False
        self._entity = ""  # whose address and dates follow
        self._street: list[str] = []
        self._patient: list[tuple[str, str]] = []  # said again for each claim
        self._has_claim = False

    def add(self, raw: str) -> None:
        elements = raw.split(self._marks.elements)
        name = elements[0].strip().upper()
        fields = [*(element.strip() for element in elements[1:]), *[""] * 12]
        if name != "N4" and self._street:
            self._say_address("", "", "", "")
        say = getattr(self, f"_add_{name.lower()}", None) if len(name) in (2, 3) else None
        if (say is None or not say(fields)) and name not in _WITHOUT_MEANING:
            self.blocks.keep(raw)

    def finish(self) -> None:
        if self._street:
            self._say_address("", "", "", "")

    def _say(self, title: str, value: str) -> bool:
        self.blocks.add(title, value)
        return bool(value)

    def _say_of_person(self, title: str, value: str) -> bool:
        """Remembers what is said about a patient before the first claim."""
        if value and not self._has_claim and len(self._patient) < MOST_REPEATED:
            self._patient.append((title, value))
        return self._say(title, value)

    def _begin(self) -> None:
        self.blocks.end()
        self._entity, self._patient, self._has_claim = "", [], False

    def _add_st(self, fields: list[str]) -> bool:
        self._begin()
        self._kind, self._has_dependents = fields[0], False
        return True

    def _add_hl(self, fields: list[str]) -> bool:
        level = fields[2]
        if level in _LEVELS_OF_PEOPLE or level in _LEVELS_OF_PLACES:
            self._begin()
            self._has_dependents = level == "22" and fields[3] == "1" and self._kind in ("837", "270", "271")
        return True

    def _add_ins(self, fields: list[str]) -> bool:
        self._begin()
        return self._say("relationship", RELATIONS.get(fields[1], fields[1])) and not any(fields[2:])

    def _add_sbr(self, fields: list[str]) -> bool:
        if fields[1] and not self._has_claim:
            self._has_dependents = self._has_dependents and fields[1] != "18"
        self._say("group number", fields[2])
        self._say("insurance plan", fields[3])
        return True

    def _add_pat(self, fields: list[str]) -> bool:
        self._say("relationship", RELATIONS.get(fields[0], fields[0]))
        if fields[4] == "D8":
            self._say("date of death", iso_date(fields[5]))
        if fields[7]:
            self._say("weight", f"{fields[7]} {fields[6]}")
        return True

    def _add_nm1(self, fields: list[str]) -> bool:
        code, kind, last, first, middle, prefix, suffix, id_kind, number, *_ = fields
        self._entity = code
        if kind == "1" or first:
            parts = (("prefix", prefix), ("given", first), ("middle", middle), ("family", last), ("suffix", suffix))
            name = name_line(parts)
        else:
            name = last
        id_title = ID_KINDS.get(id_kind, "id")
        title = PATIENTS.get(code, "")
        if title:
            if code == "IL" and (self._has_dependents or (self._has_claim and self._kind in ("835", "837"))):
                title = "subscriber" if self._has_dependents else "insured"
            say = self._say if title == "insured" else self._say_of_person
            say(title, name)
            say(id_title, number)
        else:
            shown = f"{name}, {id_title} {number}" if name and number else name or number
            self._say(ENTITIES.get(code, "name" if kind == "1" else "organization"), shown)
        return True

    def _add_n1(self, fields: list[str]) -> bool:
        code, name, id_kind, number, *_ = fields
        return self._add_nm1([code, "2", name, "", "", "", "", id_kind, number])

    def _add_n2(self, fields: list[str]) -> bool:
        return self._say("name", " ".join(filter(None, fields)))

    def _add_n3(self, fields: list[str]) -> bool:
        self._street = [field for field in fields if field]
        return True

    def _add_n4(self, fields: list[str]) -> bool:
        city, state, postal, country, *_ = fields
        self._say_address(city, state, postal, country)
        return True

    def _say_address(self, city: str, state: str, postal: str, country: str) -> None:
        street, self._street = self._street, []
        if self._entity in PATIENTS or not self._entity:
            self._say("address", address_line(street, city, state, postal, country))
        else:
            title = ENTITIES.get(self._entity, "").removeprefix("mailing address of ")
            self._say(f"{title} address".strip(), address_line(street, city, state, postal, country))

    def _add_per(self, fields: list[str]) -> bool:
        contacts = [
            f"{CONTACTS.get(kind, kind)} {value}" for kind, value in zip(fields[2::2], fields[3::2], strict=False)
        ]
        return self._say("contact", ", ".join(text.strip() for text in (fields[1], *contacts) if text.strip()))

    def _add_dmg(self, fields: list[str]) -> bool:
        self._say_of_person("date of birth", iso_date(fields[1]))
        self._say_of_person("sex", fields[2])
        return True

    def _add_ref(self, fields: list[str]) -> bool:
        title = REFERENCES.get(fields[0], "")
        return bool(title) and self._say(title, fields[1])

    def _add_dtp(self, fields: list[str]) -> bool:
        title = DATES.get(fields[0], "")
        return bool(title) and self._say(title, _date_text(fields[2]))

    def _add_dtm(self, fields: list[str]) -> bool:
        title = DATES.get(fields[0], "")
        return bool(title) and self._say(title, _date_text(fields[1]))

    def _begin_claim(self) -> None:
        """A second claim is a block of its own that names the patient again."""
        if self._has_claim:
            self.blocks.end()
            for title, value in self._patient:
                self.blocks.add(title, value)
        self._has_claim = True

    def _add_clm(self, fields: list[str]) -> bool:
        self._begin_claim()
        self._say("claim", fields[0])
        self._say("charge", fields[1])
        return True

    def _add_clp(self, fields: list[str]) -> bool:
        self._patient = []
        self._has_claim = True
        self.blocks.end()
        self._entity = "QC"
        self._say("claim", fields[0])
        self._say("charge", fields[2])
        self._say("paid", fields[3])
        self._say("patient responsibility", fields[4])
        self._say("payer claim number", fields[6])
        return True

    def _add_hi(self, fields: list[str]) -> bool:
        """Diagnoses and procedures; other codes of a claim are kept as they are."""
        understood = True
        for composite in (part for field in fields for part in field.split(self._marks.repeats)):
            if composite:
                understood = self._say_code(composite.split(self._marks.components)) and understood
        return understood

    def _say_code(self, parts: list[str]) -> bool:
        kind, code = parts[0], parts[1] if len(parts) > 1 else ""
        tenth = kind[1:] if kind.startswith("A") else ""
        if tenth in DIAGNOSES:
            return self._say(DIAGNOSES[tenth], icd_text(code))
        if kind in DIAGNOSES:
            return self._say(DIAGNOSES[kind], icd_text(code, ninth=not code[:1].isalpha() or code[:1] in "EV"))
        if kind in PROCEDURES:
            return self._say("procedure", f"ICD {code}")
        if kind in ("BP", "BO"):
            return self._say("procedure", procedure_text(code))
        return kind == "LOI" and self._say("test", f"LOINC {code}")

    def _add_lin(self, fields: list[str]) -> bool:
        numbers = [value for kind, value in zip(fields[1::2], fields[2::2], strict=False) if kind == "N4" and value]
        for number in numbers:
            self._say("drug", f"NDC {number}")
        return bool(numbers)

    def _add_ctp(self, fields: list[str]) -> bool:
        unit = fields[4].split(self._marks.components)[0]
        return bool(fields[3]) and self._say("quantity", f"{fields[3]} {unit}")

    def _say_procedure(self, composite: str) -> None:
        kind, code, *others = [*composite.split(self._marks.components), ""]
        modifiers = " ".join(filter(None, others))
        if kind == "N4":
            self._say("drug", f"NDC {code}")
        elif code:
            self._say("procedure", f"{procedure_text(code)} {modifiers}")

    def _add_sv1(self, fields: list[str]) -> bool:
        self._say_procedure(fields[0])
        return self._say("charge", fields[1])

    def _add_sv2(self, fields: list[str]) -> bool:
        self._say("revenue code", fields[0])
        self._say_procedure(fields[1])
        return self._say("charge", fields[2])

    def _add_sv3(self, fields: list[str]) -> bool:
        return self._add_sv1(fields)

    def _add_sv5(self, fields: list[str]) -> bool:
        self._say_procedure(fields[0])
        return False  # rental and purchase prices

    def _add_svc(self, fields: list[str]) -> bool:
        self._say_procedure(fields[0])
        self._say("charge", fields[1])
        return self._say("paid", fields[2])

    def _add_too(self, fields: list[str]) -> bool:
        return self._say("tooth", " ".join(filter(None, fields[1:3])).replace(self._marks.components, " "))

    def _add_eb(self, fields: list[str]) -> bool:
        services = [SERVICES.get(code, code) for code in fields[2].split(self._marks.repeats)]
        shown = [BENEFITS.get(fields[0], fields[0]), *services, fields[4], fields[6], fields[7]]
        return self._say("benefit", ", ".join(filter(None, shown)))

    def _add_eq(self, fields: list[str]) -> bool:
        services = [SERVICES.get(code, code) for code in fields[0].split(self._marks.repeats)]
        return self._say("requested benefit", ", ".join(filter(None, services)))

    def _add_hd(self, fields: list[str]) -> bool:
        shown = (COVERAGES.get(fields[2], fields[2]), fields[3], fields[4])
        return self._say("coverage", ", ".join(filter(None, shown)))

    def _add_dsb(self, fields: list[str]) -> bool:
        if fields[7]:
            return fields[6] == "DX" and self._say("diagnosis", icd_text(fields[7]))
        return False

    def _add_hlh(self, fields: list[str]) -> bool:
        self._say("height", fields[1])
        return self._say("weight", fields[2])

    def _add_nte(self, fields: list[str]) -> bool:
        return self._say("note", " ".join(filter(None, fields[1:])))

    def _add_msg(self, fields: list[str]) -> bool:
        return self._say("note", fields[0])

    def _add_k3(self, fields: list[str]) -> bool:
        return self._say("note", fields[0])


def _date_text(text: str) -> str:
    span = _DATE_RANGE.fullmatch(text)
    return f"{iso_date(span[1])} to {iso_date(span[2])}" if span else iso_date(text)


def x12_segments(text: str) -> Iterator[Segment]:
    text = text.lstrip("\ufeff \t\r\n")
    marks = marks_of(text)
    lines = X12Lines(marks)
    # Editors break the one long line; no segment holds a line end of its own.
    separator = re.compile(rf"(?:[{re.escape(marks.segments)}]|[\r\n])+")
    start = 0
    for match in separator.finditer(text):
        yield from _read(lines, text[start : match.start()])
        start = match.end()
    yield from _read(lines, text[start:])
    lines.finish()
    yield from lines.blocks.rest()


def _read(lines: X12Lines, raw: str) -> Iterator[Segment]:
    raw = raw.strip()
    if len(raw) > LONGEST_SEGMENT:
        lines.blocks.keep(raw)
    elif raw:
        lines.add(raw)
    yield from lines.blocks.full()
