"""HL7 v2 message -> its fields as labelled lines, with names and dates as people write them, and its files."""

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from extraction.readers.records.codes import icd_text
from extraction.readers.records.person import address_line, iso_date, name_line

PLAIN, NAME, PERSON, ADDRESS, DATE, CODE = range(6)
# Segment and field -> its label and kind. A person is a name with a number before it; a code has its words behind it.
FIELDS: dict[tuple[str, int], tuple[str, int]] = {
    ("PID", 2): ("patient id", PLAIN),
    ("PID", 3): ("medical record number", PLAIN),
    ("PID", 4): ("patient id", PLAIN),
    ("PID", 5): ("patient name", NAME),
    ("PID", 6): ("mother's maiden name", NAME),
    ("PID", 7): ("date of birth", DATE),
    ("PID", 8): ("sex", PLAIN),
    ("PID", 9): ("alias", NAME),
    ("PID", 11): ("address", ADDRESS),
    ("PID", 13): ("home phone", PLAIN),
    ("PID", 14): ("work phone", PLAIN),
    ("PID", 18): ("account number", PLAIN),
    ("PID", 19): ("SSN", PLAIN),
    ("PID", 20): ("driver's license", PLAIN),
    ("PID", 29): ("date of death", DATE),
    ("NK1", 2): ("next of kin", NAME),
    ("NK1", 4): ("address", ADDRESS),
    ("NK1", 5): ("phone", PLAIN),
    ("PV1", 7): ("attending doctor", PERSON),
    ("PV1", 8): ("referring doctor", PERSON),
    ("PV1", 9): ("consulting doctor", PERSON),
    ("PV1", 17): ("admitting doctor", PERSON),
    ("PV1", 44): ("admitted", DATE),
    ("PV1", 45): ("discharged", DATE),
    ("GT1", 3): ("guarantor", NAME),
    ("GT1", 5): ("address", ADDRESS),
    ("GT1", 6): ("phone", PLAIN),
    ("GT1", 8): ("date of birth", DATE),
    ("GT1", 12): ("SSN", PLAIN),
    ("IN1", 16): ("insured", NAME),
    ("IN1", 18): ("date of birth", DATE),
    ("IN1", 19): ("address", ADDRESS),
    ("IN1", 36): ("policy number", PLAIN),
    ("ORC", 12): ("ordering provider", PERSON),
    ("ORC", 14): ("phone", PLAIN),
    ("ORC", 24): ("provider address", ADDRESS),
    ("PV2", 3): ("reason for admission", CODE),
    ("DG1", 3): ("diagnosis", CODE),
    ("DG1", 4): ("diagnosis", PLAIN),
    ("DG1", 5): ("diagnosed", DATE),
    ("DG1", 16): ("diagnosing doctor", PERSON),
    ("AL1", 3): ("allergy", CODE),
    ("AL1", 5): ("reaction", PLAIN),
    ("PR1", 3): ("procedure", CODE),
    ("PR1", 5): ("service date", DATE),
    ("RXA", 5): ("drug", CODE),
    ("RXD", 2): ("drug", CODE),
    ("RXE", 2): ("drug", CODE),
    ("RXG", 4): ("drug", CODE),
    ("RXO", 1): ("drug", CODE),
    ("NTE", 3): ("note", PLAIN),
    ("OBR", 4): ("test", CODE),
    ("OBR", 7): ("observed", DATE),
    ("OBR", 10): ("collector", PERSON),
    ("OBR", 16): ("ordering provider", PERSON),
    ("OBR", 17): ("phone", PLAIN),
    ("OBX", 14): ("observed", DATE),
    ("OBX", 16): ("observer", PERSON),
    ("OBX", 25): ("medical director", NAME),
}
_PATIENT_NAME = 5
_OTHER_NAMES = frozenset({6, 9})  # of the mother, and aliases: what follows a name is read as that person's
_ICD_SYSTEM = re.compile(r"I(?:CD)?-?(?:9|10)C?.{0,6}", re.I)
_SET_ID = 1  # the first field counts the segments of its kind
_OBSERVATION = frozenset({5, 6, 7, 8})  # value, unit, range, flag
_HEADERS = frozenset({"MSH", "FHS", "BHS"})
_FRAMING = "\x0b\x1c\ufeff"
_ESCAPE = re.compile(r"\\([^\\\r\n]{1,200})\\")


@dataclass(frozen=True, slots=True)
class _Marks:
    """The separators that a header declares."""

    fields: str = "|"
    components: str = "^"
    repeats: str = "~"
    escape: str = "\\"
    parts: str = "&"


@dataclass(slots=True, repr=False)
class Hl7Lines:
    lines: list[str] = field(default_factory=list)
    packed: list[bytes] = field(default_factory=list)
    _marks: _Marks = field(default_factory=_Marks)
    _has_patient: bool = False

    def add(self, segment: str) -> None:
        name = segment[:3]
        if (name == "MSH" or (name == "PID" and self._has_patient)) and self.lines:
            self.lines.append("")  # each message or patient is a block of its own
        self._has_patient = name == "PID" or (self._has_patient and name != "MSH")
        if name in _HEADERS and len(segment) > 8:
            self._marks = _Marks(*segment[3:8]) if len(set(segment[3:8])) == 5 else _Marks()
        fields = segment.split(self._marks.fields)
        if name in _HEADERS:
            fields = [name, self._marks.fields, *fields[2:]]  # the separator itself counts as a field
        if name == "OBX" and len(fields) > 5 and fields[2] == "ED" and self._take_packed(fields[5]):
            fields[5] = ""
        self.lines.extend(line for line in self._segment_lines(name, fields) if line)

    def _segment_lines(self, name: str, fields: list[str]) -> Iterator[str]:
        plain: list[str] = []
        observed = self._observation(fields) if name == "OBX" else ""
        if observed:
            yield observed
        for number, raw in _in_order(name, fields):
            if not raw.strip() or (name in _HEADERS and number == 1) or (observed and number in _OBSERVATION):
                continue
            title, kind = FIELDS.get((name, number), ("", PLAIN))
            for repeat in raw.split(self._marks.repeats) if number else (raw,):
                text = self._field_text(repeat, kind)
                if title and text:
                    yield f"{title}: {text}"
                elif text:
                    plain.append(text)
        if len(plain) > 2 or (len(plain) == 2 and not (len(fields) > _SET_ID and plain[1] == fields[_SET_ID].strip())):
            yield "\t".join(plain)

    def _observation(self, fields: list[str]) -> str:
        """`Hemoglobin: 9.1 g/dL (12-16, L)`."""
        subject, _, value, unit, span, flag = (self._field_text(text, PLAIN) for text in [*fields[3:9], *[""] * 6][:6])
        components = [*fields[3].split(self._marks.components), ""] if len(fields) > 3 else ["", ""]
        title = self._plain(components[1]) or subject
        if not title or not value:
            return ""
        values = " ".join(self._field_text(repeat, PLAIN) for repeat in fields[5].split(self._marks.repeats))
        notes = ", ".join(filter(None, (span, flag)))
        return f"{title}: {values} {unit}".rstrip() + (f" ({notes})" if notes else "")

    def _field_text(self, raw: str, kind: int) -> str:
        components = [self._plain(part) for part in raw.split(self._marks.components)]
        if kind == DATE:
            return iso_date(components[0])
        if kind == CODE:
            code, words, system, *_ = [*components, "", "", ""]
            if _ICD_SYSTEM.fullmatch(system):
                return f"{icd_text(code)} {words}".strip()
            return f"{words} ({f'{system} {code}'.strip()})" if words and code else words or code
        if kind == ADDRESS and len(components) > 2:
            line, other, city, state, postal, country, *_ = [*components, *[""] * 6]
            return address_line((line, other), city, state, postal, country)
        if kind in (NAME, PERSON):
            skipped = components[:1] if kind == PERSON else []
            family, given, middle, suffix, prefix, *_ = [*components[len(skipped) :], *[""] * 5]
            parts = (("prefix", prefix), ("given", given), ("middle", middle), ("family", family), ("suffix", suffix))
            return " ".join(filter(None, [name_line(parts), *skipped]))
        return " ".join(filter(None, components))

    def _plain(self, text: str) -> str:
        marks = self._marks
        text = text.replace(marks.parts, " ")
        if marks.escape == "\\":
            text = _ESCAPE.sub(self._unescaped, text)
        return text.strip()

    def _unescaped(self, match: re.Match[str]) -> str:
        code, marks = match.group(1), self._marks
        labels = {
            "F": marks.fields,
            "S": marks.components,
            "T": marks.parts,
            "R": marks.repeats,
            "E": marks.escape,
            "H": "",
            "N": "",
        }
        if code in labels:
            return labels[code]
        if code[0] == "X":
            try:
                return bytes.fromhex(code[1:]).decode("utf-8", "replace")
            except ValueError:
                return " "
        return "\n" if code[0] == "." else match.group()

    def _take_packed(self, raw: str) -> bool:
        components = raw.split(self._marks.components)
        if len(components) < 5 or components[3].lower() != "base64":
            return False
        try:
            self.packed.append(base64.b64decode(components[4], validate=False))
        except (binascii.Error, ValueError):
            return False
        return True


def _in_order(name: str, fields: list[str]) -> Iterable[tuple[int, str]]:
    """The patient's name before everything else of the patient, as people write it."""
    numbered = list(enumerate(fields))
    if name != "PID":
        return numbered
    return sorted(numbered, key=lambda field: (field[0] in _OTHER_NAMES) - (field[0] in (0, _PATIENT_NAME)))


def segments(text: str) -> Iterator[str]:
    for line in re.split(r"[\r\n]+", text):
        cleaned = line.strip(_FRAMING + " \t\0")
        if cleaned:
            yield cleaned
