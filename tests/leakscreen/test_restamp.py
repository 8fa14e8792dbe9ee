"""A report written from another scan's report is exactly the one that its own results would give."""

from typing import Any

import pytest

from leakscreen.report.render import render_report
from leakscreen.report.restamp import restamped
from tests.leakscreen.test_report import manifest, referred, summary, unexamined

CARRIED = {"files": 1_200, "records": 1_210, "bytes": 9_000}
ROWS = [referred(uri='/srv/<dd data-told="seconds">x</dd>/a.txt')], [unexamined()]


def scan(number: int, seconds: float, **told: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Its manifest and summary."""
    known = {"scan_id": f"scan-{number}", "started": f"2026-0{number}-03T10:00:00+00:00"}
    before = f"scan-{number - 1}"
    finished = {
        "finished": f"2026-0{number}-03T11:00:00+00:00",
        "seconds": seconds,
        "carried": {**CARRIED, "from": before},
    }
    return manifest(**known, carried_from=before, **told), summary(**known, **finished)


@pytest.mark.parametrize("seconds", [0.0001, 0.31, 4.2, 70.0])
def test_it_equals_the_report_that_is_rendered(seconds: float) -> None:
    like, new = scan(2, 1.5), scan(3, seconds)
    page = restamped(render_report(like[1], like[0], *ROWS), like, *new)
    assert page == render_report(new[1], new[0], *ROWS)
    assert page is not None
    assert "scan-1" not in page


def test_where_more_differs_it_is_not_written_from_another() -> None:
    like = scan(2, 1.5)
    page = render_report(like[1], like[0], *ROWS)
    assert restamped(page, like, *scan(3, 1.5, workers=7)) is None
    told, counted = scan(3, 1.5)
    assert restamped(page, like, told, {**counted, "referred": 99}) is None
    assert restamped(page, like, told, {**counted, "unheard_of": 1}) is None
