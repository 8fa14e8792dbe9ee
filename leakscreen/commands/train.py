"""`leakscreen train`: training data -> a model file, its model card, and scores on unseen documents."""

import secrets
from dataclasses import fields
from pathlib import Path

from classifiers.model_file import SHIPPED_MODEL
from classifiers.training.train_health import train_health, write_trained
from core.errors import ModelError
from evaluation.categories import category_of
from evaluation.corpus import read_corpus
from leakscreen.commands.read_texts import read_texts
from screening.entities.model import SHIPPED_MODEL as SHIPPED_NAMES
from screening.entities.runs import PERSON
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen
from screening.training.labelled import ORGANIZATION, OWN_TEXT, PLACE, Labelled, Marked

_LABELS = {"person": PERSON, "organization": ORGANIZATION, "location": PLACE}


def health(data: Path, out: Path | None, also: Path | None = None) -> None:
    if not data.is_dir():
        raise ModelError(f"{data}: no such folder of training data")
    if also is not None and not also.is_dir():
        raise ModelError(f"{also}: no such folder of further sets")
    screen = Screen(load_rules(), secrets.token_bytes(32))  # the key hashes evidence, which training does not make
    trained = train_health(data, read_texts, screen.passages_of_each, also=also)
    target = out or SHIPPED_MODEL
    card = write_trained(trained, target)
    print(f"model: {target}\ncard:  {card}")
    for figure in fields(trained.figures):
        value = getattr(trained.figures, figure.name)
        if isinstance(value, float):
            print(f"  {figure.name:<20} {value:.4f}")


def names(data: Path, out: Path | None, also: Path | None = None) -> None:
    from screening.training.train_names import train_names
    from screening.training.train_names import write_trained as write_names

    if not data.is_dir():
        raise ModelError(f"{data}: no such folder of training data")
    trained = train_names(data, own=own_texts(also) if also is not None else ())
    target = out or Path(str(SHIPPED_NAMES))
    card = write_names(trained, target)
    print(f"model: {target}\ncard:  {card}")
    for scores in trained.figures:
        print(f"  {scores.kind:<20} recall {scores.recall:.4f}  precision {scores.precision:.4f}")


def names_of(language: str, data: Path, texts: Path, out: Path | None) -> None:
    from screening.training.train_language import LANGUAGES, train_language

    if language not in LANGUAGES:
        raise ModelError(f"no lists and layouts to train names in {language!r}; there are {', '.join(LANGUAGES)}")
    for folder in (data, texts):
        if not folder.is_dir():
            raise ModelError(f"{folder}: no such folder of training data")
    target = out or Path(str(SHIPPED_NAMES)).with_name(f"names_{language}.npz")
    target.write_bytes(train_language(language, data, texts))
    print(f"model: {target}")


def own_texts(corpus: Path) -> list[Labelled]:
    """A corpus in any format that `benchmark` reads; what is no name, organization or place is passed over."""
    return [
        Labelled(
            OWN_TEXT,
            document.id,
            document.text,
            tuple(
                Marked(span.start, span.end, _LABELS[category])
                for span in document.spans
                if (category := category_of(span.category)) in _LABELS
            ),
        )
        for document in read_corpus(corpus)
    ]
