"""One module per kind of object store, each on its vendor's library: prefix -> lazy listing; key -> bytes."""
