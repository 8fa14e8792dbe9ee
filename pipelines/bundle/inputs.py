"""Settings -> everything that decides what a scan finds, read and hashed but not yet loaded."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import screening
from classifiers.model_file import load_model_bytes, model_in_use
from core.settings import LimitSettings, OcrSettings, Settings, stored_section
from core.version import VERSION
from extraction.ocr.face_detector import require_detector
from extraction.passwords import read_passwords
from extraction.version import EXTRACTOR_VERSION
from screening.privacy.key import fingerprint, keyed_hash, load_key
from screening.ruleset.files import Source, sources_of
from screening.version import SCREENER_VERSION

if TYPE_CHECKING:
    from screening.ruleset.ruleset import RuleSet

NAMES_MODEL = Path(screening.__file__).parent / "data" / "names.npz"


@dataclass(frozen=True, slots=True)
class Decisive:
    """The settings that decide what a scan finds, as they are hashed and as a bundle carries them to the workers.

    A setting that is missing here would leave a re-scan with results of its old value.
    """

    limits: LimitSettings
    ocr: OcrSettings
    passwords_file: str
    passwords: str  # shows whether they changed; keyed, so that nobody can guess them from it
    disable: tuple[str, ...]
    evidence: int
    threshold: float
    allowed: dict[str, list[list[str]]]  # active entries of the allow lists, as JSON
    require_sandbox: bool
    health_batch: int
    known_file: str = ""
    known: str = ""  # hash of the index, which shows whether it changed

    @classmethod
    def of(
        cls, settings: Settings, allowed: dict[str, list[list[str]]], passwords: str = "", known: str = ""
    ) -> "Decisive":
        return cls(
            limits=settings.limits,
            ocr=settings.ocr,
            passwords_file=settings.extraction.passwords_file,
            passwords=passwords,
            disable=tuple(settings.rules.disable),
            evidence=settings.rules.evidence_per_file,
            threshold=settings.rules.threshold,
            allowed=allowed,
            require_sandbox=settings.privacy.sandbox == "require",
            health_batch=settings.health.batch,
            known_file=str(Path(settings.rules.known_file).expanduser().absolute()) if known else "",
            known=known,
        )

    def to_json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str | bytes) -> "Decisive":
        """Reads what this or an earlier version wrote."""
        values = json.loads(text)
        values["limits"] = stored_section(LimitSettings, values["limits"])
        values["ocr"] = stored_section(OcrSettings, values["ocr"])
        values.setdefault("passwords_file", "")
        values.setdefault("passwords", "")
        values.setdefault("known_file", "")
        values.setdefault("known", "")
        values["disable"] = tuple(values["disable"])
        return cls(**{field.name: values[field.name] for field in fields(cls)})

    def rules(self, sources: Sequence[Source]) -> "RuleSet":
        """The rules of these files without what is switched off, with the threshold that is set."""
        return _rules(tuple(sources), self.disable, self.threshold)


@lru_cache(maxsize=1)
def _rules(sources: tuple[Source, ...], disable: tuple[str, ...], threshold: float) -> "RuleSet":
    """A launcher asks twice: to check them, and to work with them."""
    from screening.ruleset.ruleset import parse_rules, with_threshold

    return with_threshold(parse_rules(sources, disable), threshold)


@dataclass(frozen=True, slots=True)
class Inputs:
    """Rule files and models as bytes, decisive settings as values; of the key only its fingerprint."""

    decisive: Decisive
    sources: tuple[Source, ...]
    health_file: Path
    health: bytes
    names: bytes
    key_fingerprint: str

    @property
    def sha256(self) -> str:
        """Equal only where a file would be read, screened and judged in the very same way."""
        decided_by = json.dumps([_program(), asdict(self.decisive), self.key_fingerprint], sort_keys=True).encode()
        named = (part for file, raw in self.sources for part in (file.encode(), raw))
        return _digest((decided_by, *named, self.health, self.names))

    def rules(self) -> "RuleSet":
        return self.decisive.rules(self.sources)

    def aspects(self, rules: "RuleSet") -> dict[str, str]:
        """What each kind of finding depends on, so that a change tells which findings it can have changed."""
        limits = (sorted(asdict(part).items()) for part in (self.decisive.limits, self.decisive.ocr))
        detecting = (
            SCREENER_VERSION,
            rules.characteristics,
            rules.detectors,
            rules.names,
            rules.scoring,
            rules.nearness,
        )
        decided_by = (self.decisive.allowed, self.decisive.evidence, self.key_fingerprint, self.decisive.known)
        return {
            "reading": _digest([repr((_program(), *limits, self.decisive.passwords)).encode()]),
            "detection": _digest([repr((detecting, decided_by)).encode(), self.names]),
            "rules": _digest(
                [repr([(rule.id, rule.radius, rule.screens, rule.prototypes) for rule in rules.rules]).encode()]
            ),
            "health": hashlib.sha256(self.health).hexdigest(),
        }


def read_inputs(settings: Settings) -> Inputs:
    """Only reads: loading the models takes seconds, and a scan of unchanged files does without them."""
    sources = sources_of(settings.rules)
    key = load_key(settings.privacy.key_file)
    known_by = fingerprint(key)
    passwords = read_passwords(settings.extraction.passwords_file)
    require_detector(settings.ocr)
    allowed: dict[str, list[list[str]]] = {"values": [], "paths": []}
    if settings.rules.allow:
        from screening.ruleset.allowlist import active, load_entries
        from screening.ruleset.ruleset import parse_rules

        characteristics = [
            characteristic.id for characteristic in parse_rules(sources, settings.rules.disable).characteristics
        ]
        allowed = active(load_entries(settings.rules.allow, characteristics), date.today(), known_by).as_json()
    health_file = model_in_use(settings.health)
    hidden = keyed_hash(key, "passwords", "\n".join(passwords)) if passwords else ""
    decisive = Decisive.of(settings, allowed, hidden, _known(settings.rules.known_file, key))
    return Inputs(decisive, sources, health_file, load_model_bytes(health_file), NAMES_MODEL.read_bytes(), known_by)


def _known(known_file: str, key: bytes) -> str:
    if not known_file:
        return ""
    from screening.known.index import read_header

    return read_header(Path(known_file).expanduser(), key)[0].sha256


def _program() -> list[Any]:
    return [VERSION, EXTRACTOR_VERSION]


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()
