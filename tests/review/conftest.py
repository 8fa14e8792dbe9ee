"""Every test that touches the database runs on SQLite and on a real PostgreSQL, each time on a fresh copy."""

import dataclasses
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.settings import Settings, load_settings
from review.service.configuration import configure
from review.service.database import database
from tests.review.postgres import running_postgres

KEY = "0123456789abcdef" * 4
PASSWORD = "correct horse battery"
_scratch = tempfile.TemporaryDirectory(prefix="leakscreen-review-tests-")
_ENVIRON = {"LEAKSCREEN_SECRET_KEY": KEY, "HOME": _scratch.name}
configure(load_settings({"review.database": f"sqlite:///{_scratch.name}/unused.sqlite3"}, environ={}), _ENVIRON)

from django.conf import settings as django_settings  # noqa: E402
from django.contrib.auth.models import Group, User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connections  # noqa: E402


def use_database(url: str) -> None:
    """Whatever this process asks of the database from now on goes there."""
    connections.close_all()
    described = {"default": database(url)}
    connections.configure_settings(described)
    connections.databases["default"].clear()
    connections.databases["default"].update(connections.configure_settings({**described})["default"])
    if hasattr(connections._connections, "default"):
        delattr(connections._connections, "default")


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "review.sqlite3"
    use_database(f"sqlite:///{path}")
    call_command("migrate", verbosity=0)
    connections.close_all()
    return path


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The folder of a server's socket; its database `template` is migrated."""
    import psycopg

    with running_postgres() as folder:
        with psycopg.connect(host=folder, user="leakscreen", dbname="postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE template")
        use_database(postgres_url(folder, "template"))
        call_command("migrate", verbosity=0)
        connections.close_all()
        yield folder
        connections.close_all()


def postgres_url(folder: str, name: str) -> str:
    return f"postgresql://leakscreen@/{name}?host={folder}"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A fresh, migrated database; already in use by this process."""
    if request.param == "sqlite":
        path = tmp_path / "review.sqlite3"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        use_database(url := f"sqlite:///{path}")
        yield url
        connections.close_all()
        return
    import psycopg

    folder = request.getfixturevalue("postgres")
    with psycopg.connect(host=folder, user="leakscreen", dbname="postgres", autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS test WITH (FORCE)")
        connection.execute("CREATE DATABASE test TEMPLATE template")
    use_database(url := postgres_url(folder, "test"))
    yield url
    connections.close_all()


@pytest.fixture
def review_settings(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """review_settings(budget=10): other settings of the section [review] for one test."""

    def change(**values: Any) -> None:
        before: Settings = django_settings.LEAKSCREEN
        changed = dataclasses.replace(before, review=dataclasses.replace(before.review, **values))
        monkeypatch.setattr(django_settings, "LEAKSCREEN", changed)

    return change


def make_user(name: str, *roles: str) -> User:
    user = User(username=name, email=f"{name}@example.org")
    user.set_unusable_password()
    user.save()
    user.groups.set(Group.objects.filter(name__in=roles))
    return user


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    """Chromium; loaded for the tests that look at pages alone."""
    from tests.review.browsing import chromium

    with chromium() as started:
        yield started


@pytest.fixture
def browser(driver: Any, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The service as a person sees it; a page that complains fails the test."""
    from tests.review.browsing import Browser, serving

    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", KEY)
    with serving() as address:
        made = Browser(driver, address)
        made.look()
        yield made
        assert made.complaints() == []
        driver.get("about:blank")  # what a page asks for later would meet a service that is gone
