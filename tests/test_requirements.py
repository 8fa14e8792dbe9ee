"""The requirements files pin, with hashes, everything that pyproject.toml asks for, and nothing drifts."""

import re
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RUNTIME = [Requirement(text) for text in PROJECT["project"]["dependencies"]]
EXTRAS = {
    name: [Requirement(text) for text in texts] for name, texts in PROJECT["project"]["optional-dependencies"].items()
}
GROUPS = {
    name: [Requirement(text) for text in texts if isinstance(text, str)]
    for name, texts in PROJECT["dependency-groups"].items()
}
DEVELOPMENT = [*GROUPS["setup"], *GROUPS["dev"]]
SCAN, DEVELOPER = "requirements.txt", "requirements-dev.txt"
LARGER = (
    "requirements-clouds.txt",
    "requirements-demo.txt",
    DEVELOPER,
)  # each installs all that a scan needs, and more


def pins(file: str) -> dict[str, Version]:
    """What the file installs on this interpreter."""
    lines = re.findall(r"^([\w.\-]+==[^\\\n]+)", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    pinned = [Requirement(line) for line in lines]
    return {
        canonicalize_name(pin.name): Version(next(iter(pin.specifier)).version)
        for pin in pinned
        if pin.marker is None or pin.marker.evaluate()
    }


@pytest.mark.parametrize("needed", RUNTIME, ids=lambda needed: needed.name)
def test_every_dependency_is_bounded_and_pinned_within_its_bounds(needed: Requirement) -> None:
    assert {clause.operator for clause in needed.specifier} >= {">=", "<"}
    for file in (SCAN, *LARGER):
        assert pins(file)[canonicalize_name(needed.name)] in needed.specifier


@pytest.mark.parametrize("needed", DEVELOPMENT, ids=lambda needed: needed.name)
def test_development_tools_are_pinned_apart(needed: Requirement) -> None:
    assert pins("requirements-dev.txt")[canonicalize_name(needed.name)] in needed.specifier


def test_everything_that_a_dependency_needs_is_pinned_at_the_installed_version() -> None:
    pinned, waiting, seen = pins("requirements.txt"), [needed.name for needed in RUNTIME], set()
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name in seen:
            continue
        seen.add(name)
        assert str(pinned.get(name)) == str(Version(distribution(name).version)), (
            f"{name}: run `make lock`, then `make setup`"
        )
        needs = [Requirement(text) for text in distribution(name).requires or ()]
        waiting += [needed.name for needed in needs if not needed.marker or needed.marker.evaluate({"extra": ""})]


@pytest.mark.parametrize("larger", LARGER)
def test_a_larger_file_has_the_versions_of_the_smaller_one(larger: str) -> None:
    smaller, pinned = pins(SCAN), pins(larger)
    assert {name: pinned.get(name) for name in smaller} == smaller
    everything = pins(DEVELOPER)
    assert {name: everything.get(name) for name in pinned} == pinned


@pytest.mark.parametrize(
    ("file", "needed"),
    [
        ("requirements-clouds.txt", [*EXTRAS["s3"], *EXTRAS["gcs"], *EXTRAS["azure"], *EXTRAS["sources"]]),
        ("requirements-demo.txt", EXTRAS["demo"]),
        ("requirements-setup.txt", GROUPS["setup"]),
    ],
)
def test_what_only_some_need_is_in_a_file_of_its_own(file: str, needed: list[Requirement]) -> None:
    for requirement in needed:
        name = canonicalize_name(requirement.name)
        assert pins(file)[name] in requirement.specifier
        assert pins(file)[name] == pins(DEVELOPER)[name]
        assert name not in pins(SCAN)


def test_a_scan_installs_nothing_of_the_tests() -> None:
    tests_alone = {canonicalize_name(needed.name) for needed in DEVELOPMENT} - {"packaging"}
    assert not tests_alone & pins(SCAN).keys()


def test_every_pin_has_hashes() -> None:
    for file in (SCAN, *LARGER, "requirements-setup.txt"):
        blocks = re.split(r"\n(?=[\w.\-]+==)", (ROOT / file).read_text(encoding="utf-8"))[1:]
        assert all("--hash=sha256:" in block for block in blocks)


def test_the_image_copies_every_room() -> None:
    copied = set(re.findall(r"^COPY (\w+) \1$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE))
    rooms = {pattern.rstrip("*") for pattern in PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]}
    assert copied == rooms
