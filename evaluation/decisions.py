"""A file of decisions, several people's about the same files (CSV or JSON lines) -> decisions to be compared."""

from pathlib import Path

from core.errors import LabelError
from evaluation.agreement import Decision
from evaluation.labels import label_of, table_rows


def read_decisions(path: Path) -> list[Decision]:
    """Columns uri, phi and reviewer; when (an ISO time) and category where they are known."""
    try:
        with path.open("rb") as file:
            decisions = [_decision(path, line, row) for line, row in table_rows(path, file)]
    except OSError as error:
        raise LabelError(f"{path}: decisions cannot be read: {error.strerror}") from None
    if not decisions:
        raise LabelError(f"{path}: there is no decision in it; expected the columns uri, phi and reviewer")
    said: dict[tuple[str, str, str], Decision] = {}
    for decision in decisions:
        before = said.setdefault((decision.item, decision.person, decision.group), decision)
        if before.value != decision.value:
            raise LabelError(
                f"{path}: {decision.item}: {decision.person} decided twice, and differently; keep one of them"
            )
    return decisions


def _decision(path: Path, line: int, row: dict[str, object]) -> Decision:
    person = str(row.get("reviewer") or "").strip()
    if not person:
        raise LabelError(f"{path}: line {line}: reviewer is missing")
    when, category = (str(row.get(name) or "").strip() for name in ("when", "category"))
    label = label_of(path, line, row)
    return Decision(str(row["uri"]), person, label.phi, when, category)
