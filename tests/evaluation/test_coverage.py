"""The intervals hold the truth about as often as they claim; the full simulation is benchmarks/simulate_rates.py."""

import json
import re
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

from benchmarks.simulate_rates import joined, measured, plot, report
from benchmarks.simulation.coverage import ignoring_copies, intervals, outside, simulate
from benchmarks.simulation.designs import BY_STAGE, COPIED, DESIGNS, MIXED, ONCE, RULES, Design, kinds, truths
from benchmarks.simulation.folders import scan_of_folders
from benchmarks.simulation.scans import scan
from evaluation.cells import Fired, VerifiedCells, sums_of
from evaluation.contributions import Examined, Judged, container_contributions, contents_contributions, contributions
from evaluation.design import CONTENT, FILE, NEGATIVE, REFERRED, STAGES
from evaluation.design import Design as SheetDesign
from evaluation.estimate import row_rates
from evaluation.keys import Key, Number
from evaluation.labels import Label
from evaluation.tally import Sums
from pipelines.measure.units import Found, Unit, count_content

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


@pytest.mark.parametrize("further", ["three stages", "one to ten copies", "containers of ten, three stages"])
def test_a_scan_that_drew_from_folders_stands_for_all_their_files(further: str) -> None:
    design = next(design for design in DESIGNS if f"eleven times as frequent in one, {further}" in design.name)
    sums, phi = scan_of_folders(design, 0.165, np.random.default_rng(3))
    assert sums.n == 7_000 and sums.weighted == sums.row(REFERRED).weighted == 100_000
    assert sum(sums.verified.values()) > sums.verified["phi"] >= phi > 0
    assert (sums.verified["phi"] > phi) == ("copies" in further)
    found, wanted = row_rates(sums.row(RULES[0])), truths(kinds(0.165), design.copies)
    assert found.tdp is not None and found.tdp_se is not None
    assert abs(found.tdp - wanted["TDP"]) < 4 * found.tdp_se


def test_table_and_plot_show_every_figure() -> None:
    found = simulate(DESIGNS[0], 0.165, 3, 1)
    defined = [row for row in found if row.covered is not None]
    assert plot(found).count("<circle") == len(defined) + len({row.figure for row in defined})
    assert "| all flagged verified | 16.5 % |" in report(found)
    whole = simulate(next(one for one in DESIGNS if one.name == "everything verified"), 0.165, 1, 1)
    colours = set(re.findall(r'<circle[^>]* fill="(#\w+)"', plot(whole)))
    assert len(colours) == len(whole), "each figure has a colour of its own"
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


@pytest.mark.parametrize("unit", [CONTENT, FILE])
def test_intervals_of_a_sheet_that_was_judged_in_part_cover_the_truth(unit: str) -> None:
    """Six of ten lines were judged, a quarter of the contents is there five times; 0.89 were covered by file."""
    dice, runs = Random(3), 150
    found = [drawn_in_part(dice, unit, 0.6) for _ in range(runs)]
    for rule, truth in ((REFERRED, 0.2 * 0.7), ("rule", 0.2 * 0.7 + 0.2 * 0.3)):
        intervals = [row_rates(sums.row(rule)).tdp_interval or (1.0, 0.0) for sums in found]
        assert 0.90 <= sum(low <= truth <= high for low, high in intervals) / runs <= 0.995


def drawn_in_part(dice: Random, unit: str, share: float) -> Sums:
    """400 contents of three stages, of which a sheet has 60 each (contents or files) and people judged some."""
    contents = [(dice.choices(range(3), (0.2, 0.2, 0.6))[0], dice.choice((1, 1, 1, 5))) for _ in range(400)]
    frame: dict[int, list[tuple[int, int]]] = {
        stage: [
            (number, copy)
            for number, (own, copies) in enumerate(contents)
            if own == stage
            for copy in range(copies if unit == FILE else 1)
        ]
        for stage in range(3)
    }
    sizes = {STAGES[stage]: (min(60, len(files)), len(files)) for stage, files in frame.items()}
    chosen = [one for stage, files in frame.items() for one in dice.sample(files, sizes[STAGES[stage]][0])]
    judged = {one for one in chosen if dice.random() < share}
    counts: defaultdict[Key, Number] = defaultdict(int)
    for number, (stage, copies) in enumerate(contents):
        label = Label(dice.random() < (0.7, 0.3, 0.03)[stage], draw=str(SheetDesign(unit, sizes)))
        rules = ("rule",) if stage < 2 else ()
        files = [Examined(f"{number}/{copy}", rules, stage < 2, stage == 0, str(number)) for copy in range(copies)]
        group = [Found(file, label if (number, copy) in judged else None) for copy, file in enumerate(files)]
        for item in count_content(group, Unit.FILE if unit == FILE else Unit.RECORD, None):
            if not isinstance(item, Judged):
                counts[item[0]] += item[1]
    return Sums(counts)
