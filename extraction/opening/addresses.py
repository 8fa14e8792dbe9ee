"""The name of a source -> the kind of object store it is in, if any; loads no store."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scheme:
    """One kind of object store. A new one needs an entry in `SCHEMES`, its module, and its extra in pyproject.toml."""

    name: str  # what its addresses begin with
    form: str  # an address as messages show it; everything before the prefix names the store
    extra: str  # the extra of leakscreen that installs the library
    module: str  # has `open_store(name) -> Store`

    @property
    def store_names(self) -> int:
        """How many names of an address identify the store; the key follows them."""
        return self.form.partition("://")[2].count("/")


SCHEMES = {
    scheme.name: scheme
    for scheme in (
        Scheme("s3", "s3://bucket/prefix", "s3", "extraction.opening.stores.s3"),
        Scheme("gs", "gs://bucket/prefix", "gcs", "extraction.opening.stores.gcs"),
        Scheme("azfs", "azfs://account/container/prefix", "azure", "extraction.opening.stores.azure"),
    )
}


def scheme_of(address: str | bytes) -> Scheme | None:
    """None for a local path. Local paths in records are absolute; an address begins with its scheme."""
    text = address if isinstance(address, str) else address.decode("ascii", "replace")
    name, separator, _ = text.partition("://")
    return SCHEMES.get(name) if separator else None


def is_object(address: str | bytes) -> bool:
    return scheme_of(address) is not None
