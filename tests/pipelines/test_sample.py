"""A sample has the size that was asked for, is drawn by seed and path alone, and every file has the same chance."""

import numpy as np
import pyarrow as pa
import pytest

from core.errors import SettingsError
from core.records import FileRef
from pipelines.columns import batch_of_refs
from pipelines.sample import draw, size_of


def table(uris: list[str]) -> pa.Table:
    return pa.Table.from_batches([batch_of_refs([FileRef(uri, uri.encode(), 1, 1) for uri in uris])])


@pytest.mark.parametrize(
    ("asked", "files", "drawn"),
    [("1%", 5_000, 50), ("0.5 %", 1_000, 5), ("100%", 7, 7), ("5000", 100, 100), ("1_000", 5_000, 1_000), ("1%", 10, 1), ("3", 10, 3)],
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
