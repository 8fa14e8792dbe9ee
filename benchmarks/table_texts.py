"""A seed -> texts with tables of many forms: missing cells, quotes, several people a row, notes, prose around them."""

import json
import random
from collections.abc import Callable, Sequence

from faker import Faker

_ILLNESSES = ("asthma", "type 2 diabetes", "hypertension", "depression", "migraine", "E11.9", "metformin 500 mg", "")
_NOTES = (
    "seen by Dr. {name} on {date}, stable",
    "mother {name} called, wants results",
    'said "no pain", follow-up; call {phone}',
    "{first} is worried, daughter {name} will drive",
    "Patient: {name}, DOB {date}, on insulin 10 units",
    "no show",
    "",
)
_HEADINGS: tuple[tuple[tuple[str, str], ...], ...] = (
    (("name", "name"), ("dob", "date"), ("ssn", "ssn"), ("diagnosis", "illness"), ("phone", "phone")),
    (("first_name", "first"), ("last_name", "last"), ("mrn", "record"), ("city", "city"), ("medication", "illness")),
    (("id", "number"), ("Patient Name", "turned"), ("Doctor", "doctor"), ("Visit", "date"), ("Reason", "illness")),
    (("patient", "name"), ("next_of_kin", "name"), ("phone", "phone"), ("notes", "note")),
    (("Nom", "last"), ("Prénom", "first"), ("Date de naissance", "date"), ("Diagnostic", "illness")),
    (("Apellidos", "last"), ("Nombre", "first"), ("Teléfono", "phone"), ("Ciudad", "city")),
    (("Nachname", "last"), ("Vorname", "first"), ("Geb.", "date"), ("Diagnose", "illness"), ("Hausarzt", "doctor")),
    (("order_id", "number"), ("date", "date"), ("customer", "name"), ("city", "city"), ("product", "product")),
    (("Name", "product"), ("Price", "number"), ("Stock", "number")),
    (("employee", "upper"), ("title", "job"), ("ext", "number"), ("email", "email")),
    (("name", "titled"), ("address", "address"), ("postcode", "number"), ("condition", "illness")),
    (("student", "name"), ("grade", "number"), ("allergies", "illness"), ("parent", "name"), ("parent phone", "phone")),
    (("resident", "small"), ("room", "number"), ("diet", "product"), ("meds", "illness")),
    (("author", "initialled"), ("title", "sentence"), ("year", "number")),
)
_DELIMITERS = (",", ",", "\t", ";", "|")
_PRODUCTS = ("Widget", "Bolt M8", "Gasket", "Hinge", "Cable 3m", "Valve", "Filter", "Lamp", "Bacon", "Pepper")
_LOCALES = ("en_US", "en_US", "en_GB", "fr_FR", "es_ES", "de_DE")

Rows = Sequence[Sequence[str]]


class TableTexts:
    """Invented tables; the same seed makes the same ones."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._fakers = []
        for number, locale in enumerate(_LOCALES):
            faker = Faker(locale)
            faker.seed_instance(seed * 31 + number)
            self._fakers.append(faker)

    def text(self) -> str:
        """One text: a table of any form, with or without a heading, alone or amid prose."""
        chance = self._chance
        faker = chance.choice(self._fakers)
        columns = chance.choice(_HEADINGS)
        doctors = [faker.name() for _ in range(6)]
        rows = [
            [self._cell(kind, faker, doctors) for _, kind in columns] for _ in range(chance.choice((3, 8, 30, 90, 240)))
        ]
        write = chance.choice((self._delimited,) * 6 + (_json_lines, _json_list, _inserts, _piped))
        return self._amid_prose(write([name for name, _ in columns], rows), faker)

    def _cell(self, kind: str, faker: Faker, doctors: Sequence[str]) -> str:
        chance = self._chance
        if chance.random() < 0.06:
            return ""
        first, last = faker.first_name(), faker.last_name()
        made: dict[str, Callable[[], str]] = {
            "name": lambda: f"{first} {last}" if chance.random() < 0.97 else f"{first} {last} and {faker.first_name()}",
            "turned": lambda: f"{last}, {first}",
            "first": lambda: first,
            "last": lambda: last,
            "upper": lambda: f"{first} {last}".upper(),
            "small": lambda: f"{first} {last}".lower(),
            "titled": lambda: f"{chance.choice(('Mr.', 'Mrs', 'Ms', 'Dr.', 'Prof.'))} {first} {last}",
            "initialled": lambda: f"{first[0]}. {last}" if chance.random() < 0.5 else f"{first} {last[0]}. {last}",
            "doctor": lambda: f"Dr. {chance.choice(doctors)}" if chance.random() < 0.7 else chance.choice(doctors),
            "date": lambda: str(faker.date_of_birth()),
            "ssn": lambda: faker.ssn(),
            "phone": lambda: faker.phone_number(),
            "record": lambda: f"MRN{chance.randint(10**6, 10**7)}",
            "number": lambda: str(chance.randint(1, 10 ** chance.randint(1, 6))),
            "city": lambda: faker.city(),
            "address": lambda: faker.street_address(),
            "email": lambda: faker.email(),
            "job": lambda: faker.job(),
            "sentence": lambda: faker.sentence(4),
            "product": lambda: chance.choice(_PRODUCTS),
            "illness": lambda: chance.choice(_ILLNESSES),
            "note": lambda: chance.choice(_NOTES).format(
                name=f"{first} {last}", first=first, date=faker.date_of_birth(), phone=faker.phone_number()
            ),
        }
        return made[kind]()

    def _delimited(self, heading: Sequence[str], rows: Rows) -> str:
        chance = self._chance
        delimiter = chance.choice(_DELIMITERS)
        end = "\r\n" if chance.random() < 0.1 else "\n"
        quotes_all = chance.random() < 0.15
        lines = [] if chance.random() < 0.15 else [delimiter.join(heading)]
        for row in rows:
            cells = [_quoted(cell, delimiter, always=quotes_all) for cell in row]
            if chance.random() < 0.02:
                cells = cells[:-1] if chance.random() < 0.5 else [*cells, "x"]
            if chance.random() < 0.01:
                cells[-1] = f'"{cells[-1].strip(chr(34))}\nsecond line"'
            lines.append(delimiter.join(cells))
            if chance.random() < 0.01:
                lines.append(chance.choice(("", "Total", "---------", delimiter.join(heading), "\f", "  ")))
        return end.join(lines)

    def _amid_prose(self, table: str, faker: Faker) -> str:
        chance = self._chance
        if chance.random() < 0.75:
            return table
        about = f"Dear {faker.first_name()},\n\nplease find below what {faker.name()} asked for.\n\n"
        behind = f"\n\n{faker.paragraph(4)}\nBest,\n{faker.name()}\n{faker.phone_number()}\n"
        return about + table + behind


def _quoted(cell: str, delimiter: str, *, always: bool) -> str:
    needs = always or delimiter in cell or '"' in cell
    return f'"{cell.replace(chr(34), chr(34) * 2)}"' if needs else cell


def _json_lines(heading: Sequence[str], rows: Rows) -> str:
    return "\n".join(json.dumps(dict(zip(heading, row, strict=True)), ensure_ascii=False) for row in rows)


def _json_list(heading: Sequence[str], rows: Rows) -> str:
    return json.dumps([dict(zip(heading, row, strict=True)) for row in rows], indent=1, ensure_ascii=False)


def _inserts(heading: Sequence[str], rows: Rows) -> str:
    columns = ", ".join(name.replace(" ", "_") for name in heading)
    values = ("(" + ", ".join("'" + cell.replace("'", "''") + "'" for cell in row) + ")" for row in rows)
    return f"INSERT INTO people ({columns}) VALUES\n" + ",\n".join(values) + ";\n"


def _piped(heading: Sequence[str], rows: Rows) -> str:
    """As Markdown and spreadsheets are written."""
    lines = ["| " + " | ".join(row) + " |" for row in (heading, ["---"] * len(heading), *rows)]
    return "\n".join(lines)


def table_texts(count: int, seed: int = 7) -> list[str]:
    made = TableTexts(seed)
    return [made.text() for _ in range(count)]
