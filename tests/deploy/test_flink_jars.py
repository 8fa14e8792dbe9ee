"""Jars become one jar: only with known checksums, always the same bytes, and Java finds in it what it found in them."""

import shutil
import zipfile
from pathlib import Path

import pytest

from deploy.flink.jars import check_jars, make_jar
from deploy.flink.merge import merge
from pipelines.runners.flink.job_server_jar import JOB_SERVER, sha256_of

OFFERED = "META-INF/services/java.lang.Runnable"


def jar(path: Path, **entries: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {"META-INF/MANIFEST.MF": "Manifest-Version: 1.0\r\n\r\n", **entries}.items():
            archive.writestr(name, content)
    return path


@pytest.fixture
def fetched(tmp_path: Path) -> Path:
    folder = tmp_path / "fetched"
    folder.mkdir()
    jar(folder / "a.jar", **{"a.txt": "of a" * 100, "both.txt": "a's", OFFERED: "a.One"})
    jar(
        folder / "b.jar",
        **{"b/": "", "b/b.txt": "of b", "both.txt": "b's", OFFERED: "b.Two\n", "META-INF/B.SF": "signed"},
    )
    return folder


def listed(folder: Path) -> Path:
    """The checksums of a folder's jars, as sha256sum writes them."""
    checksums = folder.with_suffix(".sha256")
    checksums.write_text("".join(f"{sha256_of(each)}  {each.name}\n" for each in sorted(folder.glob("*.jar"))))
    return checksums


def test_one_jar_holds_what_the_jars_held(fetched: Path, tmp_path: Path) -> None:
    merge(sorted(fetched.glob("*.jar")), tmp_path / "all.jar", "a.Main")
    with zipfile.ZipFile(tmp_path / "all.jar") as merged:
        assert merged.testzip() is None
        assert sorted(merged.namelist()) == sorted(["META-INF/MANIFEST.MF", "a.txt", "b/b.txt", "both.txt", OFFERED])
        assert merged.read("a.txt") == b"of a" * 100
        assert merged.read("both.txt") == b"a's", "the first on the class path counts"
        assert merged.read(OFFERED).split() == [b"a.One", b"b.Two"]
        assert b"Main-Class: a.Main\r\n" in merged.read("META-INF/MANIFEST.MF")
    first = sha256_of(tmp_path / "all.jar")
    merge(sorted(fetched.glob("*.jar")), tmp_path / "all.jar", "a.Main")
    assert sha256_of(tmp_path / "all.jar") == first


def test_jars_of_the_list_are_taken(fetched: Path) -> None:
    check_jars(fetched, listed(fetched))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda folder: (folder / "a.jar").open("ab").write(b"\0"), "a.jar has the sha256 "),
        (lambda folder: (folder / "a.jar").unlink(), "a.jar is missing"),
        (lambda folder: shutil.copy(folder / "a.jar", folder / "c.jar"), "c.jar is not on the list"),
    ],
)
def test_any_other_is_refused_by_name(fetched: Path, change: object, said: str) -> None:
    checksums = listed(fetched)
    assert callable(change)
    change(fetched)
    with pytest.raises(SystemExit) as raised:
        check_jars(fetched, checksums)
    assert said in str(raised.value)
    assert "b.jar" not in str(raised.value)


def test_nothing_is_made_of_jars_that_are_not_known(fetched: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="nothing was made of them"):
        make_jar(fetched, tmp_path / "made")
    assert not (tmp_path / "made" / JOB_SERVER).exists()
