"""Texts of one language with marked names, and layouts -> the model of names in that language."""

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from core.errors import ModelError
from screening.entities.gazetteer import ANY_PLACE, Gazetteer
from screening.entities.weights import packed
from screening.training.distil_language import counted, distil_language
from screening.training.fit import fit
from screening.training.labelled import Labelled
from screening.training.languages import foreign_texts_of
from screening.training.layouts import SHIPPED_LAYOUTS, read_layouts, written
from screening.training.marked_pages import marked_pages
from screening.training.material import SEED, case_copies
from screening.training.people import Crowd

LANGUAGES = ("es", "fr")
RELATED = {"fr": ("es",)}  # French texts were marked by a machine, Spanish ones by people, and both write alike
OPTIONS: dict[str, Any] = {
    "c1": 0.12,
    "c2": 0.15,
    "max_iterations": 45,
    "feature.minfreq": 3,
    "feature.possible_transitions": True,
}
POINTS = {
    "any": {"any": 0.9, "PER": 0.45, "ORG": 0.85, "LOC": 0.85, "ADDR": 0.85},
    "legal": {"any": 0.18},
}
_DOCUMENTS_A_LAYOUT = 16  # of those of the language
_DOCUMENTS_OF_ANY = 2  # of those in English: tables, records and statements look alike everywhere
_SENTENCE = re.compile(r"[^\W\d_][^.!?\n]{30,200}[.!?](?= |\n|$)")
_CAPITAL_WITHIN = re.compile(r"(?<!^)[^\W\d_a-zß-ÿ]")
_POOL = 4_000


def train_language(language: str, data: Path, texts: Path) -> bytes:
    """`texts` has `fr_NAME.jsonl`, pages with marks, and `fr_NAME.txt`, plain texts that show which words are names."""
    gazetteer = _lists_of(language, texts)
    related = [(_own_pages(other, texts), _lists_of(other, texts)) for other in RELATED.get(language, ())]
    material = language_texts(language, gazetteer, data, texts)
    about = {"points": POINTS, "version": 1, "language": language}
    return packed(fit(material, gazetteer, OPTIONS, about, in_english=False, related=related))


def _lists_of(language: str, texts: Path) -> dict[str, int]:
    plain = sorted(texts.glob(f"{language}_*.txt"))
    if not plain:
        raise ModelError(f"{texts}: no texts named {language}_....txt in this folder")
    return distil_language(language, counted(path.read_text(encoding="utf-8") for path in plain))


def _own_pages(language: str, texts: Path) -> Iterator[Labelled]:
    for path in sorted(texts.glob(f"{language}_*.jsonl")):
        yield from marked_pages(path)


def language_texts(language: str, gazetteer: Gazetteer, data: Path, texts: Path) -> Iterator[Labelled]:
    chance = random.Random(SEED)  # noqa: S311 - training data, no secret
    real = [*_own_pages(language, texts), *foreign_texts_of(language, data)]
    for each in real:
        yield each
        yield from case_copies(each, chance, small=0.02, capital=0.06)
    sentences = nameless(real)
    chance.shuffle(sentences)
    crowd = Crowd(SEED, dict(gazetteer), _places(gazetteer), language=language)
    own = read_layouts(SHIPPED_LAYOUTS.with_name(f"layouts_{language}.txt"))
    for layouts, times in ((own, _DOCUMENTS_A_LAYOUT), (read_layouts(SHIPPED_LAYOUTS), _DOCUMENTS_OF_ANY)):
        for layout in layouts:
            for _ in range(times):
                document = written(layout, crowd, sentences, sentences)
                yield document
                yield from case_copies(document, chance, small=0.1, capital=0.1)


def nameless(texts: Sequence[Labelled]) -> list[str]:
    """Sentences without a mark and without a capital but the first."""
    found: list[str] = []
    for each in texts:
        marked = {place for mark in each.marked for place in range(mark.start, mark.end)}
        found += (
            match[0]
            for match in _SENTENCE.finditer(each.text)
            if not _CAPITAL_WITHIN.search(match[0]) and marked.isdisjoint(range(*match.span()))
        )
    return found[:: max(1, len(found) // _POOL)]


def _places(gazetteer: Gazetteer) -> list[str]:
    return [word.capitalize() for word, code in gazetteer.items() if code & ANY_PLACE and not code & ~ANY_PLACE]
