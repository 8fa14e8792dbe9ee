"""The documentation is true to the project: links, paths, headings, folders, settings and flags exist."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from core.settings import known_settings

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
# A path in backticks that begins with one of our folders and ends in a file name: `pipelines/scan.py`.
ROOMS = (
    "benchmarks|classifiers|core|deploy|docs|evaluation|extraction|leakscreen|pipelines|remediation|review|screening"
    "|tests"
)
NAMED_PATH = re.compile(rf"`((?:{ROOMS})/[\w./-]*\.(?:py|toml|md|txt|sha256|yaml))`")


def broken_links(page: Path, text: str) -> list[str]:
    prose = CODE_BLOCK.sub("", text)
    problems = []
    for link in LINK.findall(prose):
        if "://" in link or link.startswith("mailto:"):
            continue
        path, _, heading = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            problems.append(f"{link}: no such file")
        elif heading and heading not in headings(target.read_text(encoding="utf-8")):
            problems.append(f"{link}: no such heading")
    named = [path for path in NAMED_PATH.findall(prose) if not Path(path).stem.isupper()]  # capitals: yours to choose
    problems += [f"{path}: no such file" for path in named if not (ROOT / path).exists()]
    return problems


def headings(text: str) -> set[str]:
    """The anchors that GitHub makes of the headings."""
    lines = re.findall(r"^#+ (.+)$", CODE_BLOCK.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in lines}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_paths_of_the_documentation_exist(page: Path) -> None:
    assert broken_links(page, page.read_text(encoding="utf-8")) == []


def test_every_picture_is_shown_somewhere() -> None:
    shown = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    pictures = [path for kind in ("png", "svg") for path in (ROOT / "docs").rglob(f"*.{kind}")]
    assert pictures
    assert [str(path) for path in pictures if path.name not in shown] == []


def test_a_wrong_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One, two\n", encoding="utf-8")
    text = "[a](#one-two) [b](#three) [c](gone.md) [d](https://example.org/gone) `docs/gone.md` `docs/design.md`"
    assert broken_links(page, text) == [
        "#three: no such heading",
        "gone.md: no such file",
        "docs/gone.md: no such file",
    ]


def test_the_design_names_every_folder_of_the_rooms() -> None:
    design = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    rooms = (
        "core",
        "extraction",
        "screening",
        "classifiers",
        "deidentification",
        "evaluation",
        "remediation",
        "pipelines",
        "review",
        "leakscreen",
    )
    folders = {f"{path.relative_to(ROOT)}/" for room in rooms for path in (ROOT / room).iterdir() if path.is_dir()}
    assert len(folders) > 30
    assert sorted(folder for folder in folders if "__" not in folder and f"`{folder}`" not in design) == []


def test_the_walk_has_as_many_stops_as_it_says_and_names_functions_that_exist() -> None:
    design = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    walk = design.partition("## The walk")[2].partition("The row is written.")[0]
    stops = re.findall(r"^\d+\. \[([\w/.]+)\]\(\S+\) (.*?)(?=^\d+\. |\Z)", walk, re.MULTILINE | re.DOTALL)
    helpers = re.findall(rf"`((?:{ROOMS})/[\w/.]+)`", "".join(words for _, words in stops))
    stated = re.search(r"(\d+) stops and (\d+) steps back, with (\d+) helpers (\d+) modules", walk)
    assert stated is not None
    counted = (len(stops), walk.count("**back**"), len(helpers), len(stops) + len(helpers))
    assert tuple(map(int, stated.groups())) == counted
    assert len({*(path for path, _ in stops), *helpers}) == counted[3]
    for path, words in stops:
        code = (ROOT / path).read_text(encoding="utf-8")
        for name in re.findall(r"`([\w.]+)`", words.partition(":")[0]):
            assert re.search(rf"(?:def|class) {name.rpartition('.')[2]}\b", code), f"{path}: no {name}"


SETTING = re.compile(r"`(\w+\.\w+)(?: =|=|`)")
COMMAND = re.compile(r"(?:^|`)leakscreen (?:[a-z][\w-]* )[^`#\n]*", re.MULTILINE)
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
LOG_EVENTS = {"scan.preparing", "scan.planned", "scan.progress", "scan.finished"}


def unknown_words(text: str) -> list[str]:
    """Settings and flags that leakscreen does not have, or has under a newer name."""
    settings = {str(key) for key in known_settings()}
    sections = {key.partition(".")[0] for key in settings}
    named = {key for key in SETTING.findall(text) if key.partition(".")[0] in sections} - LOG_EVENTS
    known_flags = set(FLAG.findall((ROOT / "docs" / "reference.md").read_text(encoding="utf-8")))
    flags = {flag for command in COMMAND.findall(text) for flag in FLAG.findall(command)}
    return sorted((named - settings) | (flags - known_flags))


# These two name older settings on purpose.
PRESENT = [page for page in PAGES if page.name not in ("CHANGELOG.md", "reference.md")]


@pytest.mark.parametrize("page", PRESENT, ids=lambda page: str(page.relative_to(ROOT)))
def test_settings_and_flags_of_the_documentation_exist(page: Path) -> None:
    assert unknown_words(page.read_text(encoding="utf-8")) == []


def test_an_unknown_setting_or_flag_is_found() -> None:
    text = "`scan.workers` `scan.gone = 1` `scan.py` `leakscreen scan DIR --full --gone`\n"
    text += "leakscreen report --lost  # --any"
    assert unknown_words(text) == ["--gone", "--lost", "scan.gone", "scan.py"]
