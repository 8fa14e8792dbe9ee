"""Rules, health model and limits -> one frozen, hashed bundle that every worker loads once."""

import hashlib
import io
import json
import zipfile
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from classifiers.health import HealthModel
from core.errors import ModelError, SettingsError
from core.settings import LimitSettings, OcrSettings, SourceSettings
from pipelines import storage
from pipelines.bundle.inputs import Decisive, Inputs
from screening.entities.model import EntityModel, shipped_model
from screening.entities.weights import unpacked
from screening.known.index import KnownIndex
from screening.privacy.key import fingerprint, load_key
from screening.ruleset.allowlist import Allowed
from screening.ruleset.ruleset import RuleSet
from screening.screen import Screen

_EPOCH = (1980, 1, 1, 0, 0, 0)
_loading = Lock()


@dataclass(frozen=True, slots=True)
class BundleRef:
    """What a worker is handed: where the bundle is, what it must hash to, and where secrets are (never they).

    How servers are reached is no part of the bundle: it decides nothing that a scan finds.
    """

    uri: str
    sha256: str
    key_file: str
    key_fingerprint: str
    sources: SourceSettings = field(default_factory=SourceSettings)


@dataclass(frozen=True, slots=True)
class Engines:
    """The loaded bundle, shared by all stages of a process."""

    screen: Screen
    health: HealthModel
    limits: LimitSettings
    ocr: OcrSettings
    passwords_file: str
    require_sandbox: bool
    health_batch: int
    key: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Bundle:
    content: bytes
    rules: RuleSet
    model_sha256: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    def facts(self, inputs: Inputs) -> dict[str, Any]:
        """What a manifest says of it and of the inputs that it was made from."""
        return {
            "rules": {
                "sha256": self.rules.sha256,
                "version": self.rules.version,
                "ids": [rule.id for rule in self.rules.rules],
            },
            "health_model": {"sha256": self.model_sha256},
            "bundle": {"sha256": self.sha256},
            "aspects": inputs.aspects(self.rules),
            "inputs": inputs.sha256,
        }


def make_bundle(inputs: Inputs) -> Bundle:
    """Checks rules and model now, so that a broken one stops the scan before it starts."""
    rules = inputs.rules()
    try:
        model = _model(inputs.health)
    except ModelError as error:
        raise ModelError(f"{inputs.health_file}: {error}") from None
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "choices.json", inputs.decisive.to_json().encode())
        _add(archive, "rules.json", json.dumps([[name, raw.decode("utf-8")] for name, raw in inputs.sources]).encode())
        _add(archive, "health.model", inputs.health)
        _add(archive, "names.model", inputs.names)
    return Bundle(buffer.getvalue(), rules, model.sha256)


@lru_cache(maxsize=1)
def _model(raw: bytes) -> HealthModel:
    return HealthModel.from_bytes(raw)


def _names_model(raw: bytes) -> EntityModel:
    """The shipped model is loaded once, before workers are forked; any other belongs to a scan of another version."""
    shipped = shipped_model()
    return shipped if hashlib.sha256(raw).hexdigest() == shipped.sha256 else EntityModel(unpacked(raw))


def load_engines(ref: BundleRef) -> Engines:
    """Loads a bundle once per process, whichever stage asks first."""
    with _loading:
        return _engines(ref)


@lru_cache(maxsize=1)
def _engines(ref: BundleRef) -> Engines:
    content = storage.read_whole(ref.uri)
    if hashlib.sha256(content).hexdigest() != ref.sha256:
        raise ModelError(f"{ref.uri}: is not the bundle that this scan was started with; start the scan again")
    key = load_key(ref.key_file)
    if fingerprint(key) != ref.key_fingerprint:
        raise SettingsError(
            "this worker's HMAC key is not the launcher's; give both the same LEAKSCREEN_HMAC_KEY or privacy.key_file"
        )
    return engines_in(content, key)


def engines_in(content: bytes, key: bytes) -> Engines:
    """The engines of a bundle that is in memory already."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        decisive = Decisive.from_json(archive.read("choices.json"))
        sources = tuple((name, text.encode("utf-8")) for name, text in json.loads(archive.read("rules.json")))
        model = _model(archive.read("health.model"))
        names = _names_model(archive.read("names.model"))
    return Engines(
        screen=Screen(
            decisive.rules(sources),
            key,
            evidence=decisive.evidence,
            allowed=Allowed.from_json(decisive.allowed),
            model=names,
            known=_known(decisive, key),
        ),
        health=model,
        limits=decisive.limits,
        ocr=decisive.ocr,
        passwords_file=decisive.passwords_file,
        require_sandbox=decisive.require_sandbox,
        health_batch=decisive.health_batch,
        key=key,
    )


def _known(decisive: Decisive, key: bytes) -> KnownIndex | None:
    if not decisive.known_file:
        return None
    index = KnownIndex(Path(decisive.known_file), key)
    if index.header.sha256 != decisive.known:
        raise SettingsError(f"{decisive.known_file}: is not the index that this scan was started with; scan anew")
    return index


def rules_in(uri: str) -> RuleSet:
    """The rules that a scan ran with; neither its models nor a key is needed to read them."""
    with zipfile.ZipFile(io.BytesIO(storage.read_whole(uri))) as archive:
        decisive = Decisive.from_json(archive.read("choices.json"))
        sources = tuple((name, text.encode("utf-8")) for name, text in json.loads(archive.read("rules.json")))
    return decisive.rules(sources)


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
