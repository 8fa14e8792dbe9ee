"""Maven coordinates (pom.xml) -> one jar with Flink and Beam's job server, from jars listed in jars.sha256.

`python -m deploy.flink.jars FOLDER`
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

from deploy.flink.merge import merge
from pipelines.runners.flink.job_server_jar import JOB_SERVER, known_jar, sha256_of

_POM = Path(__file__).with_name("pom.xml")
_CHECKSUMS = Path(__file__).with_name("jars.sha256")
_MAIN = "org.apache.beam.runners.flink.FlinkJobServerDriver"


def fetch_jar(folder: Path) -> Path:
    """Made where it is missing; checked each time."""
    if not (folder / JOB_SERVER).exists():
        with tempfile.TemporaryDirectory(prefix="leakscreen-jars-") as fetched:
            by_maven(_POM, Path(fetched))
            make_jar(Path(fetched), folder)
    return known_jar(folder)


def make_jar(fetched: Path, folder: Path) -> None:
    """The jars of the list, no others and none of them changed, in one."""
    check_jars(fetched, _CHECKSUMS)
    folder.mkdir(parents=True, exist_ok=True)
    merge(sorted(fetched.glob("*.jar")), folder / JOB_SERVER, _MAIN)


def check_jars(fetched: Path, checksums: Path) -> None:
    lines = (line.split() for line in checksums.read_text(encoding="ascii").splitlines())
    wanted = {name: checksum for checksum, name in lines}
    actual = {jar.name: sha256_of(jar) for jar in fetched.glob("*.jar")}
    faults = [f"{name} is missing" for name in sorted(wanted.keys() - actual.keys())]
    faults += [f"{name} is not on the list" for name in sorted(actual.keys() - wanted.keys())]
    faults += [
        f"{name} has the sha256 {actual[name]}"
        for name in sorted(wanted.keys() & actual.keys())
        if wanted[name] != actual[name]
    ]
    if faults:
        raise SystemExit(
            f"the jars are not those of {checksums}, and nothing was made of them:\n  " + "\n  ".join(faults)
        )


def by_maven(pom: Path, folder: Path) -> None:
    command = [
        "mvn",
        "--batch-mode",
        "--quiet",
        "--file",
        str(pom),
        "dependency:copy-dependencies",
        f"-DoutputDirectory={folder.absolute()}",  # Maven takes it from the folder of the pom
    ]
    done = subprocess.run([*command, "-DincludeScope=runtime"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"mvn could not bring the jars of {pom}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the jar goes")
    parser.add_argument("--fetched", type=Path, help="folder of the jars, where somebody else has brought them")
    arguments = parser.parse_args()
    if arguments.fetched:
        make_jar(arguments.fetched, arguments.folder)
    print(fetch_jar(arguments.folder.absolute()))


if __name__ == "__main__":
    main()
