"""Arrays in files between two pipelines: links and labels. They hold numbers of entries and nothing of anybody."""

import io
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipelines import storage
from pipelines.people.entries import Codes


def save(uri: str, **arrays: NDArray[Any]) -> str:
    sink = io.BytesIO()
    np.savez(sink, allow_pickle=False, **arrays)
    storage.write_whole(uri, sink.getbuffer())
    return uri


def load(uri: str) -> dict[str, NDArray[Any]]:
    with np.load(io.BytesIO(storage.read_whole(uri)), allow_pickle=False) as kept:
        return {name: kept[name] for name in kept.files}


@lru_cache(maxsize=2)
def load_labels(uri: str) -> Codes:
    return load(uri)["labels"]


@lru_cache(maxsize=1)
def load_standing(uri: str) -> Codes:
    return load(uri)["standing"]
