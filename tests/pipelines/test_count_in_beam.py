"""Counts in Beam and in process are the same, whatever the order; labels that cannot be counted are named."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import LabelError
from evaluation.audit import fractions, stage_loss
from evaluation.comparison import compare
from evaluation.design import STAGES, Design
from evaluation.estimate import rates, row_rates
from evaluation.keys import ALL, weight_of
from evaluation.labels import Label
from pipelines.measure.count import Counted, count_in_process
from pipelines.measure.count_in_beam import count_in_beam
from pipelines.measure.labels import read_labels_of
from pipelines.measure.units import Unit
from pipelines.results.folder import ScanFolder
from pipelines.sampling.strata import Strata
from tests.measured_scan import RULES, Row, clustered_rows, random_rows, reference_rows, write_labels, write_scan

PAIR = ("organization-name", "street-address")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("measured")


@pytest.fixture(scope="module")
def sampled(place: Path) -> tuple[ScanFolder, str, str]:
    """A scan, a stratified sample of its positives with awkward probabilities, and an audit of its negatives."""
    rows, truth = random_rows(3)
    dice = Random(4)
    chances = {"high": Fraction(37, 113), "low": Fraction("0.1")}
    drawn = {row.uri: truth[row.uri] for row in rows if row.rules and dice.random() < 0.4}
    risks = {row.uri: row.risk for row in rows}
    labels = write_labels(
        place / "sample.csv", quoted(drawn), {f'"{uri}"': (risks[uri], chances[risks[uri]]) for uri in drawn}
    )
    negatives = {row.uri: truth[row.uri] for row in rows if not row.rules and row.status != "failed"}
    return write_scan(place / "sampled", rows), str(labels), str(write_labels(place / "audit.csv", quoted(negatives)))


def quoted(labels: dict[str, bool]) -> dict[str, bool]:
    return {f'"{uri}"': phi for uri, phi in labels.items()}


def figures(counted: Counted) -> list[object]:
    sums = counted.sums
    ids = ("referred", *sums.ids(counted.rule_ids))
    return [
        counted.rules,
        [row_rates(sums.row(rule)) for rule in ids],
        [fractions(sums.row(rule), sums.rest(rule), sums.row(ALL)) for rule in ids],
        [stage_loss(sums.stage(stage)) for stage in STAGES],
        compare(sums.pair(*PAIR)),
        counted.not_examined,
        counted.on_containers,
        counted.labels,
    ]


@pytest.mark.parametrize("workers", [1, 2], ids=["in memory", "two processes"])
def test_beam_gives_the_same_figures_to_the_last_digit(sampled: tuple[ScanFolder, str, str], workers: int) -> None:
    folder, labels, audit = sampled
    plain = count_in_process(folder, read_labels_of(labels), RULES, audit=read_labels_of(audit), pair=PAIR)
    beam = count_in_beam(folder, labels, RULES, "local", workers=workers, audit=audit, pair=PAIR)
    assert plain.sums.sampled
    assert plain.sums.verified_in["screened negative"] > 0
    assert figures(beam) == figures(plain)
    assert not [path for path in Path(folder.uri).iterdir() if path.name.startswith(".evaluation")]


def test_the_published_table_comes_out_of_records_and_labels(place: Path) -> None:
    rows, truth = reference_rows()
    folder = write_scan(place / "reference", rows)
    counted = count_in_process(folder, {uri: Label(phi) for uri, phi in truth.items()}, RULES, pair=PAIR)
    found = {one.rule: rates(one) for one in counted.rules}
    assert [round(found[rule].tdp or 0, 3) for rule in PAIR] == [0.577, 0.610]
    assert [round(found[rule].frp or 0, 3) for rule in PAIR] == [0.033, 0.024]
    assert (found["email"].tdp, found["email"].positive) == (0.0, 0)
    rtpf = compare(counted.sums.pair(*PAIR)).rtpf
    assert round(rtpf.ratio or 0, 4) == 0.9467


def test_the_order_of_records_and_labels_changes_no_digit(place: Path) -> None:
    rows, truth = random_rows(9, 120)
    labels = {
        row.uri: Label(truth[row.uri], Fraction(1 + number % 5, 7), str(number % 3)) for number, row in enumerate(rows)
    }
    folders = [
        write_scan(place / name, order, units) for name, order, units in (("one", rows, 1), ("other", rows[::-1], 5))
    ]
    first = count_in_process(folders[0], labels, RULES, pair=PAIR)
    second = count_in_process(folders[1], dict(reversed(labels.items())), RULES, pair=PAIR)
    assert figures(first) == figures(second)


def test_labels_in_parquet_are_read_like_those_in_csv(place: Path, sampled: tuple[ScanFolder, str, str]) -> None:
    labels = read_labels_of(sampled[1])
    rows = [
        {"uri": uri, "phi": label.phi, "probability": str(label.probability), "stratum": label.stratum}
        for uri, label in labels.items()
    ]
    pq.write_table(pa.Table.from_pylist(rows), place / "labels.parquet")
    assert read_labels_of(str(place / "labels.parquet")) == labels
    pq.write_table(pa.table({"file": ["/a"]}), place / "no.parquet")
    with pytest.raises(LabelError, match="lacks the column uri and phi"):
        read_labels_of(str(place / "no.parquet"))


ROWS = [Row("/a", ("email",)), Row("/b", ()), Row("/c", ("email",), status="failed")]
SCAN = "20240101T000000-abcdef"


@pytest.mark.parametrize(
    ("labels", "audit", "message"),
    [
        ([{"uri": "/x", "phi": 1}], [], "no record of.*/x"),
        ([{"uri": "/a", "phi": 1, "scan_id": "another"}], [], "another scan.*/a"),
        ([{"uri": "/a", "phi": 1}], [{"uri": "/a", "phi": 0}], "screened positive.*/a"),
        ([{"uri": "/a", "phi": 1}], [{"uri": "/c", "phi": 0}], "not examined.*/c"),
    ],
)
def test_labels_that_cannot_count_are_refused_by_name(
    tmp_path: Path, labels: list[dict[str, object]], audit: list[dict[str, object]], message: str
) -> None:
    folder = write_scan(tmp_path, ROWS)
    for name, rows in (("labels", labels), ("audit", audit)):
        (tmp_path / name).write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    verified = read_labels_of(str(tmp_path / "labels"))
    counted = count_in_process(
        folder, verified, RULES, audit=read_labels_of(str(tmp_path / "audit")) if audit else None
    )
    with pytest.raises(LabelError, match=message):
        counted.misplaced.refuse()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("uri,phi\n/a,yes\n/a,no\n", "labelled twice, and differently.*/a"),
        ("uri,phi\n/a,perhaps\n", "line 2: phi must be yes or no"),
        ("uri,phi,probability\n/a,yes,0.5\n/b,no,\n", "some lines have a probability"),
        ("uri,phi\n", "there is no label"),
    ],
)
def test_beam_names_bad_labels_too(tmp_path: Path, content: str, message: str) -> None:
    folder = write_scan(tmp_path, ROWS)
    (tmp_path / "labels.csv").write_text(content, encoding="utf-8")
    with pytest.raises(LabelError, match=message):
        count_in_beam(folder, str(tmp_path / "labels.csv"), RULES, "local").misplaced.refuse()


def test_labels_of_this_scan_that_was_not_examined_are_told(tmp_path: Path) -> None:
    labels = {"/a": Label(True, scan_id=SCAN), "/c": Label(True, scan_id=SCAN)}
    counted = count_in_process(write_scan(tmp_path, ROWS), labels, RULES)
    counted.misplaced.refuse()
    assert (counted.n, counted.labels, counted.not_examined) == (2, 2, 1)


@pytest.mark.parametrize("unit", list(Unit))
def test_folders_that_were_drawn_apart_count_alike_in_beam_and_in_process(tmp_path: Path, unit: Unit) -> None:
    """Two folders of one weight and one of another, with copies in several of them."""

    def placed(uri: str) -> str:
        number = int("".join(filter(str.isdigit, uri.partition("!")[0])))
        return uri.replace("/s/", f"/s/{'abc'[number % 3]}/")

    rows, truth = clustered_rows(8)
    rows = [replace(row, uri=placed(row.uri), container=row.container and placed(row.container)) for row in rows]
    folder = write_scan(tmp_path, rows)
    file = str(write_labels(tmp_path / "labels.csv", {placed(uri): phi for uri, phi in list(truth.items())[::2]}))
    strata = Strata(("/s",), {"/s/a/": 300, "/s/b/": 300, "/s/c/": 900}, {"/s/a/": 90, "/s/b/": 90, "/s/c/": 90})
    plain = count_in_process(folder, read_labels_of(file), RULES, pair=PAIR, strata=strata, unit=unit)
    beam = count_in_beam(folder, file, RULES, "local", pair=PAIR, strata=strata, unit=unit)
    assert {place: weight_of(place) for place in plain.sums.row(ALL).files.by_place} == {
        "10/3 /s/a/": Fraction(10, 3),
        "10/3 /s/b/": Fraction(10, 3),
        "10 /s/c/": Fraction(10),
    }
    assert figures(beam) == figures(plain)


@pytest.mark.parametrize("unit", list(Unit))
def test_copies_and_members_count_alike_in_beam_and_in_process(tmp_path: Path, unit: Unit) -> None:
    rows, truth = clustered_rows(7)
    folder = write_scan(tmp_path, rows)
    labels = {row.uri: truth[row.uri] for row in rows[:200:3] if row.status == "complete"}
    labels["/s/box1.zip"] = False
    file = str(write_labels(tmp_path / "labels.csv", labels))
    plain = count_in_process(folder, read_labels_of(file), RULES, pair=PAIR, unit=unit)
    beam = count_in_beam(folder, file, RULES, "local", pair=PAIR, unit=unit)
    plain.misplaced.refuse()
    assert figures(beam) == figures(plain)
    assert plain.on_containers == (unit is not Unit.FILE)
    sizes = {Unit.RECORD: len(truth), Unit.CONTENT: len({row.content for row in rows} - {""})}
    sizes[Unit.FILE] = len({(row.container or row.uri) for row in rows if row.status == "complete"})
    assert plain.n == sizes[unit]


def test_a_label_reaches_all_copies(tmp_path: Path) -> None:
    rows = [Row(f"/s/{number}", ("email",), content="c" * 64) for number in range(3)]
    counted = count_in_process(write_scan(tmp_path, [*rows, Row("/s/other")]), {"/s/1": Label(True)}, RULES)
    (email,) = (rule for rule in counted.rules if rule.rule == "email")
    assert (email.positive, email.phi) == (3, 3)
    twice = count_in_process(write_scan(tmp_path / "b", rows), {"/s/0": Label(True), "/s/1": Label(False)}, RULES)
    with pytest.raises(LabelError, match=r"same content and are labelled differently.*/s/0, /s/1"):
        twice.misplaced.refuse()


def test_a_container_is_judged_by_its_strongest_members(tmp_path: Path) -> None:
    rows = [
        Row("/s/a.zip", status="container", content="a" * 64),
        Row("/s/a.zip!1", ("email",), referred=True, content="1" * 64, container="/s/a.zip"),
        Row("/s/a.zip!2", (), content="2" * 64, container="/s/a.zip"),
        Row("/s/b.txt", (), content="b" * 64),
    ]
    folder = write_scan(tmp_path, rows)
    for labels, phi, not_phi in (
        ({"/s/a.zip!1": Label(False)}, 0, 1),
        ({"/s/a.zip!2": Label(True)}, 1, 0),
        ({"/s/a.zip": Label(True), "/s/a.zip!1": Label(False)}, 1, 0),
        ({"/s/a.zip!2": Label(False)}, 0, 0),
    ):
        counted = count_in_process(folder, labels, RULES, unit=Unit.FILE)
        found = counted.sums.counts("referred")
        assert (counted.n, found.positive, found.phi, found.not_phi) == (2, 1, phi, not_phi)


def test_a_mail_is_phi_if_an_attachment_is_unless_it_was_judged_as_a_whole(tmp_path: Path) -> None:
    """Labels of records: the text of the mail is not PHI. Labels of files on disk: the mail is not."""
    rows = [
        Row("/s/a.eml", ("email",), content="a" * 64),
        Row("/s/a.eml!1", ("email",), referred=True, content="1" * 64, container="/s/a.eml"),
        Row("/s/b.txt", (), content="b" * 64),
    ]
    folder = write_scan(tmp_path, rows)
    whole = str(Design("file", {"referred": (1, 1), "screened only": (0, 0), "screened negative": (1, 1)}))
    for labels, phi, not_phi in (
        ({"/s/a.eml": Label(False), "/s/a.eml!1": Label(True)}, 1, 0),
        ({"/s/a.eml": Label(False)}, 0, 1),
        ({"/s/a.eml": Label(True), "/s/a.eml!1": Label(False)}, 1, 0),
        ({"/s/a.eml": Label(False, draw=whole), "/s/a.eml!1": Label(True, draw=whole)}, 0, 1),
    ):
        found = count_in_process(folder, labels, RULES, unit=Unit.FILE).sums.counts("referred")
        assert (found.positive, found.phi, found.not_phi) == (1, phi, not_phi)


def test_a_draw_is_looked_up_by_the_stage_that_the_sheet_does_not_name(tmp_path: Path) -> None:
    rows = [Row(f"/s/{n}", ("email",), referred=n < 10, content=f"{n:064x}") for n in range(30)]
    rows += [Row(f"/s/{n}", (), content=f"{n:064x}") for n in range(30, 100)]
    draw = str(Design("content", {"referred": (5, 10), "screened only": (5, 20), "screened negative": (7, 70)}))
    chosen = [*range(5), *range(10, 15), *range(30, 37)]
    labels = {f"/s/{n}": Label(n < 12, draw=draw) for n in chosen}
    sums = count_in_process(write_scan(tmp_path, rows), labels, RULES).sums
    rate = row_rates(sums.row("email"))
    assert rate.tdp == pytest.approx((10 + 20 * 2 / 5) / 100)
    assert fractions(sums.row("email"), sums.rest("email"), sums.row(ALL)).prevalence == rate.tdp


def test_a_draw_of_contents_counts_alike_in_beam_and_in_process(tmp_path: Path) -> None:
    """Weights of draws, copies and containers at once: fractions, not rounded sums."""
    rows, truth = clustered_rows(11)
    folder = write_scan(tmp_path, rows)
    strata = {"referred": (11, 37), "screened only": (7, 41), "screened negative": (5, 23)}
    draw = str(Design("content", strata))
    chosen = {row.uri: truth[row.uri] for row in rows[:120:4] if row.status == "complete"}
    lines = [f"{uri},{'yes' if phi else 'no'},{draw}" for uri, phi in chosen.items()]
    (tmp_path / "sheet.csv").write_text("uri,phi,draw\n" + "\n".join(lines), encoding="utf-8")
    file = str(tmp_path / "sheet.csv")
    plain = count_in_process(folder, read_labels_of(file), RULES, pair=PAIR)
    beam = count_in_beam(folder, file, RULES, "local", pair=PAIR)
    assert plain.sums.sampled
    assert figures(beam) == figures(plain)
    assert any((rate.design_effect or 1) > 1 for rate in (row_rates(plain.sums.row(rule)) for rule in RULES))
    other = count_in_process(folder, read_labels_of(file), RULES, unit=Unit.FILE)
    with pytest.raises(LabelError, match="drawn by another unit"):
        other.misplaced.refuse()
