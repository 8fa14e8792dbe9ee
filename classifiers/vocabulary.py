"""The vocabulary file <-> medical terms, each with the concept that it is counted as and a category."""

import gzip
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from classifiers.tokens import folded_tokens

VOCABULARY_FILE = Path(__file__).parent / "data" / "health_terms.tsv.gz"
MEDICAL = (
    "abbreviation",
    "anatomy",
    "code",
    "disease",
    "dose",
    "drug",
    "finding",
    "heading",
    "laboratory",
    "people",
    "procedure",
    "record",
    "standard",
    "symptom",
    "unit",
)
CUES = (  # whom a text is about; no medical terms
    "author",
    "first",
    "generic",
    "identity",
    "negated",
    "past",
    "person",
    "present",
    "professional",
    "second",
    "study",
    "subject",
    "third",
    "time",
)
CATEGORIES = MEDICAL + CUES
CLINICAL = frozenset({"abbreviation", "code", "dose", "finding", "heading", "laboratory", "record", "standard", "unit"})
PERSONAL = frozenset({"first", "identity", "subject", "third", "time"})


@dataclass(frozen=True, slots=True, order=True)
class Term:
    """A term as folded tokens joined by blanks, and the readable concept that it is counted as."""

    tokens: str
    concept: str
    category: str


def format_lines(terms: Iterable[Term]) -> list[str]:
    """One line a term, in a fixed order: category, concept, and the tokens where the concept does not give them."""
    return [
        f"{term.category}\t{term.concept}\t{'' if term.tokens == _folded(term.concept) else term.tokens}"
        for term in sorted(terms)
    ]


def parse_lines(lines: Iterable[str]) -> list[Term]:
    rows = (line.split("\t") for line in lines)
    return [Term(tokens or _folded(concept), concept, category) for category, concept, tokens in rows]


def write_vocabulary(terms: Iterable[Term]) -> bytes:
    """The same terms always give the same bytes."""
    return gzip.compress("\n".join(format_lines(terms)).encode(), compresslevel=9, mtime=0)


def read_vocabulary(raw: bytes) -> list[Term]:
    return parse_lines(gzip.decompress(raw).decode().split("\n"))


def _folded(concept: str) -> str:
    return " ".join(folded_tokens(concept))


def unique_terms(groups: Sequence[Iterable[Term]]) -> list[Term]:
    """Merges groups of terms; where two know the same tokens, the earlier group decides concept and category."""
    chosen: dict[str, Term] = {}
    for group in groups:
        for term in group:
            chosen.setdefault(term.tokens, term)
    return sorted(chosen.values())
