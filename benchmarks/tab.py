"""Court cases with marked identifiers -> how many of them the screen covers, and how much of what it masks is right."""

import argparse
from pathlib import Path

from evaluation.corpus import read_corpus
from evaluation.tab import TabCounts, tab_counts, tab_scores
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

THRESHOLDS = (0.5, 0.55, 0.6, 0.7, 0.8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with tab_train92_dev21.jsonl")
    parser.add_argument("--part", default="dev", choices=("train", "dev"))
    arguments = parser.parse_args()
    screen = Screen(load_rules(), b"benchmark" * 4)
    documents = [
        document
        for document in read_corpus(arguments.data / "tab_train92_dev21.jsonl")
        if document.split == arguments.part
    ]
    screened = [(document, screen.spans(document.text)) for document in documents]
    print(f"{len(screened)} documents")
    for threshold in THRESHOLDS:
        counts = TabCounts()
        for document, spans in screened:
            counts += tab_counts(document, [(span.start, span.end) for span in spans if span.score >= threshold])
        scores = tab_scores(counts)
        figures = {"R": scores.recall, "ER_di": scores.er_direct, "ER_qi": scores.er_quasi, "P": scores.precision}
        print(f"score {threshold:.2f}: " + "  ".join(f"{name} {value:.3f}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
