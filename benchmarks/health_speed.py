"""Documents per second of the health stage on one core, by kind of document: judged whole, and judged as passages.

A scan judges passages, and only those with a possible patient and a medical word. The second figure is the worst case:
every passage of a document is judged.

Usage: python -m benchmarks.health_speed --data DIR [--model FILE]
"""

import argparse
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from classifiers.health import HealthModel
from classifiers.model_file import SHIPPED_MODEL, load_model_bytes
from classifiers.training.corpus import EVERYDAY, GENERAL, NOTE, STRUCTURED, TALK, read_corpus, read_plainly

CHARACTERS = 4_000
PASSAGE_CHARACTERS = 800
BATCH = 64
ROUNDS = 3
KINDS = {
    "clinical notes": NOTE,
    "structured records": STRUCTURED,
    "conversations": TALK,
    "leaflets": GENERAL,
    "everyday text": EVERYDAY,
}


def documents_of(texts: Sequence[str]) -> list[str]:
    """Texts run together and cut into pieces of equal length."""
    stream = "\n".join(texts)
    return [stream[start : start + CHARACTERS] for start in range(0, len(stream) - CHARACTERS, CHARACTERS)]


def passages_of(documents: Sequence[str]) -> list[str]:
    """Pieces of the length of a long paragraph."""
    return [
        document[start : start + PASSAGE_CHARACTERS]
        for document in documents
        for start in range(0, len(document), PASSAGE_CHARACTERS)
    ]


def per_second(work: Callable[[Sequence[str]], object], documents: Sequence[str]) -> float:
    """The best of some rounds, by CPU time, so that other work on the machine counts little."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for low in range(0, len(documents), BATCH):
            work(documents[low : low + BATCH])
        best = min(best, time.process_time() - start)
    return len(documents) / best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of training data")
    parser.add_argument(
        "--model", type=Path, default=SHIPPED_MODEL, help="health model file; the shipped one without it"
    )
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    raw = load_model_bytes(arguments.model)
    start = time.process_time()
    model = HealthModel.from_bytes(raw)
    print(
        f"model: {len(raw):,} bytes, {model.prototypes} prototypes, loaded in {time.process_time() - start:.2f} CPU s"
    )
    examples = read_corpus(arguments.data, read_plainly)
    print(f"documents of {CHARACTERS} characters a CPU second, batches of {BATCH}\n")
    print("| kind | documents | positive as a whole | judged whole | judged as passages |\n|---|---|---|---|---|")
    for name, kind in KINDS.items():
        documents = documents_of([example.text for example in examples if example.kind == kind])
        positive = sum(verdict.positive for verdict in model.classify(documents))
        speed = per_second(model.classify, documents)
        as_passages = per_second(lambda some: model.classify_passages(passages_of(some)), documents)
        print(f"| {name} | {len(documents)} | {positive} | {speed:,.0f} | {as_passages:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
