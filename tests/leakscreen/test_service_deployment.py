"""compose, Kubernetes and the image: valid by their schemas, hardened, with commands and settings that exist."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from jsonschema import Draft7Validator
from typer.main import get_command

from core.settings import SECRETS_IN_ENV, load_settings
from leakscreen.cli.app import app
from leakscreen.schedules.table import schedules_of

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "deploy" / "compose"
KUBERNETES = ROOT / "deploy" / "kubernetes"
CLUSTER_VERSIONS = ("1.31", "1.34")


def compose() -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load((COMPOSE / "compose.yaml").read_text(encoding="utf-8"))
    return document


def cluster() -> list[dict[str, Any]]:
    listed = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text(encoding="utf-8"))["resources"]
    assert {*listed, "kustomization.yaml"} == {path.name for path in KUBERNETES.glob("*.yaml")}
    return [
        document for name in listed for document in yaml.safe_load_all((KUBERNETES / name).read_text(encoding="utf-8"))
    ]


def on_flink() -> list[dict[str, Any]]:
    texts = (path.read_text(encoding="utf-8") for path in sorted((ROOT / "deploy/flink/kubernetes").glob("*.yaml")))
    return [document for text in texts for document in yaml.safe_load_all(text)]


def pods() -> Iterator[tuple[str, dict[str, Any]]]:
    for document in [*cluster(), *on_flink()]:
        spec = document.get("spec", {})
        template = spec.get("jobTemplate", {}).get("spec", spec).get("template")
        if template:
            yield document["metadata"]["name"], template["spec"]


@pytest.mark.parametrize("file", sorted((ROOT / "deploy").glob("**/compose.yaml")), ids=lambda file: file.parent.name)
def test_compose_keeps_to_the_specification(file: Path) -> None:
    schema = json.loads(
        (files("check_jsonschema") / "builtin_schemas" / "vendor" / "compose-spec.json").read_text(encoding="utf-8")
    )
    assert not [
        error.message for error in Draft7Validator(schema).iter_errors(yaml.safe_load(file.read_text(encoding="utf-8")))
    ]


@pytest.mark.parametrize("name", ["web", "scheduler", "postgres"])
def test_services_run_without_rights_on_a_read_only_root(name: str) -> None:
    service = compose()["services"][name]
    assert (
        service["read_only"] and service["cap_drop"] == ["ALL"] and "no-new-privileges:true" in service["security_opt"]
    )
    assert not service["user"].startswith("0")
    assert ":latest" not in service["image"] and re.search(r":[\d.]+", service["image"])


@pytest.mark.parametrize("name", ["web", "scheduler"])
def test_commands_of_the_services_are_understood(name: str) -> None:
    command, *words = compose()["services"][name]["command"]
    assert get_command(app).commands[command].make_context(command, list(words)).params  # type: ignore[attr-defined]


def test_settings_and_secrets_of_compose_are_known() -> None:
    settings = load_settings(config=COMPOSE / "leakscreen.toml", environ=compose()["services"]["web"]["environment"])
    assert [each.name for each in schedules_of(settings)] == ["share-nightly"]
    named = re.findall(
        r"^(?:# )?(LEAKSCREEN_\w+)=", (COMPOSE / "secrets.env.example").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert set(named) <= SECRETS_IN_ENV
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8")
    assert "deploy/compose/*.env" in ignored and "deploy/compose/mail-tls" in ignored


@pytest.mark.parametrize("version", CLUSTER_VERSIONS)
def test_the_cluster_files_keep_to_the_schemas(version: str) -> None:
    for document in [*cluster(), *on_flink()]:
        kubernetes_validate.validate(document, version, strict=True)


def test_the_schema_check_can_fail() -> None:
    broken = next(document for document in cluster() if document["kind"] == "Deployment")
    broken["spec"]["replicas"] = "two"
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(broken, CLUSTER_VERSIONS[0], strict=True)


@pytest.mark.parametrize(("name", "spec"), list(pods()))
def test_pods_are_restricted(name: str, spec: dict[str, Any]) -> None:
    """What the Pod Security Standard `restricted` asks for, and a read-only root."""
    assert spec["securityContext"]["runAsNonRoot"] and spec["securityContext"]["seccompProfile"] == {
        "type": "RuntimeDefault"
    }
    assert spec["securityContext"]["runAsGroup"] == spec["securityContext"]["runAsUser"]
    assert spec["automountServiceAccountToken"] is False
    assert spec["enableServiceLinks"] is False  # LEAKSCREEN_WEB_SERVICE_HOST would be an unknown setting
    for container in [*spec.get("initContainers", ()), *spec["containers"]]:
        context = container["securityContext"]
        assert (
            context["readOnlyRootFilesystem"]
            and not context["allowPrivilegeEscalation"]
            and context["capabilities"] == {"drop": ["ALL"]}
        )


def test_probes_and_claims_point_at_what_exists() -> None:
    web = dict(pods())["leakscreen-web"]
    probes = [
        web["containers"][0][kind]["httpGet"]["path"] for kind in ("startupProbe", "livenessProbe", "readinessProbe")
    ]
    source = (ROOT / "review" / "service" / "probes.py").read_text(encoding="utf-8")
    assert all(f'"{path}"' in source for path in probes)
    claims = {document["metadata"]["name"] for document in cluster() if document["kind"] == "PersistentVolumeClaim"}
    used = {
        volume["persistentVolumeClaim"]["claimName"]
        for _, spec in pods()
        for volume in spec["volumes"]
        if "persistentVolumeClaim" in volume
    }
    assert used == claims


def test_the_image_copies_every_room_and_runs_as_somebody() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    rooms = {
        name.rstrip("*")
        for name in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"][
            "include"
        ]
    }
    assert set(re.findall(r"^COPY (\w+) \1$", text, re.MULTILINE)) == rooms
    assert text.count("FROM ${BASE}") == 2 and "USER 10001:10001" in text
    assert "groupadd --system --gid 10001 " in text and "--uid 10001 --gid 10001 " in text
    for install in re.findall(r"(?:pip install|pip wheel)\b[^\\\n]*", text):  # hashes, or what is here already
        assert "--require-hashes" in install or "--no-deps" in install, install
    assert "pip wheel --no-deps --no-build-isolation" in text


@pytest.fixture(scope="module")
def bill(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As `make sbom` writes it; checked once, below."""
    path = tmp_path_factory.mktemp("bill") / "sbom.json"
    said = re.search(
        r"^sbom: setup\n\t\$\(BIN\)/cyclonedx-py (.*) -o sbom.json$",
        (ROOT / "Makefile").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert said
    made = subprocess.run(
        [
            sys.executable,
            "-m",
            "cyclonedx_py",
            *said[1].replace("--validate", "--no-validate").split(),
            "-o",
            str(path),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    return path


def test_the_bill_of_materials_names_every_pinned_package(bill: Path) -> None:
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(bill.read_text(encoding="utf-8")) is None
    document = json.loads(bill.read_text(encoding="utf-8"))
    assert document["bomFormat"] == "CycloneDX" and document["metadata"]["component"]["name"] == "leakscreen"
    pinned = set(
        re.findall(r"^([\w.\-]+)==", (ROOT / "requirements-clouds.txt").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert {component["name"] for component in document["components"]} == pinned
    assert all(
        reference["hashes"] for component in document["components"] for reference in component["externalReferences"]
    )


def test_the_installed_program_runs_where_nothing_can_be_written(tmp_path: Path) -> None:
    """A wheel, unpacked, without rights to write; only home and the scratch folder can be written, as in the image."""
    if shutil.which("setpriv") is None:
        pytest.fail("setpriv (util-linux) is needed")
    site = tmp_path / "site"
    build = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--target",
        str(site),
        str(_sources(tmp_path)),
    ]
    subprocess.run(build, check=True, capture_output=True)
    subprocess.run(["chmod", "-R", "a-w", str(site)], check=True)
    for name in ("home", "scratch", "files"):
        (tmp_path / name).mkdir()
    (tmp_path / "files" / "a.txt").write_text("Patient: Jane Doe, SSN 536-90-4399, diagnosis diabetes")
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path / "home"),
        "TMPDIR": str(tmp_path / "scratch"),
        "PYTHONPATH": str(site),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LEAKSCREEN_HMAC_KEY": "0123456789abcdef" * 4,
    }
    drop = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner"]
    scan = ["scan", str(tmp_path / "files"), "--out", str(tmp_path / "home" / "results"), "--quiet", "--workers", "2"]
    for words in (["doctor", "--json"], scan):
        command = [*drop, sys.executable, "-P", "-m", "leakscreen", *words]
        ran = subprocess.run(
            command, env=environment, cwd=tmp_path / "home", capture_output=True, text=True, timeout=200
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
    where = subprocess.run(
        [sys.executable, "-P", "-c", "import leakscreen; print(leakscreen.__file__)"],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert where.stdout.startswith(str(site))


def _sources(folder: Path) -> Path:
    """A copy, since building leaves files beside the sources."""
    leave = shutil.ignore_patterns(
        ".venv", ".git", "tests", "benchmarks", ".*_cache", "__pycache__", "docs", "*.egg-info", "build"
    )
    return Path(shutil.copytree(ROOT, folder / "sources", ignore=leave, symlinks=True))
