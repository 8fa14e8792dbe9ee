"""A running cluster -> the most memory that each of its containers held, beside what its manifest asks for."""

import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deploy.kubernetes.node.node import Node

_GROUPS, _SECONDS, _LOOKS = Path("/sys/fs/cgroup"), 0.3, 10
_FILES = (("memory.current", "inactive_file"), ("memory.usage_in_bytes", "total_inactive_file"))  # version 2, and 1
_UNITS = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30}


@dataclass(frozen=True, slots=True)
class Used:
    name: str
    most: int
    requested: int
    limit: int


class Watch(threading.Thread):
    """What a kubelet calls the working set: all memory but files that were read and could be dropped."""

    def __init__(self, node: Node) -> None:
        super().__init__(daemon=True)
        self._node, self._ends = node, threading.Event()
        self._most: dict[str, int] = {}
        self._containers: dict[str, tuple[str, dict[str, Any]]] = {}

    def run(self) -> None:
        look = 0
        while not self._ends.wait(_SECONDS):
            for container, bytes_held in _held():
                self._most[container] = max(bytes_held, self._most.get(container, 0))
            look += 1
            if look % _LOOKS:
                continue
            listed = self._node.kubectl("--namespace=leakscreen", "get", "pods", "--output=json", check=False)
            for pod in json.loads(listed.stdout)["items"] if not listed.returncode else ():
                self._containers.update(_containers_of(pod))

    def stop(self) -> list[Used]:
        self._ends.set()
        self.join()
        most: dict[str, Used] = {}
        for container, (name, resources) in self._containers.items():
            asked = (_bytes(resources[kind]["memory"]) for kind in ("requests", "limits"))
            used = Used(name, self._most.get(container, 0), *asked)
            most[name] = max(used, most.get(name, used), key=lambda each: each.most)
        return sorted(most.values(), key=lambda each: each.most / each.limit, reverse=True)


def _containers_of(pod: dict[str, Any]) -> Iterator[tuple[str, tuple[str, dict[str, Any]]]]:
    spec, status = pod["spec"], pod["status"]
    wanted = {each["name"]: each for each in (*spec.get("initContainers", ()), *spec["containers"])}
    owner = pod["metadata"]["ownerReferences"][0]["name"]
    for each in (*status.get("initContainerStatuses", ()), *status.get("containerStatuses", ())):
        if container := each.get("containerID", ""):
            pods = re.sub(r"-[0-9a-f]{8,10}$", "", owner)  # without what names one ReplicaSet of a Deployment
            yield container.rpartition("/")[2], (f"{pods}: {each['name']}", wanted[each["name"]]["resources"])


def _held() -> Iterator[tuple[str, int]]:
    for name, droppable in _FILES:
        for file in _GROUPS.glob(f"*/leakscreen-cluster/**/{name}"):
            try:
                dropped = re.search(rf"^{droppable} (\d+)$", (file.parent / "memory.stat").read_text(), re.MULTILINE)
                yield file.parent.name, int(file.read_text()) - int(dropped[1] if dropped else 0)
            except OSError:
                continue  # it ended meanwhile


def _bytes(quantity: str) -> int:
    return int(quantity[:-2]) * _UNITS[quantity[-2:]]
