"""Sound or film -> the text in its metadata: titles, people, comments, lyrics."""

import io
import re
from collections.abc import Iterator

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.lazy_import import LazyModule
from extraction.limits.budget import Budget

_SOUND = "mpeg mp3 mp4 x-m4a m4a aac ogg opus flac x-flac wav x-wav vnd.wave x-aiff aiff x-ms-wma"
_FILM = "mp4 quicktime x-m4v 3gpp x-ms-asf ogg"
MEDIA_TYPES = frozenset(
    {
        *(f"audio/{name}" for name in _SOUND.split()),
        *(f"video/{name}" for name in _FILM.split()),
        "application/ogg",
        "application/vnd.ms-asf",
    }
)
IS_ARCHIVE = False

LONGEST = 100_000
_IGNORED = frozenset(
    {"filename", "filesize", "mime_type", "bitdepth", "bitrate", "channels", "duration", "samplerate", "extra"}
)
_WORD = re.compile(r"[^\W\d_]{2}")
_FIGURES = re.compile(r"[\s0-9A-Fa-f]{16,}")  # loudness and gap measurements
_TINYTAG = LazyModule("tinytag")


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    words = _words(content.data)
    if words:
        yield Segment("metadata", words)
    raise StoppedError(Status.PARTIAL if words else Status.UNSUPPORTED, "sound and film are not examined")


def _words(data: bytes) -> str:
    try:
        tags = _TINYTAG.load().TinyTag.get(None, file_obj=io.BytesIO(data), duration=False).as_dict()
    except MemoryError:
        raise
    except Exception:
        return ""
    values = (
        value
        for name, listed in tags.items()
        if name not in _IGNORED
        for value in (listed if isinstance(listed, list) else [listed])
    )
    texts = (
        value[:LONGEST]
        for value in values
        if isinstance(value, str) and _WORD.search(value) and not _FIGURES.fullmatch(value)
    )
    return "\n".join(dict.fromkeys(texts))
