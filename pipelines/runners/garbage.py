"""The garbage collector -> one that looks seldom: what is loaded stays, and screening makes hardly a cycle."""

import gc

_OBJECTS_BETWEEN_LOOKS = 50_000  # tables make many small objects


def look_seldom() -> None:
    """Also what was loaded so far is neither searched nor, in forked processes, are its pages copied."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_LOOKS, 20, 20)
