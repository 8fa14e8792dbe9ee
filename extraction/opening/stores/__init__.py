"""One module per kind of store, each on a well-kept library: prefix -> lazy listing; key -> bytes."""
