"""A container engine of this machine -> the image built, and hardened containers of it run."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
STANDINS = Path(__file__).parent / "standins"
IMAGE, BASE = "localhost/leakscreen:test", "localhost/leakscreen-base:bookworm"
KEY = "0123456789abcdef" * 4
JAVA_AUTHORITIES, IN_BUILD = Path("/etc/ssl/certs/java/cacerts"), "/authorities"  # a proxy's among them
# Needed where resource limits and cgroups are not podman's own to set; harmless elsewhere.
_CONFIGURATION = """
[containers]
default_ulimits = ["nofile=20000:20000", "nproc=32768:32768"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
"""
_NAMES = """
[network]
network_backend = "netavark"
"""
# As deploy/compose and the cluster run it.
HARDENED = (
    "--read-only",
    "--user=10001:10001",
    "--cap-drop=ALL",
    "--security-opt=no-new-privileges",
    "--tmpfs=/tmp:mode=1777,size=1g",
    f"--env=LEAKSCREEN_HMAC_KEY={KEY}",
    f"--env=LEAKSCREEN_SECRET_KEY={KEY}",
)
# Debian with its Python, where no registry of images can be reached; without documentation, as the official images.
_BOOTSTRAP = (
    "mmdebstrap",
    "--variant=minbase",
    "--include=ca-certificates,media-types,python3,python3-venv,python-is-python3",
    *(f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("doc", "info", "locale", "man")),
    "bookworm",
)


@dataclass(frozen=True, slots=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Engine:
    """docker where its daemon answers, otherwise podman and buildah."""

    def __init__(self) -> None:
        self.is_docker = _answers("docker", "info")
        if not self.is_docker and not (shutil.which("podman") and shutil.which("buildah")):
            raise SystemExit(
                "no container engine: start docker, or install podman, buildah, runc and mmdebstrap"
                " (Debian: apt-get install podman buildah runc mmdebstrap)"
            )
        self.program = "docker" if self.is_docker else "podman"
        self._folder = tempfile.TemporaryDirectory(prefix="leakscreen-containers-")
        configuration = Path(self._folder.name, "containers.conf")
        has_names = Path("/usr/lib/podman/netavark").exists()  # services find each other by name
        configuration.write_text(_CONFIGURATION + (_NAMES if has_names else ""))
        self._environment = {**os.environ, "CONTAINERS_CONF": str(configuration)}

    def __call__(self, *words: str | Path, check: bool = False, seconds: float = 300) -> Ran:
        return self._run([self.program, *map(str, words)], check, seconds)

    def named(self, image: str) -> str:
        """As a compose file finds it: podman looks for short names below localhost."""
        return image if self.is_docker else f"localhost/{image}"

    def archive(self, images: Iterable[str]) -> list[str]:
        """The command that writes them all into one archive."""
        return self.command("save", *(() if self.is_docker else ("--multi-image-archive",)), *images)

    def command(self, *words: str) -> list[str]:
        """For a process of the caller's own, with this engine's settings."""
        variable = f"CONTAINERS_CONF={self._environment['CONTAINERS_CONF']}"
        return ["env", variable, self.program, *words]

    def run(self, *words: str | Path, options: Sequence[str] = (), entry: str = "") -> Ran:
        """One hardened container without network; its output."""
        entry_point = (f"--entrypoint={entry}",) if entry else ()
        return self("run", "--rm", "--network=none", *HARDENED, *options, *entry_point, IMAGE, *words)

    def build(
        self,
        base: str,
        tag: str = IMAGE,
        context: Path = ROOT,
        file: str = "Dockerfile",
        arguments: Sequence[str] = (),
    ) -> None:
        """Nothing where IMAGE_READY is set and the image exists: for another look at one that was built before."""
        if os.environ.get("IMAGE_READY") and not self("image", "inspect", tag).code:
            return
        words = ["build", "--network=host", f"--build-arg=BASE={base}", "--tag", tag]
        words += [f"--build-arg={argument}" for argument in arguments]
        words += ["--file", str(context / file), str(context)]
        certificates = os.environ.get("SSL_CERT_FILE", "")
        if self.is_docker:
            command = ["docker", *words]
        else:  # a proxy's authority has to be known inside as well
            mounted = [f"--volume={certificates}:/etc/ssl/certs/ca-certificates.crt:ro"] if certificates else []
            mounted += [f"--volume={JAVA_AUTHORITIES}:{IN_BUILD}:ro"] if JAVA_AUTHORITIES.exists() else []
            command = ["buildah", words[0], "--layers", *mounted, *words[1:]]
        self._run(command, True, 1800)

    def compose(self, folder: Path, *words: str, check: bool = True, **environment: str) -> Ran:
        """docker's, or podman-compose as it is published."""
        python = Path(sys.executable)
        program = ["docker", "compose"]
        if not self.is_docker:
            program = [str(python.with_name("uv")), "tool", "run", "podman-compose==1.6.0"]
        return self._run([*program, *words], check, 600, folder, environment)

    def shell(self, commands: str, folder: Path, **environment: str) -> Ran:
        """Programs in the folder come first; uv is that of the tests."""
        path = f"{folder}:{Path(sys.executable).parent}:{os.environ['PATH']}"
        return self._run(["bash", "-euc", commands], False, 600, folder, {**environment, "PATH": path})

    def base(self) -> str:
        """IMAGE_BASE if it is given; otherwise made once by mmdebstrap, which needs no registry of images."""
        given = os.environ.get("IMAGE_BASE", "")
        if given:
            return given
        if self("image", "inspect", BASE).code:
            archive = Path(self._folder.name, "base.tar")
            self._run([*_BOOTSTRAP, str(archive)], True, 900)
            self("import", archive, BASE, check=True)
            archive.unlink()
        return BASE

    def _run(
        self,
        command: Sequence[str],
        check: bool,
        seconds: float,
        folder: Path = ROOT,
        environment: Mapping[str, str] | None = None,
    ) -> Ran:
        environ = {**self._environment, **(environment or {})}
        done = subprocess.run(command, env=environ, cwd=folder, capture_output=True, text=True, timeout=seconds)
        if check and done.returncode:
            raise SystemExit(
                f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-4000:]}"
            )
        return Ran(done.returncode, done.stdout, done.stderr)


def _answers(*command: str) -> bool:
    if shutil.which(command[0]) is None:
        return False
    return subprocess.run(command, capture_output=True, timeout=60).returncode == 0
