"""A seed -> long tables with rows that are unlike the others: quotes, gaps, titles, notes, lines between them."""

import json
import random
from collections.abc import Callable, Sequence

from faker import Faker

_LOCALES = ("en_US", "en_US", "fr_FR", "de_DE", "es_ES")
_DELIMITERS = (",", ",", "\t", ";", "|")
_ILLNESSES = (
    *("asthma", "type 2 diabetes", "hypertension", "depression", "", "E11.9", "metformin 500 mg", "none"),
    *("blood pressure high", "HbA1c 7.1", "broken arm", "flu shot", "D1234", "BloodGlucose"),
)
_NO_PEOPLE = ("Maple Street", "Karl Marx Allee", "Ann Corona", "Mary Asthma", "Rosa Brook", "May Smith", "Case Reports")
_NOTES = (
    *("ok", "call back", "daughter {name} came", "patient: {name}", "wife is ill", "see Dr. {name}", "smoker", "- "),
    *("et al 2019; 4", "From: me", "npi: 1", "specialty: heart", "fix segfault in main.c", "see #12 and $path --force"),
)
_OBITUARY = "passed away peacefully, survived by his wife, in lieu of flowers, funeral service, beloved husband"
_LINES_BETWEEN = ("", "Total", "-----", "Ward B", "Patient: {name}", _OBITUARY, "He said to call at once.", "\f")
_HEADINGS = {
    "name": ("name", "patient", "Patient Name", "customer", "employee", "contact", "Paciente"),
    "first": ("first_name", "Vorname", "prénom"),
    "last": ("last_name", "Nachname", "nom"),
    "born": ("dob", "birth date", "date", "Geburtsdatum"),
    "ssn": ("ssn", "id", "social"),
    "illness": ("diagnosis", "reason", "medication", "remarks", "Diagnose", "condition"),
    "phone": ("phone", "tel"),
    "city": ("city", "Ort"),
    "address": ("address", "street"),
    "doctor": ("doctor", "physician", "provider"),
    "note": ("notes", "comment"),
    "email": ("email",),
    "number": ("order", "visits", "room"),
    "job": ("title", "role"),
    "record": ("mrn", "chart"),
    "flat": ("flat",),
    "label": ("kind",),
    "relative": ("mother", "next_of_kin"),
}
_COLUMNS = (
    ("name", "born", "ssn", "illness", "phone"),
    ("number", "name", "born", "address", "city", "illness", "doctor", "number", "phone", "email"),
    ("first", "last", "born", "illness"),
    ("last", "first", "phone", "city"),
    ("name", "note", "illness"),
    ("name", "relative", "phone", "illness"),
    ("label", "name", "illness", "born"),
    ("flat", "name", "illness"),
    ("number", "born", "name", "city", "number", "number"),
    ("name", "job", "phone", "email"),
    ("record", "born", "ssn", "illness"),
    ("illness", "name", "born"),
    ("doctor", "name", "illness", "born"),
    ("number", "first", "number", "last", "illness"),
)


class AwkwardTables:
    """Invented tables; the same seed makes the same ones."""

    def __init__(self, seed: int) -> None:
        self._chance = chance = random.Random(seed)
        self._faker = Faker(chance.choice(_LOCALES))
        self._faker.seed_instance(seed)
        self._delimiter = chance.choice(_DELIMITERS)
        self._doctors = [self._faker.name() for _ in range(8)]

    def text(self) -> str:
        """One table, more than half of them longer than what is read in one piece; alone or amid prose."""
        chance, faker = self._chance, self._faker
        columns = chance.choice(_COLUMNS)
        rows = [[self._cell(kind) for kind in columns] for _ in range(chance.choice((150, 250, 400, 700)))]
        heading = [chance.choice(_HEADINGS[kind]) for kind in columns]
        write = chance.choice((self._delimited,) * 8 + (_inserts, _json_lines))
        text = write(heading, rows)
        if chance.random() < 0.2:
            text = f"Dear all,\n\nbelow is what {faker.name()} asked for.\n\n{text}\n\nThanks,\n{faker.name()}\n"
        return text.replace("\n", "\r\n") if chance.random() < 0.1 else text

    def _delimited(self, heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        chance, delimiter = self._chance, self._delimiter
        lines = [delimiter.join(heading)] if chance.random() < 0.85 else []
        for row in rows:
            quotes = chance.random() < 0.03
            cells = [f'"{cell}"' if quotes or delimiter in cell else cell for cell in row]
            lines.append(delimiter.join(cells[:-1] if chance.random() < 0.01 else cells))
            if chance.random() < 0.004:
                lines.append(chance.choice(_LINES_BETWEEN).format(name=self._faker.name()))
        return "\n".join(lines)

    def _name(self) -> str:
        chance, faker = self._chance, self._faker
        given, surname = faker.first_name(), faker.last_name()
        forms = (
            f"{given} {surname}".upper(),
            f"{surname}, {given}",
            f"Dr. {given} {surname}",
            given,
            f"{given} {surname} Jr.",
            f"Apt 5 {given} {surname}",
            chance.choice(_NO_PEOPLE),
        )
        return chance.choice(forms) if chance.random() < 0.16 else f"{given} {surname}"

    def _cell(self, kind: str) -> str:
        chance, faker = self._chance, self._faker
        if chance.random() < 0.02:
            return ""
        made: dict[str, Callable[[], str]] = {
            "name": self._name,
            "relative": self._name,
            "first": faker.first_name,
            "last": faker.last_name,
            "born": lambda: faker.date_of_birth().strftime(chance.choice(("%Y-%m-%d",) * 9 + ("%m/%d/%Y",))),
            "ssn": faker.ssn,
            "illness": lambda: chance.choice(_ILLNESSES),
            "phone": faker.phone_number,
            "city": faker.city,
            "address": faker.street_address,
            "doctor": lambda: ("Dr. " if chance.random() < 0.5 else "") + chance.choice(self._doctors),
            "note": lambda: chance.choice(_NOTES).format(name=faker.name()),
            "email": faker.email,
            "number": lambda: str(chance.randint(1, 10 ** chance.randint(1, 7))),
            "job": faker.job,
            "record": lambda: f"MRN{chance.randint(10**6, 10**7)}",
            "flat": lambda: f"Flat {chance.randint(1, 60)}",
            "label": lambda: chance.choice(("patient", "pt", "member", "x")),
        }
        return made[kind]().replace("\n", " ")


def _inserts(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    columns = ", ".join(name.replace(" ", "_") for name in heading)
    values = ("(" + ", ".join("'" + cell.replace("'", "''") + "'" for cell in row) + ")" for row in rows)
    return f"INSERT INTO people ({columns}) VALUES\n" + ",\n".join(values) + ";\n"


def _json_lines(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    keys = [f"{name}{number}" if number > 3 else name for number, name in enumerate(heading)]
    return "\n".join(json.dumps(dict(zip(keys, row, strict=True)), ensure_ascii=False) for row in rows)


def awkward_tables(count: int, seed: int = 7) -> list[str]:
    return [AwkwardTables(seed * 10_000 + number).text() for number in range(count)]
