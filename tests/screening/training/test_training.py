"""Two trainings on the same material give the same file, and layouts mark what they name."""

import hashlib
import os
import re
import subprocess
import sys

import pytest

from screening.entities.runs import PERSON
from screening.training.layouts import SHIPPED_LAYOUTS, Layout, read_layouts, written
from screening.training.people import Crowd

GAZETTEER = {
    "john": 0b11,
    "smith": 0b1100,
    "paris": 64,
    "the": 7 << 9,
    "patient": 4 << 9,
    "hope": (5 << 9) | 1,
    "hill": (4 << 9) | 4,
}
SENTENCES = ["The lungs are clear.", "Pain is worse at night."]
CHAT = ["We agreed on the plan."]
TRAINED = """
import hashlib
from screening.entities.weights import packed
from screening.training.fit import fit
from screening.training.layouts import SHIPPED_LAYOUTS, read_layouts, written
from screening.training.people import Crowd
gazetteer = {!r}
crowd = Crowd(3, gazetteer, ["Paris", "Rome"])
texts = [written(layout, crowd, {!r}, {!r}) for layout in read_layouts(SHIPPED_LAYOUTS)]
options = {{"c1": 0.1, "c2": 0.1, "max_iterations": 5}}
print(hashlib.sha256(packed(fit(texts, gazetteer, options, {{}}))).hexdigest())
"""


def _trained(hash_seed: str) -> str:
    """In a process of its own, where sets come in another order."""
    script = TRAINED.format(GAZETTEER, SENTENCES, CHAT)
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment
    ).stdout.strip()


def test_the_same_material_gives_the_same_file() -> None:
    first = _trained("1")
    assert len(first) == len(hashlib.sha256().hexdigest())
    assert _trained("2") == first


@pytest.fixture(scope="module")
def crowd() -> Crowd:
    return Crowd(5, GAZETTEER, ["Paris"])


@pytest.mark.parametrize("layout", read_layouts(SHIPPED_LAYOUTS), ids=lambda layout: f"{layout.kind} {layout.number}")
def test_every_blank_is_filled_and_every_name_marked(layout: Layout, crowd: Crowd) -> None:
    page = written(layout, crowd, SENTENCES, CHAT)
    assert re.search(r"\{[A-Za-z0-9]+(?:\.[A-Za-z]+)?\}", page.text) is None
    names = [page.text[mark.start : mark.end] for mark in page.marked if mark.label == PERSON]
    assert all(name.strip() == name != "" for name in names)
    forms = ("full", "first", "last", "init", "LAST", "titled", "upper", "mi", "turned", "double", "nick", "cited")
    assert bool(names) == any(re.search(rf"\{{[a-z0-9]+\.{form}", layout.body) for form in forms)
