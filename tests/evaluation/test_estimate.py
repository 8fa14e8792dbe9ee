"""TDP, FRP, fractions and prevalence of both stages: the reference check, and no figure beyond reason."""

import math
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.audit import fractions, stage_loss
from evaluation.contributions import Examined, Judged, container_contributions, contents_contributions, contributions
from evaluation.design import NEGATIVE, REFERRED, SCREENED_ONLY, STAGES
from evaluation.effects import design_effect
from evaluation.estimate import effect_of, estimate, parts_of, rates, row_rates
from evaluation.keys import ALL, Key, Number, every
from evaluation.labels import Label
from evaluation.rates import RuleCounts, interval, wilson
from evaluation.rows import Domain, Drawn, Row
from evaluation.sampling import NOT_PHI, PHI
from evaluation.scanned import once
from evaluation.tally import Sums

RULE = "identifying-information"
# 123 files: of 69 referred all hold PHI, of 36 that were only screened 24, of 18 negatives none.
CHECK = {(REFERRED, True): 69, (SCREENED_ONLY, True): 24, (SCREENED_ONLY, False): 12, (NEGATIVE, False): 18}


def two_stages(labelled: dict[str, Fraction | None]) -> Sums:
    """The reference check with labels in some stages, drawn with a probability or (None) simply given."""
    counts: defaultdict[Key, Number] = defaultdict(int)
    for (stage, phi), files in CHECK.items():
        screened = stage != NEGATIVE
        for number in range(files):
            file = Examined(f"{stage}{phi}{number}", (RULE,) if screened else (), screened, stage == REFERRED)
            label = Label(phi, labelled[stage], stage) if stage in labelled else None
            for key in contributions(file, label):
                counts[key] += 1
    return Sums(counts)


def test_with_all_stages_verified_the_check_comes_out() -> None:
    sums = two_stages(dict.fromkeys(STAGES))
    tool, rule = row_rates(sums.row(REFERRED)), row_rates(sums.row(RULE))
    assert (round(tool.tdp or 0, 3), tool.frp) == (0.561, 0.0)
    assert (round(rule.tdp or 0, 3), round(rule.frp or 0, 3)) == (0.756, 0.098)
    found = fractions(sums.row(RULE), sums.rest(RULE), sums.row(ALL))
    assert found.fpf == pytest.approx(0.40)
    assert found.prevalence == pytest.approx(93 / 123)
    assert round(found.prevalence or 0, 3) == 0.756
    assert found.tpf == pytest.approx(1.0)
    assert found.fpf_interval is not None and found.fpf_interval[0] < 0.40 < found.fpf_interval[1]


def test_what_nobody_verified_is_bounded_and_never_an_interval() -> None:
    """FPF was printed as 0.0000 (0.000 to 0.070) where it is .40, and a prevalence of .561 where it is .756."""
    sums = two_stages({REFERRED: None, NEGATIVE: None})
    rule = row_rates(sums.row(RULE))
    assert rule.frp_interval is None and rule.tdp_interval is None
    assert rule.frp_bounds is not None and rule.tdp_bounds is not None
    assert [round(limit, 3) for limit in rule.frp_bounds] == [0.0, 0.293]
    assert [round(limit, 3) for limit in rule.tdp_bounds] == [0.561, 0.854]
    found = fractions(sums.row(RULE), sums.rest(RULE), sums.row(ALL))
    assert (found.fpf, found.tpf, found.prevalence, found.fpf_interval) == (None, None, None, None)
    assert found.fpf_bounds is not None and found.fpf_bounds[0] <= 0.40 <= found.fpf_bounds[1]
    assert found.fpf_bounds == pytest.approx((0.0, 36 / 54))
    assert found.prevalence_bounds is not None and found.prevalence_bounds[0] <= 93 / 123 <= found.prevalence_bounds[1]
    tool = row_rates(sums.row(REFERRED))
    assert (round(tool.tdp or 0, 3), tool.frp, tool.bounded) == (0.561, 0.0, False)


def test_what_the_health_stage_lost_is_told() -> None:
    lost = stage_loss(two_stages(dict.fromkeys(STAGES)).stage(SCREENED_ONLY))
    assert (lost.files, lost.phi, lost.phi_files) == (36, 24, 24.0)
    unknown = stage_loss(two_stages({REFERRED: None}).stage(SCREENED_ONLY))
    assert (unknown.covered, unknown.phi_files, unknown.phi_files_bounds) == (False, None, (0.0, 36.0))


def test_nothing_found_in_a_draw_of_the_negatives_leaves_about_three_over_m() -> None:
    for m in (50, 300, 3_000):
        drawn = Drawn(Fraction(m, 100_000), {PHI: 0, NOT_PHI: m})
        domain = Domain(NEGATIVE, once(100_000), (drawn,))
        lost = stage_loss(Row(NEGATIVE, once(100_000), (domain,), {}))
        assert lost.share == 0.0
        assert lost.share_upper == pytest.approx(1 - 0.05 ** (1 / m))
        assert lost.phi_files_upper == pytest.approx(100_000 * (1 - 0.05 ** (1 / m)))


def test_a_rule_that_never_fired_is_zero_of_n_with_an_upper_limit() -> None:
    found = rates(RuleCounts("email", 1_000, 0, 0, 0))
    assert (found.tdp, found.frp, found.coverage) == (0.0, 0.0, 0.0)
    assert found.tdp_interval == interval(0, 1_000)
    assert found.tdp_interval is not None and 3 / 1_000 < found.tdp_interval[1] < 4 / 1_000
    assert rates(RuleCounts("email", 0, 0, 0, 0)).tdp is None
    assert rates(RuleCounts("email", 10, 4, 0, 0)).tdp is None


def drawn_rule(dice: random.Random, n: int, screened: int, flagged: int, phi: int, files: int) -> tuple[Row, float]:
    """A rule with so many flagged files of so many screened ones, of which a sample of `files` is verified."""
    chosen = dice.sample(range(screened), files)
    own = [place < phi for place in chosen if place < flagged]
    drawn = Drawn(Fraction(files, screened), {PHI: sum(own), NOT_PHI: len(own) - sum(own)}, draws=files)
    domain = Domain(REFERRED, once(flagged), (drawn,))
    row = Row("rule", once(n), (domain,), {})
    return row, float(drawn.weighted(PHI)) / n


def test_with_sampled_labels_tdp_never_exceeds_coverage() -> None:
    """Horvitz and Thompson's sum alone did so in 43 % of the draws (.1477 where coverage is .1203).

    Its root mean square error was .0216, that of the calibrated estimator .0034.
    """
    dice = random.Random(5)
    n, flagged, phi = 10_000, 1_203, 1_180
    found, plain = [], []
    for _ in range(2_000):
        row, weighted = drawn_rule(dice, n, 8_000, flagged, phi, 168)
        rate = row_rates(row)
        assert rate.tdp is not None and rate.coverage == 0.1203
        plain.append(weighted)
        if not rate.bounded:  # once in some thousand draws so few files of the rule are met that worst cases are given
            found.append(rate.tdp)
    assert len(found) >= len(plain) - 5
    ours, theirs = (math.sqrt(sum((one - phi / n) ** 2 for one in each) / len(each)) for each in (found, plain))
    assert max(found) <= 0.1203
    assert sum(one > 0.1203 for one in plain) / len(plain) == pytest.approx(0.43, abs=0.03)
    assert any(round(one, 3) == 0.148 for one in plain)
    assert theirs == pytest.approx(0.0216, abs=0.0010)
    assert ours == pytest.approx(0.0034, abs=0.0002)


@given(st.integers(1, 60), st.data())
def test_calibrated_rates_lie_between_zero_and_coverage(files: int, data: st.DataObject) -> None:
    phi = data.draw(st.integers(0, files))
    positive = data.draw(st.integers(files, 200))
    drawn = Drawn(Fraction(files, positive), {PHI: phi, NOT_PHI: files - phi})
    row = Row("r", once(500), (Domain(REFERRED, once(positive), (drawn,)),), {})
    found = row_rates(row)
    assert found.tdp is not None and found.frp is not None and found.coverage is not None
    assert found.tdp + found.frp == pytest.approx(found.coverage)
    assert found.tdp_interval is not None and found.tdp_interval[0] <= found.tdp <= found.tdp_interval[1]


def test_a_draw_that_left_files_of_the_rule_out_is_told() -> None:
    drawn = Drawn(Fraction(1, 2), {PHI: 25, NOT_PHI: 25})
    for positive, bounded in ((100, False), (90, False), (300, True)):
        domain = Domain(REFERRED, once(positive), (drawn,))
        found = row_rates(Row("r", once(1_000), (domain,), {}))
        assert found.bounded is bounded


def copies(phi_contents: int, contents: int, times: int, flagged: int) -> Sums:
    """Contents with so many copies each, of which the first are flagged, and of those the first hold PHI."""
    counts: defaultdict[Key, Number] = defaultdict(int)
    for number in range(contents):
        fired = number < flagged
        file = Examined(str(number), ("rule",) if fired else (), fired, fired)
        label = Label(number < phi_contents) if fired else None
        for key in contributions(file, label):
            counts[key] += times
        for key, amount in contents_contributions([Judged(file, label, str(number))] * times):
            counts[key] += amount
    return Sums(counts)


@pytest.mark.parametrize("times", [1, 3, 10])
def test_copies_do_not_make_an_interval_narrower(times: int) -> None:
    """Every content so many times: rates and intervals are those of the contents, not of the files."""
    once, often = (row_rates(copies(30, 400, number, 50).row("rule")) for number in (1, times))
    assert (often.n, often.tdp, often.coverage) == (400 * times, once.tdp, once.coverage)
    for name in ("tdp_interval", "frp_interval", "coverage_interval"):
        (low, high), (once_low, once_high) = getattr(often, name), getattr(once, name)
        assert low <= once_low + 1e-12 and once_high - 1e-12 <= high  # Student's t is a little wider
        assert high - low <= 1.15 * (once_high - once_low)
    assert often.design_effect == pytest.approx(times)


def counted(groups: Sequence[Sequence[Judged]]) -> Sums:
    """Files of each group are members of one container."""
    counts: defaultdict[Key, Number] = defaultdict(int)
    for group in groups:
        for file, label, _ in group:
            for key in contributions(file, label):
                counts[key] += 1
        for key, amount in container_contributions(group):
            counts[key] += amount
    return Sums(counts)


def test_what_lies_where_more_was_scanned_is_known_better() -> None:
    """Of 1,000 files that stand for 20 each 10 are PHI, of 1,000 that stand for 4 each 200; 2,000 equal ones tell less.

    A design effect could not be below 1, so that intervals of scans by folder were too wide.
    """
    found = row_rates(by_folder({"20": (1_000, 10), "4": (1_000, 200)}).row("rule"))
    share = (10 * 20 + 200 * 4) / 24_000
    variance = 20**2 * (10 - (10**2 - 10) / 1_000) + 4**2 * (200 - (200**2 - 200) / 1_000)
    assert found.n == 24_000 and found.tdp == found.coverage == pytest.approx(share)
    assert found.tdp_se == pytest.approx(variance**0.5 / 24_000)
    trials = share * (1 - share) * 24_000**2 / variance
    assert found.coverage_interval == pytest.approx(wilson(share, trials))
    # Ten files make more than half of the variance: it is known from some thirty, so Student's t is for their part.
    learned = 1 - 1_000**2 / 210 / (20**2 * 10 + 4**2 * 200)
    cases = (20**2 * 10 + 4**2 * 200) ** 2 / ((20**2 * 10) ** 2 / 10 + (4**2 * 200) ** 2 / 200)
    assert found.tdp_interval == pytest.approx(wilson(share, trials, learned=learned, cases=cases))
    assert round(cases) == 31 and not found.tdp_few
    assert found.design_effect is not None and found.design_effect < 1


def by_folder(folders: dict[str, tuple[int, int]]) -> Sums:
    """By weight: how many files were scanned, and how many of them were referred and hold PHI."""
    return counted(
        [
            [Judged(Examined(f"{weight}/{number}", ("rule",) if phi else (), phi, phi, weight=weight), label)]
            for weight, (files, referred) in folders.items()
            for number in range(files)
            for phi, label in [(number < referred, Label(True) if number < referred else None)]
        ]
    )


def test_folders_that_were_drawn_apart_add_nothing_by_their_difference() -> None:
    """Nine in ten files of the one folder hold PHI and one in a hundred of the other: that both are met is no chance.

    Taken as one draw, the variance was twice as large, and of 2,000 intervals 97.3 % held the truth.
    """
    found = row_rates(by_folder({"20": (4_500, 45), "4": (2_500, 2_250)}).row("rule"))
    apart = 20**2 * 4_500 * 0.01 * 0.99 + 4**2 * 2_500 * 0.9 * 0.1
    assert found.tdp_se == pytest.approx(apart**0.5 / 100_000, rel=0.01)
    share = (20 * 45 + 4 * 2_250) / 100_000
    as_one = 20**2 * (45 * (1 - 2 * share) + 4_500 * share**2) + 4**2 * (2_250 * (1 - 2 * share) + 2_500 * share**2)
    assert as_one > 2 * apart


def test_folders_of_one_weight_are_apart_all_the_same() -> None:
    """A ward in which every file holds PHI and an office without any, of the same size: both rates are known."""
    ward = Examined("ward", ("rule",), True, True, weight="2", folder="ward")
    office = Examined("office", weight="2", folder="office")
    groups = [[Judged(ward, Label(True))] for _ in range(100)] + [[Judged(office)] for _ in range(100)]
    found = row_rates(counted(groups).row("rule"))
    assert (found.n, found.tdp) == (400, 0.5)
    assert found.tdp_se == pytest.approx(0.005)  # as one draw 0.035


def test_folders_of_a_few_files_are_put_together() -> None:
    """With one file of each folder, nothing is known of the folders apart; their weights differ all the same."""
    found = row_rates(by_folder({str(90 + number): (1, number % 2) for number in range(21)}).row("rule"))
    assert found.tdp_se == pytest.approx((0.5 * 0.5 / 21) ** 0.5, rel=0.1)


@given(st.lists(st.lists(st.tuples(st.booleans(), st.booleans(), st.sampled_from("25")), max_size=4), max_size=12))
def test_clusters_over_folders_are_those_of_the_definition(boxes: list[list[tuple[bool, bool, str]]]) -> None:
    """The sum over clusters of squared sums of weight times (is PHI and flagged - mean of its folder)."""
    padding = [[(False, False, weight)] for weight in "25" for _ in range(12)]
    groups = [
        [
            Judged(
                Examined(
                    f"{box}/{place}", ("rule" if hit else "other",), True, True, container=str(box), weight=weight
                ),
                Label(phi),
                f"{box}/{place}",
            )
            for place, (hit, phi, weight) in enumerate(members)
        ]
        for box, members in enumerate([*boxes, *padding])
    ]
    sums, files = counted(groups), [one for group in groups for one in group]
    for row, flagged in ((sums.row("rule"), "rule"), (sums.rest("rule"), "other")):
        for truth in (PHI, NOT_PHI):
            values = {one.draw: one.label == Label(truth == PHI) and flagged in one.file.rules for one in files}
            if 0 < sum(values.values()) < len(files):
                assert effect_of(row, truth, parts_of(row, truth)).clusters >= 1
                assert design_effect(row, truth).clusters == pytest.approx(max(1.0, by_definition(groups, values)))


def by_definition(groups: Sequence[Sequence[Judged]], values: Mapping[str, bool]) -> float:
    files = [one for group in groups for one in group]
    folders = {weight: [values[one.draw] for one in files if one.file.weight == weight] for weight in "25"}
    around = {
        one.draw: int(one.file.weight)
        * (values[one.draw] - sum(folders[one.file.weight]) / len(folders[one.file.weight]))
        for one in files
    }
    by_chance = sum(int(weight) ** 2 * sum(inside) / len(inside) for weight, inside in folders.items())
    alone = sum(one**2 for one in around.values()) + by_chance
    return (sum(sum(around[one.draw] for one in group) ** 2 for group in groups) + by_chance) / alone


def test_members_of_a_container_stand_and_fall_together() -> None:
    """Two-way: what copies and containers share is not counted twice."""
    for as_container in (False, True):
        counts: defaultdict[Key, Number] = defaultdict(int)
        for group in range(100):
            phi = group < 10
            files = [
                Examined(f"{group}/{place}", ("rule",) if phi else (), phi, phi, container=str(group))
                for place in range(4)
            ]
            judged = [Judged(file, Label(True) if phi else None, file.uri) for file in files]
            for file, label, _ in judged:
                for key in contributions(file, label):
                    counts[key] += 1
            for key, amount in container_contributions(judged) if as_container else ():
                counts[key] += amount
        found = row_rates(Sums(counts).row("rule"))
        expected = wilson(0.1, 100, learned=0.75) if as_container else interval(40, 400)
        assert found.tdp_interval == pytest.approx(expected)


def test_copies_inside_one_container_are_counted_once() -> None:
    file = Examined("a", ("rule",), True, True, content="c", container="box")
    judged = [Judged(file, Label(True), "c"), Judged(file._replace(uri="b"), Label(True), "c")]
    both: defaultdict[Key, Number] = defaultdict(int)
    for key, amount in (*contents_contributions(judged), *container_contributions(judged)):
        both[key] += amount
    alone = dict(contents_contributions(judged))
    assert {key: amount for key, amount in both.items() if amount} == {
        key: amount for key, amount in alone.items() if amount
    }


def test_a_drawn_label_counts_its_square_once() -> None:
    """The expected excess over all draws of one of two members is the excess with both verified."""
    files = [Examined(name, ("rule",), True, True, container="box") for name in "ab"]
    truth = dict(container_contributions([Judged(file, Label(True), file.uri) for file in files]))
    key = ("excess", "phi:rule", every("1"))
    half = Fraction(1, 2)
    drawn = [
        dict(
            container_contributions(
                [Judged(file, Label(True, half) if file.uri == chosen else None, file.uri) for file in files]
            )
        )
        for chosen in "ab"
    ]
    assert sum(one[key] for one in drawn) / 2 == truth[key]


def test_a_verified_stage_needs_no_other() -> None:
    sums = two_stages({REFERRED: None})
    assert estimate(sums.row(REFERRED), PHI).interval == interval(69, 123)
    assert estimate(sums.row(ALL), PHI).bounds == pytest.approx((69 / 123, 1.0))


def clustered(files: int, excess: int, usual: int | None) -> Row:
    """So many PHI files of 5,000, in clusters that add so much, where screened positives have the effect `usual`."""
    domain = Domain(REFERRED, once(files), (Drawn(Fraction(1), {PHI: files}),))
    pairs = {(PHI, PHI): Fraction(excess), (PHI, every("1")): Fraction(0), (every("1"), every("1")): Fraction(5_000)}
    return Row("rule", once(5_000), (domain,), pairs, None if usual is None else Fraction(usual))


def test_a_kind_with_few_clusters_borrows_the_effect_of_the_screened_positives() -> None:
    def effect(row: Row) -> float:
        return float(effect_of(row, PHI, parts_of(row, PHI)).whole)

    alone = effect(clustered(20, 20, None))
    assert alone == pytest.approx(2.0, abs=0.02)
    assert effect(clustered(20, 20, 3)) == pytest.approx(2 + (1 - 10 / 81) * 0.5, abs=0.02)
    assert effect(clustered(20, 20, 1)) == alone  # never less than its own
    assert effect(clustered(2_000, 2_000, 3)) == effect(clustered(2_000, 2_000, None))  # many files contradict it
    narrow, wide = (estimate(clustered(20, 20, usual), PHI).interval for usual in (None, 3))
    assert narrow is not None and wide is not None
    assert wide[0] < narrow[0] and narrow[1] < wide[1]


@pytest.mark.parametrize(("sizes", "t"), [((3,) * 20, False), ((1,) * 10 + (5,) * 10, True)])
def test_student_s_t_is_for_unequal_copies(sizes: tuple[int, ...], t: bool) -> None:
    """Twenty contents with three copies each are worth twenty files, with nothing to learn about their sizes."""
    files, squares = sum(sizes), sum(size * size for size in sizes)
    drawn = Drawn(Fraction(1), {PHI: files}, contents={PHI: len(sizes)}, squares={PHI: squares})
    excess = {(PHI, PHI): Fraction(squares - files), (PHI, every("1")): Fraction(0)}
    domain = Domain(REFERRED, once(files), (drawn,))
    found = estimate(Row("rule", once(60_000), (domain,), excess), PHI)
    assert found.design_effect is not None and found.interval is not None
    normal = wilson(files / 60_000, 60_000 / found.design_effect)
    if t:
        assert found.interval[1] > normal[1] * 1.01
    else:
        assert found.interval == pytest.approx(normal, rel=1e-3)
