"""1,000 to 100,000 verified files -> ROC AUC, speed, time to learn: condensed, and with every file kept as a prototype.

The verified files are synthetic: a random part of the terms of a real training text, and some terms of another text of
the same kind and set. The files they are tested on are real, and unseen in training.

Usage: python -m benchmarks.health_condensed --data DIR [--unseen DIR] [--files 1000,10000,100000] [--plot FILE.png]
"""

import argparse
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.metrics import roc_auc_score

from benchmarks.health_sets import PERSONAL, of, read_sides
from benchmarks.health_speed import documents_of, per_second
from classifiers.health import HealthModel
from classifiers.matcher import Matches
from classifiers.model_content import HealthContent
from classifiers.model_file import shipped_model
from classifiers.training.corpus import EVERYDAY, GENERAL, NOTE, Example
from classifiers.training.reviews import Reviewed, learn_from_reviews, lessons_of
from classifiers.vectors import concept_counts, concept_shares, unit_vectors

OWN_TERMS, PUT_IN = 0.6, 0.3
SPEED_DOCUMENTS = 512


@dataclass(frozen=True, slots=True)
class Judged:
    texts: list[str]
    kinds: np.ndarray

    def areas(self, model: HealthModel) -> tuple[float, float]:
        """Notes against all else, and against general health text."""
        scores = model.decision_function(self.texts)
        health = self.kinds != EVERYDAY
        return float(roc_auc_score(self.kinds == NOTE, scores)), float(
            roc_auc_score(self.kinds[health] == NOTE, scores[health])
        )


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    files: int
    prototypes: int
    seconds: float
    areas: tuple[float, float]
    speed: float

    def __str__(self) -> str:
        figures = f"{self.areas[0]:.4f} | {self.areas[1]:.4f} | {self.speed:,.0f}"
        return f"| {self.files:,} | {self.name} | {self.prototypes:,} | {self.seconds:.0f} | {figures} |"


def made_files(model: HealthModel, examples: Sequence[Example], count: int, seed: int) -> list[Reviewed]:
    """As many different vectors as asked."""
    rng = np.random.default_rng(seed)
    sets = np.unique([f"{example.source}/{example.kind}" for example in examples], return_inverse=True)[1]
    order = np.argsort(sets, kind="stable")
    matches = model._matcher.match([example.text for example in examples])
    files: list[Reviewed] = []
    while len(files) < count:
        partner = np.empty(len(examples), dtype=np.int64)
        partner[order] = order[np.lexsort((rng.random(len(order)), sets[order]))]  # another order within each set
        own, other = rng.random(len(matches.term)) < OWN_TERMS, rng.random(len(matches.term)) < PUT_IN
        document = np.concatenate((matches.document[own], partner[matches.document[other]]))
        lengths = matches.lengths * OWN_TERMS
        lengths[partner] += matches.lengths * PUT_IN
        mixed = Matches(
            document, document, np.concatenate((matches.term[own], matches.term[other])), lengths.astype(np.int64)
        )
        shares = concept_shares(concept_counts(mixed, model.weights), mixed.lengths, model.weights, model.shape)
        vectors = unit_vectors(shares, model.weights, model.shape)
        files += [
            Reviewed(f"{seed}-{len(files) + row}", vectors[row : row + 1], example.kind in PERSONAL)
            for row, example in enumerate(examples)
        ]
    return [files[place] for place in rng.permutation(len(files))[:count]]


def rows(model: HealthModel, files: Sequence[Reviewed], judged: Judged, documents: Sequence[str]) -> list[Row]:
    start = time.process_time()
    condensed = learn_from_reviews(model.content, files)
    seconds = time.process_time() - start
    return [
        _row("condensed", len(files), condensed, seconds, judged, documents),
        _row(
            "all kept",
            len(files),
            _all_kept(model.content, files, condensed.threshold),
            float("nan"),
            judged,
            documents,
        ),
    ]


def _all_kept(content: HealthContent, files: Sequence[Reviewed], threshold: float) -> HealthContent:
    """Every file is a prototype, with the threshold of the condensed ones: all pairwise distances would take hours."""
    placed = lessons_of(content, files)
    classes = np.concatenate((content.classes, placed.label))
    order = np.argsort(classes, kind="stable")
    vectors = sparse.vstack([content.vectors, placed.vectors], format="csr")[order]
    names = (*content.names, *(files[number].uri for number in placed.file))
    return replace(
        content,
        vectors=vectors,
        classes=classes[order],
        names=tuple(names[place] for place in order),
        threshold=threshold,
    )


def _row(
    name: str, files: int, content: HealthContent, seconds: float, judged: Judged, documents: Sequence[str]
) -> Row:
    model = HealthModel(content, "")
    row = Row(name, files, model.prototypes, seconds, judged.areas(model), per_second(model.classify, documents))
    print(row, flush=True)
    return row


def draw(table: Sequence[Row], out: Path) -> None:
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, (areas, speeds) = pyplot.subplots(1, 2, figsize=(10, 4))
    sizes = sorted({row.files for row in table})
    for name, colour in (("condensed", "tab:blue"), ("all kept", "tab:orange")):
        some = [row for row in table if row.name == name]
        files = [row.files for row in some]
        areas.plot(
            files, [row.areas[0] for row in some], marker="o", color=colour, label=f"{name}, notes against all else"
        )
        areas.plot(
            files,
            [row.areas[1] for row in some],
            marker="s",
            color=colour,
            ls="--",
            label=f"{name}, notes against general health",
        )
        speeds.plot(files, [row.speed for row in some], marker="o", color=colour, label=name)
    half = next(row.speed for row in table if row.name == "condensed" and row.files == sizes[0]) / 2
    speeds.axhline(half, color="grey", ls=":", label=f"half the speed of {sizes[0]:,}")
    lowest = min(min(row.areas) for row in table)
    areas.set(ylabel="ROC AUC of clinical notes", ylim=(lowest - (1 - lowest), 1 + (1 - lowest) / 10))
    speeds.set(ylabel="documents of 4 kB a CPU second", yscale="log")
    speeds.yaxis.set_major_formatter("{x:,.0f}")
    speeds.yaxis.set_minor_formatter("{x:,.0f}")
    for axes in (areas, speeds):
        axes.set(xscale="log", xlabel="verified files learned from")
        axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small", loc="lower left")
    figure.tight_layout()
    figure.savefig(out, dpi=120, metadata={"Software": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of training data")
    parser.add_argument("--unseen", type=Path, help="folder of sets that training never saw")
    parser.add_argument("--files", default="1000,10000,100000", help="numbers of files, by commas")
    parser.add_argument("--plot", type=Path, help="where the plot goes")
    arguments = parser.parse_args()
    sides = read_sides(arguments.data, arguments.unseen)
    shipped = HealthModel.from_bytes(shipped_model())
    model = HealthModel(replace(shipped.content, passages=None), shipped.sha256)  # files are learned as whole texts
    examples = [example for example in sides.unseen or sides.held_out if example.kind in (NOTE, GENERAL, EVERYDAY)]
    judged = Judged([example.text for example in examples], np.array([example.kind for example in examples]))
    documents = documents_of(of(sides.held_out, NOTE))[:SPEED_DOCUMENTS]
    personal = [example for example in sides.training if example.kind in PERSONAL]
    other = [example for example in sides.training if example.kind not in PERSONAL]
    print(f"judged: {len(judged.texts)} texts\n")
    print(
        "| files | prototypes are | prototypes | CPU s to learn | AUC v. all else | AUC v. general | documents a CPU "
        "second |"
    )
    print("|---|---|---|---|---|---|---|")
    table: list[Row] = []
    _row("shipped", 0, model.content, 0.0, judged, documents)
    for count in map(int, arguments.files.split(",")):
        files = made_files(model, personal, count // 2, seed=1) + made_files(model, other, count - count // 2, seed=2)
        table += rows(model, files, judged, documents)
    print(
        f"\nlargest memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024:,} MB, with every file kept "
        "once"
    )
    if arguments.plot:
        draw(table, arguments.plot)


if __name__ == "__main__":
    main()
