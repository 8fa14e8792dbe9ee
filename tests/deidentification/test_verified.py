"""A copy that still holds a value of its original is never handed over, and the message says where, not what."""

import os
import signal

import pytest

from deidentification.deidentify import FAILED, REFUSED, UNREADABLE, WRITTEN
from tests.deidentification.conftest import Make

LETTER = b"Patient: Mary Thompson, born 5 March 1947, MRN 4839201, has asthma.\n"


def test_a_value_that_cannot_be_reached_fails_the_file(make: Make) -> None:
    """Names of segments are never changed, so a patient who is called like one stays in the copy."""
    message = (
        b"MSH|^~\\&|LAB|HOSP|||20210312||ORU^R01|1|P|2.5\r"
        b"PID|1||4839201^^^HOSP^MR||ZED^MARY||19470305|F\rZED|1|note one|note two|note three\r"
    )
    outcome, output = make("tag").copy(message, "a.hl7")
    assert (outcome.status, output) == (FAILED, b"")
    assert "last_name at line" in outcome.reason
    assert "zed" not in outcome.reason.casefold()


@pytest.mark.parametrize(
    ("data", "status", "reason"),
    [
        (b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "Mary">]><a><b>&x; Thompson</b></a>', REFUSED, "entities"),
        (b"PK\x03\x04" + b"word/document.xml" * 40, UNREADABLE, ""),
        (b"\x1f\x8b\x08\x00" + bytes(40), REFUSED, "application/gzip"),
        (b"\x7fELF\x02\x01\x01" + bytes(400), UNREADABLE, ""),
        (b"%PDF-1.7\nMary Thompson", UNREADABLE, ""),
        (b"{\\rtf1 Patient: Mary Thompson}", REFUSED, "text/rtf"),
    ],
)
def test_what_cannot_be_rewritten_is_refused(make: Make, data: bytes, status: str, reason: str) -> None:
    outcome, output = make("tag").copy(data, "file")
    assert (outcome.status, output) == (status, b"")
    assert reason in outcome.reason
    assert "thompson" not in outcome.reason.casefold()


def test_nothing_to_replace_is_a_copy_too(make: Make) -> None:
    text = b"The committee meets to talk about the garden.\n"
    outcome, output = make("tag").copy(text, "file")
    assert (outcome.status, output, outcome.replaced) == (WRITTEN, text, ())
    assert make("tag").copy(b"", "empty")[0].status == WRITTEN


def test_a_killed_process_costs_no_later_file(make: Make) -> None:
    deidentifier = make("mask")
    assert deidentifier.copy(LETTER, "a")[0].status == WRITTEN
    os.kill(deidentifier._rewriter._process.pid, signal.SIGKILL)
    deidentifier._rewriter._process.wait()
    assert deidentifier.copy(LETTER, "a")[0].status == WRITTEN


def test_a_file_that_takes_too_long_is_refused(make: Make) -> None:
    deidentifier = make("mask")
    deidentifier._rewriter._limits = type(deidentifier._limits)(file_seconds=0.0)
    try:
        outcome, output = deidentifier.copy(LETTER, "a")
    finally:
        deidentifier._rewriter._limits = deidentifier._limits
    assert (outcome.status, output) == (REFUSED, b"") and "time limit" in outcome.reason
    assert deidentifier.copy(LETTER, "a")[0].status == WRITTEN
