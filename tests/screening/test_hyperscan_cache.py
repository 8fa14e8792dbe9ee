import os
import subprocess
import sys
from pathlib import Path

import hyperscan
import pytest

from screening.patterns import hyperscan_cache as database_cache
from screening.patterns.hyperscan_cache import cache_folder, cached_database

EXPRESSIONS = [(rf"\bword{number}\b", hyperscan.HS_FLAG_UTF8) for number in range(30)]


class Compiler:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> hyperscan.Database:
        self.calls += 1
        database = hyperscan.Database(mode=database_cache.MODE)
        expressions = [text.encode() for text, _ in EXPRESSIONS]
        database.compile(
            expressions=expressions, ids=list(range(len(expressions))), flags=[flags for _, flags in EXPRESSIONS]
        )
        return database


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return cache_folder()


def numbers(database: hyperscan.Database, text: bytes) -> list[int]:
    found: list[int] = []
    database.scan(
        text, match_event_handler=lambda number, *_: found.append(number), scratch=hyperscan.Scratch(database)
    )
    return found


def test_the_second_time_nothing_is_compiled(folder: Path) -> None:
    compiler = Compiler()
    first, second = cached_database(EXPRESSIONS, compiler), cached_database(EXPRESSIONS, compiler)
    assert compiler.calls == 1
    assert numbers(first, b"a word7 word29") == numbers(second, b"a word7 word29") == [7, 29]
    (kept,) = folder.glob("*.hsdb")
    assert kept.stat().st_mode & 0o077 == 0
    assert folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("harm", ["flip", "cut", "open", "link"])
def test_what_is_not_whole_or_not_ours_alone_is_compiled_anew(folder: Path, tmp_path: Path, harm: str) -> None:
    compiler = Compiler()
    cached_database(EXPRESSIONS, compiler)
    (kept,) = folder.glob("*.hsdb")
    content = kept.read_bytes()
    if harm == "flip":
        kept.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    elif harm == "cut":
        kept.write_bytes(content[:40])
    elif harm == "open":
        kept.chmod(0o644)
    else:
        kept.rename(tmp_path / "elsewhere")
        kept.symlink_to(tmp_path / "elsewhere")
    assert numbers(cached_database(EXPRESSIONS, compiler), b"word3") == [3]
    assert compiler.calls == 2


def test_other_expressions_have_another_database(folder: Path) -> None:
    compiler = Compiler()
    cached_database(EXPRESSIONS, compiler)
    cached_database([*EXPRESSIONS[:-1], ("other", 0)], compiler)
    assert compiler.calls == 2
    assert len(list(folder.glob("*.hsdb"))) == 2


def test_a_folder_that_cannot_be_made_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert numbers(cached_database(EXPRESSIONS, Compiler()), b"word1") == [1]


def test_only_the_newest_few_are_kept(folder: Path) -> None:
    compiler = Compiler()
    for number in range(52):
        cached_database([*EXPRESSIONS, (f"more{number}", 0)], compiler)
    assert len(list(folder.glob("*.hsdb"))) == 48


def test_the_shipped_rules_are_compiled_once_whatever_order_sets_have(folder: Path) -> None:
    program = (
        "from screening.ruleset.ruleset import load_rules; from screening.patterns.patterns import Patterns;"
        "Patterns(load_rules())"
    )
    kept = []
    for seed in ("1", "2"):
        environ = {**os.environ, "XDG_CACHE_HOME": str(folder.parent), "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", program], check=True, env=environ)
        kept.append(sorted(path.name for path in folder.glob("*.hsdb")))
    assert kept[0] == kept[1] != []


def test_what_was_shipped_with_the_code_is_not_compiled(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless others than the code's owner can change it."""
    compiler = Compiler()
    cached_database(EXPRESSIONS, compiler)
    shipped = folder.rename(tmp_path / "shipped")
    (kept,) = shipped.glob("*.hsdb")
    kept.chmod(0o644)
    monkeypatch.setattr(database_cache, "_SHIPPED", shipped)
    assert numbers(cached_database(EXPRESSIONS, compiler), b"word7") == [7]
    assert compiler.calls == 1 and not folder.exists()
    kept.chmod(0o666)
    cached_database(EXPRESSIONS, compiler)
    assert compiler.calls == 2
