"""Words -> whether they are medical, and whether one of them hints at somebody's health."""

import gzip
import re
from functools import cache, lru_cache
from importlib import resources

_FILE = resources.files("screening") / "data" / "health_words.txt.gz"
_WORD = re.compile(r"[^\W\d_]{2,}")
# A dose, a reading with its unit, or a code of a disease or a procedure.
_FIGURES = re.compile(
    r"\b\d+(?:[.,]\d+)?\s?(?:mg|mcg|µg|ml|mmol|umol|mmhg|bpm|iu|units|puffs|tabs?|tablets?|g/dl|k/ul|u/l)\b"
    r"|\b(?:bp|hr|bg|inr|hgb|hb|wbc|plt|spo2|bmi|gfr|egfr|a1c|hba1c|gmi|cgm|tsh|ldl|hdl|crp|psa|ekg|ecg|mri|ct)\b"
    r"|\b[A-TV-Z]\d[0-9A-Z]\.[0-9A-Z]{1,4}\b|\bD\d{4}\b",
    re.IGNORECASE,
)

_HEALTH_HEADING = re.compile(
    r"\b(?:diagnos\w*|diag(?:_cd)?|dx\d?|icd\w*|medications?|meds?|rx|drugs?|allerg\w*|symptoms?|condition|problems?|pblm"
    r"|treatment|tx|procedure|proc(?:_cd)?|cpt|test|result|lab|blood|vaccin\w*|illness|disease|injury|reason|absence|disability)\b",
    re.IGNORECASE,
)


@cache
def _words() -> tuple[frozenset[str], frozenset[str]]:
    lines = gzip.decompress(_FILE.read_bytes()).decode().split("\n")
    return (
        frozenset(line.removeprefix("+") for line in lines),
        frozenset(line[1:] for line in lines if line.startswith("+")),
    )


def is_medical(word: str) -> bool:
    """Whether a word, in small letters, belongs to the language of medicine."""
    words = _words()[0]
    return word in words or word.removesuffix("s") in words


def is_hint(word: str) -> bool:
    """Whether one word alone hints at somebody's health."""
    hints, plain = _words()[1], word.lower()
    return plain in hints or plain.removesuffix("s") in hints


def hints_at_health(text: str, least: int = 1) -> bool:
    """A cheap look before the health stage, for so many different words: most passages that name somebody have none."""
    hints = _words()[1]
    seen: set[str] = set()
    for word in _WORD.findall(text):
        plain = word.lower()
        if plain in hints or plain.removesuffix("s") in hints:
            seen.add(plain)
            if len(seen) >= least:
                return True
    return _FIGURES.search(text) is not None


@lru_cache(maxsize=256)
def is_health_heading(heading: str) -> bool:
    """Whether a heading, such as that of a table, says that diagnoses, drugs or the like are below."""
    return _HEALTH_HEADING.search(heading.replace("_", " ")) is not None
