"""A scan of a bucket finds what a scan of the same files finds; results can go to a bucket, and be resumed there."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest

from leakscreen.demo import Planted
from tests.end_to_end.conftest import Run, rows_of
from tests.object_servers import s3_server

Share = tuple[Path, list[Planted]]
SAME = (
    "size",
    "sha256",
    "media_type",
    "status",
    "chars",
    "pii_bits",
    "screened_positive",
    "health_positive",
    "referred",
    "risk",
)


@pytest.fixture(scope="module")
def s3(share: Share) -> Iterator[tuple[Any, dict[str, str]]]:
    """A bucket with the share in it, and the environment in which tools find it."""
    with s3_server() as environment:
        client = boto3.client(
            "s3",
            endpoint_url=environment["AWS_ENDPOINT_URL"],
            aws_access_key_id="testing",
            aws_secret_access_key="testing",
            region_name="us-east-1",
        )
        client.create_bucket(Bucket="share")
        client.create_bucket(Bucket="results")
        for path in share[0].rglob("*"):
            if path.is_file():
                client.put_object(Bucket="share", Key=f"data/{path.relative_to(share[0])}", Body=path.read_bytes())
        client.put_object(Bucket="share", Key="data/", Body=b"")
        client.put_object(Bucket="share", Key="data-of-others/x.txt", Body=b"not asked for")
        yield client, environment


def test_a_bucket_gives_the_records_of_a_folder(
    leakscreen: Run, s3: Any, share: Share, scanned: Path, home: Path
) -> None:
    ran = leakscreen(
        "scan", "s3://share/data", "--out", home / "out", "--workers", "2", "--json", "--quiet", environ=s3[1]
    )
    assert ran.code == 3, ran.err
    found = {row["uri"].removeprefix("s3://share/data/"): row for row in rows_of(home / "out")}
    wanted = {row["uri"].removeprefix(f"{share[0]}/"): row for row in rows_of(scanned)}
    assert found.keys() == wanted.keys()
    for name, row in wanted.items():
        assert {key: found[name][key] for key in SAME} == {key: row[key] for key in SAME}, name
    manifest = json.loads(next((home / "out").glob("scan=*/manifest.json")).read_text())
    assert manifest["sources"] == ["s3://share/data"]
    assert manifest["walk"]["passed_over"] == {"folder markers": 1}
    assert not any((home / "tmp").rglob("*"))


def test_a_text_beyond_the_read_limit_gives_the_record_of_a_file(leakscreen: Run, s3: Any, home: Path) -> None:
    letter = (
        "Patient John Smith, 123 Main Street, Springfield. Phone (613) 555-0199. "
        "Diagnosis: diabetes mellitus; insulin prescribed daily.\n"
    )
    (home / "source").mkdir()
    (home / "source" / "dump.txt").write_text("nothing of interest in this line\n" * 8_000 + letter * 1_200)
    s3[0].put_object(Bucket="share", Key="dump/dump.txt", Body=(home / "source" / "dump.txt").read_bytes())
    words = ("--workers", "1", "--quiet", "--set", "limits.read_bytes=100000", "--set", "limits.window_bytes=65536")
    for source, out in ((home / "source", home / "local"), ("s3://share/dump", home / "stored")):
        ran = leakscreen("scan", source, "--out", out, *words, environ=s3[1])
        assert ran.code == 0, ran.err
    (local,), (stored,) = rows_of(home / "local"), rows_of(home / "stored")
    assert {key: stored[key] for key in SAME} == {key: local[key] for key in SAME}
    assert (stored["status"], stored["referred"]) == ("complete", True)


def test_results_go_to_a_bucket_and_are_read_from_there(leakscreen: Run, s3: Any) -> None:
    client, environment = s3
    for number in range(3):
        client.put_object(Bucket="results", Key=f"in/{number}.txt", Body=b"just words")
    words = ("--out", "s3://results/out", "--workers", "1", "--json", "--quiet")
    ran = leakscreen("scan", "s3://results", *words, "--set", "scan.unit_files=1", environ=environment)
    assert ran.code == 0, ran.err
    assert ran.json["files"] == 3
    folder = ran.json["folder"].removeprefix("s3://results/")
    keys = [entry["Key"] for entry in client.list_objects_v2(Bucket="results", Prefix=folder)["Contents"]]
    assert {key.removeprefix(f"{folder}/").partition("/")[0] for key in keys} == {
        "manifest.json", "plan.arrow", "bundle.zip", "files", "people", "summary.json", "report.html"
    }  # fmt: skip
    client.delete_object(Bucket="results", Key=f"{folder}/files/unit-00000001.parquet")
    client.delete_object(Bucket="results", Key=f"{folder}/summary.json")
    again = leakscreen("scan", "--resume", *words, environ=environment)
    assert (again.code, again.json["files"]) == (0, 3), again.err


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("s3://share/nothing", "no object of that name or below it"),
        ("s3://no-such-bucket/x", "no such bucket"),
        ("s3:///x", "s3://bucket/prefix"),
    ],
)
def test_an_address_that_is_wrong_is_told_before_anything_is_written(
    leakscreen: Run, s3: Any, home: Path, source: str, said: str
) -> None:
    ran = leakscreen("scan", source, "--out", home / "out", environ=s3[1])
    assert ran.code == 2 and said in ran.err and len(ran.err.splitlines()) == 1
    assert not (home / "out").exists()
