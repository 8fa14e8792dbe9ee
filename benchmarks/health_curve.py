"""Few to many prototypes -> how well they rank, as a table and a plot."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from benchmarks.health_sets import PERSONAL
from classifiers.corpus import GENERAL, NOTE, Example
from classifiers.health import HealthModel
from classifiers.knn import OneClassKNN, PrototypeKNN
from classifiers.model_file import shipped_model

SIZES = (10, 30, 100, 300, 1000)
DRAWS = 5
Curve = dict[str, list[tuple[int, float, float, float]]]  # line -> (prototypes, mean, lowest, highest)


def learning_curve(training: Sequence[Example], judged: Sequence[Example]) -> Curve:
    """ROC AUC of notes against all that is not personal, by the number of examples; weights are the shipped ones."""
    model = HealthModel.from_bytes(shipped_model())
    personal = [example.text for example in training if example.kind in PERSONAL]
    other = [example.text for example in training if example.kind not in PERSONAL]
    positives, negatives = model.transform(personal), model.transform(other)
    judged = [example for example in judged if example.kind == NOTE or example.kind not in PERSONAL]
    vectors, kinds = model.transform([example.text for example in judged]), np.array([example.kind for example in judged])
    against_what = ("against all", "against general health")
    curve: Curve = {f"{form}, {against}": [] for form in ("one class", "two classes") for against in against_what}
    rng = np.random.default_rng(0)
    for size in SIZES:
        areas: dict[str, list[float]] = {name: [] for name in curve}
        for _ in range(DRAWS):
            some = positives[rng.choice(positives.shape[0], min(size, positives.shape[0]), replace=False)]
            against = negatives[rng.choice(negatives.shape[0], min(size, negatives.shape[0]), replace=False)]
            k = max(1, min(9, size // 4))
            one = OneClassKNN(n_neighbors=k, max_prototypes=2000).fit(some).decision_function(vectors)
            labels = np.repeat([1, 0], [some.shape[0], against.shape[0]])
            two = PrototypeKNN(n_neighbors=k, max_prototypes=2000).fit(_stack(some, against), labels).decision_function(vectors)
            for form, scores in (("one class", one), ("two classes", two)):
                areas[f"{form}, against all"].append(float(roc_auc_score(kinds == NOTE, scores)))
                chosen = (kinds == NOTE) | (kinds == GENERAL)
                areas[f"{form}, against general health"].append(float(roc_auc_score(kinds[chosen] == NOTE, scores[chosen])))
        for name, values in areas.items():
            curve[name].append((size, float(np.mean(values)), min(values), max(values)))
    _print(curve)
    return curve


def _stack(first: object, second: object) -> object:
    from scipy import sparse

    return sparse.vstack([first, second], format="csr")


def _print(curve: Curve) -> None:
    print(f"\nLearning curve: ROC AUC of clinical notes, mean of {DRAWS} draws\n\n| prototypes | " + " | ".join(map(str, SIZES)) + " |")
    print("|---|" + "---|" * len(SIZES))
    for name, points in curve.items():
        print(f"| {name} | " + " | ".join(f"{mean:.4f}" for _, mean, _, _ in points) + " |")


def draw_curve(curve: Curve, out: Path) -> None:
    import matplotlib

    matplotlib.use("svg" if out.suffix == ".svg" else "agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    for name, points in curve.items():
        sizes, mean, low, high = zip(*points, strict=True)
        (line,) = axes.plot(sizes, mean, marker="o", label=name, linestyle="--" if "general" in name else "-")
        axes.fill_between(sizes, low, high, color=line.get_color(), alpha=0.12)
    axes.set(xscale="log", xlabel="personal examples learned from", ylabel="ROC AUC of clinical notes", ylim=(0.5, 1.005))
    axes.set_xticks(SIZES, [str(size) for size in SIZES])
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right", fontsize="small")
    figure.tight_layout()
    figure.savefig(out, dpi=120, metadata={"Software": None} if out.suffix == ".png" else None)
