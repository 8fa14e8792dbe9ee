"""Names as programs write them -> words as people read them."""

import json
import re
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from django import template
from django.utils.dateparse import parse_date
from django.utils.formats import date_format
from django.utils.timezone import is_aware, localtime
from django.utils.translation import get_language

from core import in_words
from core.in_words import spoken_type
from review.scan_reasons import reason_in_words
from review.translation import gettext, gettext_noop, localised_size, number, regrouped

register = template.Library()
_ID = re.compile(r"[a-z0-9_]+(-[a-z0-9_]+)*")
_OF_PEOPLE = ("owner", "assignee", "by", "queue", "reason", "address")  # written by people, so no words of ours
_HASH = re.compile(r"[0-9a-f]{32,}")
_CAPITALS = {short: short.upper() for short in ("phi", "nhs", "sin", "ssn", "ip", "url", "iban")}
# By the end of a characteristic's name.
_FAMILIES = (
    ("phone_number", "contact"),
    ("fax_number", "contact"),
    ("email", "contact"),
    ("address", "contact"),
    ("url", "contact"),
    ("name", "name"),
    ("initials", "name"),
    ("subject", "name"),
    ("date", "date"),
    ("age", "date"),
    ("number", "number"),
    ("sin", "number"),
    ("ssn", "number"),
    ("iban", "number"),
)


@register.filter
def words(name: str) -> str:
    """phone_number, not_phi, nhs_number -> phone number, not PHI, NHS number."""
    plain = " ".join(_CAPITALS.get(word, word) for word in str(name).split("_"))
    return gettext(plain)


_GLOSSARY = {
    "tdp": gettext_noop(
        "True detection probability: of all files examined, the share that was flagged and holds health information"
    ),
    "frp": gettext_noop("False referral probability: of all files examined, the share that was flagged and holds none"),
    "kappa": gettext_noop("Agreement of two reviewers beyond what chance gives: 1 is perfect, 0 is chance"),
    "f": gettext_noop(
        "F of PHI: how well the verdicts of two reviewers meet where at least one says PHI; 1 is perfect"
    ),
}


@register.filter
def spoken(word: str) -> str:
    """A word of our own, such as a state or a risk, in the reader's language; see review/vocabulary.py."""
    return gettext(str(word)) if word else ""


@register.filter
def day(value: Any) -> str:
    """As the reader's locale writes it."""
    if not value:
        return ""
    return _day(get_language() or "", value.date() if isinstance(value, datetime) else value)


@lru_cache(maxsize=1_024)
def _day(_language: str, value: date) -> str:
    """Rows of a list share few days; the language is that of the thread."""
    return str(date_format(value, "SHORT_DATE_FORMAT"))


@register.filter
def moment(value: Any) -> str:
    if not value:
        return ""
    return str(date_format(localtime(value) if is_aware(value) else value, "SHORT_DATETIME_FORMAT"))


@register.filter
def logged_day(at: str) -> str:
    """Of an entry of the audit log, which keeps its moment as text."""
    written = parse_date(str(at)[:10]) if at else None
    return day(written) if written else str(at or "")[:10]


_PLACE = re.compile(r"[a-z][a-z ]*?(?= \d|$)")
_PART = re.compile(r"(.*\d) of (.+)")


@register.filter
def place_words(place: str) -> str:
    """row 12, picture on page 3, rows 2 to 7 of sheet 1 -> the same with its words in the reader's language."""
    part = _PART.fullmatch(str(place))
    if part:
        return str(gettext("%(part)s of %(place)s") % {"part": place_words(part[1]), "place": place_words(part[2])})
    return regrouped(_PLACE.sub(lambda words: gettext(words[0]), str(place))) if place else ""


@register.filter
def role_words(role: str) -> str:
    """What somebody is in a text; whom it is about is a patient."""
    return gettext("patient" if role == "subject" else str(role))


@register.filter
def shown_terms(terms: list[str]) -> list[str]:
    """Medical terms, written as people do."""
    return in_words.shown_terms(terms)


@register.filter
def meaning(term: str) -> str:
    """Of a term of the glossary, also where more follows it, as in `TDP from`; empty of any other."""
    known = _GLOSSARY.get(str(term).split(" ")[0].casefold())
    return gettext(known) if known else ""


@register.filter
def details_words(details: str) -> str:
    """The details of an entry of the audit log, which are JSON -> round: 1, verdict: PHI, state: decided."""
    try:
        facts = json.loads(details) if details else {}
    except ValueError:
        return details
    return ", ".join(
        gettext("%(name)s: %(value)s") % {"name": words(name), "value": value if name in _OF_PEOPLE else _spoken(value)}
        for name, value in facts.items()
        if value not in ("", None)
    )


def _spoken(value: Any) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list):
        return ", ".join(map(_spoken, value)) or gettext("none")
    if isinstance(value, dict):
        return "; ".join(f"{words(name)} {_spoken(inner)}" for name, inner in value.items()) or gettext("none")
    if isinstance(value, str) and _HASH.fullmatch(value):
        return f"{value[:8]}…"
    return words(value) if isinstance(value, str) and _ID.fullmatch(value) else str(value)


@register.filter
def thousands(count: int | str) -> str:
    """12345 -> 12,345, or as the reader's locale writes it; words stay."""
    return number(count) if isinstance(count, int) else count


@register.filter
def upto_comma(words: str) -> str:
    """3 days, 4 hours -> 3 days."""
    return str(words).partition(",")[0]


_DEEDS = {
    "act": "action",
    "case sight": "case viewed",
    "group sight": "group viewed",
    "intake": "scan imported",
    "list": "list viewed",
    "passage": "passage viewed",
    "person": "account changed",
    "sight": "referral viewed",
}


@register.filter
def deed_words(action: str) -> str:
    """What the audit log calls an action, for people; the catalog has better words for them in other languages."""
    if (get_language() or "en").startswith("en"):
        return _DEEDS.get(str(action), str(action))
    return gettext(str(action))


@register.filter
def subject_words(subject: str) -> str:
    """referral:149a6fcd425f... -> referral 149a6fcd."""
    kind, _, name = str(subject).partition(":")
    shown = name[:8] if kind in ("referral", "group") else name
    return f"{gettext(kind)} {shown}" if name else gettext(kind) if kind else ""


@register.filter
def referral_in(subject: str) -> str:
    """The key of the referral that an entry is about; empty where it is about something else."""
    kind, _, name = str(subject).partition(":")
    return name if kind == "referral" and name.isalnum() else ""


@register.filter
def case_words(state: str) -> str:
    """The state of a case: told -> owner told."""
    return gettext("owner told") if state == "told" else gettext(str(state))


_KINDS = {
    "quarantine": gettext_noop("Quarantine: into the vault, a note in its place"),
    "restrict": gettext_noop("Restrict: only the owner may read it"),
    "replace": gettext_noop("Replace by a redacted copy"),
    "move": gettext_noop("Move to another place"),
    "delete": gettext_noop("Delete, for good"),
    "label": gettext_noop("Label it as restricted"),
    "tell": gettext_noop("Tell the owner by mail"),
}
_WAITING = {
    "propose": gettext_noop("waits for a look at the file"),
    "approve": gettext_noop("approved, waits to be carried out"),
    "reject": gettext_noop("rejected"),
    "undo": gettext_noop("waits to be undone"),
}
_WISHES = {"approve": gettext_noop("Approve"), "reject": gettext_noop("Reject"), "undo": gettext_noop("Undo")}
_ACTION_STATES = {
    "proposed": gettext_noop("waits for approval"),
    "approved": gettext_noop("approved"),
    "begun": gettext_noop("begun"),
    "done": gettext_noop("done"),
    "undoing": gettext_noop("being undone"),
    "undone": gettext_noop("undone"),
    "rejected": gettext_noop("rejected"),
    "left alone": gettext_noop("left alone"),
}


@register.filter
def kind_words(kind: str) -> str:
    """An action, for a person who chooses one."""
    return gettext(_KINDS[kind]) if kind in _KINDS else str(kind)


@register.filter
def wish_words(wish: str) -> str:
    """On a button."""
    return gettext(_WISHES[wish])


@register.filter
def action_words(row: Any) -> str:
    """The state of an action on a file of a case."""
    return gettext(_WAITING[row.wish]) if row.wish else state_words(row.state)


def state_words(state: str) -> str:
    return gettext(_ACTION_STATES[state]) if state in _ACTION_STATES else str(state)


@register.filter
def event_words(event: Any) -> str:
    """One line of a case's history."""
    before, after = event.before, event.after
    match event.kind:
        case "opened":
            return str(gettext("Opened, due on %s") % logged_day(after)) if after else gettext("Opened")
        case "state":
            return str(
                gettext("From %(before)s to %(after)s") % {"before": case_words(before), "after": case_words(after)}
            )
        case "assignee":
            return str(
                (gettext("Assigned to %s") if after else gettext("No longer assigned to %s")) % (after or before)
            )
        case "due":
            days = {"after": logged_day(after), "before": logged_day(before)}
            if after and before:
                return str(gettext("Due on %(after)s instead of %(before)s") % days)
            return str(gettext("Due on %s") % days["after"]) if after else gettext("No longer has a due day")
        case _:
            return gettext("Note")


@register.filter
def circle(access: str) -> str:
    """everyone, group Staff, inherited -> everyone."""
    return gettext(str(access).partition(",")[0]) if access else ""


@register.filter
def access_words(access: str) -> str:
    """Everybody who may read it, with our own words in the reader's language."""
    return ", ".join(gettext(part) for part in str(access).split(", ")) if access else ""


@register.filter
def file_name(uri: str) -> str:
    """The last part of a uri; of a member, its name within its container."""
    return str(uri).rstrip("/").replace("!", "/").rpartition("/")[2] or str(uri)


@register.filter
def folder(uri: str) -> str:
    """What stands before the name, with the stroke or mark that ends it."""
    text = str(uri)
    return text.removesuffix(file_name(text)) if text.endswith(file_name(text)) else ""


@register.filter
def rule_words(name: str) -> str:
    """name-with-number, sin, personal-record -> name with number, SIN, personal record."""
    return words(str(name).replace("-", "_")) if _ID.fullmatch(str(name)) else str(name)


@register.filter
def reason_words(reason: str) -> str:
    """Why a file was not examined."""
    return reason_in_words(str(reason)) if reason else ""


@register.filter
def family(characteristic: str) -> str:
    """What kind of detail it is, by which the revealed text is coloured."""
    name = str(characteristic)
    if name.startswith("health_") and not name.endswith(("number", "name")):
        return "health"
    return next((kind for ending, kind in _FAMILIES if name.endswith(ending)), "other")


@register.filter
def prototype_words(name: str) -> str:
    """identifying-information/first_name+birth_date -> first name, birth date."""
    return ", ".join(words(part) for part in str(name).rpartition("/")[2].split("+"))


@register.filter
def type_words(media_type: str) -> str:
    return gettext(spoken_type(media_type))


@register.filter
def size_words(size: int) -> str:
    """As the reports write sizes, which browsers and Django count in other units."""
    return localised_size(int(size or 0))
