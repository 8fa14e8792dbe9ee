"""The health stage beside a keyword count, SVM, nearest centroid and one-class k-NN: ROC AUC and referrals.

Usage: python -m benchmarks.health_quality --data DIR [--unseen DIR] [--plot FILE.png]
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import roc_auc_score
from sklearn.svm import LinearSVC

from benchmarks.health_curve import centroids, draw_curve, keyword_density, learning_curve
from benchmarks.health_sets import PERSONAL, Sides, of, read_sides
from classifiers.health import HealthModel
from classifiers.knn import OneClassKNN
from classifiers.training.corpus import EVERYDAY, GENERAL, NOTE, STRUCTURED, TALK, Example
from classifiers.training.train_health import Plan, fit

Scores = NDArray[np.float64]
Method = Callable[[Sequence[str]], Scores]
ACCEPTED_EVERYDAY = (
    0.02  # methods without a threshold of their own get the one that refers this much of held-out everyday text
)


def methods(training: Sequence[Example]) -> dict[str, Method]:
    """All learn from the same examples; the score rises with being personal health text."""
    model = HealthModel.from_bytes(fit(training, Plan()))
    texts = [example.text for example in training]
    personal = np.array([example.kind in PERSONAL for example in training])
    words = TfidfVectorizer(sublinear_tf=True, min_df=2, strip_accents="unicode")
    svm = LinearSVC(random_state=0, class_weight="balanced").fit(words.fit_transform(texts), personal)
    vectors = model.transform(texts)
    nearer = centroids(*(vectors[np.flatnonzero(side)] for side in (personal, ~personal)))
    one_class = OneClassKNN().fit(vectors[np.flatnonzero(personal)])
    return {
        "k-NN, four classes": model.decision_function,
        "k-NN, one class": lambda some: one_class.decision_function(model.transform(some)),
        "linear SVM on words": lambda some: svm.decision_function(words.transform(some)),
        "cosine nearest centroid": lambda some: nearer(model.transform(some)),
        "keyword count": lambda some: keyword_density(model, some),
    }


def auc(positive: Scores, negative: Scores) -> float:
    if not len(positive) or not len(negative):
        return float("nan")
    return float(roc_auc_score(np.r_[np.ones(len(positive)), np.zeros(len(negative))], np.r_[positive, negative]))


def table(title: str, examples: Sequence[Example], scored: dict[str, Scores], limits: dict[str, float]) -> None:
    kinds = np.array([example.kind for example in examples])
    print(f"\n{title}: {', '.join(f'{np.count_nonzero(kinds == kind)} {kind}' for kind in dict.fromkeys(kinds))}\n")
    areas_of = ("notes v. all else", "notes v. general", "notes v. everyday", "structured v. else", "talk v. else")
    print(f"| method | {' | '.join(areas_of)} | notes referred | everyday referred | general referred |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, scores in scored.items():
        notes, structured, talk, general, everyday = (
            scores[kinds == kind] for kind in (NOTE, STRUCTURED, TALK, GENERAL, EVERYDAY)
        )
        other = np.r_[general, everyday]
        areas = (auc(notes, other), auc(notes, general), auc(notes, everyday), auc(structured, other), auc(talk, other))
        shares = [
            float(np.mean(some > limits[name])) if len(some) else float("nan") for some in (notes, everyday, general)
        ]
        print(f"| {name} | " + " | ".join(f"{value:.4f}" for value in (*areas, *shares)) + " |")


def per_set(examples: Sequence[Example], scores: Scores) -> None:
    print("\n| set | kind | texts | referred by k-NN, four classes |\n|---|---|---|---|")
    for source, kind in dict.fromkeys((example.source, example.kind) for example in examples):
        chosen = [place for place, example in enumerate(examples) if (example.source, example.kind) == (source, kind)]
        print(f"| {source} | {kind} | {len(chosen)} | {np.mean(scores[chosen] > 0):.4f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of training data")
    parser.add_argument("--unseen", type=Path, help="folder of sets that training never saw, `<kind>-<name>.jsonl`")
    parser.add_argument("--plot", type=Path, help="where the learning curve goes")
    arguments = parser.parse_args()
    sides: Sides = read_sides(arguments.data, arguments.unseen)
    compared = methods(sides.training)
    everyday = of(sides.held_out, EVERYDAY)
    limits = {
        name: 0.0 if "k-NN" in name else float(np.quantile(score(everyday), 1 - ACCEPTED_EVERYDAY))
        for name, score in compared.items()
    }
    for title, examples in (
        ("Held out of the training sets", sides.held_out),
        ("Sets that training never saw", sides.unseen),
    ):
        if examples:
            texts = [example.text for example in examples]
            scored = {name: score(texts) for name, score in compared.items()}
            table(title, examples, scored, limits)
            per_set(examples, next(iter(scored.values())))
    curve = learning_curve(sides.training, sides.unseen or sides.held_out)
    if arguments.plot:
        draw_curve(curve, arguments.plot)


if __name__ == "__main__":
    main()
