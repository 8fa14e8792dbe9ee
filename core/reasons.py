"""What the results say of a referred file -> one sentence that says why it was referred."""

from collections.abc import Mapping, Sequence
from typing import Any

_NAME_PARTS = ("first_name", "last_name", "initials")
_NUMBERS = {"ssn", "sin", "nhs_number", "health_card_number", "national_id_number"}
_SAYS_LITTLE = ("other_detail", "time", "quantity", "demographic", "organization_name", "place")
_WORDS = {
    "sin": "SIN",
    "ssn": "SSN",
    "url": "URL",
    "ip_address": "IP address",
    "iban": "IBAN",
    "nhs_number": "NHS number",
}
_ROLES = {
    "subject": "subject",
    "relative": "a relative of somebody",
    "author": "who wrote it",
    "other": "role unknown",
}
_BETWEEN_PARTS = 4  # characters
_MOST_DETAILS = 4
_MOST_TERMS = 6
_COUNTED_TERMS = 10  # the results keep no more, so that there may be more


def reason_sentence(
    strongest: str | None, role: str | None, evidence: Sequence[Mapping[str, Any]], terms: Sequence[str]
) -> str:
    """Empty where the results do not name the passage that decided, as those of older versions."""
    if not strongest:
        return ""
    pieces = [piece for piece in evidence if piece.get("passage") == strongest]
    many = strongest.startswith(("rows ", "lines ", "fields "))
    details = _details(pieces)
    nobody = _is_nameless(pieces, evidence)
    sentence = f"{_place(strongest)} name{'' if many else 's'} {'nobody' if nobody else _who(pieces, role)}"
    if details:
        sentence += f"{(', but have' if many else ', but has') if nobody else ' with'} {_listed(details)}"
    if terms:
        sentence += f", and mention{'' if many else 's'} {_health(terms)}"
    return f"{sentence}."


def _is_nameless(pieces: Sequence[Mapping[str, Any]], evidence: Sequence[Mapping[str, Any]]) -> bool:
    """A person's number and date of birth stand for a person whom nothing names."""
    here = {piece.get("characteristic") for piece in pieces}
    named = any(piece.get("characteristic") in _NAME_PARTS for piece in evidence)
    return "birth_date" in here and bool(here & _NUMBERS) and not named


def _place(strongest: str) -> str:
    if strongest.startswith("character "):
        return f"The passage at {strongest}"
    if strongest.startswith("after "):
        return f"The text {strongest}"
    return strongest[:1].upper() + strongest[1:]


def people_named(pieces: Sequence[Mapping[str, Any]]) -> list[str]:
    """The role of each different person; those who have no number are told apart by their names."""
    people: dict[Any, str] = {}
    for name in _names(pieces):
        number = next((piece["person"] for piece in name if piece.get("person")), None)
        role = next((str(piece["role"]) for piece in name if piece.get("role")), "")
        who = number or tuple(piece.get("hmac") for piece in name)
        people[who] = people.get(who) or role
    return list(people.values())


def _names(pieces: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Neighbouring parts of a name together."""
    names: list[list[Mapping[str, Any]]] = []
    for piece in pieces:
        if piece.get("characteristic") not in _NAME_PARTS:
            continue
        if names and _continues(names[-1], piece):
            names[-1].append(piece)
        else:
            names.append([piece])
    return names


def _continues(name: Sequence[Mapping[str, Any]], piece: Mapping[str, Any]) -> bool:
    is_near = 0 <= (piece.get("start") or 0) - (name[-1].get("end") or 0) <= _BETWEEN_PARTS
    is_same = bool(piece.get("person")) and piece.get("person") == name[-1].get("person")
    return is_same or (is_near and all(part["characteristic"] != piece["characteristic"] for part in name))


def _who(pieces: Sequence[Mapping[str, Any]], role: str | None) -> str:
    people = people_named(pieces)
    words = f" ({_ROLES.get(role, role)})" if role else ""
    if len(people) > 1:
        return f"{len(people)} people{_subjects(people) if role == 'subject' else ''}"
    return f"one person{words}"


def _subjects(people: Sequence[str]) -> str:
    """Relatives, professionals and whoever wrote it are people, too."""
    subjects = sum(role in ("", "subject") for role in people)
    return " (subjects)" if subjects == len(people) else f" ({subjects} of them subject{'' if subjects == 1 else 's'})"


def _details(pieces: Sequence[Mapping[str, Any]]) -> list[str]:
    names = dict.fromkeys(str(piece.get("characteristic") or "") for piece in pieces)
    kept = [name for name in names if name and name not in _NAME_PARTS and name not in _SAYS_LITTLE]
    return [_with_article(_WORDS.get(name, name.replace("_", " "))) for name in kept[:_MOST_DETAILS]]


def _with_article(words: str) -> str:
    sounds_open = words[:1] in "aeio" or words in ("SIN", "SSN", "IP address", "IBAN", "NHS number")
    return f"{'an' if sounds_open else 'a'} {words}"


def _health(terms: Sequence[str]) -> str:
    count = f"{len(terms)}" if len(terms) < _COUNTED_TERMS else f"at least {len(terms)}"
    more = " and others" if len(terms) > _MOST_TERMS else ""
    return f"{count} health term{'' if len(terms) == 1 else 's'}: {', '.join(terms[:_MOST_TERMS])}{more}"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
