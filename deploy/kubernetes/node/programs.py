"""go.mod -> the programs of Kubernetes, and kube-router, built once by Go into a cache, every module checked by go.sum.

`python -m deploy.kubernetes.node.programs` builds all of them; CLUSTER_CACHE names another folder than the usual one.
Go keeps 3 GB of its own (`go clean -cache` frees them); a dry run needs kube-apiserver and kubectl alone.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

_MODULES = Path(__file__).parent
KUBERNETES, KUBE_ROUTER = "k8s.io/kubernetes", "github.com/cloudnativelabs/kube-router/v2"
SERVER = ("kube-apiserver", "kubectl")
NODE = ("kube-controller-manager", "kube-scheduler", "kubelet")
POLICIES = ("kube-router",)


def built(names: Iterable[str], module: str = KUBERNETES) -> Path:
    """The folder that holds the programs of a module; those that are missing are built."""
    version = _version(module)
    folder = _cache() / f"{module.removesuffix('/v2').rpartition('/')[2]}-{version}"
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        if not (folder / name).exists():
            _build(f"{module}/cmd/{name}", version, folder)
    return folder


def _build(package: str, version: str, folder: Path) -> None:
    if shutil.which("go") is None:
        raise SystemExit("Go 1.24 or newer is needed to build Kubernetes (Debian: golang-go of its backports)")
    name = package.rpartition("/")[2]
    partial = folder / f".{name}.partial"
    flags = f"-s -w -X k8s.io/component-base/version.gitVersion={version}"
    command = ["go", "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", str(partial)]
    print(f"building {name} {version}; this takes minutes, once", file=sys.stderr, flush=True)
    done = subprocess.run(
        [*command, package],
        cwd=_MODULES,
        env={**os.environ, "CGO_ENABLED": "0", "GOFLAGS": "-mod=readonly", "GOWORK": "off"},
    )
    if done.returncode:
        partial.unlink(missing_ok=True)
        raise SystemExit(f"go could not build {name}; what it said is above")
    partial.rename(folder / name)


def _version(module: str) -> str:
    required = rf"^\s*(?:require )?{re.escape(module)} (v[\d.]+)"
    found = re.search(required, (_MODULES / "go.mod").read_text(), re.MULTILINE)
    assert found, f"go.mod names no version of {module}"
    return found[1]


def _cache() -> Path:
    given = os.environ.get("CLUSTER_CACHE", "")
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return Path(given) if given else (Path(cache) if cache else Path.home() / ".cache") / "leakscreen-cluster"


if __name__ == "__main__":
    print(built((*SERVER, *NODE)), built(POLICIES, KUBE_ROUTER), sep="\n")
