import hashlib
import json
import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from classifiers.health import HealthModel
from classifiers.model_file import SHIPPED_MODEL, model_in_use
from core.errors import LabelError, ModelError
from core.settings import HealthSettings, Settings
from leakscreen.cli.app import app
from leakscreen.commands.read_texts import read_texts
from pipelines.bundle.bundle import make_bundle
from pipelines.bundle.inputs import read_inputs
from tests.classifiers.small_corpus import everyday
from tests.measured_scan import Row, write_labels, write_scan


def group_sheet(rng: random.Random) -> str:
    """A kind of file that the shipped model takes for text about no person."""
    illness, drug = (
        rng.choice(["asthma", "gout", "epilepsy", "migraine"]),
        rng.choice(["ibuprofen", "prednisone", "insulin"]),
    )
    return (
        f"Group for people with {illness}. People with {illness} may come on Mondays. Symptoms of {illness} can be "
        f"treated with {drug}. "
        f"What is {illness}? Ask your doctor. Members who use {drug} should bring it. Risk factors include smoking "
        "and obesity."
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


def learn(share: Path, *words: str) -> str:
    """What the command prints, with the models kept beside the share."""
    words_of_command = ["--from-reviews", str(share / "labels.csv"), "--scan", str(share / "results"), *words]
    return command(share, *words_of_command)


def command(share: Path, *words: str) -> str:
    result = CliRunner().invoke(app, ["train", "health", *words, "--set", f"health.adopted_dir={share / 'learned'}"])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def settings_of(share: Path, model: str = "") -> HealthSettings:
    return HealthSettings(adopted_dir=str(share / "learned"), model=model)


def test_a_preview_tells_what_would_change_and_writes_nothing(share: Path) -> None:
    out = learn(share)
    assert "verified files: 8, read again: 8 (6 of them PHI)" in out
    assert "before: 0 PHI and 0 others referred; TDP –, FRP – of 8 files" in out
    assert "after: 6 PHI and 0 others referred; TDP 0.7500, FRP 0.0000 of 8 files" in out
    assert out.count("now referred (PHI)") == 6
    assert not (share / "learned").exists()


def test_the_preview_as_json(share: Path) -> None:
    document = json.loads(learn(share, "--json"))
    assert (document["before"]["tdp"], document["after"]["tdp"], document["after"]["frp"]) == (None, 0.75, 0.0)
    assert len(document["changes"]) == 6
    assert document["adopted"] is None


def test_an_adopted_model_is_in_use_until_it_is_taken_back(share: Path) -> None:
    (text,) = read_texts([share / "file0.txt"])
    learn(share, "--adopt")
    in_use = model_in_use(settings_of(share))
    assert in_use == share / "learned" / "0001.model"
    assert HealthModel.from_bytes(in_use.read_bytes()).classify([text])[0].positive
    learn(share, "--adopt")
    assert model_in_use(settings_of(share)).name == "0002.model"
    assert command(share, "--rollback") == "version 1 is in use again\n"
    assert command(share, "--back") == "no adopted model is in use any more\n"
    assert model_in_use(settings_of(share)) == SHIPPED_MODEL
    listed = command(share, "--versions")
    assert listed.count("adopted") == 2
    assert listed.count("went back") == 2
    assert listed.endswith("in use: none\n")


def test_a_scan_uses_the_adopted_model_without_a_further_setting(share: Path) -> None:
    before = make_bundle(read_inputs(Settings(health=settings_of(share)))).model_sha256
    learn(share, "--adopt")
    after = make_bundle(read_inputs(Settings(health=settings_of(share)))).model_sha256
    assert before == hashlib.sha256(SHIPPED_MODEL.read_bytes()).hexdigest()
    assert after == hashlib.sha256((share / "learned" / "0001.model").read_bytes()).hexdigest()
    assert (
        make_bundle(read_inputs(Settings(health=settings_of(share, model=str(SHIPPED_MODEL))))).model_sha256 == before
    )


def test_what_would_not_be_used_is_not_adopted(share: Path) -> None:
    with pytest.raises(ModelError, match=r"health\.model names a file"):
        learn(share, "--adopt", "--set", f"health.model={SHIPPED_MODEL}")


def test_what_was_verified_but_never_scanned_is_named(share: Path) -> None:
    write_labels(share / "labels.csv", {"/elsewhere/x.txt": True})
    with pytest.raises(LabelError, match=r"/elsewhere/x\.txt: is labelled, but in none of the scans"):
        learn(share)


def test_files_that_are_gone_cannot_teach(share: Path) -> None:
    for path in share.glob("file*.txt"):
        path.unlink()
    with pytest.raises(LabelError, match="none of the verified files can be read"):
        learn(share)


@pytest.mark.parametrize("words", [[], ["--back", "--versions"], ["--from-reviews", "labels.csv"]])
def test_the_command_wants_one_thing_at_a_time(words: list[str]) -> None:
    result = CliRunner().invoke(app, ["train", "health", *words])
    assert result.exit_code == 2
