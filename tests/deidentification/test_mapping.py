"""The mapping is written only encrypted, and only with a passphrase."""

from pathlib import Path

import pytest

from core.errors import OutputError, SettingsError
from deidentification.mapping import PASSPHRASE_IN_ENV, passphrase_of, read_mapping, write_mapping

MAPPING = {("name", "Mary Thompson"): "[PATIENT 1]", ("date", "5 March 1947"): "[DATE]"}


def test_only_the_passphrase_opens_it(tmp_path: Path) -> None:
    file = tmp_path / "mapping"
    write_mapping(file, MAPPING, "correct horse battery")
    assert file.stat().st_mode & 0o777 == 0o600
    assert b"Thompson" not in file.read_bytes() and b"PATIENT" not in file.read_bytes()
    assert read_mapping(file, "correct horse battery") == [
        ("date", "5 March 1947", "[DATE]"),
        ("name", "Mary Thompson", "[PATIENT 1]"),
    ]
    with pytest.raises(OutputError, match="passphrase is wrong"):
        read_mapping(file, "another horse battery")
    changed = bytearray(file.read_bytes())
    changed[-1] ^= 1
    file.write_bytes(changed)
    with pytest.raises(OutputError, match="was changed"):
        read_mapping(file, "correct horse battery")


def test_without_a_passphrase_there_is_none() -> None:
    with pytest.raises(SettingsError, match=PASSPHRASE_IN_ENV):
        passphrase_of({PASSPHRASE_IN_ENV: "short"})
