"""A synthetic share with known truth, for the demo, for tests and for measuring."""

from core.errors import SettingsError

try:
    from leakscreen.demo.make import make_share, make_small_files
except ModuleNotFoundError as error:
    if error.name not in ("docx", "faker", "openpyxl", "pptx", "reportlab"):
        raise
    raise SettingsError(
        f"generating files needs {error.name}, which is not installed; run pip install 'leakscreen[demo]'"
    ) from None
from leakscreen.demo.planted import Planted, write_truth

__all__ = ["Planted", "make_share", "make_small_files", "write_truth"]
