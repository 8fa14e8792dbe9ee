"""Bytes -> Documents, through the real sandbox."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.records import Document, FileRef
from core.settings import LimitSettings
from extraction.examine import examine
from extraction.sandbox import Sandbox

Examine = Callable[..., list[Document]]
SMALL = LimitSettings(
    file_seconds=20, expanded_bytes=3_000_000, member_bytes=1_000_000, depth=3, members=50, read_bytes=2_000_000
)


def ref_to(path: Path | bytes) -> FileRef:
    raw = os.fsencode(path)
    return FileRef(uri=os.fsdecode(raw), path=raw, size=0, mtime_ns=0)


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(LimitSettings(file_seconds=30)) as made:
        yield made


@pytest.fixture(scope="session")
def small_sandbox() -> Iterator[Sandbox]:
    with Sandbox(SMALL) as made:
        yield made


@pytest.fixture
def examined(tmp_path: Path, sandbox: Sandbox) -> Examine:
    """Writes the bytes to a file and examines it; members come first, the file itself last."""

    def run(data: bytes, name: str = "file", within: Sandbox = sandbox) -> list[Document]:
        path = tmp_path / name
        path.write_bytes(data)
        return list(examine(ref_to(path), within))

    return run
