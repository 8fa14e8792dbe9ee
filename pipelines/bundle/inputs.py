"""Settings -> everything that decides what a scan finds, read and hashed but not yet loaded."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import screening
from classifiers.model_file import load_model_bytes, model_in_use
from core.settings import Settings
from core.version import VERSION
from extraction.version import EXTRACTOR_VERSION
from screening.privacy.key import fingerprint, load_key
from screening.ruleset.files import Source, sources_of

if TYPE_CHECKING:
    from screening.ruleset.ruleset import RuleSet

NAMES_MODEL = Path(screening.__file__).parent / "data" / "names.npz"


@dataclass(frozen=True, slots=True)
class Inputs:
    """Rule files, models and choices as bytes and plain values; the key is known by its fingerprint alone."""

    choices: dict[str, Any]
    sources: tuple[Source, ...]
    health_file: Path
    health: bytes
    names: bytes
    key_fingerprint: str

    @property
    def sha256(self) -> str:
        """Equal only where a file would be read, screened and judged in the very same way."""
        told = json.dumps([_program(), self.choices, self.key_fingerprint], sort_keys=True).encode()
        named = (part for file, raw in self.sources for part in (file.encode(), raw))
        return _digest((told, *named, self.health, self.names))

    def rules(self) -> "RuleSet":
        from screening.ruleset.ruleset import parse_rules, with_threshold

        return with_threshold(parse_rules(self.sources, self.choices["disable"]), self.choices["threshold"])

    def aspects(self, rules: "RuleSet") -> dict[str, str]:
        """What each kind of finding depends on, so that a change tells which findings it can have changed."""
        choices = self.choices
        detecting = (rules.characteristics, rules.detectors, rules.names, rules.scoring, rules.nearness)
        told = (choices["allowed"], choices["evidence"], self.key_fingerprint)
        return {
            "reading": _digest(
                [repr((_program(), sorted(choices["limits"].items()), sorted(choices["ocr"].items()))).encode()]
            ),
            "detection": _digest([repr((detecting, told)).encode(), self.names]),
            "rules": _digest(
                [repr([(rule.id, rule.radius, rule.screens, rule.prototypes) for rule in rules.rules]).encode()]
            ),
            "health": hashlib.sha256(self.health).hexdigest(),
        }


def read_inputs(settings: Settings) -> Inputs:
    """Only reads: loading the models takes seconds, and a scan of unchanged files does without them."""
    sources = sources_of(settings.rules)
    known_by = fingerprint(load_key(settings.privacy.key_file))
    allowed: dict[str, list[list[str]]] = {"values": [], "paths": []}
    if settings.rules.allow:
        from screening.ruleset.allowlist import active, load_entries
        from screening.ruleset.ruleset import parse_rules

        characteristics = [each.id for each in parse_rules(sources, settings.rules.disable).characteristics]
        allowed = active(load_entries(settings.rules.allow, characteristics), date.today(), known_by).as_json()
    health_file = model_in_use(settings.health)
    choices = {
        "limits": asdict(settings.limits),
        "ocr": asdict(settings.ocr),
        "disable": list(settings.rules.disable),
        "evidence": settings.rules.evidence_per_file,
        "threshold": settings.rules.threshold,
        "allowed": allowed,
        "require_sandbox": settings.privacy.sandbox == "require",
        "health_batch": settings.health.batch,
    }
    return Inputs(choices, sources, health_file, load_model_bytes(health_file), NAMES_MODEL.read_bytes(), known_by)


def _program() -> list[Any]:
    return [VERSION, EXTRACTOR_VERSION]


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()
