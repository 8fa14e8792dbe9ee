import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from classifiers.health import HealthModel, shipped_model
from core.errors import LabelError, ModelError
from leakscreen.cli import app
from leakscreen.commands import train_reviews
from leakscreen.reading import read_texts
from tests.classifiers.small_corpus import everyday
from tests.measured_scan import Row, write_labels, write_scan

Captured = pytest.CaptureFixture[str]


def group_sheet(rng: random.Random) -> str:
    """A kind of file that the shipped model takes for text about no person."""
    illness, drug = rng.choice(["asthma", "gout", "epilepsy", "migraine"]), rng.choice(["ibuprofen", "prednisone", "insulin"])
    return (
        f"Group for people with {illness}. People with {illness} may come on Mondays. Symptoms of {illness} can be treated with {drug}. "
        f"What is {illness}? Ask your doctor. Members who use {drug} should bring it. Risk factors include smoking and obesity."
    )


@pytest.fixture
def share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rng = random.Random(3)
    truth: dict[str, bool] = {}
    for number in range(8):
        path = tmp_path / f"file{number}.txt"
        path.write_text(everyday(rng) if number >= 6 else group_sheet(rng), encoding="utf-8")
        truth[str(path)] = number < 6
    write_scan(tmp_path / "results", [Row(uri, ("email",)) for uri in truth])
    write_labels(tmp_path / "labels.csv", truth)
    return tmp_path


def learn(share: Path, adopting: bool) -> None:
    train_reviews.learn(share / "labels.csv", [str(share / "results")], share / "own.model", None, adopting)


def test_a_preview_tells_what_would_change_and_writes_nothing(share: Path, capsys: Captured) -> None:
    learn(share, adopting=False)
    out = capsys.readouterr().out
    assert "verified files: 8, read again: 8 (6 of them PHI)" in out
    assert "before: 0 PHI and 0 others referred; TDP –, FRP – of 8 files" in out
    assert "after: 6 PHI and 0 others referred; TDP 0.7500, FRP 0.0000 of 8 files" in out
    assert out.count("now referred (PHI)") == 6
    assert not list(share.glob("*.model"))


def test_adopted_versions_are_listed_and_can_be_taken_back(share: Path, capsys: Captured) -> None:
    learn(share, adopting=True)
    assert 'health.model is "' in capsys.readouterr().out
    (text,) = read_texts([share / "file0.txt"])
    assert HealthModel.from_bytes((share / "own.model").read_bytes()).classify([text])[0].positive
    train_reviews.show_versions(share / "own.model", None)
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed] == ["1", "2"]
    assert listed[1].endswith("in use")
    train_reviews.back(share / "own.model", None)
    assert (share / "own.model").read_bytes() == shipped_model()


def test_what_was_verified_but_never_scanned_is_named(share: Path) -> None:
    write_labels(share / "labels.csv", {"/elsewhere/x.txt": True})
    with pytest.raises(LabelError, match=r"/elsewhere/x\.txt: was verified, but is in none of the scans"):
        learn(share, adopting=False)


def test_files_that_are_gone_cannot_teach(share: Path) -> None:
    for path in share.glob("file*.txt"):
        path.unlink()
    with pytest.raises(LabelError, match="none of the verified files can be read"):
        learn(share, adopting=False)


def test_the_shipped_model_is_never_written_over(share: Path) -> None:
    with pytest.raises(ModelError, match="say with --out"):
        train_reviews.learn(share / "labels.csv", [str(share / "results")], None, None, True)


@pytest.mark.parametrize("words", [[], ["--back", "--versions"], ["--from-reviews", "labels.csv"]])
def test_the_command_wants_one_thing_at_a_time(words: list[str]) -> None:
    result = CliRunner().invoke(app, ["train", "health", *words])
    assert result.exit_code == 2
