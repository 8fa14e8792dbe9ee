"""Documents of rule files -> their characteristics, detectors, rules and cues, or a RuleError with the remedy."""

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from core.checks import did_you_mean
from core.errors import RuleError
from screening.ruleset.definitions import Characteristic, Detector, NameCues, Nearness, Prototype, Rule, Scoring
from screening.ruleset.expression import ExpressionError, Term, terms_of
from screening.ruleset.files import VECTOR_FILE
from screening.ruleset.schema import Key, read_table
from screening.ruleset.words import SIGNS, Lists, filled_in, folder_of, words_by_folder

Documents = Sequence[tuple[str, dict[str, Any]]]

_CHARACTERISTIC = {
    "id": Key(str),
    "label": Key(str),
    "group": Key(str, choices=("name", "location", "other", "none")),
    "mask": Key(str, "number", choices=("number", "words", "email", "all")),
    "hipaa": Key(str, ""),
    "implies": Key(tuple, ()),
    "reserved": Key(bool, False),
}
_DETECTOR = {
    "id": Key(str),
    "characteristic": Key(str),
    "description": Key(str),
    "pattern": Key(str),
    "trigger": Key(str, ""),
    "lead": Key(int, -1, low=-1, high=400),
    "lead_words": Key(int, 0, low=0, high=12),
    "lead_characters": Key(str, ""),
    "ignore_case": Key(bool, False),
    "standalone": Key(bool, True),
    "joined": Key(bool, False),
    "score": Key(float, low=0, high=1),
    "keywords": Key(tuple, ()),
    "near": Key(int, 40, low=1, high=500),
    "raised_by": Key(tuple, ()),
    "lowered_by": Key(tuple, ()),
    "validator": Key(str, ""),
    "country": Key(str, ""),
    "examples": Key(dict, {}),
}
_EXAMPLES = {"match": Key(tuple, ()), "no_match": Key(tuple, ())}
_GROUP = {"id": Key(str), "expression": Key(str)}
_RULE = {
    "id": Key(str),
    "description": Key(str),
    "expression": Key(str, ""),
    "radius": Key(int, 0, low=0, high=64),
    "screens": Key(bool, True),
    "same_person": Key(bool, False),
}
_PROTOTYPE = {"rule": Key(str), "id": Key(str), "set": Key(tuple), "clear": Key(tuple, ())}
_SCORING = {
    "threshold": Key(float, low=0, high=1),
    "raise_by": Key(float, low=0, high=1),
    "lower_by": Key(float, low=0, high=1),
    "before": Key(int, low=0, high=500),
    "after": Key(int, low=0, high=500),
}
_NEARNESS = {name: Key(int, low=0) for name in ("after_a_name", "before_a_name", "section", "looked_at")}
_NAMES = {name: Key(tuple, ()) for name in ("particles", "things", "never")}
_FORMER_NAMES = (
    "titles",
    "places",
    "place_starts",
    "ordinary",
)  # read by training alone, and no longer from rule files
_TABLES = {
    "version": Key(int, 0),
    "scoring": Key(dict, {}),
    "nearness": Key(dict, {}),
    "names": Key(dict, {}),
    "words": Key(dict, {}),
}
_LISTS = ("characteristic", "detector", "group", "rule", "prototype")


def read_document(file: str, raw: bytes) -> dict[str, Any]:
    try:
        document = tomllib.loads(raw.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RuleError(f"{file}: cannot be read as TOML: {error}") from None
    lists: dict[str, Any] = {name: document.pop(name, []) for name in _LISTS}
    for name, entries in lists.items():
        if not isinstance(entries, list):
            raise RuleError(f"{file}: {name} must be written [[{name}]]")
    for name in document:
        if name not in _TABLES:
            raise RuleError(f"{file}: unknown table {name!r}{did_you_mean(name, (*_TABLES, *_LISTS))}")
    return {**read_table(document, _TABLES, file), **lists}


def _entries(documents: Documents, kind: str) -> list[tuple[str, object]]:
    return [(file, raw) for file, document in documents for raw in document[kind]]


def _place(file: str, kind: str, raw: object) -> str:
    name = raw.get("id") if isinstance(raw, dict) else None
    return f"{file}: {kind} {name!r}" if isinstance(name, str) else f"{file}: {kind} without an id"


def read_characteristics(documents: Documents) -> tuple[Characteristic, ...]:
    characteristics: list[Characteristic] = []
    for file, raw in _entries(documents, "characteristic"):
        place = _place(file, "characteristic", raw)
        if file != VECTOR_FILE:
            raise RuleError(
                f"{place}: the vector is fixed in {VECTOR_FILE}; use one of its characteristics in the detector instead"
            )
        characteristics.append(Characteristic(bit=len(characteristics), **read_table(raw, _CHARACTERISTIC, place)))
    require_unique("characteristic", [(VECTOR_FILE, characteristic.id) for characteristic in characteristics])
    if not 0 < len(characteristics) <= 64:
        raise RuleError(f"{VECTOR_FILE}: there must be 1 to 64 characteristics, not {len(characteristics)}")
    known = {characteristic.id for characteristic in characteristics}
    for characteristic in characteristics:
        for name in characteristic.implies:
            if name not in known:
                raise RuleError(
                    f"{VECTOR_FILE}: characteristic {characteristic.id!r}: implies {name!r} is unknown"
                    f"{did_you_mean(name, known)}"
                )
    return tuple(characteristics)


def read_detectors(documents: Documents, characteristics: Sequence[Characteristic]) -> tuple[Detector, ...]:
    words = words_by_folder(documents)
    return tuple(
        _detector(file, raw, characteristics, words[folder_of(file)]) for file, raw in _entries(documents, "detector")
    )


def _detector(file: str, raw: object, characteristics: Sequence[Characteristic], words: Lists) -> Detector:
    place = _place(file, "detector", raw)
    values = read_table(raw, _DETECTOR, place)
    for key in ("pattern", "trigger"):
        values[key] = filled_in(values[key], words, ignore_case=values["ignore_case"], place=f"{place}: {key}")
    examples = read_table(values.pop("examples"), _EXAMPLES, f"{place}: examples")
    by_id = {characteristic.id: characteristic for characteristic in characteristics}
    name = values["characteristic"]
    if name not in by_id:
        raise RuleError(f"{place}: characteristic {name!r} is unknown{did_you_mean(name, by_id)}")
    if by_id[name].reserved:
        raise RuleError(f"{place}: characteristic {name!r} is reserved; take reserved away in {VECTOR_FILE} first")
    return Detector(file=file, **values, **examples, language=folder_of(file) if SIGNS in words else "")


def read_signs(documents: Documents) -> dict[str, tuple[str, ...]]:
    """Of each language the words by which a text is seen to have it."""
    return {folder: lists[SIGNS] for folder, lists in words_by_folder(documents).items() if SIGNS in lists}


def read_rules(documents: Documents, characteristics: Sequence[Characteristic]) -> tuple[Rule, ...]:
    bits = {characteristic.id: characteristic.value for characteristic in characteristics}
    groups: dict[str, str] = {}
    for file, raw in _entries(documents, "group"):
        values = read_table(raw, _GROUP, _place(file, "group", raw))
        if values["id"] in groups or values["id"] in bits:
            raise RuleError(f"{_place(file, 'group', raw)}: the name is taken; choose another")
        groups[values["id"]] = values["expression"]
    explicit = _explicit_prototypes(documents, bits)
    rules = []
    for file, raw in _entries(documents, "rule"):
        place = _place(file, "rule", raw)
        values = read_table(raw, _RULE, place)
        prototypes = (
            *_compiled(values["id"], values["expression"], groups, bits, place),
            *explicit.pop(values["id"], ()),
        )
        if not prototypes:
            raise RuleError(f"{place}: it can never fire; give it an expression or a [[prototype]]")
        rules.append(Rule(file=file, prototypes=prototypes, **values))
    for name in explicit:
        raise RuleError(
            f"prototype of rule {name!r}: there is no such rule{did_you_mean(name, [rule.id for rule in rules])}"
        )
    return tuple(rules)


def _compiled(
    rule: str, expression: str, groups: Mapping[str, str], bits: Mapping[str, int], place: str
) -> tuple[Prototype, ...]:
    if not expression:
        return ()
    try:
        terms = terms_of(expression, groups, bits)
    except ExpressionError as error:
        raise RuleError(f"{place}: expression: {error}; the names are characteristics and groups") from None
    return tuple(_from_term(rule, term, bits) for term in terms)


def _from_term(rule: str, term: Term, bits: Mapping[str, int]) -> Prototype:
    literals = sorted(term, key=lambda literal: bits[literal[0]])
    name = "+".join(name if value else f"!{name}" for name, value in literals)
    return Prototype(
        f"{rule}/{name}", sum(bits[name] for name, value in literals if value), sum(bits[name] for name, _ in literals)
    )


def _explicit_prototypes(documents: Documents, bits: Mapping[str, int]) -> dict[str, tuple[Prototype, ...]]:
    prototypes: dict[str, tuple[Prototype, ...]] = {}
    for file, raw in _entries(documents, "prototype"):
        place = _place(file, "prototype", raw)
        values = read_table(raw, _PROTOTYPE, place)
        for name in (*values["set"], *values["clear"]):
            if name not in bits:
                raise RuleError(f"{place}: unknown characteristic {name!r}{did_you_mean(name, bits)}")
        ones, zeros = sum(bits[name] for name in set(values["set"])), sum(bits[name] for name in set(values["clear"]))
        if ones & zeros:
            raise RuleError(f"{place}: a characteristic is both set and clear; keep one")
        prototype = Prototype(f"{values['rule']}/{values['id']}", ones, ones | zeros)
        prototypes[values["rule"]] = (*prototypes.get(values["rule"], ()), prototype)
    return prototypes


def single_rule(characteristic: Characteristic) -> Rule:
    rule = characteristic.id.replace("_", "-")
    prototype = Prototype(f"{rule}/{characteristic.id}", characteristic.value, characteristic.value)
    return Rule(VECTOR_FILE, rule, f"{characteristic.label} alone", characteristic.id, 0, False, (prototype,))


def read_names(documents: Documents) -> NameCues:
    merged: dict[str, tuple[str, ...]] = {}
    for file, document in documents:
        lists = {name: words for name, words in document["names"].items() if name not in _FORMER_NAMES}
        for name, words in read_table(lists, _NAMES, f"{file}: [names]").items():
            merged[name] = (*merged.get(name, ()), *words)
    return NameCues(**merged)


def ignored_keys(file: str, raw: bytes) -> list[str]:
    """The keys of a rule file that earlier versions accepted and that never changed what a scan finds."""
    names = read_document(file, raw)["names"]
    return [name for name in _FORMER_NAMES if name in names]


def read_scoring(documents: Documents) -> Scoring:
    return Scoring(**_last_table(documents, "scoring", _SCORING))


def read_nearness(documents: Documents) -> Nearness:
    return Nearness(**_last_table(documents, "nearness", _NEARNESS))


def _last_table(documents: Documents, name: str, keys: Mapping[str, Key]) -> dict[str, Any]:
    """A rule file of one's own comes later and wins."""
    tables = [(file, document[name]) for file, document in documents if document[name]]
    if not tables:
        raise RuleError(f"the rule files have no [{name}] table; the shipped screening.toml holds one")
    file, raw = tables[-1]
    return read_table(raw, keys, f"{file}: [{name}]")


def require_unique(kind: str, ids: Sequence[tuple[str, str]]) -> None:
    seen: dict[str, str] = {}
    for file, name in ids:
        if name in seen:
            raise RuleError(f"{file}: {kind} {name!r}: the id is already taken in {seen[name]}; choose another")
        seen[name] = file
