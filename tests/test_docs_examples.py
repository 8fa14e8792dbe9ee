"""The examples of docs/changing.md, docs/rules.md and docs/spans.md work as they are written there."""

import io
import os
import re
import subprocess
import sys
import textwrap
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core import columns
from core.settings import LimitSettings
from core.settings.field import setting
from extraction.content import Content
from extraction.limits.budget import Budget
from extraction.opening.addresses import Scheme
from leakscreen.export.rows import ExportedScan
from screening.lint import check_rules
from screening.ruleset.ruleset import RuleSet, load_rules

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


def example(page: str, language: str, containing: str) -> str:
    text = (DOCS / page).read_text(encoding="utf-8")
    blocks = [textwrap.dedent(code) for _, kind, code in BLOCK.findall(text) if kind == language]
    (found,) = [code for code in blocks if containing in code]
    return found


def defined_by(page: str, containing: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(example(page, "python", containing), names)
    return names


def rules_with(tmp_path: Path, *tables: str) -> RuleSet:
    file = tmp_path / "own.toml"
    file.write_text("\n".join(tables), encoding="utf-8")
    return load_rules([file])


def test_the_format_reads_its_pages() -> None:
    notebook = defined_by("changing.md", "def extract")
    data = b"NOTEBOOK1\none\ftwo"
    pages = list(notebook["extract"](Content(data, len(data)), Budget(LimitSettings())))
    assert [(page.where, page.text) for page in pages] == [("page 1", "one"), ("page 2", "two")]
    assert notebook["MEDIA_TYPES"] == {"application/x-notebook"}
    assert eval(example("changing.md", "python", 'NOTEBOOK1\\n", "')) == (b"NOTEBOOK1\n", "application/x-notebook")


def test_the_export_format_writes_its_lines() -> None:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    sink = io.BytesIO()
    scan = ExportedScan("id", moment, moment, "1", ())
    defined_by("changing.md", "def write")["write"]([{"uri": "/a"}, {"uri": "/b"}], scan, sink)
    assert sink.getvalue() == b"/a\n/b\n"


def test_the_column_the_scheme_and_the_setting_are_of_todays_form() -> None:
    column = eval(example("changing.md", "python", "name_length"), vars(columns))
    assert (column.name, column.readers) == ("name_length", columns.Reader.EXPORT)
    scheme = eval(example("changing.md", "python", "Scheme("), {"Scheme": Scheme})
    assert scheme.store_names == 1 and not scheme.mark
    names: dict[str, Any] = {"setting": setting}
    exec(example("changing.md", "python", "greeting"), names)
    assert names["greeting"].metadata["choices"] == ("hello", "hi")


def test_the_detectors_and_rules_have_no_fault(tmp_path: Path) -> None:
    """The detectors of the project are left out: checking them takes long and is done elsewhere."""
    detector = example("changing.md", "toml", "staff-badge")
    rule = example("changing.md", "toml", "mail-and-birth-date")
    for tables in ((detector, rule), (example("rules.md", "toml", "staff-badge"),)):
        rules = rules_with(tmp_path, *tables)
        (own,) = [entry for entry in rules.detectors if entry.id == "staff-badge"]
        faulty = {problem.id for problem in check_rules(replace(rules, detectors=(own,)))}
        assert not faulty & {"staff-badge", "mail-and-birth-date", "badge-and-name"}
    broken = rules_with(tmp_path, detector.replace("badge B-123456", "badge 7"))
    (own,) = [entry for entry in broken.detectors if entry.id == "staff-badge"]
    assert "staff-badge" in {problem.id for problem in check_rules(replace(broken, detectors=(own,)))}


def test_the_systems_of_the_example_have_the_printed_figures(tmp_path: Path) -> None:
    script = example("spans.md", "sh", "cat > gold.xml") + example("spans.md", "sh", "leakscreen agreement --spans")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    printed = {line.strip() for line in done.stdout.splitlines()}
    shown = example("spans.md", "text", "By instance (category and extent right)")
    assert [line for line in shown.splitlines() if line.strip() and line.strip() not in printed] == []
    assert "Agreement on marked spans" in done.stdout
