"""A role (`jobmanager`, `taskmanager`) and settings -> that process of Flink, run from the jar of Beam's job server.

It is the entry point of the image: `process.py taskmanager jobmanager.rpc.address=jobmanager`. The jar holds Flink too,
so its distribution and scripts are not needed. Standard library only: it is copied into the image by itself.
"""

import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

JAR = Path("/opt/beam-jars/beam-flink-job-server.jar")
ALL = "0.0.0.0"  # noqa: S104 - of a container
_ROLES = {
    "jobmanager": "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
    "taskmanager": "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
}
# What Flink's own start script opens for Java 17 and later.
OPENED = (
    *(
        "java.lang",
        "java.lang.invoke",
        "java.lang.reflect",
        "java.net",
        "java.io",
        "java.nio",
        "java.text",
        "java.time",
    ),
    *("java.util", "java.util.concurrent", "java.util.concurrent.atomic"),
    *("java.util.concurrent.locks", "sun.nio.ch"),
)
# Flink's start script works these sizes out; started without it, all of them are given.
_MEMORY = {
    "jobmanager": {"jobmanager.memory.process.size": "1g"},
    "taskmanager": {
        "taskmanager.memory.task.heap.size": "128m",
        "taskmanager.memory.task.off-heap.size": "0",
        "taskmanager.memory.framework.heap.size": "128m",
        "taskmanager.memory.framework.off-heap.size": "64m",
        "taskmanager.memory.network.min": "64m",
        "taskmanager.memory.network.max": "64m",
        "taskmanager.memory.managed.size": "64m",
        "taskmanager.memory.jvm-metaspace.size": "256m",
        "taskmanager.memory.jvm-overhead.min": "64m",
        "taskmanager.memory.jvm-overhead.max": "64m",
    },
}
# In a container: fixed ports on all its addresses, and ten new starts of a job that lost a part.
_CONTAINER = {
    "jobmanager.rpc.port": "6123",
    "blob.server.port": "6124",
    "taskmanager.rpc.port": "6122",
    "rest.port": "8081",
    "jobmanager.bind-host": ALL,
    "taskmanager.bind-host": ALL,
    "rest.bind-address": ALL,
    "cluster.evenly-spread-out-slots": "true",
    "restart-strategy.type": "fixed-delay",
    "restart-strategy.fixed-delay.attempts": "10",
    "restart-strategy.fixed-delay.delay": "1 s",
}


def write_settings(role: str, folder: Path, settings: Mapping[str, str]) -> None:
    own = {"io.tmp.dirs": str(folder), "classloader.resolve-order": "parent-first", **_MEMORY[role]}
    if role == "taskmanager":
        own["taskmanager.cpu.cores"] = str(float(settings.get("taskmanager.numberOfTaskSlots", "1")))
    lines = (f"{key}: {value}\n" for key, value in {**own, **settings}.items())
    (folder / "config.yaml").write_text("".join(lines), encoding="utf-8")


def arguments_of_java(role: str, folder: Path, jar: Path) -> list[str]:
    java = ["-Xmx384m", "-XX:TieredStopAtLevel=1", "-Dorg.slf4j.simpleLogger.showDateTime=true"]
    return [*java, "-cp", str(jar), _ROLES[role], "--configDir", str(folder)]


def main() -> None:
    role, *words = sys.argv[1:] or [""]
    if role not in _ROLES or not all("=" in word for word in words):
        sys.exit(f"name one of {', '.join(_ROLES)}, then settings of Flink as key=value")
    folder = Path(tempfile.gettempdir(), f"flink-{role}")
    folder.mkdir(mode=0o700, exist_ok=True)
    write_settings(role, folder, {**_CONTAINER, **dict(word.split("=", 1) for word in words)})
    opening = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED]
    os.execvp("java", ["java", *opening, "-XX:+UseSerialGC", *arguments_of_java(role, folder, JAR)])  # noqa: S606


if __name__ == "__main__":
    main()
