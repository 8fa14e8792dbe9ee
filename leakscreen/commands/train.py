"""`leakscreen train`: training data -> a model file and its card."""

from pathlib import Path

from classifiers.train_health import train_health


def health(data: Path, out: Path | None) -> None:
    trained = train_health(data)
    print(trained)
