import hmac
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SettingsError
from screening.privacy.key import Begun, default_key_file, fingerprint, keyed_hash, load_key

HEX = "ab" * 32


def test_the_environment_comes_first(tmp_path: Path) -> None:
    assert load_key(str(tmp_path / "k"), {"LEAKSCREEN_HMAC_KEY": HEX}) == bytes.fromhex(HEX)
    assert not (tmp_path / "k").exists()


def test_a_key_file_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "hmac.key"
    key = load_key(str(path), {})
    assert len(key) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_key(str(path), {}) == key
    assert [entry.name for entry in path.parent.iterdir()] == ["hmac.key"]


def test_the_default_place_honours_the_environment(tmp_path: Path) -> None:
    assert default_key_file({"XDG_CONFIG_HOME": str(tmp_path)}) == tmp_path / "leakscreen" / "hmac.key"
    assert default_key_file({"HOME": "/h"}) == Path("/h/.config/leakscreen/hmac.key")
    assert default_key_file({"HOME": "/h", "XDG_CONFIG_HOME": "relative"}) == Path("/h/.config/leakscreen/hmac.key")
    load_key("", {"XDG_CONFIG_HOME": str(tmp_path)})
    assert (tmp_path / "leakscreen" / "hmac.key").exists()


def test_processes_that_start_together_agree_on_one_key(tmp_path: Path) -> None:
    path = str(tmp_path / "hmac.key")
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(lambda _: load_key(path, {}), range(32)))
    assert len(set(keys)) == 1


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_a_key_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "hmac.key"
    path.write_text(HEX)
    path.chmod(mode)
    with pytest.raises(SettingsError, match=r"others may read.*chmod 600"):
        load_key(str(path), {})


@pytest.mark.parametrize(
    ("content", "message"),
    [("zz" * 32, "malformed"), ("ab" * 16, "too short"), ("", "too short"), ("é" * 64, "malformed")],
)
def test_a_bad_key_is_refused_without_being_shown(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "hmac.key"
    path.write_text(content, encoding="utf-8")
    path.chmod(0o600)
    for environ in ({}, {"LEAKSCREEN_HMAC_KEY": content}):
        with pytest.raises(SettingsError, match=message) as caught:
            load_key(str(path), environ)
        assert not content or content not in str(caught.value)


def test_a_folder_is_no_key_file(tmp_path: Path) -> None:
    os.chmod(tmp_path, 0o700)
    with pytest.raises(SettingsError, match=str(tmp_path)):
        load_key(str(tmp_path), {})


def test_fingerprints_and_hashes_tell_keys_and_values_apart() -> None:
    one, other = b"1" * 32, b"2" * 32
    assert fingerprint(one) == fingerprint(bytes(one)) != fingerprint(other)
    assert len(fingerprint(one)) == 16
    assert keyed_hash(one, "sin", "1") == keyed_hash(one, "sin", "1")
    assert (
        len(
            {
                keyed_hash(one, "sin", "1"),
                keyed_hash(other, "sin", "1"),
                keyed_hash(one, "ssn", "1"),
                keyed_hash(one, "sin", "2"),
            }
        )
        == 4
    )
    assert len(keyed_hash(one, "sin", "\ud800")) == 32


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_hashes_are_those_of_the_standard_library(key: bytes, message: bytes) -> None:
    begun = Begun(key)
    assert begun.digest(message) == begun.digest(message) == hmac.digest(key, message, "sha256")
