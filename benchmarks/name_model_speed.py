"""Texts of JSON-lines files -> megabytes that the model of names reads in one CPU second, by part, and how much of the text needed it."""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.screening_speed import texts
from screening.entities.finder import EntityFinder
from screening.entities.model import SHIPPED_MODEL, EntityModel, shipped_legal_model
from screening.entities.weights import unpacked


def timed(label: str, work: Callable[[str], object], documents: list[str], size: float) -> None:
    start = time.process_time()
    for document in documents:
        work(document)
    print(f"{label:44s} {size / (time.process_time() - start):8.2f} MB per CPU s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with .jsonl files whose rows have a `text`")
    parser.add_argument("--every", type=int, default=4, help="take every so manieth text")
    arguments = parser.parse_args()
    documents = texts(arguments.data)[:: arguments.every]
    size = sum(len(document.encode("utf-8", "replace")) for document in documents) / 1e6
    start = time.process_time()
    model = EntityModel(unpacked(SHIPPED_MODEL.read_bytes()))
    print(f"load {time.process_time() - start:.3f} CPU s; {len(documents)} texts, {size:.1f} MB")
    finder = EntityFinder(model, shipped_legal_model())
    timed("whole model, words not met before", lambda text: finder.find(text, 0.5), documents, size)
    timed("whole model, words met before", lambda text: finder.find(text, 0.5), documents, size)
    timed("reading and scores of words alone", model.read, documents, size)
    needy = [model.read(document)[0].needy for document in documents]
    print(f"texts that needed the model       {np.mean([each.any() for each in needy]):8.1%}")
    print(f"sentences that needed the model   {np.concatenate(needy).mean():8.1%}")


if __name__ == "__main__":
    main()
