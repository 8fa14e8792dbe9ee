"""This machine and a seed -> texts of the kinds that shares hold: changelogs, manuals, code, logs, tables, mail.

What is found is taken from the documentation, the manuals and the Python packages of the machine; tables, records,
logs and mail are written, with invented people.
"""

import gzip
import json
import random
import sysconfig
from collections.abc import Callable, Iterable
from pathlib import Path

from faker import Faker

_LONGEST = 200_000  # characters of one text
_SHORTEST = 200
_DOCUMENTATION, _MANUALS = Path("/usr/share/doc"), Path("/usr/share/man")
_PACKAGES = Path(sysconfig.get_paths()["purelib"])
_PRODUCTS = ("Widget", "Bolt M8", "Gasket", "Hinge", "Cable 3m", "Valve", "Filter", "Lamp")
_ILLNESSES = ("asthma", "type 2 diabetes", "hypertension", "depression", "migraine", "")


def kinds(characters: int, seed: int = 5) -> dict[str, list[str]]:
    """About so many characters of each kind; a kind that this machine does not have is left out."""
    found = {
        "changelogs": _taken(_DOCUMENTATION.rglob("changelog*.gz"), characters, seed),
        "licences": _taken(_DOCUMENTATION.rglob("copyright"), characters, seed),
        "other documentation": _taken(
            (path for ending in ("txt", "md", "rst") for path in _DOCUMENTATION.rglob(f"*.{ending}")), characters, seed
        ),
        "manuals": _taken(_MANUALS.rglob("*.gz"), characters, seed),
        "Python code": _taken(_PACKAGES.rglob("*.py"), characters, seed),
        "JavaScript code": _taken(_PACKAGES.rglob("*.js"), characters, seed),
        "HTML": _taken((*_DOCUMENTATION.rglob("*.html"), *_PACKAGES.rglob("*.html")), characters, seed),
        "logs": _written(log_of, characters, seed),
        **kinds_of_tables(characters, seed),
        "mail": _written(mail_of, characters, seed),
    }
    return {kind: texts for kind, texts in found.items() if texts}


def kinds_of_tables(characters: int, seed: int = 5) -> dict[str, list[str]]:
    """About so many characters of each kind that has rows or records."""
    written = {
        "tables of orders": orders_of,
        "tables of readings": readings_of,
        "tables of patients": patients_of,
        "sheets of patients": sheet_of,
        "JSON lines of patients": json_lines_of,
        "SQL dumps of patients": sql_dump_of,
        "HL7 messages": hl7_of,
    }
    return {kind: _written(make, characters, seed) for kind, make in written.items()}


def repeated_rows(megabytes: int) -> str:
    """Ten megabytes of them are 15 kB of gzip."""
    return "name,ssn,dx\n" + "a,b,c\n" * (megabytes * 1_000_000 // 6)


def _taken(paths: Iterable[Path], characters: int, seed: int) -> list[str]:
    shuffled = sorted({path.resolve() for path in paths if path.is_file()})
    random.Random(seed).shuffle(shuffled)
    texts: list[str] = []
    for path in shuffled:
        if sum(map(len, texts)) >= characters:
            break
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        text = raw.decode("utf-8", "replace")[:_LONGEST]
        if len(text) >= _SHORTEST:
            texts.append(text)
    return texts


def _written(make: Callable[[random.Random, Faker], str], characters: int, seed: int) -> list[str]:
    faker = Faker("en_US")
    faker.seed_instance(seed)
    chance = random.Random(seed)
    texts: list[str] = []
    while sum(map(len, texts)) < characters:
        texts.append(make(chance, faker))
    return texts


def orders_of(chance: random.Random, faker: Faker) -> str:
    rows = ["order_id,date,customer,city,product,quantity,price,status"]
    rows += (
        f"{chance.randint(10**5, 10**6)},2024-{chance.randint(1, 12):02}-{chance.randint(1, 28):02},{faker.name()},"
        f"{faker.city()},{chance.choice(_PRODUCTS)},{chance.randint(1, 50)},{chance.random() * 500:.2f},open"
        for _ in range(1_000)
    )
    return "\n".join(rows)


def readings_of(chance: random.Random, _: Faker) -> str:
    rows = ["timestamp\tdevice\tmetric\tvalue\tunit"]
    rows += (
        f"2024-03-{number % 28 + 1:02}T{number % 24:02}:00:00Z\tdev{chance.randint(1, 90)}\ttemp"
        f"\t{chance.random() * 100:.3f}\tC"
        for number in range(2_000)
    )
    return "\n".join(rows)


def patients_of(chance: random.Random, faker: Faker) -> str:
    rows = ["name,dob,ssn,diagnosis,phone"]
    rows += (
        f"{faker.name()},{faker.date_of_birth()},{faker.ssn()},{chance.choice(_ILLNESSES)},{faker.phone_number()}"
        for _ in range(1_000)
    )
    return "\n".join(rows)


def sheet_of(chance: random.Random, faker: Faker) -> str:
    """As a spreadsheet is extracted."""
    doctors = [faker.name() for _ in range(20)]
    rows = ["id\tPatient Name\tDOB\tSex\tAddress\tCity\tDiagnosis\tPhysician\tVisits\tPhone\tEmail"]
    rows += (
        f"{chance.randint(1_000, 99_999)}\t{faker.name()}\t{faker.date_of_birth()}\t{chance.choice('MF')}"
        f"\t{faker.street_address()}\t{faker.city()}\t{chance.choice(_ILLNESSES)}\tDr. {chance.choice(doctors)}"
        f"\t{chance.randint(1, 99)}\t{faker.phone_number()}\t{faker.email()}"
        for _ in range(800)
    )
    return "\n".join(rows)


def json_lines_of(chance: random.Random, faker: Faker) -> str:
    return "\n".join(json.dumps(_patient(chance, faker)) for _ in range(800))


def sql_dump_of(chance: random.Random, faker: Faker) -> str:
    rows = (
        "(" + ", ".join("'" + value.replace("'", "''") + "'" for value in _patient(chance, faker).values()) + ")"
        for _ in range(800)
    )
    return "INSERT INTO patients (name, dob, ssn, diagnosis, phone) VALUES\n" + ",\n".join(rows) + ";\n"


def _patient(chance: random.Random, faker: Faker) -> dict[str, str]:
    return {
        "name": faker.name(),
        "dob": str(faker.date_of_birth()),
        "ssn": faker.ssn(),
        "diagnosis": chance.choice(_ILLNESSES),
        "phone": faker.phone_number(),
    }


def hl7_of(chance: random.Random, faker: Faker) -> str:
    return "".join(
        f"MSH|^~\\&|LAB|HOSP|EHR|HOSP|20240101||ORU^R01|{number}|P|2.5\n"
        f"PID|1||{chance.randint(10**6, 10**7)}^^^HOSP^MR||{faker.last_name()}^{faker.first_name()}"
        f"||{str(faker.date_of_birth()).replace('-', '')}|F|||{faker.street_address()}^^{faker.city()}^NY"
        f"^{faker.postcode()}||{faker.phone_number()}\n"
        f"OBR|1|||{chance.randint(1_000, 9_999)}^GLUCOSE\nDG1|1||E11.9^{chance.choice(_ILLNESSES)}\n"
        for number in range(500)
    )


def log_of(chance: random.Random, faker: Faker) -> str:
    lines = []
    for number in range(1_500):
        at = f"{number % 28 + 1:02}/Mar/2024:{number % 24:02}:{number % 60:02}:{number % 59:02} +0000"
        page = f"/api/v1/orders?id={chance.randint(1, 9_999)}"
        lines.append(
            f'{faker.ipv4()} - - [{at}] "GET {page} HTTP/1.1" {chance.choice((200, 304, 404))}'
            f' {chance.randint(100, 99_999)} "-" "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/120.0"'
            if chance.random() < 0.6
            else f"2024-03-{number % 28 + 1:02} {number % 24:02}:00:00,123 INFO [main-{chance.randint(1, 16)}]"
            f" org.example.startup.HostConfig - Deployment [{chance.randint(1, 9_999)}] took {number} ms"
        )
    return "\n".join(lines)


def mail_of(_: random.Random, faker: Faker) -> str:
    sender, receiver = faker.name(), faker.name()
    return (
        f"From: {sender} <{faker.email()}>\nTo: {receiver} <{faker.email()}>\nSubject: {faker.sentence(5)}\n\n"
        f"Hi {receiver.split()[0]},\n\n"
        + "\n\n".join(faker.paragraphs(5))
        + f"\n\nBest,\n{sender}\n{faker.company()}\n"
    )
