"""What was read of a picture, or of the text around it -> the language data that tesseract should read it with."""

from collections.abc import Iterable

from core.detect_language import language_of

AUTO = "auto"
FIRST = "eng"  # packaged; it reads enough of any Latin script to recognise the language
_DATA = {
    "en": FIRST,
    "fr": "fra",
    "es": "spa",
    "de": "deu",
    "it": "ita",
    "pt": "por",
    "nl": "nld",
    "sv": "swe",
    "da": "dan",
    "no": "nor",
    "fi": "fin",
    "pl": "pol",
    "cs": "ces",
    "sk": "slk",
    "hu": "hun",
    "ro": "ron",
    "tr": "tur",
    "hr": "hrv",
    "ca": "cat",
}


def data_for(texts: Iterable[str]) -> str:
    """The name of the language data, or nothing where the language is not recognised."""
    return _DATA.get(language_of(texts) or "", "")
