"""Rule files (TOML) -> one frozen, hashed RuleSet: characteristics, detectors, rules and their prototypes."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.checks import did_you_mean
from core.errors import RuleError
from core.settings import RuleSettings
from screening.ruleset.definitions import Characteristic, Detector, NameCues, Nearness, Rule, Scoring
from screening.ruleset.files import Source, rule_sources, sources_of
from screening.ruleset.parse import (
    read_characteristics,
    read_detectors,
    read_document,
    read_names,
    read_nearness,
    read_rules,
    read_scoring,
    read_signs,
    require_unique,
    single_rule,
)

NAMES_ID = "names"  # what switches the name finder off


@dataclass(frozen=True, slots=True)
class RuleSet:
    version: int
    characteristics: tuple[Characteristic, ...]
    detectors: tuple[Detector, ...]
    rules: tuple[Rule, ...]
    names: NameCues | None
    scoring: Scoring
    nearness: Nearness
    sources: tuple[Source, ...]
    disabled: tuple[str, ...]
    sha256: str
    signs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by language


def load_rules(files: Sequence[Path] = (), disable: Sequence[str] = ()) -> RuleSet:
    """The shipped rules and those of `files`, without what `disable` names."""
    return parse_rules(rule_sources(files), disable)


def parse_rules(sources: Sequence[Source], disable: Sequence[str] = ()) -> RuleSet:
    """The same set from the same bytes, wherever it is built."""
    documents = [(file, read_document(file, raw)) for file, raw in sources]
    characteristics = read_characteristics(documents)
    detectors = read_detectors(documents, characteristics)
    rules = (
        *read_rules(documents, characteristics),
        *(single_rule(characteristic) for characteristic in characteristics),
    )
    require_unique("detector", [(detector.file, detector.id) for detector in detectors] + [(NAMES_ID, NAMES_ID)])
    require_unique("rule", [(rule.file, rule.id) for rule in rules])
    disabled = _disabled(disable, [NAMES_ID, *(detector.id for detector in detectors), *(rule.id for rule in rules)])
    return RuleSet(
        version=max(document["version"] for _, document in documents),
        characteristics=characteristics,
        detectors=tuple(detector for detector in detectors if detector.id not in disabled),
        rules=tuple(rule for rule in rules if rule.id not in disabled),
        names=None if NAMES_ID in disabled else read_names(documents),
        scoring=read_scoring(documents),
        nearness=read_nearness(documents),
        sources=tuple((file, bytes(raw)) for file, raw in sources),
        disabled=disabled,
        sha256=_digest(sources, disabled),
        signs=read_signs(documents),
    )


def rules_of(settings: RuleSettings, *, learned: bool = True) -> RuleSet:
    """The rules as the settings want them, without what is switched off."""
    return with_threshold(parse_rules(sources_of(settings, learned=learned), settings.disable), settings.threshold)


def with_threshold(ruleset: RuleSet, threshold: float) -> RuleSet:
    """The same rules with another score to reach; 0 leaves it as it is."""
    return replace(ruleset, scoring=replace(ruleset.scoring, threshold=threshold)) if threshold else ruleset


def _disabled(disable: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    for name in disable:
        if name not in known:
            raise RuleError(f"rules.disable: there is no detector or rule {name!r}{did_you_mean(name, known)}")
    return tuple(sorted(set(disable)))


def _digest(sources: Sequence[Source], disabled: Sequence[str]) -> str:
    digest = hashlib.sha256()
    for file, raw in sources:
        digest.update(f"{Path(file).name}\0{len(raw)}\0".encode())
        digest.update(raw)
    digest.update("\0".join(disabled).encode())
    return digest.hexdigest()
