"""A real Chromium and a running service -> pages as a person at a keyboard meets them."""

import contextlib
import os
import shutil
import socketserver
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from django.contrib.auth.models import User
from django.test import Client
from lxml import html
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from tests.review.conftest import PASSWORD

AXE = Path(__file__).parent / "axe" / "axe.min.js"
DESKTOP, PHONE = (1280, 900), (360, 740)
PATIENCE = 60.0
_LEAST_TARGET = 24


class _Server(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """The service as this process has configured it, at an address of its own."""
    from review.service.server import application

    with make_server("127.0.0.1", 0, application(), _Server, _Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@contextlib.contextmanager
def chromium() -> Iterator[webdriver.Chrome]:
    driver = shutil.which("chromedriver")
    assert driver, "Chromium is needed for these tests (Debian: apt-get install chromium chromium-driver)"
    options = webdriver.ChromeOptions()
    for argument in (
        "--headless=new",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--hide-scrollbars",
        "--force-prefers-reduced-motion",
    ):
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(options=options, service=Service(driver))
    started.set_page_load_timeout(PATIENCE)
    started.set_script_timeout(PATIENCE)
    try:
        yield started
    finally:
        started.quit()


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it is after its scripts ran, and what the browser complained about."""

    tree: Any
    complaints: tuple[str, ...]

    def all(self, path: str) -> list[Any]:
        found: list[Any] = self.tree.xpath(path)
        return found


class Browser:
    """One person's browser."""

    def __init__(self, driver: webdriver.Chrome, address: str) -> None:
        self.driver = driver
        self.address = address
        self.width = DESKTOP[0]

    def look(self, size: tuple[int, int] = DESKTOP, scheme: str = "light") -> None:
        self.width, height = size
        shape = {"width": self.width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", shape)
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        )

    def log_in(self, user: User) -> None:
        """By the form, with the keyboard."""
        user.set_password(PASSWORD)
        user.save()
        self.driver.delete_all_cookies()
        self.go("/")
        self._await("return document.activeElement.name === 'username'")  # the focus comes a moment after the page
        self.keys(user.username, "\ue004", PASSWORD, "\ue007", leaves=True)

    def is_logged_in_as(self, user: User) -> None:
        """Without the form: with the cookie of a session that was made beside it."""
        client = Client(SERVER_NAME="localhost")
        client.force_login(user)
        self.go("/login/")
        self.driver.add_cookie({"name": "sessionid", "value": client.cookies["sessionid"].value})

    def see(self, path: str) -> Page:
        self.go(path)
        return Page(html.fromstring(self.driver.page_source), tuple(self.complaints()))

    def go(self, path: str) -> None:
        self.driver.get(self.address + path)

    def keys(self, *keys: str, leaves: bool = False) -> None:
        """Pressed one after the other; where the last one leads to another page, that page is awaited."""
        page = self.driver.find_element(By.TAG_NAME, "html")
        ActionChains(self.driver).send_keys(*keys).perform()
        if leaves:
            WebDriverWait(self.driver, PATIENCE, 0.05).until(lambda _: _is_gone(page) and self._loaded())

    def _await(self, script: str) -> None:
        WebDriverWait(self.driver, PATIENCE, 0.05).until(lambda _: bool(self.driver.execute_script(script)))

    def _loaded(self) -> bool:
        return bool(self.driver.execute_script("return document.readyState") == "complete")

    @property
    def text(self) -> str:
        return str(self.driver.find_element(By.TAG_NAME, "main").text)

    @property
    def path(self) -> str:
        return str(self.driver.current_url).removeprefix(self.address)

    def complaints(self) -> list[str]:
        """New messages of the console: violations of the content policy, script errors, missing files."""
        entries: list[dict[str, str]] = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]

    def faults(self) -> list[str]:
        """What axe-core calls serious or critical on this page."""
        self.driver.execute_script(AXE.read_text(encoding="utf-8"))
        found = self.driver.execute_async_script(
            "const done = arguments[0];"
            " axe.run(document, {resultTypes: ['violations']}).then((result) => done(result.violations));"
        )
        return [
            f"{fault['id']} at {'; '.join(' '.join(map(str, node['target'])) for node in fault['nodes'][:5])}"
            for fault in found
            if fault["impact"] in ("serious", "critical")
        ]

    def sideways(self) -> int:
        """Pixels by which the page is wider than its window; a phone would show all of it, only smaller."""
        return int(self.driver.execute_script("return document.documentElement.scrollWidth")) - self.width

    def small_targets(self) -> list[str]:
        """What can be pressed and is smaller than a fingertip; a box to tick is as large as its label."""
        found = self.driver.execute_script(_SMALL, _LEAST_TARGET)
        return [str(each) for each in found]

    def shoot(self, path: Path) -> None:
        """The whole page as a picture."""
        import base64

        height = self.driver.execute_script("return document.documentElement.scrollHeight")
        width = self.driver.execute_script("return window.innerWidth")
        area = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": area})
        path.write_bytes(base64.b64decode(shot["data"]))


def _is_gone(page: Any) -> bool:
    from selenium.common.exceptions import StaleElementReferenceException, WebDriverException

    try:
        page.is_enabled()
    except (StaleElementReferenceException, WebDriverException):
        return True
    return False


_SMALL = """
const least = arguments[0], small = [];
for (const each of document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")) {
  const target = each.type === "checkbox" && each.closest("label") ? each.closest("label") : each;
  const box = target.getBoundingClientRect();
  if (!box.width || each.classList.contains("skip")) continue;
  if (box.width < least || box.height < least) {
    const name = (each.textContent || each.name).trim().slice(0, 40);
    small.push(`${each.tagName} ${name} ${Math.round(box.width)}x${Math.round(box.height)}`);
  }
}
return small;
"""
