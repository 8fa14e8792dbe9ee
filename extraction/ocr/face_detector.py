"""Settings -> whether what finds faces is installed; told before any parser is loaded."""

import importlib.util

from core.errors import SettingsError
from core.settings import OcrSettings

GET = "pip install 'leakscreen[faces]'"


def detector() -> str:
    """What finds faces, empty if it is not installed."""
    return "dlib" if importlib.util.find_spec("dlib") is not None else ""


def require_detector(settings: OcrSettings) -> None:
    if settings.faces and not detector():
        raise SettingsError(f"ocr.faces needs dlib: {GET}")
