"""The table of columns and the review database agree on what is kept of a scan's rows."""

from typing import Any

import pytest
from django.db.models import Model

from core.columns import COLUMNS, Column, Reader, columns_for
from review import models
from review.models import Finding
from review.referrals.intake import _finding
from review.referrals.rows import without_nulls
from tests.review.made_rows import row


def model_and_field(column: Column) -> tuple[type[Model], Any]:
    model, _, field = column.kept_as.partition(".")
    found: type[Model] = getattr(models, model)
    return found, found._meta.get_field(field)


@pytest.mark.parametrize("column", columns_for(Reader.INTAKE), ids=lambda column: column.name)
def test_what_intake_reads_has_a_field_that_keeps_it(column: Column) -> None:
    assert model_and_field(column)[1] is not None


def test_what_is_kept_is_read_and_every_field_of_a_finding_is_filled() -> None:
    assert {column.name for column in COLUMNS if column.kept_as} == {c.name for c in columns_for(Reader.INTAKE)}
    kept = {model_and_field(column)[1].name for column in COLUMNS if column.kept_as.startswith("Finding.")}
    made = {"referral", "fired"}  # from the others
    assert kept == {field.name for field in Finding._meta.fields} - made


def test_a_finding_takes_the_values_of_its_row() -> None:
    finding = _finding("x", row("/srv/a.txt", media_type="m" * 300))
    assert (finding.counts, finding.persons) == ({"last_name": 2, "phone_number": 1}, 1)
    assert (finding.health_threshold, len(finding.media_type)) == (0.9, 200)


def test_what_an_older_version_did_not_write_is_empty() -> None:
    later = ("health_class", "health_threshold", "health_nearest", "persons", "owner", "rules", "strongest", "passages")
    finding = _finding("x", without_nulls({**row("/srv/a.txt"), **dict.fromkeys(later)}))
    assert (finding.health_class, finding.health_threshold, finding.neighbours) == ("", None, [])
    assert (finding.persons, finding.owner, finding.rules) == (0, "", [])
    assert (finding.strongest, finding.passages) == ("", {})


def test_null_stays_where_it_has_a_meaning() -> None:
    clean = without_nulls({"sha256": None, "container_uri": None, "source": None, "pii_counts": None, "uri": "a\0b"})
    assert (clean["sha256"], clean["container_uri"]) == (None, None)
    assert (clean["source"], clean["pii_counts"], clean["uri"]) == ("", {}, "a%00b")
