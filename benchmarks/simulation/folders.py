"""A design with folders and dice -> the sums of a scan that drew from each folder apart, and of its verified sample."""

from collections import defaultdict
from fractions import Fraction

import numpy as np

from benchmarks.simulation.designs import RULES, Design, Kind, kinds
from benchmarks.simulation.scans import drawn_of, strata_of
from evaluation.design import NEGATIVE, REFERRED
from evaluation.keys import Key, Number
from evaluation.labels import Label
from evaluation.tally import Examined, Sums, contributions


def scan_of_folders(design: Design, prevalence: float, dice: np.random.Generator) -> tuple[Sums, int]:
    """The sums, and how many verified files are PHI; files stand each for itself."""
    cells: list[Kind] = []
    weights: list[str] = []
    scanned: list[int] = []
    for folder in design.folders:
        table = kinds(prevalence * folder.prevalence)
        cells += table
        weights += [str(1 / folder.share)] * len(table)
        scanned += dice.multinomial(round(folder.files * folder.share), list(table.values())).tolist()
    there, counts, phi = np.array(scanned), defaultdict[Key, Number](int), 0
    for stratum, places in strata_of(design, cells).items():
        size = int(there[places].sum())
        drawn = drawn_of(design, cells[places[0]], size)
        chosen = dice.multivariate_hypergeometric(there[places], drawn) if drawn else np.zeros(len(places), dtype=int)
        for place, verified in zip(places, chosen.tolist(), strict=True):
            kind = cells[place]
            file = Examined("", kind.rules, kind.stage != NEGATIVE, kind.stage == REFERRED, weight=weights[place])
            label = Label(kind.phi, Fraction(drawn, size), stratum) if verified else None
            for judged, files in ((label, verified), (None, scanned[place] - verified)):
                for key in contributions(file, judged, RULES) if files else ():
                    counts[key] += files
            phi += verified * kind.phi
    return Sums(counts), phi
