"""The intervals hold the truth about as often as they claim; the full simulation is benchmarks/simulate_rates.py."""

import json
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from benchmarks.simulate_rates import joined, measured, plot, report
from benchmarks.simulation.coverage import ignoring_copies, intervals, outside, simulate
from benchmarks.simulation.designs import BY_STAGE, COPIED, DESIGNS, MIXED, ONCE, RULES, Design, kinds, truths
from benchmarks.simulation.scans import scan
from evaluation.cells import Fired, VerifiedCells, sums_of
from evaluation.design import NEGATIVE, REFERRED
from evaluation.keys import Key, Number
from evaluation.labels import Label
from evaluation.tally import Examined, Judged, Sums, container_contributions, contents_contributions, contributions

RUNS = 150
QUICK = ("half of the flagged", "three copies each, all flagged", "three stages: half, a quarter, a tenth")


@pytest.mark.parametrize("name", QUICK)
def test_intervals_cover_the_truth(name: str) -> None:
    design = next(design for design in DESIGNS if design.name == name)
    for found in simulate(design, 0.165, RUNS, 3):
        if found.covered is not None:
            assert found.undefined == 0
            assert 0.90 <= found.covered <= 0.995, found


def test_fractions_are_defined_only_where_all_stages_are_drawn_from() -> None:
    defined = {
        design.name: {row.figure for row in simulate(design, 0.165, 2, 1) if row.covered is not None}
        for design in DESIGNS
        if design.name in QUICK
    }
    assert {"TPF", "FPF", "P[PHI]"} <= defined[QUICK[2]]
    assert not {"TPF", "FPF", "P[PHI]"} & defined[QUICK[0]]


def test_the_model_has_the_rates_that_it_is_asked_for() -> None:
    found = truths(kinds(0.165), DESIGNS[0].copies)
    assert found["TDP"] == pytest.approx(0.165 * 0.8)
    assert found["FRP"] == pytest.approx(0.835 * 0.05)
    assert found["rTPF"] == pytest.approx(0.8 / 0.7)
    assert found["rFPF"] == pytest.approx(0.05 / 0.05)
    assert found["tool TDP"] == pytest.approx(0.165 * 0.9 * 0.85)
    assert found["P[PHI]"] == pytest.approx(0.165)


@pytest.mark.parametrize("container", [0, 5])
def test_a_simulated_scan_is_counted_as_the_library_counts_files(container: int) -> None:
    """Cell by cell, as the dashboard counts, or file by file, as `evaluate` does: the same sums."""
    design = Design("x", 400, BY_STAGE, {True: {1: 0.5, 3: 0.5}, False: {1: 0.5, 2: 0.5}}, container)
    fired, verified = scan(design, kinds(0.165), np.random.default_rng(4))
    by_file = Sums(counted_by_file(files_of(fired, verified)))
    by_cell = sums_of(fired, verified, RULES)
    assert by_file.n == by_cell.n > 350
    assert intervals(by_file) == intervals(by_cell)


def files_of(fired: Fired, verified: Sequence[VerifiedCells]) -> list[list[Judged]]:
    """The copies of each content; where a cell has contents of several sizes, this would not be known."""
    contents = []
    inside = _members(fired, verified)
    for place in range(len(fired.copies)):
        stage = next((stage for stage, files in fired.stages.items() if files[place]), "")
        if not stage:
            continue
        files, copies = int(fired.stages[stage][place]), int(fired.copies[place])
        labels = [
            Label(group.phi, Fraction(group.probability), group.stratum)
            for group in verified
            if group.files[place] and group.inside is None
            for _ in range(int(group.contents[place]))
        ]
        rules = tuple(rule for rule, flag in zip(fired.rules, fired.flags[place], strict=True) if flag)
        size = copies // files + 1
        for number in range(files // size):
            box, label = inside.get((place, number), ("", labels[number] if number < len(labels) else None))
            name = f"{place}/{number}"
            file = Examined(name, rules, stage != NEGATIVE, stage == REFERRED, name, box)
            contents.append([Judged(file, label, name)] * size)
    return contents


def _members(fired: Fired, verified: Sequence[VerifiedCells]) -> dict[tuple[int, int], tuple[str, Label | None]]:
    """By cell and number there: the container of a file and its label."""
    if fired.members is None:
        return {}
    labels: defaultdict[tuple[int, int], list[Label]] = defaultdict(list)
    for group in verified:
        assert group.inside is not None
        for box, place in zip(group.inside.container.tolist(), group.inside.cell.tolist(), strict=True):
            labels[box, place].append(Label(group.phi, Fraction(group.probability), group.stratum))
    found = {}
    numbers: Counter[int] = Counter()
    for box, place in zip(fired.members.container.tolist(), fired.members.cell.tolist(), strict=True):
        left = labels[box, place]
        found[place, numbers[place]] = (str(box), left.pop() if left else None)
        numbers[place] += 1
    return found


def counted_by_file(contents: Sequence[Sequence[Judged]]) -> dict[Key, Number]:
    counts: defaultdict[Key, Number] = defaultdict(int)
    boxes: defaultdict[str, list[Judged]] = defaultdict(list)
    for copies in contents:
        for judged in copies:
            for key in contributions(judged.file, judged.label, RULES):
                counts[key] += 1
            boxes[judged.file.container].append(judged)
        for key, number in contents_contributions(copies, RULES):
            counts[key] += number
    boxes.pop("", None)
    for members in boxes.values():
        for key, number in container_contributions(members, RULES):
            counts[key] += number
    return counts


def test_table_and_plot_show_every_figure() -> None:
    found = simulate(DESIGNS[0], 0.165, 3, 1)
    defined = [row for row in found if row.covered is not None]
    assert plot(found).count("<circle") == len(defined) + len({row.figure for row in defined})
    assert "| all flagged verified | 16.5 % |" in report(found)
    assert all(row.covered not in (0.94, 0.96) for row in outside(found))


def test_parts_joined_are_the_whole(tmp_path: Path) -> None:
    asked = Namespace(runs=2, seed=5, processes=1, only="450 files", part="1/1")
    whole = measured(asked)
    files = [tmp_path / "1.json", tmp_path / "2.json"]
    for number, file in enumerate(files, 1):
        asked.part = f"{number}/2"
        file.write_text(json.dumps([asdict(row) for row in measured(asked)]))
    assert joined(files) == joined(files[::-1]) == whole


def test_a_figure_is_small_if_most_of_its_intervals_are_marked() -> None:
    """Two PHI files: rTPF has an interval in two runs of five, and each of them is marked."""
    design = next(design for design in DESIGNS if design.name == "450 files, half of the flagged")
    rtpf = next(row for row in simulate(design, 0.0098, 60, 81_169) if row.figure == "rTPF")
    assert rtpf.undefined > 30
    assert rtpf.few == 1.0 and rtpf.is_small


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("three copies each", 0.74),
        ("three copies on average", 0.62),
        ("ten copies each", 0.46),
        ("ten copies on average", 0.36),
    ],
)
def test_binomial_intervals_fail_with_copies_where_ours_hold(name: str, plain: float) -> None:
    """Contents with 3 and 10 copies on average, each file labelled: a binomial 95 % interval covers 62 and 36 %."""
    design = next(design for design in COPIED if design.name == name)
    binomial, ours = simulate(design, 0.165, 250, 11, ignoring_copies)
    assert binomial.covered == pytest.approx(plain, abs=0.06)
    assert ours.covered == pytest.approx(0.95, abs=0.035)


@pytest.mark.parametrize(
    "copies", [{True: MIXED, False: MIXED}, {True: MIXED, False: ONCE}, {True: ONCE, False: MIXED}]
)
def test_few_unequal_contents_among_the_negatives_do_not_narrow_tpf(copies: dict[bool, dict[int, float]]) -> None:
    """A tenth of the negatives holds some 16 PHI contents, one or two of them ten times: 0.88 were covered."""
    found = simulate(Design("x", 10_000, BY_STAGE, copies), 0.165, 200, 7)
    tpf = next(row for row in found if row.figure == "TPF")
    assert tpf.covered is not None and 0.92 <= tpf.covered <= 0.985
    assert (tpf.few > 0.5) == (copies[True] == MIXED)
