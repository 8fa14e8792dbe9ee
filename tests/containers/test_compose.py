"""deploy/compose, whole: first start, scheduled scan, referral, digest, upgrade, restarts, backup and restore.

PostgreSQL and the mail relay are stand-ins made of Debian's packages (standins/), because no registry of images can be
reached where this runs; everything else is as it is deployed, the commands of the runbook and its TLS proxy included.
"""

import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.containers.browser import Browser, behind_tls
from tests.containers.engine import IMAGE, KEY, ROOT, STANDINS, Engine
from tests.containers.runbook import RUNBOOK, blocks
from tests.containers.test_image import NOTE, readable_by_all
from tests.object_servers import free_port

pytestmark = pytest.mark.containers
MANAGER, REVIEWER, PASSWORD, TOKEN = "mia", "rita", "correct horse battery", "a token for metrics"
BEFORE, PRESENT = "localhost/leakscreen:before", "leakscreen:0.1.0"


def until(found: Callable[[], Any], what: str, seconds: float = 180) -> Any:
    end = time.monotonic() + seconds
    while not (value := found()):
        assert time.monotonic() < end, what
        time.sleep(1)
    return value


class Stack:
    def __init__(self, engine: Engine, folder: Path) -> None:
        self.engine, self.folder, self.port = (
            engine,
            Path(shutil.copytree(ROOT / "deploy/compose", folder)),
            free_port(),
        )
        (folder.parent / "share").mkdir()
        (folder.parent / "share" / "note.txt").write_text(NOTE)
        readable_by_all(folder.parent / "share")
        self._replace("compose.yaml", "127.0.0.1:8765:8765", f"127.0.0.1:{self.port}:8765")
        if not engine.is_docker:  # podman 4.3 knows no owner of a tmpfs, and gives one below /run to root
            self._replace("compose.yaml", "/var/run/postgresql:uid=999,gid=999,mode=0775", "/run:mode=1777")
        # Where the engine may not raise limits, its own default for open files is refused.
        self._replace("compose.yaml", "ulimits: {core: 0}", "ulimits: {core: 0, nofile: 20000, nproc: 32768}")
        self._replace("leakscreen.toml", "30 1 * * mon-sat", "* * * * *")
        self._make_secrets()
        if not engine.is_docker:
            program = folder / "docker"
            program.write_text('#!/bin/sh\nshift\nexec uv tool run podman-compose==1.6.0 "$@"\n')
            program.chmod(0o755)

    def _replace(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text()
        assert old in text
        (self.folder / name).write_text(text.replace(old, new))

    def _make_secrets(self) -> None:
        """By the commands of the runbook; the values are filled in."""
        first, rest, _ = blocks("### With compose")
        values = {
            "LEAKSCREEN_HMAC_KEY": KEY,
            "LEAKSCREEN_SECRET_KEY": KEY,
            "PGPASSWORD": "a-password",
            "LEAKSCREEN_MANAGER": MANAGER,
            "LEAKSCREEN_MANAGER_PASSWORD": f"'{PASSWORD}'",
            "LEAKSCREEN_METRICS_TOKEN": f"'{TOKEN}'",
        }
        subprocess.run(["bash", "-ec", first.replace("cd deploy/compose\n", "")], cwd=self.folder, check=True)
        secrets = self.folder / "secrets.env"
        text = secrets.read_text()
        for name, value in values.items():
            assert f"\n{name}=\n" in text
            text = text.replace(f"\n{name}=\n", f"\n{name}={value}\n")
        secrets.write_text(text)
        assert secrets.stat().st_mode & 0o777 == 0o600
        share = rest.replace("LEAKSCREEN_SHARE=/srv/share", f"LEAKSCREEN_SHARE={self.folder.parent / 'share'}")
        assert share != rest
        # Whatever the umask of whoever runs it, and of the checkout.
        (self.folder / "leakscreen.toml").chmod(0o600)
        subprocess.run(["bash", "-ec", f"umask 077; {share}"], cwd=self.folder, check=True, capture_output=True)

    def compose(self, *words: str, check: bool = True) -> Any:
        return self.engine.compose(self.folder, *words, check=check)

    def run(self, commands: str) -> None:
        """Commands of the runbook; without docker, `docker` is the program of this folder."""
        done = self.engine.shell(commands, self.folder)
        assert done.code == 0, done.out + done.err

    def start(self, image: str) -> None:
        self.engine("tag", image, self.engine.named(PRESENT), check=True)
        if not self.engine.is_docker:  # older versions of podman do not wait until a service is healthy
            self.compose("up", "-d", "postgres")
            ready = ("pg_isready", "-U", "leakscreen", "-d", "leakscreen")
            until(lambda: not self.compose("exec", "-T", "postgres", *ready, check=False).code, "no database")
        self.compose("up", "-d")
        self.wait()

    def wait(self) -> None:
        until(lambda: self.ask("/readyz") == "ready\n", "the service is not ready")

    def ask(self, path: str, **headers: str) -> str:
        try:
            return requests.get(f"http://127.0.0.1:{self.port}{path}", headers=headers, timeout=10).text
        except requests.RequestException:
            return ""

    def referrals(self) -> dict[str, float]:
        found = re.findall(
            r'leakscreen_referrals\{queue="(\w+)",state="waiting"\} ([\d.]+)',
            self.ask("/metrics", Authorization=f"Bearer {TOKEN}"),
        )
        return {queue: float(number) for queue, number in found if float(number)}

    def execute(self, service: str, *words: str) -> Any:
        return self.compose("exec", "-T", service, *words)

    def mails(self) -> list[str]:
        said: str = self.execute("mail", "sh", "-c", "for each in /taken/*.eml; do cat $each; echo END; done").out
        return [mail for mail in said.split("END\n") if "Subject:" in mail]


@pytest.fixture(scope="module")
def manager(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with behind_tls(stack.engine, tmp_path_factory.mktemp("proxy"), stack.port) as browser:
        yield browser


@pytest.fixture(scope="module")
def older(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> str:
    """An image of the program as it was before the newest migration, with the libraries of today."""
    newest = max((ROOT / "review/migrations").glob("[0-9]*.py")).relative_to(ROOT)
    added = ["git", "log", "--first-parent", "-m", "--diff-filter=A", "--format=%H", "-1", "--", str(newest)]
    commit = subprocess.run(added, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    context = tmp_path_factory.mktemp("older")
    archive = subprocess.run(["git", "archive", f"{commit}^"], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "x", "-C", str(context)], input=archive, check=True)
    for name in ("Dockerfile", ".dockerignore", "requirements-clouds.txt", "requirements-setup.txt"):
        shutil.copy(ROOT / name, context / name)
    shutil.copytree(ROOT / "deploy/image", context / "deploy/image", dirs_exist_ok=True)
    engine.build(engine.base(), BEFORE, context)
    return BEFORE


@pytest.fixture(scope="module")
def stack(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    engine.build(engine.base(), engine.named("postgres:17.6-bookworm"), STANDINS, "Postgres.Dockerfile")
    engine.build(engine.base(), engine.named("boky/postfix:v4.4.0"), STANDINS, "Mail.Dockerfile")
    stack = Stack(engine, tmp_path_factory.mktemp("compose") / "compose")
    try:
        yield stack
    finally:
        stack.compose("down", "-v", check=False)


def test_the_life_of_an_installation(stack: Stack, manager: Browser, older: str) -> None:
    first_look, service_look = (line for line in blocks("### With compose")[2].splitlines() if "doctor" in line)
    stack.engine("tag", IMAGE, stack.engine.named(PRESENT), check=True)
    stack.run(first_look)
    stack.start(older)
    assert "Log out" in manager.send("/login/", username=MANAGER, password=PASSWORD)
    add(manager, REVIEWER)
    waiting = until(stack.referrals, "no scheduled scan was referred")
    assert waiting == {"general": 1.0}
    (digest,) = until(stack.mails, "no digest arrived")
    assert f"{REVIEWER}@example.org" in digest and "1 waiting" in digest
    assert "note.txt" not in digest and "Jones" not in digest

    stack.compose("down")
    stack.start(IMAGE)  # the tables are brought up to date by the first start
    stack.run(service_look)
    assert stack.referrals() == waiting
    assert scanned_from(manager)["step"] == "done"
    assert "has not run yet" not in manager.get("/scans/").text  # the page knows what the scheduler did

    for service in ("mail", "scheduler", "web", "postgres"):
        stack.compose("restart", service)
        stack.wait()
        assert stack.referrals() == waiting
    runs = len(scans(stack))
    until(lambda: len(scans(stack)) > runs, "no scan was started after the restarts")
    assert stack.referrals() == waiting  # the same file is referred once

    assert backed_up_and_restored(stack) == waiting


def add(manager: Browser, name: str) -> None:
    values: dict[str, Any] = {"username": name, "email": f"{name}@example.org", "roles": ["reviewer"], "active": "on"}
    assert f"{name} was saved" in manager.send("/people/new/", password=PASSWORD + " 2", **values)


def scanned_from(manager: Browser) -> dict[str, Any]:
    """A scan that is started on the page."""
    manager.send("/scans/", "/scans/start/", source="/srv/share")

    def ended() -> dict[str, Any]:
        job: dict[str, Any] = manager.get("/scans/progress/").json()["job"]
        return job if job["step"] in ("done", "failed") else {}

    job: dict[str, Any] = until(ended, "a scan from the browser does not end")
    return job


def scans(stack: Stack) -> list[str]:
    return str(stack.execute("scheduler", "ls", "/var/lib/leakscreen/results").out).split()


def backed_up_and_restored(stack: Stack) -> dict[str, float]:
    """By the commands of the runbook, into an installation without a database and results."""
    backup, restore = re.findall(r"```sh\n(# With compose: (?:back up|restore)[\s\S]*?)```", RUNBOOK)
    stack.run(backup)
    stack.compose("down", "-v")
    stack.run(restore)
    stack.wait()
    assert "unbroken" in stack.execute("web", "leakscreen", "audit", "verify").out
    return stack.referrals()
