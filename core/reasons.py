"""What the results say of a referred file -> one sentence that says why it was referred."""

from collections.abc import Collection, Mapping, Sequence
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
    many = strongest.startswith(("rows ", "fields "))
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


def _who(pieces: Sequence[Mapping[str, Any]], role: str | None) -> str:
    persons = {piece.get("person") for piece in pieces if piece.get("characteristic") in _NAME_PARTS} - {0, None}
    words = f" ({_ROLES.get(role, role)})" if role else ""
    if len(persons) > 1:
        return f"{len(persons)} people{_subjects(pieces, persons) if role == 'subject' else ''}"
    return f"one person{words}"


def _subjects(pieces: Sequence[Mapping[str, Any]], persons: Collection[Any]) -> str:
    """Relatives, professionals and whoever wrote it are people, too."""
    known = {piece.get("person"): piece.get("role") for piece in pieces if piece.get("role")}
    others = sum(known.get(person, "subject") != "subject" for person in persons)
    return (
        f" ({len(persons) - others} of them subject{'' if len(persons) - others == 1 else 's'})"
        if others
        else " (subjects)"
    )


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
