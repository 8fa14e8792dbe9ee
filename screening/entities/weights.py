"""The weights of the model <-> one file that is read without running anything that is in it."""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import ModelError
from screening.entities.attributes import OFFSETS, TABLES
from screening.entities.hashes import attribute_hash

FORMAT = 2
OUTSIDE = "O"  # the label of what is no entity


@dataclass(frozen=True, slots=True)
class Weights:
    """Rows of `cells` and `values` belong to the attribute whose hash is at the same place; cell = offset x label."""

    labels: tuple[str, ...]
    transitions: NDArray[np.float32]
    hashes: NDArray[np.uint32]
    bounds: NDArray[np.int32]
    cells: NDArray[np.uint16]
    values: NDArray[np.float32]
    tables: Mapping[str, NDArray[np.float32]]
    gazetteer: Mapping[str, int]
    about: Mapping[str, Any]
    sha256: str = ""


def collected(
    labels: tuple[str, ...],
    state: Mapping[tuple[str, str], float],
    moves: Mapping[tuple[str, str], float],
    gazetteer: Mapping[str, int],
    about: Mapping[str, Any],
) -> Weights:
    """What the trainer learned, by attribute and label, in the order in which it is looked up."""
    number = {label: place for place, label in enumerate(labels)}
    transitions = np.zeros((len(labels), len(labels)), dtype=np.float32)
    for (before, after), weight in moves.items():
        transitions[number[before], number[after]] = weight
    tables = {name: np.zeros((size, len(labels)), dtype=np.float32) for name, size in TABLES.items()}
    rows: dict[int, dict[int, float]] = {}
    for (attribute, label), weight in state.items():
        table, mark, entry = attribute.partition("#")
        if mark and table in tables:
            tables[table][int(entry), number[label]] += weight
        else:
            offset, _, plain = attribute.partition("|")
            cell = OFFSETS.index(int(offset)) * len(labels) + number[label]
            row = rows.setdefault(attribute_hash(plain), {})
            row[cell] = row.get(cell, 0.0) + weight
    hashes = sorted(rows)
    cells = [sorted(rows[each]) for each in hashes]
    return Weights(
        labels=labels,
        transitions=transitions,
        hashes=np.array(hashes, dtype=np.uint32),
        bounds=np.concatenate(([0], np.cumsum([len(each) for each in cells]))).astype(np.int32),
        cells=np.array([cell for each in cells for cell in each], dtype=np.uint16),
        values=np.array(
            [rows[key][cell] for key, each in zip(hashes, cells, strict=True) for cell in each], dtype=np.float32
        ),
        tables=tables,
        gazetteer=gazetteer,
        about=about,
    )


def packed(weights: Weights) -> bytes:
    """The same bytes for the same weights: no times, no random order.

    Half precision is enough for what is summed a few dozen times.
    """
    arrays: dict[str, NDArray[Any]] = {
        "transitions": weights.transitions,
        "hashes": weights.hashes,
        "bounds": weights.bounds,
        "cells": weights.cells,
        "values": weights.values.astype(np.float16),
        "words": np.frombuffer("\n".join(weights.gazetteer).encode(), dtype=np.uint8),
        "codes": np.array(list(weights.gazetteer.values()), dtype=np.uint16),
        "about": np.frombuffer(
            json.dumps({"format": FORMAT, "labels": weights.labels, "about": weights.about}, sort_keys=True).encode(),
            dtype=np.uint8,
        ),
    }
    for name, table in weights.tables.items():
        places = np.flatnonzero(table)
        arrays[f"{name}_places"] = places.astype(np.int32)
        arrays[f"{name}_values"] = table.ravel()[places].astype(np.float16)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in sorted(arrays.items()):
            member = io.BytesIO()
            np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)
            archive.writestr(
                zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), member.getvalue(), zipfile.ZIP_DEFLATED, 9
            )
    return out.getvalue()


def unpacked(raw: bytes, origin: str = "the model of names") -> Weights:
    try:
        with np.load(io.BytesIO(raw), allow_pickle=False) as found:
            arrays = {name: found[name] for name in found.files}
        about = json.loads(arrays["about"].tobytes())
        if about["format"] != FORMAT:
            raise ModelError(f"{origin}: it is of format {about['format']}, but {FORMAT} is needed; train it again")
        labels = tuple(about["labels"])
        tables = {name: _table(arrays, name, size, len(labels)) for name, size in TABLES.items()}
        words = arrays["words"].tobytes().decode()
        return Weights(
            labels=labels,
            transitions=arrays["transitions"],
            hashes=arrays["hashes"],
            bounds=arrays["bounds"],
            cells=arrays["cells"],
            values=arrays["values"].astype(np.float32),
            tables=tables,
            gazetteer=dict(zip(words.split("\n"), arrays["codes"].tolist(), strict=True)) if words else {},
            about=about["about"],
            sha256=hashlib.sha256(raw).hexdigest(),
        )
    except (KeyError, ValueError, OSError, EOFError, zipfile.BadZipFile):
        raise ModelError(f"{origin}: it is damaged or no such model; train it again") from None


def _table(arrays: Mapping[str, NDArray[Any]], name: str, size: int, labels: int) -> NDArray[np.float32]:
    table = np.zeros(size * labels, dtype=np.float32)
    table[arrays[f"{name}_places"]] = arrays[f"{name}_values"]
    return table.reshape(size, labels)
