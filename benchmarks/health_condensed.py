"""100,000 verified files, condensed -> speed and ROC AUC beside those of 1,000.

Usage: python -m benchmarks.health_condensed --data DIR [--files 100000]
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.metrics import roc_auc_score

from benchmarks.health_sets import PERSONAL, of, read_sides
from benchmarks.health_speed import documents_of, per_second
from classifiers.container import pack
from classifiers.corpus import EVERYDAY, GENERAL, NOTE
from classifiers.health import HealthModel
from classifiers.matcher import Matches
from classifiers.model_content import HealthContent, write_content
from classifiers.model_file import shipped_model
from classifiers.reviews import Reviewed, learn_from_reviews
from classifiers.vectors import concept_counts, concept_shares, unit_vectors

KEPT_TERMS = 0.6


def made_files(model: HealthModel, texts: list[str], count: int, seed: int) -> sparse.csr_array:
    """As many different vectors as asked: of a real text a random part of its terms is left."""
    rng = np.random.default_rng(seed)
    parts = []
    matches = model._matcher.match(texts)
    for _ in range(0, count, len(texts)):
        kept = rng.random(len(matches.term)) < KEPT_TERMS
        some = Matches(matches.document[kept], matches.position[kept], matches.term[kept], matches.lengths)
        shares = concept_shares(concept_counts(some, model.weights), some.lengths, model.weights, model.shape)
        parts.append(unit_vectors(shares, model.weights, model.shape))
    return sparse.vstack(parts, format="csr")[:count]


def learned(content: HealthContent, personal: sparse.csr_array, other: sparse.csr_array) -> HealthModel:
    empty = replace(content, version=1)
    files = [Reviewed(f"phi-{row}", personal[[row]], True) for row in range(personal.shape[0])]
    files += [Reviewed(f"other-{row}", other[[row]], False) for row in range(other.shape[0])]
    return HealthModel.from_bytes(pack(write_content(learn_from_reviews(empty, files))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of training data")
    parser.add_argument("--unseen", type=Path, help="folder of sets that training never saw")
    parser.add_argument("--files", type=int, default=100_000)
    arguments = parser.parse_args()
    sides = read_sides(arguments.data, arguments.unseen)
    model = HealthModel.from_bytes(shipped_model())
    judged = sides.unseen or sides.held_out
    truth = [example.kind == NOTE for example in judged if example.kind in (NOTE, GENERAL, EVERYDAY)]
    texts = [example.text for example in judged if example.kind in (NOTE, GENERAL, EVERYDAY)]
    documents = documents_of(of(sides.training, NOTE))
    print("| learned from | prototypes | CPU s to learn | ROC AUC, notes against all else | documents of 4 kB a CPU second |")
    print("|---|---|---|---|---|")
    area = roc_auc_score(truth, model.decision_function(texts))
    print(f"| shipped | {model.prototypes} | | {area:.4f} | {per_second(model.classify, documents):,.0f} |")
    for count in (1_000, arguments.files):
        personal = made_files(model, of(sides.training, *PERSONAL), count // 2, seed=1)
        other = made_files(model, of(sides.training, GENERAL, EVERYDAY), count - count // 2, seed=2)
        start = time.process_time()
        made = learned(model.content, personal, other)
        spent = time.process_time() - start
        area, speed = roc_auc_score(truth, made.decision_function(texts)), per_second(made.classify, documents)
        print(f"| and {count:,} files | {made.prototypes} | {spent:.0f} | {area:.4f} | {speed:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
