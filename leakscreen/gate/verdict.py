"""Records of one file -> its verdict in one JSON object: what to do with it and why, and no value of it."""

from collections.abc import Sequence
from typing import Any

from core.records import FileRecord, Risk
from leakscreen.gate.policy import PREFIX, is_examined

_MOST_LISTED = 20
_RISKS = tuple(Risk)  # the highest first


def verdict_of(uri: str, records: Sequence[FileRecord]) -> dict[str, Any]:
    """`referred` outweighs `not-examined`, which outweighs `clear`."""
    referred = [record for record in records if record.referred]
    left = [record for record in records if not is_examined(record)]
    return {
        "uri": uri,
        "verdict": "referred" if referred else "not-examined" if left else "clear",
        "risk": min((record.screening.risk for record in referred), key=_RISKS.index, default=Risk.NONE).value,
        "records": len(records),
        "referred": [_facts(record) for record in referred[:_MOST_LISTED]],
        "not_examined": [
            {"uri": record.uri, "status": record.status.value, "reason": record.reason}
            for record in left[:_MOST_LISTED]
        ],
    }


def _facts(record: FileRecord) -> dict[str, Any]:
    return {
        "uri": record.uri,
        "media_type": record.media_type,
        "risk": record.screening.risk.value,
        "people": record.people,
        "rules": [hit.rule for hit in record.screening.rules if not hit.rule.startswith(PREFIX)],
        "place": record.health.strongest if record.health else "",
    }
