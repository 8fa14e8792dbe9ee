"""Which files of an earlier plan a new walk finds unchanged."""

import pyarrow as pa
import pytest

from core.records import FileRef
from pipelines.plan.arrow_file import batch_of_refs
from pipelines.rescan.compare import GONE, unchanged


def plan_of(source: str) -> pa.Table:
    return pa.Table.from_batches(
        [batch_of_refs([FileRef("/data/crawl.tar", b"/data/crawl.tar", 5, 7, inode=3, source=source)])]
    )


@pytest.mark.parametrize(
    ("before", "after", "row"),
    [
        ("/data", "/data", 0),
        ("/data/crawl.tar", "/data/crawl.tar", 0),
        ("/data", "/data/crawl.tar", GONE),
        ("/data/crawl.tar", "/data", GONE),
    ],
)
def test_an_archive_that_is_now_named_by_itself_is_read_again(before: str, after: str, row: int) -> None:
    assert list(unchanged(plan_of(before), plan_of(after), trusted_before_ns=10**18).now) == [row]
