"""Settings -> the rule files that they want, read but not yet looked into."""

from collections.abc import Sequence
from pathlib import Path

from core.adopted import Versions
from core.errors import RuleError
from core.paths import data_folder
from core.settings import RuleSettings

VECTOR_FILE = "vector.toml"
Source = tuple[str, bytes]
_SHIPPED = Path(__file__).parents[1] / "rules"


def shipped_sources() -> tuple[Source, ...]:
    """The rule files that come with leakscreen, the vector first; those of a language are in a folder of its own."""
    names = {path.relative_to(_SHIPPED).as_posix(): path for path in _SHIPPED.rglob("*.toml")}
    ordered = sorted(names, key=lambda name: (name != VECTOR_FILE, "/" in name, name))
    return tuple((name, names[name].read_bytes()) for name in ordered)


def shipped_languages() -> frozenset[str]:
    """The folders of languages that come with leakscreen."""
    return frozenset(path.name for path in _SHIPPED.iterdir() if path.is_dir())


def rule_sources(files: Sequence[Path] = ()) -> tuple[Source, ...]:
    """The shipped rule files and `files`."""
    own = []
    for path in files:
        try:
            own.append((str(path), Path(path).read_bytes()))
        except OSError as error:
            raise RuleError(f"{path}: the rule file cannot be read: {error.strerror}") from None
    return (*shipped_sources(), *own)


def learned_versions(settings: RuleSettings) -> Versions:
    """The prototypes that were learned from reviews, one of which may be in use."""
    return Versions(Path(settings.adopted_dir) if settings.adopted_dir else data_folder() / "prototypes", ".toml")


def sources_of(settings: RuleSettings, *, learned: bool = True) -> tuple[Source, ...]:
    """Shipped, one's own, learned."""
    adopted = learned_versions(settings).current() if learned else None
    return rule_sources([*(Path(name) for name in settings.files), *([adopted] if adopted else [])])
