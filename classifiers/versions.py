"""A model file and its adopted versions beside it: `health.model` is in use, `health-1.model`, `health-2.model` ... are kept."""

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from core.errors import ModelError


@dataclass(frozen=True, slots=True)
class Version:
    number: int
    path: Path
    sha256: str
    in_use: bool


def list_versions(model: Path) -> list[Version]:
    """The kept versions of a model file, oldest first."""
    pattern = re.compile(rf"{re.escape(model.stem)}-(\d+){re.escape(model.suffix)}")
    found = sorted((int(match[1]), path) for path in model.parent.glob("*") if (match := pattern.fullmatch(path.name)))
    used = _sha256(model) if model.exists() else ""
    hashes = [_sha256(path) for _, path in found]
    return [Version(number, path, sha256, sha256 == used) for (number, path), sha256 in zip(found, hashes, strict=True)]


def adopt(model: Path, raw: bytes, before: bytes) -> Version:
    """Keeps what was in use as a version, writes the new model as the next one, and puts it in use."""
    versions = list_versions(model)
    if hashlib.sha256(before).hexdigest() not in {version.sha256 for version in versions}:
        _write(_numbered(model, _next(versions)), before)
        versions = list_versions(model)
    number = _next(versions)
    _write(_numbered(model, number), raw)
    _write(model, raw)
    return Version(number, _numbered(model, number), hashlib.sha256(raw).hexdigest(), True)


def go_back(model: Path) -> Version:
    """Puts the version before the one in use into use again; nothing is deleted."""
    versions = list_versions(model)
    place = next((place for place, version in enumerate(versions) if version.in_use), None)
    if place is None:
        raise ModelError(f"{model}: is none of its kept versions, so there is nothing to go back from")
    if place == 0:
        raise ModelError(f"{model}: version {versions[0].number} is the oldest; there is none before it")
    earlier = versions[place - 1]
    _write(model, earlier.path.read_bytes())
    return Version(earlier.number, earlier.path, earlier.sha256, True)


def _next(versions: list[Version]) -> int:
    return max((version.number for version in versions), default=0) + 1


def _numbered(model: Path, number: int) -> Path:
    return model.with_name(f"{model.stem}-{number}{model.suffix}")


def _write(path: Path, raw: bytes) -> None:
    """By temporary name and rename: a scan that starts meanwhile reads the old model or the new one."""
    temporary = path.with_name(f".{path.name}.new")
    try:
        temporary.write_bytes(raw)
        os.replace(temporary, path)
    except OSError as error:
        raise ModelError(f"{path}: the health model cannot be written: {error.strerror}") from None


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
