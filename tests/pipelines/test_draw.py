"""A sample has the size that was asked for, is drawn by seed and path alone, and every file has the same chance."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

from core.errors import SettingsError
from core.records import FileRef
from evaluation.draw import allocate
from evaluation.labels import Label
from leakscreen.commands.evaluate import measured_rules
from pipelines.measure.count import as_counts
from pipelines.measure.units import Found, Outcome, Unit, count_content, joined
from pipelines.plan.arrow_file import batch_of_refs
from pipelines.sampling.draw import draw, least_of_each, size_of
from pipelines.sampling.estimate import _stratified
from pipelines.sampling.strata import Strata, top_folder


def table(uris: list[str]) -> pa.Table:
    return pa.Table.from_batches([batch_of_refs([FileRef(uri, uri.encode(), 1, 1) for uri in uris])])


@pytest.mark.parametrize(
    ("asked", "files", "drawn"),
    [
        ("1%", 5_000, 50),
        ("0.5 %", 1_000, 5),
        ("100%", 7, 7),
        ("5000", 100, 100),
        ("1_000", 5_000, 1_000),
        ("1%", 10, 1),
        ("3", 10, 3),
    ],
)
def test_sizes(asked: str, files: int, drawn: int) -> None:
    assert size_of(asked, files) == drawn


@pytest.mark.parametrize("asked", ["0", "0%", "-1%", "101%", "some", "1.5", "%", "1/0%"])
def test_what_is_no_size_is_refused(asked: str) -> None:
    with pytest.raises(SettingsError, match="a share such as 1%"):
        size_of(asked, 10)


def test_the_draw_depends_on_seed_and_path_alone() -> None:
    uris = [f"/share/{number}" for number in range(500)]
    chosen, drawn = draw(table(uris), "10%", 7)
    turned, _ = draw(table(uris[::-1]), "10%", 7)
    assert (drawn.walked, drawn.drawn, chosen.sum()) == (500, 50, 50)
    assert drawn.as_dict()["probability"] == "1/10"
    assert np.array_equal(chosen, turned[::-1])
    assert not np.array_equal(chosen, draw(table(uris), "10%", 8)[0])


def test_every_file_has_the_same_chance() -> None:
    files = table([f"/{number}" for number in range(40)])
    times = sum(draw(files, "25%", seed)[0].astype(int) for seed in range(400))
    assert np.all((times > 60) & (times < 145))  # 100 expected, five standard deviations


FOLDERS = {"/s/large/": 900, "/s/middle/": 80, "/s/small/": 5, "/s/": 15}
HITS = {"/s/large/": 18, "/s/middle/": 20, "/s/small/": 3, "/s/": 0}
URIS = [f"{folder}{number:03}.txt" for folder, files in FOLDERS.items() for number in range(files)]
TRUE = {f"{folder}{number:03}.txt" for folder, hits in HITS.items() for number in range(hits)}


def sampled(seed: int) -> tuple[list[str], Strata]:
    chosen, drawn = draw(table(URIS), "10%", seed, ("/s",))
    manifest = {"sources": ["/s"], "walk": {"sample": drawn.as_dict()}}
    strata = Strata.of(manifest)
    assert strata is not None
    return [uri for uri, is_drawn in zip(URIS, chosen, strict=True) if is_drawn], strata


@pytest.mark.parametrize(
    ("uri", "folder"),
    [
        ("/s/a/b/c.txt", "/s/a/"),
        ("/s/c.txt", "/s/"),
        ("/s/t/x/y.txt", "/s/t/x/"),
        ("s3://bucket/in/a/b", "s3://bucket/in/a/"),
        ("/other/c.txt", "elsewhere"),
        ("/s", "elsewhere"),
    ],
)
def test_the_part_of_a_file_is_the_first_folder_of_its_source(uri: str, folder: str) -> None:
    assert top_folder(uri, ("s3://bucket/in", "/s/t", "/s")) == folder


@pytest.mark.parametrize("count", [1, 3, 4, 10, 50, 100, 999, 1_000])
def test_every_part_has_its_files(count: int) -> None:
    names = [folder for folder, files in FOLDERS.items() for _ in range(files)]
    sizes = Counter(names)
    drawn = allocate(sizes, count, least_of_each(count, len(sizes)))
    assert sum(drawn.values()) == max(count, len(FOLDERS))
    assert all(1 <= drawn[folder] <= files for folder, files in FOLDERS.items())
    if count == 100:
        assert drawn["/s/small/"] == 5 and drawn["/s/large/"] > 5 * drawn["/s/middle/"] / 2


def test_a_stratified_draw_is_told_and_depends_on_seed_and_path_alone() -> None:
    chosen, drawn = draw(table(URIS), "10%", 7, ("/s",))
    turned, _ = draw(table(URIS[::-1]), "10%", 7, ("/s",))
    assert np.array_equal(chosen, turned[::-1])
    assert (drawn.drawn, chosen.sum()) == (100, 100)
    summary = drawn.as_dict()
    assert {part["name"]: part["walked"] for part in summary["strata"]} == FOLDERS
    assert sum(part["drawn"] for part in summary["strata"]) == 100


def test_a_member_counts_with_the_part_of_its_container() -> None:
    _, strata = sampled(1)
    assert strata.of_file("/s/large/a.zip!d/e.txt") == "/s/large/"
    assert strata.of_file("/s/a.zip!d/e.txt") == "/s/"


def test_weighted_estimates_are_right_on_average_and_unweighted_ones_are_not() -> None:
    weighted, plain, inside = [], [], 0
    for seed in range(300):
        drawn, strata = sampled(seed)
        hits = Counter(strata.of_file(uri) for uri in drawn if uri in TRUE)
        found = _stratified(hits, strata, len(drawn), len(URIS))
        assert found["files"] is not None and found["low"] is not None and found["high"] is not None
        weighted.append(found["files"])
        plain.append(hits.total() * len(URIS) / len(drawn))
        inside += found["low"] <= len(TRUE) <= found["high"]
    error = np.std(weighted) / np.sqrt(len(weighted))
    assert abs(np.mean(weighted) - len(TRUE)) < 4 * error
    assert np.mean(plain) - len(TRUE) > 20 * error
    assert inside >= 0.93 * 300


def test_rates_are_weighed_by_the_share_of_each_part() -> None:
    tdp, positive = [], []
    for seed in range(200):
        drawn, strata = sampled(seed)
        keys = Counter[tuple[str, ...]]()
        for uri in drawn:
            fired = Outcome("complete", ("rule",) if uri in TRUE else (), uri in TRUE, uri in TRUE)
            verified = [Label(phi=hash_of(uri) % 3 > 0)] if uri in TRUE else []
            for found in joined(uri, [fired], verified, [], "scan", strata, Fraction(len(drawn), len(URIS))):
                if isinstance(found, Found):
                    keys.update(dict(count_content([found], Unit.RECORD, None)))  # type: ignore[arg-type]
        _, rates = measured_rules(as_counts(keys, ["rule"]))
        assert rates.n == len(URIS) and rates.tdp is not None
        tdp.append(rates.tdp)
        positive.append(rates.positive)
    phi = sum(hash_of(uri) % 3 > 0 for uri in TRUE)
    assert abs(np.mean(tdp) - phi / len(URIS)) < 4 * np.std(tdp) / np.sqrt(len(tdp))
    assert abs(np.mean(positive) - len(TRUE)) < 4 * np.std(positive) / np.sqrt(len(positive)) + 0.5


def hash_of(uri: str) -> int:
    return sum(uri.encode())
