"""Few to many examples -> how well k-NN, SVM, nearest centroid and a keyword count rank, as a table and a plot."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import roc_auc_score
from sklearn.svm import LinearSVC

from benchmarks.health_sets import PERSONAL
from classifiers.health import HealthModel
from classifiers.knn import OneClassKNN, PrototypeKNN
from classifiers.model_file import shipped_model
from classifiers.training.corpus import GENERAL, NOTE, Example

SIZES = (10, 30, 100, 300, 1000)
DRAWS = 5
METHODS = ("k-NN, one class", "k-NN, two classes", "linear SVM on words", "cosine nearest centroid", "keyword count")
PANELS = ("against all else", "against general health")
Scores = NDArray[np.float64]
Point = tuple[int, float, float, float]  # examples of each side, mean, lowest, highest
Curve = dict[str, dict[str, list[Point]]]  # panel -> method -> points


def centroids(positives: Any, negatives: Any) -> Callable[[Any], Scores]:
    """How much nearer by cosine the mean of the positives is than that of the negatives."""
    ours, others = (_unit(side.mean(axis=0)) for side in (positives, negatives))
    return lambda vectors: vectors @ ours - vectors @ others


def keyword_density(model: HealthModel, texts: Sequence[str]) -> Scores:
    """Medical terms per word."""
    matches = model._matcher.match(texts)
    medical = model.weights.medical[model.weights.concept_of_term[matches.term]]
    weights = np.bincount(matches.document, weights=medical, minlength=len(texts))
    return weights / (matches.lengths + 20)


def learning_curve(training: Sequence[Example], judged: Sequence[Example]) -> Curve:
    """ROC AUC on notes by the number of examples that each method learns from; term weights are the shipped ones."""
    model = HealthModel.from_bytes(shipped_model())
    sides = [
        [example.text for example in training if (example.kind in PERSONAL) == personal] for personal in (True, False)
    ]
    vectors = [model.transform(texts) for texts in sides]
    judged = [example for example in judged if example.kind == NOTE or example.kind not in PERSONAL]
    texts, kinds = [example.text for example in judged], np.array([example.kind for example in judged])
    judged_vectors = model.transform(texts)
    density = keyword_density(model, texts)
    curve: Curve = {panel: {method: [] for method in METHODS} for panel in PANELS}
    rng = np.random.default_rng(0)
    for size in SIZES:
        draws = []
        for _ in range(DRAWS):
            drawn = [rng.choice(len(some), min(size, len(some)), replace=False) for some in sides]
            ours, others = (side[rows] for side, rows in zip(vectors, drawn, strict=True))
            labels = np.repeat([1, 0], [ours.shape[0], others.shape[0]])
            k = max(1, min(9, size // 4))
            two = PrototypeKNN(n_neighbors=k, max_prototypes=2000).fit(
                sparse.vstack([ours, others], format="csr"), labels
            )
            learned = [side[row] for side, rows in zip(sides, drawn, strict=True) for row in rows]
            words = TfidfVectorizer(sublinear_tf=True, strip_accents="unicode")
            svm = LinearSVC(random_state=0, class_weight="balanced").fit(words.fit_transform(learned), labels)
            draws.append(
                (
                    OneClassKNN(n_neighbors=k, max_prototypes=2000).fit(ours).decision_function(judged_vectors),
                    two.decision_function(judged_vectors),
                    svm.decision_function(words.transform(texts)),
                    centroids(ours, others)(judged_vectors),
                    density,
                )
            )
        for panel, chosen in zip(
            PANELS, (np.ones(len(kinds), bool), (kinds == NOTE) | (kinds == GENERAL)), strict=True
        ):
            for number, method in enumerate(METHODS):
                areas = [float(roc_auc_score(kinds[chosen] == NOTE, scores[number][chosen])) for scores in draws]
                curve[panel][method].append((size, float(np.mean(areas)), min(areas), max(areas)))
    _print(curve)
    return curve


def _unit(vector: Any) -> Scores:
    flat: Scores = np.asarray(vector).ravel()
    return flat / float(np.linalg.norm(flat))


def _print(curve: Curve) -> None:
    for panel, methods in curve.items():
        print(f"\nROC AUC of clinical notes {panel}, mean of {DRAWS} draws, by examples of each side\n")
        print("| method | " + " | ".join(f"{size:,}" for size in SIZES) + " |\n|---|" + "---|" * len(SIZES))
        for method, points in methods.items():
            print(f"| {method} | " + " | ".join(f"{mean:.4f}" for _, mean, _, _ in points) + " |")


def draw_curve(curve: Curve, out: Path) -> None:
    import matplotlib

    matplotlib.use("svg" if out.suffix == ".svg" else "agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(11, 4.2), sharey=True)
    for axes, (panel, methods) in zip(panels, curve.items(), strict=True):
        for method, points in methods.items():
            sizes, mean, low, high = zip(*points, strict=True)
            (line,) = axes.plot(sizes, mean, marker="o", label=method, linestyle="-" if "k-NN" in method else "--")
            axes.fill_between(sizes, low, high, color=line.get_color(), alpha=0.12)
        axes.set(xscale="log", xlabel="examples of each side learned from", title=f"clinical notes {panel}")
        axes.set_xticks(SIZES, [f"{size:,}" for size in SIZES])
        axes.grid(alpha=0.3)
    lowest = min(low for methods in curve.values() for points in methods.values() for _, _, low, _ in points)
    panels[0].set(ylabel="ROC AUC", ylim=(max(0.0, lowest - 0.02), 1.005))
    panels[0].legend(loc="lower right", fontsize="small")
    figure.tight_layout()
    figure.savefig(out, dpi=120, metadata={"Software": None} if out.suffix == ".png" else None)
