"""The name of a source -> whether it is the address of objects in a store; the stores themselves are not loaded."""

MODULES = {"s3": "s3", "gs": "gcs", "azfs": "azure"}  # by the scheme of an address


def is_object(address: str | bytes) -> bool:
    """Local paths in records are absolute; an address begins with its scheme."""
    scheme, mark, _ = address.partition("://" if isinstance(address, str) else b"://")  # type: ignore[arg-type]
    return bool(mark) and (scheme if isinstance(scheme, str) else scheme.decode("ascii", "replace")) in MODULES
