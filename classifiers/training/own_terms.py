"""The project's own term list (TOML) -> terms by category, and spellings that are counted as another."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from classifiers.tokens import folded_tokens, term_tokens
from classifiers.vocabulary import CATEGORIES, Term

_FOLDER = Path(__file__).parent / "data"
OWN_TERMS_FILE = _FOLDER / "own_terms.toml"
_OTHER_LANGUAGES = "own_terms_??.toml"


def own_terms() -> list[Term]:
    documents = [
        tomllib.loads(path.read_text(encoding="utf-8"))
        for path in (OWN_TERMS_FILE, *sorted(_FOLDER.glob(_OTHER_LANGUAGES)))
    ]
    return [
        Term(" ".join(folded_tokens(entry)), " ".join(term_tokens(entry)), category)
        for document in documents
        for category in CATEGORIES
        if category in document
        for entry in _entries(document[category]["terms"])
    ]


def spelling_aliases() -> dict[str, str]:
    """Folded British spellings and names -> the folded word that the vocabulary uses."""
    document = tomllib.loads(OWN_TERMS_FILE.read_text(encoding="utf-8"))
    pairs = (entry.split("=") for entry in _entries(document["spelling"]["aliases"]))
    return {" ".join(folded_tokens(alias)): " ".join(folded_tokens(word)) for alias, word in pairs}


def _entries(block: str) -> Iterator[str]:
    return (entry.strip() for entry in re.split(r"[,\n]", block) if entry.strip())
