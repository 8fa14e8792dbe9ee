"""vCard or iCalendar text -> its properties as labelled lines, unfolded and decoded, and its files."""

import base64
import binascii
import quopri
import re
from dataclasses import dataclass, field

from extraction.readers.records.person import address_line, iso_date, label, name_line
from extraction.readers.text.decode import decode

_NO_DOCUMENTS = frozenset({"SOUND", "KEY"})
_PICTURES = frozenset({"PHOTO", "LOGO"})
_SMALLEST_PICTURE = 200  # characters of base64: fewer hold no letters
_IGNORED = frozenset(
    {"BEGIN", "END", "VERSION", "PRODID", "CALSCALE", "METHOD", "PROFILE", "REV", "SEQUENCE", "TRANSP", "UID"}
    | {"DTSTAMP", "CREATED", "LAST-MODIFIED"}
)
_TITLES = {
    "TEL": "phone",
    "BDAY": "date of birth",
    "FN": "name",
    "N": "name",
    "ADR": "address",
    "ORG": "organization",
    "TZID": "time zone",
    "DTSTART": "start",
    "DTEND": "end",
    "DUE": "due",
}
_TIMES = frozenset({"DTSTART", "DTEND", "DUE", "RECURRENCE-ID", "COMPLETED"})
_RECORDS = frozenset({b"VEVENT", b"VTODO", b"VJOURNAL", b"VFREEBUSY", b"VCARD"})
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(?:\d\d)?Z?)?")
_FOLD = re.compile(rb"\r?\n[ \t]")
_SOFT_BREAK = re.compile(rb"=\r?\n")
_LINE = re.compile(rb"(?:[A-Za-z0-9-]+\.)?([A-Za-z0-9-]+)((?:;(?:[^:\";]|\"[^\"]*\")*)*):(.*)", re.S)
_ESCAPED = re.compile(r"\\(.)", re.S)
_ADDRESS_SCHEME = re.compile(r"(?:mailto|tel):", re.I)


@dataclass(slots=True, repr=False)
class CardLines:
    lines: list[str] = field(default_factory=list)
    packed: list[bytes] = field(default_factory=list)

    def add(self, line: bytes) -> None:
        match = _LINE.fullmatch(line)
        if match is None:
            if line.strip():
                self.lines.append(decode(line))
            return
        name = match.group(1).decode("ascii").upper()
        parameters = decode(match.group(2))
        folded = parameters.upper()
        value = match.group(3)
        if name in ("BEGIN", "END") and value.strip().upper() in _RECORDS and self.lines and self.lines[-1]:
            self.lines.append("")  # each event or card is a block of its own
        if re.search(r"ENCODING=(?:B|BASE64)(?:;|$)|;BASE64(?:;|$)", folded) or value[:5].lower() == b"data:":
            self._take_packed(name, value)
        elif name not in _IGNORED:
            if "QUOTED-PRINTABLE" in folded:
                value = quopri.decodestring(value)
            self._say(name, parameters, decode(value, _charset(parameters)))

    def _take_packed(self, name: str, value: bytes) -> None:
        """A picture may be that of a card or a document."""
        if name in _NO_DOCUMENTS or (name in _PICTURES and len(value) < _SMALLEST_PICTURE):
            return
        try:
            self.packed.append(base64.b64decode(value.rpartition(b",")[2], validate=False))
        except (binascii.Error, ValueError):
            self.lines.append(decode(value))

    def _say(self, name: str, parameters: str, value: str) -> None:
        fields = [_unescaped(part) for part in re.split(r"(?<!\\);", value)]
        shown = " ".join(filter(None, fields))
        if name == "N":
            family, given, middle, prefix, suffix, *_ = [*fields, *[""] * 5]
            parts = (("prefix", prefix), ("given", given), ("middle", middle), ("family", family), ("suffix", suffix))
            shown = name_line(parts)
        elif name == "ADR":
            box, extended, street, city, state, postal, country, *_ = [*fields, *[""] * 7]
            shown = address_line((box, extended, street), city, state, postal, country)
        elif name == "BDAY":
            shown = iso_date(shown)
        elif name in _TIMES:
            shown = _TIME.sub(_time_text, shown, count=1)
        person = re.search(r";CN=(\"[^\"]*\"|[^;:]*)", parameters, re.I)
        if person:
            shown = f"{person.group(1).strip(chr(34))} {shown}"
        shown = _ADDRESS_SCHEME.sub("", shown)
        if shown.strip():
            self.lines.append(f"{_TITLES.get(name, label(name))}: {shown}")


def _time_text(match: re.Match[str]) -> str:
    year, month, day, hour, minute = match.groups()
    return f"{year}-{month}-{day}" + (f" {hour}:{minute}" if hour else "")


def _charset(parameters: str) -> str:
    match = re.search(r"CHARSET=([A-Za-z0-9_.-]{1,40})", parameters, re.I)
    return match.group(1) if match else ""


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda match: "\n" if match.group(1) in "nN" else match.group(1), text)


def card_lines(data: bytes) -> CardLines:
    lines = CardLines()
    joined = _FOLD.sub(b"", data)
    if b"QUOTED-PRINTABLE" in data.upper():
        joined = _SOFT_BREAK.sub(b"", joined)
    for line in re.split(rb"\r?\n|\r", joined):
        lines.add(line)
    return lines
