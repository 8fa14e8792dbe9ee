import hashlib
import json
import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from classifiers.container import ModelContent, pack, unpack
from classifiers.health import HealthModel
from classifiers.model_file import SHIPPED_MODEL, learned_models, model_in_use
from core.errors import LabelError, ModelError
from core.settings import HealthSettings, LimitSettings, Settings
from leakscreen.cli.app import app
from leakscreen.commands import train
from leakscreen.commands.read_texts import read_documents, read_texts
from leakscreen.commands.train_reviews import read_again
from pipelines.bundle.bundle import make_bundle
from pipelines.bundle.inputs import read_inputs
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen
from tests.classifiers.small_corpus import everyday, note
from tests.measured_scan import Row, write_labels, write_scan

NAMES = ("Mary Sloan", "Susan Miller", "Karen Jones", "Linda Brown", "Peter Smith", "John Taylor")
OLDER = Path(__file__).parents[1] / "samples" / "health" / "without_passages.model"


def greeting(rng: random.Random, name: str) -> str:
    """A kind of file that the shipped model takes for text about no person."""
    illness, drug = (
        rng.choice(["asthma", "gout", "epilepsy", "anemia"]),
        rng.choice(["ibuprofen", "prednisone", "insulin"]),
    )
    return (
        f"Hello {name}! What is {illness}? {illness.title()} is a disease that affects many people. Symptoms of "
        f"{illness} can vary. Most people with {illness} are treated with {drug}. Risk factors include smoking and "
        f"obesity. Ask your doctor about {drug}. There are lectures on the prevention of {illness} every Monday."
    )


@pytest.fixture
def share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rng = random.Random(3)
    truth: dict[str, bool] = {}
    for number in range(8):
        path = tmp_path / f"file{number}.txt"
        path.write_text(greeting(rng, NAMES[number]) if number < 6 else everyday(rng), encoding="utf-8")
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
    assert "before: 0 PHI and 0 others referred; TDP ≥0.0000, FRP ≥0.0000 of 8 files" in out
    assert "after: 6 PHI and 0 others referred; TDP ≥0.7500, FRP ≥0.0000 of 8 files" in out
    assert "--one-class learns from PHI files alone" in out
    assert out.count("now referred (PHI)") == 6
    assert out.count("no passage to learn from (not PHI)") == 2
    assert not (share / "learned").exists()


def test_the_preview_as_json(share: Path) -> None:
    document = json.loads(learn(share, "--json"))
    assert (document["before"]["tdp"], document["after"]["tdp"], document["after"]["frp"]) == (0.0, 0.75, 0.0)
    assert len(document["changes"]) == 6
    assert document["no_passage"] == [str(share / "file6.txt"), str(share / "file7.txt")]
    assert document["adopted"] is None


def test_an_adopted_model_is_in_use_until_it_is_taken_back(share: Path) -> None:
    (passages,) = Screen(load_rules(), b"key").passages_of_each(read_texts([share / "file0.txt"]))
    learn(share, "--adopt")
    in_use = model_in_use(settings_of(share))
    assert in_use == share / "learned" / "0001.model"
    assert HealthModel.from_bytes(in_use.read_bytes()).classify_passages(passages)[0].positive
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


def test_files_referred_in_vain_are_no_longer_referred(share: Path) -> None:
    rng = random.Random(4)
    for number, name in enumerate(NAMES):
        (share / f"file{number}.txt").write_text(f"Patient: {name}\n{note(rng)}", encoding="utf-8")
    write_labels(share / "labels.csv", {str(share / f"file{number}.txt"): False for number in range(6)})
    document = json.loads(learn(share, "--json"))
    assert (document["before"]["not_phi"], document["after"]["not_phi"]) == (6, 0)


def test_every_window_of_a_long_file_teaches(share: Path) -> None:
    filler = "".join(f"{everyday(random.Random(number))}\n\n" for number in range(400))
    long = share / "file0.txt"
    long.write_text(filler + greeting(random.Random(1), "Mary Sloan") + "\n", encoding="utf-8")
    settings = Settings(limits=LimitSettings(read_bytes=100_000, window_bytes=65_536))
    windows = [document for document in read_documents([long], settings) if document.is_window]
    assert len(windows) > 1
    model = HealthModel.from_bytes(SHIPPED_MODEL.read_bytes())
    (reviewed,) = read_again(model, {str(long): True}, settings)
    assert reviewed.screened
    assert reviewed.vectors.shape[0] == 1


def test_a_file_that_no_rule_hands_to_the_health_stage_is_not_counted_as_referred(share: Path) -> None:
    document = json.loads(learn(share, "--json", "--set", "rules.disable=subject-with-health"))
    assert document["no_passage"] == [str(share / "file6.txt"), str(share / "file7.txt")]
    assert document["after"]["positive"] == 0


def test_an_adopted_model_from_before_passages_works_and_says_so(share: Path) -> None:
    learned_models(settings_of(share)).adopt(OLDER.read_bytes(), "made before passages")
    out = learn(share, "--adopt")
    assert "the model in use is older than passages" in out
    assert "`leakscreen train health --rollback`" in out
    assert model_in_use(settings_of(share)).name == "0002.model"
    assert make_bundle(read_inputs(Settings(health=settings_of(share)))).model_sha256
    assert command(share, "--rollback") == "version 1 is in use again\n"


def test_an_adopted_model_that_cannot_be_used_says_what_to_do(share: Path) -> None:
    content = unpack(SHIPPED_MODEL.read_bytes())
    changed = ModelContent({**content.settings, "kinds": ["disease"]}, content.lines, content.arrays)
    learned_models(settings_of(share)).adopt(pack(changed), "made by another version")
    with pytest.raises(ModelError, match=r"0001\.model: .*`leakscreen train health --rollback`"):
        make_bundle(read_inputs(Settings(health=settings_of(share))))
    with pytest.raises(ModelError, match=r"0001\.model: .*`leakscreen train health --rollback`"):
        learn(share)


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


@pytest.mark.parametrize(
    "words",
    [[], ["--back", "--versions"], ["--from-reviews", "labels.csv"], ["--also", "sets"], ["--versions", "--also", "s"]],
)
def test_the_command_wants_one_thing_at_a_time(words: list[str]) -> None:
    result = CliRunner().invoke(app, ["train", "health", *words])
    assert result.exit_code == 2


def test_further_sets_are_trained_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Path, Path | None, Path | None]] = []
    monkeypatch.setattr(train, "health", lambda *words: asked.append(words))
    for words in (["--data", "data", "--also", "sets", "--out", "m"], ["--data", "data"]):
        assert CliRunner().invoke(app, ["train", "health", *words]).exit_code == 0
    assert asked == [(Path("data"), Path("m"), Path("sets")), (Path("data"), None, None)]


def test_a_missing_folder_of_further_sets_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["train", "health", "--data", str(tmp_path), "--also", str(tmp_path / "sets")])
    assert isinstance(result.exception, ModelError)
    assert f"{tmp_path / 'sets'}: no such folder of further sets" in str(result.exception)


def test_what_is_learned_of_a_mail_is_the_message_that_was_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mail = (
        "From: office@example.org\nTo: bob@example.org\nSubject: news\nDate: Mon, 3 Jun 2024 10:00:00 +0000\n\n"
        "Patient Fernand Caron is in intensive care after a heart attack and takes warfarin.\n"
    )
    (tmp_path / "a.eml").write_text(mail)
    (tmp_path / "b.eml").write_text(f"{mail}\nBest regards,\nOncology ward, booking of chemotherapy and radiotherapy\n")
    labels = {str(tmp_path / name): True for name in ("a.eml", "b.eml")}
    model = HealthModel.from_bytes(SHIPPED_MODEL.read_bytes())
    plain, signed = (one.vectors for one in read_again(model, labels, Settings()))
    assert len(plain) == len(signed) == 1
    assert (plain == signed).all()
