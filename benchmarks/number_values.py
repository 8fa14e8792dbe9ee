"""A random source -> values of structured kinds as independent libraries write them, and decoys that look like them."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from faker import Faker
from stdnum import isbn, luhn
from stdnum.ca import bc_phn
from stdnum.gb import nhs

Maker = Callable[[random.Random], str]


@dataclass(frozen=True, slots=True)
class Kind:
    """What a value is, how it is made, and how people announce it; `{}` stands for the value."""

    characteristic: str
    make: Maker
    lines: tuple[str, ...]
    also: tuple[str, ...] = ()  # characteristics that are right as well


@cache
def _faker(locale: str) -> Faker:
    return Faker(locale)


def _fake(locale: str, method: str, valid: Callable[[str], bool] = lambda _: True) -> Maker:
    def make(source: random.Random) -> str:
        faker = _faker(locale)
        faker.seed_instance(source.getrandbits(32))
        while True:
            value = str(getattr(faker, method)())
            if valid(value):
                return value

    return make


def _shaped(shape: str, valid: Callable[[str], bool] = lambda _: True) -> Maker:
    def make(source: random.Random) -> str:
        while True:
            value = "".join(
                {"#": source.choice("0123456789"), "@": source.choice("ABCDEFGHJKLMNPRSTUVWXYZ")}.get(c, c)
                for c in shape
            )
            if valid(value):
                return value

    return make


def _grouped(make: Maker, *groupings: tuple[tuple[int, ...], str]) -> Maker:
    """The same digits in one of several writings."""

    def grouped(source: random.Random) -> str:
        digits = "".join(character for character in make(source) if character.isalnum())
        sizes, joint = source.choice(groupings)
        pieces, at = [], 0
        for size in sizes:
            pieces.append(digits[at : at + size])
            at += size
        return joint.join([*pieces, *([digits[at:]] if digits[at:] else [])])

    return grouped


def _one_of(*makers: Maker) -> Maker:
    return lambda source: source.choice(makers)(source)


def _valid(module: str) -> Callable[[str], bool]:
    import importlib

    return lambda value: bool(importlib.import_module(f"stdnum.{module}").is_valid(value))


def _date(source: random.Random) -> str:
    faker = _faker("en_US")
    faker.seed_instance(source.getrandbits(32))
    style = source.choice(
        ("%Y-%m-%d", "%m/%d/%Y", "%d.%m.%Y", "%B %d, %Y", "%d %B %Y", "%d-%b-%Y", "%b %d, %Y", "%m/%d/%y")
    )
    return faker.date_between("-60y", "today").strftime(style)


def _phone(source: random.Random) -> str:
    first, second, last = source.randint(201, 989), source.randint(200, 999), source.randint(0, 9999)
    style = source.choice(
        (
            "({}) {}-{:04}",
            "{}-{}-{:04}",
            "{}.{}.{:04}",
            "+1 {} {} {:04}",
            "{} {} {:04}",
            "1-{}-{}-{:04}",
            "+1-{}-{}-{:04}",
        )
    )
    return style.format(first, second, last) + source.choice(("", "", "", " ext. 4417", " x21", ", ext 905"))


_N = ("national_id_number",)
_SSN = _fake("en_US", "ssn", _valid("us.ssn"))
_SIN = _fake("en_CA", "ssn", lambda value: value[0] not in "08" and _valid("ca.sin")(value))
_PHN = _shaped("9#########", bc_phn.is_valid)
_OHIP = _shaped("##########", lambda value: value[0] != "0" and bool(luhn.is_valid(value)))
_NHS = _shaped("##########", nhs.is_valid)
_THREES = ((3, 3, 3), " "), ((3, 3, 3), "-")

KINDS: Mapping[str, Kind] = {
    "ssn": Kind(
        "ssn",
        _grouped(_SSN, ((3, 2, 4), "-")),
        ("SSN: {}", "his social security number, {}, was on the form", "{} (SSN)", "Soc Sec # {}"),
    ),
    "ssn, other writings": Kind(
        "ssn",
        _grouped(_SSN, ((3, 2, 4), " "), ((3, 2, 4), "."), ((9,), "")),
        ("SSN: {}", "social security no. {}", "SS# {}"),
    ),
    "sin": Kind(
        "sin",
        _grouped(_SIN, *_THREES, ((9,), "")),
        ("SIN: {}", "social insurance number {}", "Her SIN is {}.", "NAS : {}"),
    ),
    "card": Kind(
        "credit_card",
        _one_of(
            _fake("en_US", "credit_card_number"),
            _grouped(_shaped("4###############", luhn.is_valid), ((4, 4, 4, 4), " "), ((4, 4, 4, 4), "-")),
        ),
        ("Card: {}", "paid by Visa {} today", "cc {} exp 09/27", "charged to {}"),
    ),
    "iban": Kind(
        "iban",
        _one_of(*(_fake(each, "iban") for each in ("en_GB", "de_DE", "fr_FR", "nl_NL", "es_ES", "it_IT"))),
        ("IBAN {}", "transfer to {} please", "account {}"),
    ),
    "phone": Kind(
        "phone_number", _phone, ("Phone: {}", "call {} after six", "{} (cell)", "reach me at {}", "Tel. {}", "{}")
    ),
    "phone abroad": Kind(
        "phone_number",
        _one_of(
            _shaped("+44 20 #### ####"),
            _shaped("+49 30 #######"),
            _shaped("+33 1 ## ## ## ##"),
            _shaped("+61 4## ### ###"),
            _shaped("+353 1 ### ####"),
        ),
        ("Phone: {}", "call {} after six", "mobile {}", "{}"),
    ),
    "fax": Kind(
        "fax_number",
        _grouped(_shaped("6##555####"), ((3, 3, 4), "-"), ((3, 3, 4), ".")),
        ("Fax: {}", "fax no. {}", "{} (fax)"),
    ),
    "e-mail": Kind(
        "email",
        _one_of(_fake("en_US", "email"), _fake("fr_FR", "company_email")),
        ("write to {}", "E-mail: {}", "<{}>", "{}"),
    ),
    "url": Kind("url", _fake("en_US", "uri"), ("see {}", "profile: {}", "{}")),
    "ipv4": Kind("ip_address", _fake("en_US", "ipv4_public"), ("from {}", "IP address {}", "logged in at {}")),
    "ipv6": Kind("ip_address", _fake("en_US", "ipv6"), ("from {}", "IPv6 {}")),
    "mac": Kind("device_id", _fake("en_US", "mac_address"), ("MAC {}", "device {} joined")),
    "imei": Kind("device_id", _shaped("35#############", luhn.is_valid), ("IMEI {}",)),
    "vin": Kind("vehicle_id", _fake("en_US", "vin"), ("VIN {}", "the car, VIN: {}, was towed")),
    "date": Kind("date", _date, ("seen on {}", "Date: {}", "signed {}", "{}"), ("birth_date",)),
    "birth date": Kind("birth_date", _date, ("DOB: {}", "born {}", "date of birth {}")),
    "postal code": Kind("postal_code", _fake("en_CA", "postalcode"), ("Ottawa ON {}", "{}", "postal code {}")),
    "zip": Kind("postal_code", _shaped("9####"), ("Denver, CO {}", "ZIP {}", "zip code: {}")),
    "nhs": Kind("nhs_number", _grouped(_NHS, ((3, 3, 4), " "), ((10,), "")), ("NHS No: {}", "NHS number {}")),
    "bc health": Kind(
        "health_card_number", _grouped(_PHN, ((4, 3, 3), " "), ((10,), "")), ("PHN: {}", "personal health number {}")
    ),
    "ohip": Kind(
        "health_card_number",
        _grouped(_OHIP, ((4, 3, 3), "-"), ((4, 3, 3), " "), ((10,), "")),
        ("OHIP {}", "health card number: {}", "Health Card # {}"),
    ),
    "mrn": Kind(
        "medical_record_number",
        _one_of(_shaped("########"), _shaped("#######"), _shaped("H######")),
        ("MRN: {}", "medical record number {}", "MRN {}", "Chart # {}"),
    ),
    "npi": Kind(
        "certificate_licence_number",
        _shaped("1#########", lambda value: bool(luhn.is_valid("80840" + value))),
        ("NPI: {}", "NPI {}", "national provider identifier {}"),
    ),
    "passport": Kind(
        "passport_number",
        _one_of(_shaped("@@######"), _shaped("#########"), _shaped("@########")),
        ("passport {}", "Passport No. {}", "passport number: {}"),
    ),
    "driver licence": Kind(
        "driver_licence_number",
        _one_of(_shaped("@#######"), _shaped("@####-#####-#####"), _shaped("@###-####-####")),
        ("driver's license {}", "DL# {}", "driver licence no. {}", "Drivers License: {}"),
    ),
    "itin": Kind("tax_number", _fake("en_US", "itin", _valid("us.itin")), ("ITIN {}", "individual taxpayer number {}")),
    "ein": Kind(
        "tax_number", _fake("en_US", "ein", _valid("us.ein")), ("EIN: {}", "employer identification number {}")
    ),
    "nino": Kind(
        "other_unique_number",
        _grouped(
            _one_of(_shaped("AB######C"), _shaped("JK######A"), _shaped("SX######D")),
            ((2, 2, 2, 2, 1), " "),
            ((9,), ""),
        ),
        ("NI number {}", "national insurance no. {}", "{}"),
    ),
    "codice fiscale": Kind(
        "national_id_number", _fake("it_IT", "ssn", _valid("it.codicefiscale")), ("codice fiscale {}", "{}")
    ),
    "nir": Kind(
        "national_id_number", _fake("fr_FR", "ssn", _valid("fr.nir")), ("numéro de sécurité sociale {}", "NIR : {}")
    ),
    "pesel": Kind("national_id_number", _fake("pl_PL", "pesel"), ("PESEL {}", "nr PESEL: {}")),
    "hetu": Kind("national_id_number", _fake("fi_FI", "ssn", _valid("fi.hetu")), ("henkilötunnus {}", "{}")),
    "personnummer": Kind(
        "national_id_number", _fake("sv_SE", "ssn", _valid("se.personnummer")), ("personnummer {}", "personnr: {}")
    ),
    "fødselsnummer": Kind(
        "national_id_number", _fake("no_NO", "ssn", _valid("no.fodselsnummer")), ("fødselsnummer {}", "fnr. {}")
    ),
    "bsn": Kind("national_id_number", _fake("nl_NL", "ssn", _valid("nl.bsn")), ("BSN {}", "burgerservicenummer: {}")),
    "ahv": Kind("national_id_number", _fake("de_CH", "ssn", _valid("ch.ssn")), ("AHV-Nr. {}", "{}")),
    "cpf": Kind("national_id_number", _fake("pt_BR", "cpf", _valid("br.cpf")), ("CPF {}", "{}")),
    "aadhaar": Kind(
        "national_id_number",
        _grouped(_fake("en_IN", "aadhaar_id", _valid("in_.aadhaar")), ((4, 4, 4), " "), ((12,), "")),
        ("Aadhaar {}", "aadhaar no: {}"),
    ),
    "nie": Kind("national_id_number", _fake("es_ES", "nie", _valid("es.nie")), ("NIE {}", "NIE: {}"), ("tax_number",)),
}

DECOYS: tuple[Callable[[random.Random], str], ...] = (
    lambda r: f"Order {r.randint(100, 999)}-{r.randint(1000000, 9999999)}-{r.randint(1000000, 9999999)} was shipped",
    lambda r: f"order no. {r.randint(100, 999)}-{r.randint(100, 999)}-{r.randint(1000, 9999)} ships Monday",
    lambda r: (
        f"part number {r.randint(100, 999)}-{r.randint(100, 999)}-{r.randint(1000, 9999)}, qty {r.randint(1, 90)}"
    ),
    lambda r: f"Invoice {r.randint(10**8, 10**9 - 1)}, total ${r.randint(1, 9999)}.{r.randint(10, 99)}",
    lambda r: f"ISBN {isbn.format(_isbn(r))}",
    lambda r: f"ISBN-13: {_isbn(r)}",
    lambda r: f"pain {r.randint(1, 10)}/10, strength {r.randint(1, 5)}/5, BP {r.randint(100, 180)}/{r.randint(60, 99)}",
    lambda r: (
        f"glucose {r.randint(3, 12)}.{r.randint(0, 9)} mmol/L, sodium {r.randint(130, 138)}-{r.randint(139, 146)}, "
        f"HR {r.randint(50, 120)}"
    ),
    lambda r: f"upgrade to version {r.randint(1, 20)}.{r.randint(0, 30)}.{r.randint(0, 99)}.{r.randint(0, 255)} today",
    lambda r: f"firmware v{r.randint(1, 9)}.{r.randint(0, 9)}.{r.randint(0, 9)} (build {r.randint(1000, 99999)})",
    lambda r: f"sha256 {r.getrandbits(256):064x}",
    lambda r: f"commit {r.getrandbits(160):040x} fixes it",
    lambda r: f"guid {_guid(r)}",
    lambda r: f"tracking 1Z{r.randint(10**5, 10**6 - 1)}{r.randint(10**9, 10**10 - 1)}",
    lambda r: f"tracking number {r.randint(10**11, 10**12 - 1)}",
    lambda r: f"at {r.uniform(-90, 90):.6f}, {r.uniform(-180, 180):.6f}",
    lambda r: f"priced at ${r.randint(1, 999)},{r.randint(100, 999)}.{r.randint(10, 99)} each",
    lambda r: f"pages {r.randint(100, 499)}-{r.randint(500, 999)}, lines {r.randint(1, 40)}-{r.randint(41, 99)}",
    lambda r: (
        f"from {r.randint(0, 23):02}:{r.randint(0, 59):02} to "
        f"{r.randint(0, 23):02}:{r.randint(0, 59):02}:{r.randint(0, 59):02}"
    ),
    lambda r: f"{r.randint(1990, 2010)}-{r.randint(2011, 2024)}, since {r.randint(1950, 2020)}",
    lambda r: f"ticket #{r.randint(10**8, 10**9 - 1)} closed",
    lambda r: f"barcode {r.randint(10**12, 10**13 - 1)}",
    lambda r: f"C4-C5 fusion, L5-S1, T{r.randint(1, 4)}N{r.randint(0, 3)}M{r.randint(0, 1)}",
    lambda r: f"SKU {r.randint(100, 999)}-{r.randint(10, 99)}-{r.randint(1000, 9999)} in stock",
    lambda r: f"the ratio was {r.randint(1, 9)}:{r.randint(1, 9)}:{r.randint(1, 9)}, p = 0.0{r.randint(1, 49)}",
    lambda r: f"section {r.randint(1, 12)}.{r.randint(1, 12)}.{r.randint(1, 12)}, table {r.randint(1, 20)}",
    lambda r: f"{r.randint(10**9, 2 * 10**9)} seconds since the epoch",
    lambda r: (
        f"take {r.randint(1, 3)} tablets of {r.choice((250, 500, 850))} mg {r.randint(1, 4)} times daily for "
        f"{r.randint(3, 14)} days"
    ),
    lambda r: f"model RX-{r.randint(1000, 9999)}-{r.choice('ABCD')}, lens {r.randint(18, 70)}-{r.randint(71, 300)} mm",
    lambda r: f"population {r.randint(1, 99)} {r.randint(100, 999)} {r.randint(100, 999)} in {r.randint(1900, 2020)}",
)


def _isbn(source: random.Random) -> str:
    body = "978" + "".join(source.choice("0123456789") for _ in range(9))
    check = (10 - sum(int(digit) * (1, 3)[at % 2] for at, digit in enumerate(body))) % 10
    return f"{body}{check}"


def _guid(source: random.Random) -> str:
    digits = f"{source.getrandbits(128):032x}"
    return "-".join((digits[:8], digits[8:12], "4" + digits[13:16], "a" + digits[17:20], digits[20:]))
