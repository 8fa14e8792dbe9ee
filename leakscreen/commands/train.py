"""`leakscreen train`: training data -> a model file, its card, and figures on documents it has not seen."""

from dataclasses import fields
from pathlib import Path

from classifiers.health import SHIPPED_MODEL
from classifiers.train_health import train_health, write_trained
from core.errors import ModelError


def health(data: Path, out: Path | None) -> None:
    if not data.is_dir():
        raise ModelError(f"{data}: no such folder of training data")
    trained = train_health(data)
    target = out or SHIPPED_MODEL
    card = write_trained(trained, target)
    print(f"model: {target}\ncard:  {card}")
    for figure in fields(trained.figures):
        value = getattr(trained.figures, figure.name)
        if isinstance(value, float):
            print(f"  {figure.name:<20} {value:.4f}")
