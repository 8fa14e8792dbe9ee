"""Values of a list of people -> the plain forms that are hashed: the same from a column of the list and from a text."""

import re
from collections.abc import Iterator

from screening.privacy.person_keys import birth_of, plain_name, plain_number

# Headings -> kinds; what is named otherwise is told by `heading=kind`.
KINDS = {
    "name": ("name", "fullname", "patientname", "patient", "nom", "nombre"),
    "first_name": ("firstname", "givenname", "given", "forename", "first", "prenom", "vorname"),
    "last_name": ("lastname", "surname", "familyname", "family", "last", "apellidos", "nachname"),
    "birth_date": ("birthdate", "dateofbirth", "dob", "born", "birthday", "geburtsdatum"),
    "phone": ("phone", "phonenumber", "telephone", "tel", "mobile", "cell"),
    "email": ("email", "mail", "emailaddress"),
    "postal_code": ("postalcode", "postcode", "zip", "zipcode", "plz"),
    "number": (
        "mrn",
        "id",
        "patientid",
        "recordnumber",
        "healthcard",
        "healthnumber",
        "ssn",
        "sin",
        "nhs",
        "nhsnumber",
    ),
}
_BY_HEADING = {heading: kind for kind, headings in KINDS.items() for heading in headings}
_PLAIN = re.compile(r"[^a-z]")
_CODE = re.compile(r"[\W_]+")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_DATE = re.compile(
    r"\b(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})|\d{8}"
    r"|\d{1,2}(?:st|nd|rd|th)?\.?[ -][^\W\d_]{3,9}\.?,?[ -]\d{4}|[^\W\d_]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4})\b"
)
_PHONE = re.compile(r"[+(]?\d[\d ().+/-]{5,18}\d")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_POSTAL = re.compile(r"\b(?:[A-Za-z]\d[A-Za-z][ -]?\d[A-Za-z]\d|[A-Za-z]{1,2}\d[A-Za-z\d]? ?\d[A-Za-z]{2}|\d{4,5})\b")


def kind_of(heading: str) -> str | None:
    return _BY_HEADING.get(_PLAIN.sub("", heading.lower()))


def plain_value(kind: str, value: str) -> str:
    """Empty where the value is none of its kind."""
    if kind == "name":
        return name_of(value)
    if kind == "birth_date":
        born = birth_of(value.partition("T")[0].partition(" 00:")[0])
        return "-".join(map(str, born)) if born else ""
    if kind == "phone":
        return plain_number("phones", value)
    if kind == "email":
        return plain_number("emails", value) if "@" in value else ""
    return plain_code(value)


def plain_code(value: str) -> str:
    return plain_number("numbers", value)


def name_of(name: str) -> str:
    """The first and the last word, whichever comes first: `Sloan, Charles E.` and `Charles Sloan` are the same."""
    words = [plain_name(word) for part in name.split(",") for word in _WORD.findall(part)]
    words = [word for word in words if len(word) > 1]
    if "," in name and len(words) > 2:
        surname, _, given = name.partition(",")
        return pair_of(plain_name(_last_word(surname)), plain_name(_first_word(given)))
    return pair_of(words[0], words[-1]) if len(words) > 1 else ""


def pair_of(one: str, other: str) -> str:
    return " ".join(sorted((one, other))) if one and other else ""


def _first_word(text: str) -> str:
    words = _WORD.findall(text)
    return words[0] if words else ""


def _last_word(text: str) -> str:
    words = _WORD.findall(text)
    return words[-1] if words else ""


def values_in(text: str, kinds: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Whatever in a short text may be a supporting value: its kind and plain form, some of them more than once."""
    if "name" in kinds:
        words = [plain_name(word) for word in _WORD.findall(text)]
        words = [word for word in words if len(word) > 1]
        for distance in (1, 2, 3):
            for one, other in zip(words, words[distance:], strict=False):
                yield "name", pair_of(one, other)
    if "birth_date" in kinds:
        for match in _DATE.finditer(text):
            yield "birth_date", plain_value("birth_date", match.group())
    if "phone" in kinds:
        for match in _PHONE.finditer(text):
            yield "phone", plain_value("phone", match.group())
    if "email" in kinds:
        for match in _EMAIL.finditer(text):
            yield "email", plain_value("email", match.group())
    if "postal_code" in kinds:
        for match in _POSTAL.finditer(text):
            yield "postal_code", plain_code(match.group())
    if "number" in kinds:
        for word in re.findall(r"[^\W_]+(?:[-./][^\W_]+)*", text):
            if any(map(str.isdigit, word)):
                yield "number", plain_code(word)
