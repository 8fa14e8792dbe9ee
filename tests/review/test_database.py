"""The setting review.database, and keys for each use."""

from pathlib import Path

import pytest

from core.errors import SettingsError
from review.service.database import database
from review.service.key import derived, load_service_key


def test_addresses() -> None:
    assert database("sqlite:////var/lib/a%20b.sqlite3")["NAME"] == "/var/lib/a b.sqlite3"
    assert database("", {"HOME": "/home/ann"})["NAME"] == "/home/ann/.local/share/leakscreen/review.sqlite3"
    found = database("postgresql://ann@db.example.org:5433/review?sslmode=verify-full")
    assert (found["USER"], found["HOST"], found["PORT"], found["NAME"], found["OPTIONS"]) == (
        "ann",
        "db.example.org",
        "5433",
        "review",
        {"connect_timeout": "10", "sslmode": "verify-full"},
    )


@pytest.mark.parametrize(
    "url", ["mysql://a/b", "sqlite://", "postgresql://host", "review.sqlite3", "postgresql://ann:secret@host/db"]
)
def test_unfit_addresses_are_refused_without_telling_a_password(url: str) -> None:
    with pytest.raises(SettingsError) as fault:
        database(url)
    assert "secret" not in str(fault.value)


def test_the_key_is_made_once_and_read_again(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path)}
    assert load_service_key("", environ) == load_service_key("", environ)
    assert (tmp_path / ".config/leakscreen/review.key").stat().st_mode & 0o777 == 0o600


def test_every_use_has_a_key_of_its_own() -> None:
    assert derived(b"k", "audit") != derived(b"k", "sessions")


def test_a_short_key_is_refused() -> None:
    with pytest.raises(SettingsError, match="LEAKSCREEN_SECRET_KEY"):
        load_service_key("", {"LEAKSCREEN_SECRET_KEY": "short"})
