"""Rows of the results -> referred and unexamined files as the page lists them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.in_words import shown_terms
from core.reasons import reason_sentence
from leakscreen.report.format import UNDEFINED, count, decimal, number, plural, size

MOST_REFERRED = 100
MOST_UNEXAMINED = 200
_MOST_EVIDENCE = 12
_MOST_TERMS = 18
_MOST_PLACES = 4


@dataclass(frozen=True, slots=True)
class Trace:
    """One value, which may occur in several places."""

    characteristic: str
    masked: str
    times: str
    where: str
    person: str


@dataclass(frozen=True, slots=True)
class Finding:
    folder: str
    name: str
    risk: str
    reason: str
    facts: list[str]
    distance: str
    nearest: str
    rules: list[str]
    counts: list[tuple[str, str]]
    terms: list[str]
    more_terms: int
    evidence: list[Trace]
    more_evidence: int


@dataclass(frozen=True, slots=True)
class Missed:
    folder: str
    name: str
    status: str
    reason: str
    size: str
    media_type: str


def finding(row: Mapping[str, Any]) -> Finding:
    folder, name = split(str(row.get("uri") or UNDEFINED), row.get("container_uri"))
    terms = [str(term) for term in row.get("health_terms") or ()]
    shown = shown_terms(terms)
    evidence = _traces(row.get("evidence") or ())
    persons = number(row.get("persons"))
    facts = [
        in_words(str(row.get("health_class") or "")).replace("-", " "),
        str(row.get("media_type") or ""),
        size(row.get("size")),
        f"owner {row['owner']}" if row.get("owner") else "",
        f"identifiers of {plural(persons, 'person', 'persons')}" if persons else "",
        f"about person {row['health_person']}" if row.get("health_person") else "",
        _passages(row.get("passages") or {}),
    ]
    return Finding(
        folder=folder,
        name=name,
        risk=str(row.get("risk") or "none"),
        reason=reason_sentence(
            row.get("strongest"), row.get("health_role"), row.get("evidence") or (), terms, int(persons or 0)
        ),
        facts=[fact for fact in facts if fact],
        distance=_distance(row),
        nearest=", ".join(
            f"{one['prototype']} ({decimal(one['distance'])})" for one in row.get("health_nearest") or ()
        ),
        rules=[_rule(hit) for hit in row.get("rules") or ()],
        counts=_counts(row.get("pii_counts")),
        terms=shown[:_MOST_TERMS],
        more_terms=max(0, len(shown) - _MOST_TERMS),
        evidence=evidence[:_MOST_EVIDENCE],
        more_evidence=max(0, len(evidence) - _MOST_EVIDENCE),
    )


def missed(row: Mapping[str, Any]) -> Missed:
    folder, name = split(str(row.get("uri") or UNDEFINED), None)
    reason, media_type = str(row.get("reason") or UNDEFINED), str(row.get("media_type") or UNDEFINED)
    return Missed(folder, name, str(row.get("status") or UNDEFINED), reason, size(row.get("size")), media_type)


def split(uri: str, container: Any) -> tuple[str, str]:
    """The folder (or container) of a file, and its name in it."""
    if container and uri.startswith(f"{container}!"):
        return f"{container}!", uri[len(str(container)) + 1 :]
    folder, slash, name = uri.rpartition("/")
    return (folder + slash, name) if name else ("", uri)


def count_unlisted(listed: int, rows: int, counted: Any) -> int:
    """How many more there are than listed; `rows` itself may be fewer than were counted."""
    return max(0, max(rows, int(number(counted) or 0)) - listed)


def _traces(entries: Sequence[Mapping[str, Any]]) -> list[Trace]:
    """Pieces of evidence with the same value (by its keyed hash) become one line, in the order of the text."""
    places: dict[tuple[str, str, str], list[str]] = {}
    persons: dict[tuple[str, str, str], dict[int, str]] = {}
    for entry in entries:
        value = (
            str(entry.get("characteristic") or UNDEFINED),
            str(entry.get("masked") or UNDEFINED),
            str(entry.get("hmac") or ""),
        )
        places.setdefault(value, []).append(str(entry.get("where") or ""))
        whose_roles = persons.setdefault(value, {})
        person = int(number(entry.get("person")) or 0)
        whose_roles[person] = whose_roles.get(person) or str(entry.get("role") or "")
    traces = []
    for value, where in places.items():
        numbered = [(person, role) for person, role in sorted(persons[value].items()) if person]
        whose = ", ".join(f"{person} ({role})" if role else f"{person}" for person, role in numbered[:_MOST_PLACES])
        distinct = [place for place in dict.fromkeys(where) if place]
        shown_places = ", ".join(distinct[:_MOST_PLACES]) + (
            f" and {len(distinct) - _MOST_PLACES} more places" if len(distinct) > _MOST_PLACES else ""
        )
        traces.append(
            Trace(in_words(value[0]), value[1], count(len(where)), shown_places or UNDEFINED, whose or UNDEFINED)
        )
    return traces


def _passages(passages: Mapping[str, Any]) -> str:
    judged = number(passages.get("judged"))
    if not judged:
        return ""
    return f"{count(passages.get('positive'))} of {plural(judged, 'judged passage', 'judged passages')} positive"


def _distance(row: Mapping[str, Any]) -> str:
    """The distance, and its limit if the results have it."""
    distance, limit = decimal(row.get("health_distance")), row.get("health_threshold")
    return distance if limit is None else f"{distance} (limit {decimal(limit)})"


def in_words(identifier: str) -> str:
    return identifier.replace("_", " ")


def _rule(hit: Mapping[str, Any]) -> str:
    distance = number(hit.get("distance"))
    return (
        f"{hit.get('rule', UNDEFINED)} ({plural(distance, 'bit', 'bits')} off)"
        if distance
        else str(hit.get("rule", UNDEFINED))
    )


def _counts(counts: Any) -> list[tuple[str, str]]:
    """A mapping, or pairs as Parquet returns them -> pairs, the most frequent first."""
    pairs = list(counts.items()) if isinstance(counts, Mapping) else [(pair[0], pair[1]) for pair in counts or ()]
    pairs.sort(key=lambda pair: (-(number(pair[1]) or 0), str(pair[0])))
    return [(in_words(str(name)), count(amount)) for name, amount in pairs if number(amount)]
