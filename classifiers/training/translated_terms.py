"""Names of diseases in Spanish and of drugs in French, from a folder of public lists -> terms counted as the English.

The folder holds `doid-es-translated.tsv` of the Disease Ontology and `drugs_fr_atc.json` of EDS-NLP. They are no part
of the project; what is distilled of them is.
"""

import csv
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from classifiers.tokens import folded_tokens, term_tokens
from classifiers.training.own_terms import spelling_aliases, without_accents
from classifiers.vocabulary import Term, format_lines, parse_lines, unique_terms

TRANSLATED_FILE = Path(__file__).parent / "data" / "translated_terms.tsv"
DISEASES = "doid-es-translated.tsv"
DRUGS = "drugs_fr_atc.json"
_NAMES = ("rdfs:label", "oboInOwl:hasExactSynonym")
_ABBREVIATION = re.compile(r"\b[A-Z]{2,}|\d")
_LONGEST = 4  # with the small words between, as in `cáncer de la vejiga`
_EVERYDAY_ZIPF = 3.2
_BRAND_ZIPF = 2.0  # names of drugs that a language also has as words are left out
_SHORTEST_BRAND = 5


def translated_terms() -> list[Term]:
    return parse_lines(TRANSLATED_FILE.read_text(encoding="utf-8").splitlines())


def write_translated_terms(folder: Path, english: Mapping[str, Term]) -> None:
    """Writes the file from the lists of a folder; `english` holds the terms by which a name is looked up."""
    terms = unique_terms([_diseases(folder / DISEASES, english), _drugs(folder / DRUGS, english)])
    lines = format_lines(term for term in terms if term.tokens not in english)
    TRANSLATED_FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _diseases(path: Path, english: Mapping[str, Term]) -> Iterator[Term]:
    aliases = spelling_aliases()
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            name, source = row["translation_text"] or "", row["source_text"] or ""
            tokens = folded_tokens(name)
            if row["predicate"] not in _NAMES or not _is_disease(name, tokens):
                continue
            known = english.get(" ".join(aliases.get(token, token) for token in folded_tokens(source)))
            term = Term(" ".join(tokens), known.concept if known else " ".join(term_tokens(name)), "disease")
            yield term
            if plain := without_accents(term, "es"):
                yield plain


def _is_disease(name: str, tokens: tuple[str, ...]) -> bool:
    """Whether a name is short, no abbreviation, and not made of everyday words alone."""
    if not 1 <= len(tokens) <= _LONGEST or _ABBREVIATION.search(name) or "," in name:
        return False
    return any(len(token) > 4 and _frequency(token) < _EVERYDAY_ZIPF for token in tokens)


def _drugs(path: Path, english: Mapping[str, Term]) -> Iterator[Term]:
    """Names of one word; those of a group are counted as its substance, which stands last and in small letters."""
    for names in json.loads(path.read_text(encoding="utf-8")).values():
        substance = names[-1] if names[-1].islower() else ""
        known = english.get(" ".join(folded_tokens(substance)))
        for (name,) in (tokens for tokens in map(folded_tokens, names) if len(tokens) == 1):
            if len(name) >= _SHORTEST_BRAND and name.isalpha() and _frequency(name) < _BRAND_ZIPF:
                yield Term(name, known.concept if known else name, "drug")


def _frequency(word: str) -> float:
    from wordfreq import zipf_frequency

    return max(zipf_frequency(word, language) for language in ("en", "fr", "es", "de"))
