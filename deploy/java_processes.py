"""Command lines of Java -> processes on loopback; all engines start so."""

import subprocess
from abc import ABC
from collections.abc import Sequence
from pathlib import Path

from deploy.processes import Processes


class JavaProcesses(Processes, ABC):
    def start(self, folder: Path, opened: Sequence[str], words: Sequence[str]) -> subprocess.Popen[bytes]:
        """`opened` are the packages of java.base that the program reaches into."""
        opening = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in opened]
        java = ["java", *opening, "-XX:+UseSerialGC", f"-Djava.io.tmpdir={folder / 'tmp'}"]
        return self.start_program(folder, [*java, *words])
