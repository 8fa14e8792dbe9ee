"""What is sealed comes back as it was, and not at all where a byte of it changed."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import RemediationError
from remediation.vault import Vault
from tests.remediation.trial import KEY, sha256_of

PIECE = 1 << 20


def sealed(folder: Path, content: bytes, id: str = "a") -> Vault:
    vault = Vault(folder, KEY)
    assert vault.seal(id, iter([content]), {"mode": 0o640}) == sha256_of(content)
    vault.hold(id)
    return vault


@pytest.mark.parametrize("size", [0, 1, PIECE - 20, PIECE - 19, PIECE, PIECE + 1, 3 * PIECE + 5])
def test_what_is_sealed_comes_back(tmp_path: Path, size: int) -> None:
    content = bytes(number % 251 for number in range(size))
    vault = sealed(tmp_path, content)
    metadata, pieces = vault.open("a")
    assert metadata == {"mode": 0o640}
    assert b"".join(pieces) == content
    assert vault.content_hash("a") == sha256_of(content)
    assert (tmp_path / "a.sealed").stat().st_mode & 0o777 == 0o600


def test_nothing_of_the_content_or_the_metadata_is_readable(tmp_path: Path) -> None:
    vault = Vault(tmp_path, KEY)
    vault.seal("a", iter([b"Maria Kowalczyk" * 100]), {"uri": "/srv/Maria Kowalczyk.txt"})
    assert b"Kowalczyk" not in (tmp_path / "a.part").read_bytes()


@given(at=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_a_changed_bit_is_noticed(tmp_path_factory: pytest.TempPathFactory, at: float, bit: int) -> None:
    folder = tmp_path_factory.mktemp("vault")
    vault = sealed(folder, b"x" * 3_000)
    raw = bytearray((folder / "a.sealed").read_bytes())
    raw[int(at * len(raw))] ^= 1 << bit
    (folder / "a.sealed").write_bytes(raw)
    assert vault.content_hash("a") is None


@pytest.mark.parametrize("cut", [1, 16, PIECE + 16, 2 * (PIECE + 16)])
def test_a_cut_end_is_noticed_also_between_two_pieces(tmp_path: Path, cut: int) -> None:
    vault = sealed(tmp_path, bytes(3 * PIECE - 100))
    path = tmp_path / "a.sealed"
    path.write_bytes(path.read_bytes()[:-cut])
    assert vault.content_hash("a") is None


def test_another_key_opens_nothing(tmp_path: Path) -> None:
    sealed(tmp_path, b"content")
    with pytest.raises(RemediationError, match=r"act\.key_file"):
        Vault(tmp_path, bytes(32)).open("a")


def test_what_is_held_is_never_sealed_over(tmp_path: Path) -> None:
    vault = sealed(tmp_path, b"first")
    with pytest.raises(RemediationError, match="in the vault already"):
        vault.seal("a", iter([b"second"]), {})
    vault.discard("a")
    assert vault.content_hash("a") == sha256_of(b"first")
