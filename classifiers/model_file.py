"""Settings -> the health model's file in use, and its bytes; nothing is loaded from them here."""

from pathlib import Path

from core.adopted import Versions
from core.errors import ModelError
from core.paths import data_folder
from core.settings import HealthSettings

SHIPPED_MODEL = Path(__file__).parent / "data" / "health.model"


def learned_models(settings: HealthSettings) -> Versions:
    """The models that learned from reviews, one of which may be in use."""
    return Versions(Path(settings.adopted_dir) if settings.adopted_dir else data_folder() / "health", ".model")


def model_in_use(settings: HealthSettings) -> Path:
    """The file that the settings name, or else the one that was adopted, or else the one that comes with leakscreen."""
    if settings.model:
        return Path(settings.model)
    return learned_models(settings).current() or SHIPPED_MODEL


def shipped_model() -> bytes:
    """The model that comes with leakscreen."""
    return load_model_bytes(SHIPPED_MODEL)


def load_model_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path}: the health model cannot be read: {error.strerror}") from None
