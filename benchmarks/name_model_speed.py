"""Texts of JSON-lines files -> megabytes per CPU second of the model of names, by part, and how much text needed it."""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.model_needs import needs, print_shares
from benchmarks.screening_speed import megabytes, texts
from screening.entities.finder import EntityFinder
from screening.entities.model import SHIPPED_MODEL, EntityModel, shipped_legal_model
from screening.entities.weights import unpacked

BATCH = 64


def timed(label: str, work: Callable[[list[str]], object], batches: list[list[str]], size: float) -> None:
    start = time.process_time()
    for batch in batches:
        work(batch)
    print(f"{label:44s} {size / (time.process_time() - start):8.2f} MB per CPU s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with .jsonl files whose rows have a `text`")
    parser.add_argument("--every", type=int, default=4, help="take every so manieth text")
    arguments = parser.parse_args()
    documents = texts(arguments.data)[:: arguments.every]
    size = megabytes(documents)
    start = time.process_time()
    model = EntityModel(unpacked(SHIPPED_MODEL.read_bytes()))
    print(f"load {time.process_time() - start:.3f} CPU s; {len(documents)} texts, {size:.1f} MB")
    finder = EntityFinder(model, shipped_legal_model())
    batches = [documents[start : start + BATCH] for start in range(0, len(documents), BATCH)]
    timed("whole model, words not met before", lambda batch: finder.find_each(batch, 0.5), batches, size)
    timed("whole model, words met before", lambda batch: finder.find_each(batch, 0.5), batches, size)
    timed(
        "the same, text by text",
        lambda batch: finder.find_each(batch, 0.5),
        [[document] for document in documents],
        size,
    )
    timed("probabilities alone, exact", lambda batch: _decided(model, batch), batches, size)
    timed("reading alone", model.read, batches, size)
    print_shares(needs(model, documents))


def _decided(model: EntityModel, batch: list[str]) -> None:
    reading = model.read(batch)
    model.decided(reading, reading.needy)


if __name__ == "__main__":
    main()
