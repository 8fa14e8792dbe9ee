"""A service on a port -> somebody at its address, through nginx with the settings of the runbook."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import requests

from tests.containers.engine import STANDINS, Engine
from tests.containers.runbook import RUNBOOK
from tests.object_servers import free_port

SITE, PROXY = "review.example.org", "localhost/nginx:test"


class Browser:
    def __init__(self, certificate: Path, port: int) -> None:
        self._session, self._address = requests.Session(), f"https://127.0.0.1:{port}"
        self._session.headers.update({"Host": SITE, "Referer": f"https://{SITE}/"})
        self._session.trust_env = False  # or REQUESTS_CA_BUNDLE counts, and not this certificate
        self._session.verify = str(certificate)

    def get(self, path: str) -> requests.Response:
        return self._session.get(self._address + path, timeout=30)

    def send(self, path: str, to: str = "", **values: Any) -> str:
        """The form of a page, filled in -> the page that follows."""
        page = self.get(path)
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
        assert token, f"{page.status_code} {page.text[:500]}"
        values["csrfmiddlewaretoken"] = token[1]
        return self._session.post(self._address + (to or path), data=values, timeout=30).text


@contextmanager
def behind_tls(engine: Engine, folder: Path, service: int) -> Iterator[Browser]:
    port = free_port()
    (settings,) = re.findall(r"```nginx\n([\s\S]*?)```", RUNBOOK)
    there = {"443": f"127.0.0.1:{port}", "127.0.0.1:8765": f"127.0.0.1:{service}"}
    for old, new in {**there, "/etc/ssl/certs/": "/proxy/", "/etc/ssl/private/": "/proxy/"}.items():
        assert old in settings
        settings = settings.replace(old, new)
    (folder / "nginx.conf").write_text(f"events {{}}\nhttp {{\n{settings}}}\n")
    certificate = _certificate(folder)
    engine.build(engine.base(), PROXY, STANDINS, "Proxy.Dockerfile")
    name = f"leakscreen-proxy-{port}"
    engine("run", "--detach", f"--name={name}", "--network=host", f"--volume={folder}:/proxy:ro", PROXY, check=True)
    try:
        yield Browser(certificate, port)
    finally:
        engine("rm", "--force", name)


def _certificate(folder: Path) -> Path:
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={SITE}"]
    names = ["-addext", f"subjectAltName=DNS:{SITE},IP:127.0.0.1"]
    made = folder / "review.pem"
    subprocess.run([*command, *names, "-keyout", folder / "review.key", "-out", made], check=True, capture_output=True)
    return made
