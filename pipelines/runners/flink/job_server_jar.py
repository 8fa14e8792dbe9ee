"""The jar that Beam starts for a scan on Flink -> the one that is known, or a sentence that says what is wrong with it."""

import hashlib
from pathlib import Path

from core.errors import SettingsError

COORDINATES = "org.apache.beam:beam-runners-flink-1.19:2.62.0"
JOB_SERVER = "beam-flink-job-server.jar"
SHA256 = "72f60369f4fac096e6422e4906743da602445cbd4ef874bb23b15d198da4af41"
_BROUGHT = f"`python -m deploy.flink.jars FOLDER` brings it ({COORDINATES}) by Maven, then --flink-jars FOLDER"


def known_jar(folder: Path) -> Path:
    """What lies there runs with the rights of whoever scans, so it is started only if it is what was made of the pinned jars."""
    jar = folder.absolute() / JOB_SERVER
    if not jar.is_file():
        raise SettingsError(f"scan.flink_jars: {jar}: no such file; {_BROUGHT}")
    found = sha256_of(jar)
    if found != SHA256:
        raise SettingsError(
            f"scan.flink_jars: {jar}: has the sha256 {found}, and not {SHA256}: it is not started; delete it, {_BROUGHT}"
        )
    return jar


def sha256_of(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
