"""The project's own term lists (TOML) -> terms by category, and spellings that are counted as another."""

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from classifiers.tokens import folded_tokens, term_tokens
from classifiers.vocabulary import CATEGORIES, Term

_FOLDER = Path(__file__).parent / "data"
OWN_TERMS_FILE = _FOLDER / "own_terms.toml"
_OTHER_LANGUAGES = "own_terms_??.toml"
_ALL_LANGUAGES = ("en", "fr", "es", "de")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_RARE = 2.5  # log10 per 10^9 words
_LESS = 0.3


def own_terms() -> list[Term]:
    terms = list(_listed(OWN_TERMS_FILE))
    for path in sorted(_FOLDER.glob(_OTHER_LANGUAGES)):
        language = path.stem[-2:]
        accented = list(_listed(path))
        terms += accented
        terms += [plain for term in accented if (plain := without_accents(term, language))]
    return terms


def without_accents(term: Term, language: str) -> Term | None:
    """The term as people type it without accents; nothing where that is another word, as `adresse` for `adressé` is."""
    plain = _umlauts_spelled_out(term.tokens) if language == "de" else _stripped(term.tokens)
    if plain == term.tokens or (" " not in plain and not _is_rarer(plain, term.tokens, language)):
        return None
    return Term(plain, term.concept, term.category)


def _is_rarer(plain: str, accented: str, language: str) -> bool:
    from wordfreq import zipf_frequency

    frequency = max(zipf_frequency(plain, other) for other in _ALL_LANGUAGES)
    return frequency <= max(_RARE, zipf_frequency(accented, language) - _LESS)


def _umlauts_spelled_out(text: str) -> str:
    return _stripped(text.translate(_UMLAUTS))


def _stripped(text: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))


def spelling_aliases() -> dict[str, str]:
    """Folded British spellings and names -> the folded word that the vocabulary uses."""
    document = tomllib.loads(OWN_TERMS_FILE.read_text(encoding="utf-8"))
    pairs = (entry.split("=") for entry in _entries(document["spelling"]["aliases"]))
    return {" ".join(folded_tokens(alias)): " ".join(folded_tokens(word)) for alias, word in pairs}


def _listed(path: Path) -> Iterator[Term]:
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    for category in CATEGORIES:
        if category in document:
            for entry in _entries(document[category]["terms"]):
                yield Term(" ".join(folded_tokens(entry)), " ".join(term_tokens(entry)), category)


def _entries(block: str) -> Iterator[str]:
    return (entry.strip() for entry in re.split(r"[,\n]", block) if entry.strip())
