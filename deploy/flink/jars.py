"""Maven coordinates (pom.xml) -> a folder of jars that runs Flink, and beside them the job server that Beam starts.

`python -m deploy.flink.jars FOLDER`
"""

import subprocess
import sys
import zipfile
from pathlib import Path

_POM = Path(__file__).with_name("pom.xml")
_JOB_SERVER = "beam-flink-job-server.jar"
_MAIN = "org.apache.beam.runners.flink.FlinkJobServerDriver"
_LINE = 70  # bytes that a line of a jar's manifest may have


def fetch_jars(folder: Path) -> Path:
    """The job server's jar, made where it is missing; it names the other jars, so that one copy of them serves everything."""
    job_server = folder / _JOB_SERVER
    if not job_server.exists():
        command = ["mvn", "--batch-mode", "--quiet", "--file", str(_POM), "dependency:copy-dependencies", f"-DoutputDirectory={folder}"]
        done = subprocess.run([*command, "-DincludeScope=runtime"], capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"mvn could not bring the jars of {_POM}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        _write_job_server(job_server, sorted(jar.name for jar in folder.glob("*.jar")))
    return job_server


def _write_job_server(jar: Path, names: list[str]) -> None:
    lines = ["Manifest-Version: 1.0", f"Main-Class: {_MAIN}", *_folded("Class-Path: " + " ".join(names)), "", ""]
    temporary = jar.with_suffix(".tmp")
    with zipfile.ZipFile(temporary, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", "\r\n".join(lines))
    temporary.replace(jar)


def _folded(line: str) -> list[str]:
    first, rest = line[:_LINE], line[_LINE:]
    return [first, *(" " + rest[start : start + _LINE - 1] for start in range(0, len(rest), _LINE - 1))]


if __name__ == "__main__":
    print(fetch_jars(Path(sys.argv[1]).absolute()))
