"""What the results say of a referred file -> one sentence that says why it was referred."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.in_words import shown_terms, spoken_term

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
_SAYS_MOST = (  # about who somebody is; the others follow in the order of the text
    *sorted(_NUMBERS),
    "birth_date",
    "medical_record_number",
    "health_plan_number",
    "street_address",
    "phone_number",
    "email",
)
_SAYS_LESS = ("date", "hospital", "health_professional_name", "city", "postal_code")
_ROLES = {"relative": " (a relative of somebody)", "author": " (who wrote it)"}
_BETWEEN_PARTS = 4  # characters
_MOST_DETAILS = 4
_MOST_TERMS = 6
_COUNTED_TERMS = 10  # the results keep no more, so that there may be more


def reason_sentence(
    strongest: str | None,
    role: str | None,
    evidence: Sequence[Mapping[str, Any]],
    terms: Sequence[str],
    persons: int | None = None,
) -> str:
    """Empty where the results do not name the passage that decided, as those of older versions.

    `persons`: how many people the whole file identifies; where that is more, a second sentence says it.
    """
    if not strongest:
        return ""
    pieces = [piece for piece in evidence if piece.get("passage") == strongest]
    many = _is_plural(strongest)
    details = [_with_article(_WORDS.get(name, name.replace("_", " "))) for name in telling_details(pieces)]
    nobody = _is_nameless(pieces, evidence)
    who = "nobody" if nobody else _who(pieces, role)
    sentence = f"{_place(strongest)} name{'' if many else 's'} {who}"
    if nobody and details:
        sentence += f", but {'have' if many else 'has'} {_listed(details)}"
    elif details:
        sentence += f"{',' if ' of them ' in who else ''} with {_listed(details)}"
    if terms:
        sentence += f", and mention{'' if many else 's'} {_health(terms)}"
    are_more = (persons or 0) > max(1, len(people_named(pieces)))
    whole = f" The whole file identifies {persons:,} people." if are_more else ""
    return f"{sentence}.{whole}"


def patients_in(pieces: Sequence[Mapping[str, Any]]) -> int:
    """How many are not known to be relatives, professionals or whoever wrote it."""
    return sum(role in ("", "subject") for role in people_named(pieces))


def telling_details(pieces: Sequence[Mapping[str, Any]]) -> list[str]:
    """What is there beside a name: what identifies somebody best comes first."""
    names = dict.fromkeys(str(piece.get("characteristic") or "") for piece in pieces)
    kept = [name for name in names if name and name not in _NAME_PARTS and name not in _SAYS_LITTLE]
    if "birth_date" in kept and "date" in kept:
        kept.remove("date")
    return sorted(kept, key=_rank)[:_MOST_DETAILS]


def _rank(name: str) -> int:
    if name in _SAYS_MOST:
        return _SAYS_MOST.index(name)
    return len(_SAYS_MOST) + (name in _SAYS_LESS)


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
    if not any(letter.isdigit() for letter in strongest):
        return f"The {strongest}"
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


def _is_plural(strongest: str) -> bool:
    """Rows 2 to 7, but row 2; the headers, but page 3."""
    return strongest.startswith(("rows ", "lines ", "fields ")) or (strongest.endswith("s") and strongest.isalpha())


def _who(pieces: Sequence[Mapping[str, Any]], role: str | None) -> str:
    people = max(1, len(people_named(pieces)))
    if role != "subject":
        return f"one person{_ROLES.get(role or '', '')}" if people == 1 else f"{people} people"
    patients = max(1, patients_in(pieces))
    if patients == people:
        return "one patient" if people == 1 else f"{people} patients"
    return f"{people} people, {'one of them a patient' if patients == 1 else f'{patients} of them patients'}"


def _with_article(words: str) -> str:
    sounds_open = words[:1] in "aeio" or words in ("SIN", "SSN", "IP address", "IBAN", "NHS number")
    return f"{'an' if sounds_open else 'a'} {words}"


def _health(terms: Sequence[str]) -> str:
    shown = shown_terms(terms) or [spoken_term(term) for term in terms]
    count = f"{len(shown)}" if len(terms) < _COUNTED_TERMS else f"at least {len(shown)}"
    more = " and others" if len(shown) > _MOST_TERMS else ""
    return f"{count} health term{'' if len(shown) == 1 else 's'}: {', '.join(shown[:_MOST_TERMS])}{more}"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
