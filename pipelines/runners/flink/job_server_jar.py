"""The folder of Flink's job server -> its jar, if its hash is the pinned one."""

import hashlib
from pathlib import Path

from core.errors import SettingsError

COORDINATES = "org.apache.beam:beam-runners-flink-1.19:2.62.0"
JOB_SERVER = "beam-flink-job-server.jar"
SHA256 = "72f60369f4fac096e6422e4906743da602445cbd4ef874bb23b15d198da4af41"
_BROUGHT = f"`python -m deploy.flink.jars FOLDER` brings it ({COORDINATES}) by Maven, then --flink-jars FOLDER"


def known_jar(folder: Path) -> Path:
    """The jar runs with the rights of whoever scans, so it is started only if its hash is the pinned one."""
    jar = folder.absolute() / JOB_SERVER
    if not jar.is_file():
        raise SettingsError(f"scan.flink_jars: {jar}: no such file; {_BROUGHT}")
    actual = sha256_of(jar)
    if actual != SHA256:
        raise SettingsError(
            f"scan.flink_jars: {jar}: has sha256 {actual} instead of {SHA256} and is not started; delete it, {_BROUGHT}"
        )
    return jar


def sha256_of(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
