"""`doctor --service` finds what is wrong with an installation, and changes nothing."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.review.mail_servers import PASSWORD, USER, Authority, Post, running_server

ROOT = Path(__file__).parents[2]
KEY, OTHER_KEY = "0123456789abcdef" * 4, "fedcba9876543210" * 4
Look = Callable[..., tuple[int, dict[str, list[dict[str, Any]]]]]


def leakscreen(home: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("LEAKSCREEN_", "XDG_"))}
    return subprocess.run(
        [sys.executable, "-m", "leakscreen", *words],
        env={**clean, "HOME": str(home), "PYTHONPATH": str(ROOT), **environment},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=200,
    )


@pytest.fixture(scope="module")
def mail(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Authority, Post]]:
    post, authority = Post(), Authority(tmp_path_factory.mktemp("mail"))
    with running_server(post, authority, "starttls") as port:
        yield port, authority, post


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, mail: tuple[int, Authority, Post]) -> Path:
    """A home with settings, keys and a database, as after a first start and a scan."""
    home = tmp_path_factory.mktemp("home")
    (home / "share").mkdir()
    (home / "share" / "a.txt").write_text("just words")
    (home / "leakscreen.toml").write_text(f"""
[scan]
out = "{home}/results"
[review]
url = "https://review.example.org"
proxy = "127.0.0.1"
[mail]
host = "localhost"
port = {mail[0]}
user = "{USER}"
ca_file = "{mail[1].file}"
sender = "leakscreen@example.org"
[[schedule]]
name = "share-nightly"
cron = "30 1 * * *"
sources = ["{home}/share"]
""")
    for words in (["scan", f"{home}/share", "--quiet"], ["refer", f"{home}/results"]):
        done = leakscreen(home, *words)
        assert done.returncode == 0, done.stderr
    return home


def content_of(home: Path) -> list[tuple[str, int]]:
    """SQLite's own passing files are left aside."""
    paths = (path for path in home.rglob("*") if not path.name.endswith(("-shm", "-wal")))
    return sorted((str(path), path.stat().st_size) for path in paths)


@pytest.fixture
def look(installed: Path, tmp_path: Path) -> Look:
    """Runs the doctor on a copy of the installation, at the same place in its settings."""
    home = Path(shutil.copytree(installed, tmp_path / "home"))
    settings = (home / "leakscreen.toml").read_text().replace(str(installed), str(home))
    (home / "leakscreen.toml").write_text(settings)

    def run(change: Callable[[Path], None] = lambda home: None, **environment: str) -> Any:
        change(home)
        before = content_of(home)
        done = leakscreen(
            home, "doctor", "--service", "--json", **{"LEAKSCREEN_MAIL_PASSWORD": PASSWORD, **environment}
        )
        assert content_of(home) == before
        found: dict[str, list[dict[str, Any]]] = {}
        for check in json.loads(done.stdout)["checks"]:
            found.setdefault(check["name"], []).append(check)
        return done.returncode, found

    return run


def replaced(old: str, new: str) -> Callable[[Path], None]:
    def change(home: Path) -> None:
        settings = home / "leakscreen.toml"
        text = settings.read_text()
        assert old in text
        settings.write_text(text.replace(old, new))

    return change


def removed(name: str) -> Callable[[Path], None]:
    def change(home: Path) -> None:
        path = home / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    return change


def test_a_whole_installation_has_no_fault(look: Look, mail: tuple[int, Authority, Post]) -> None:
    code, found = look()
    assert code == 0
    assert set(found) == {"keys", "database", "address", "mail", "webhook", "schedules", "disk", "clock"}
    assert not [check for checks in found.values() for check in checks if check["state"] == "fault"]
    assert [check["state"] for check in found["mail"]] == ["ok"] and not mail[2].arrived
    assert "next " in found["schedules"][0]["found"]


@pytest.mark.parametrize(
    ("name", "words", "change", "environment"),
    [
        ("keys", "does not exist", removed(".config/leakscreen/review.key"), {}),
        ("keys", "another key than that of the newest scan", lambda home: None, {"LEAKSCREEN_HMAC_KEY": OTHER_KEY}),
        ("keys", "too short", lambda home: None, {"LEAKSCREEN_HMAC_KEY": "abcd"}),
        ("database", "does not exist", removed(".local/share/leakscreen"), {}),
        (
            "database",
            "does not answer",
            lambda home: None,
            {"LEAKSCREEN_REVIEW_DATABASE": "postgresql://leakscreen@127.0.0.1:1/leakscreen"},
        ),
        ("address", "redirects to itself", replaced('proxy = "127.0.0.1"', ""), {}),
        ("mail", "refuses the log-in", lambda home: None, {"LEAKSCREEN_MAIL_PASSWORD": "wrong"}),
        ("mail", "cannot be reached", lambda home: None, {"LEAKSCREEN_MAIL_PORT": "1"}),
        ("mail", "review.url is not set", replaced('url = "https://review.example.org"', ""), {}),
        ("schedules", "is not there or cannot be read", removed("share"), {}),
        ("schedules", "cron", replaced("30 1 * * *", "30 25 * * *"), {}),
    ],
)
def test_each_fault_is_found_and_named(
    look: Look, name: str, words: str, change: Callable[[Path], None], environment: dict[str, str]
) -> None:
    code, found = look(change, **environment)
    faults = [check["found"] for check in found[name] if check["state"] == "fault"]
    assert code == 2
    assert any(words in fault for fault in faults), found


def test_tables_of_an_older_and_of_a_newer_version_are_told_apart(look: Look) -> None:
    import sqlite3

    def forget(home: Path, *, newer: bool) -> None:
        with sqlite3.connect(home / ".local/share/leakscreen/review.sqlite3") as database:
            if newer:
                database.execute(
                    "INSERT INTO django_migrations (app, name, applied) VALUES ('review', '9999_x', '2030-01-01')"
                )
            else:
                database.execute("DELETE FROM django_migrations WHERE app = 'review' AND name LIKE '0012%'")
        database.close()

    code, found = look(lambda home: forget(home, newer=False))
    assert code == 2 and "its tables lack 0012_people" in found["database"][0]["found"]
    code, found = look(lambda home: forget(home, newer=True))
    assert code == 2 and "a newer version changed it: 9999_x" in found["database"][0]["found"]


def test_people_read_a_table(installed: Path) -> None:
    done = leakscreen(installed, "doctor", "--service", LEAKSCREEN_MAIL_PASSWORD=PASSWORD, COLUMNS="200")
    assert done.returncode == 0 and "The service can work." in done.stdout, done.stdout + done.stderr
