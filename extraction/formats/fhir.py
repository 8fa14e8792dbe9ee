"""FHIR resources in JSON, one document or one per line -> labelled lines; files that they contain as members."""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.records.fhir import FhirLines
from extraction.readers.streams.read_member import embedded_content
from extraction.readers.text.decode import decode

MEDIA_TYPES = frozenset({"application/fhir+json"})
IS_ARCHIVE = False
PLAIN_BEYOND_LIMIT = True


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    """Invalid JSON is passed on as it is, so that no text is lost."""
    text = decode(content.data, cut=bool(content.fault))
    try:
        lines = FhirLines()
        resources = _resources(text)
        for resource in resources:
            lines.learn(resource)
        for resource in resources:
            lines.add(resource)
    except (ValueError, RecursionError):
        yield Segment("", text)
        return
    yield Segment("", "\n".join(lines.lines).strip())
    for number, packed in enumerate(lines.packed, 1):
        yield Member(f"attachment {number}", partial(embedded_content, packed, budget), len(packed))


def _resources(text: str) -> list[Any]:
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
