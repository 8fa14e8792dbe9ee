"""Records of files and of what is inside them -> for each record, the file on disk that it belongs to."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.errors import OutputError


def top_level_file_of(records: pa.Table, files: pa.ChunkedArray) -> NDArray[np.int64]:
    """Positions in `files`, found by going from member to container until there is none.

    All records of a file must be among `records`.
    """
    uris = records["uri"].combine_chunks()
    top = np.arange(records.num_rows)
    inside = records["container_uri"].is_valid().to_numpy()
    members = np.flatnonzero(inside)
    if len(members):
        parent = np.arange(records.num_rows)
        containers = pc.index_in(records["container_uri"].take(pa.array(members)), value_set=uris)
        parent[members] = _none_missing(containers)
        while inside[top].any():
            top = parent[top]
    place = np.zeros(records.num_rows, dtype=np.int64)
    place[~inside] = _none_missing(pc.index_in(uris.filter(pa.array(~inside)), value_set=files.combine_chunks()))
    return place[top]


def _none_missing(places: pa.Array | pa.ChunkedArray) -> NDArray[np.int64]:
    if places.null_count:
        raise OutputError("the earlier scan's records do not match its plan; scan with --full")
    rows: NDArray[np.int64] = places.to_numpy().astype(np.int64)
    return rows
