"""What a scan drew for review, and how far it was judged -> the chance by which a decided file counts in rates."""

from collections import Counter, defaultdict
from fractions import Fraction

from django.db.models import Count

from review.models import Seen, Verdict

_DECIDED = (Verdict.PHI.value, Verdict.NOT_PHI.value)
Draw = tuple[str, str]  # stratum and probability, as they are on record


def chances_in(scan_id: str) -> dict[Draw, str]:
    """By draw, the chance to be drawn and decided; empty where what was decided is no random part of the draw.

    A draw that is judged to its end counts as it is, less what nobody could decide. Before that, what was judged blind
    counts, because its order is random; of a queue in the order of its risk, the first files say nothing of the others.
    """
    judged: defaultdict[Draw, Counter[str]] = defaultdict(Counter)
    rows = Seen.objects.filter(scan=scan_id).exclude(probability="").order_by()
    for stratum, probability, verdict, count in rows.values_list("stratum", "probability", "verdict").annotate(
        count=Count("pk")
    ):
        judged[stratum, probability][verdict] += count
    return {draw: _chance(scan_id, draw, verdicts) for draw, verdicts in judged.items()}


def _chance(scan_id: str, draw: Draw, verdicts: Counter[str]) -> str:
    decided = sum(verdicts[verdict] for verdict in _DECIDED)
    if decided == verdicts.total():
        return draw[1]
    seen = Seen.objects.filter(scan=scan_id, stratum=draw[0], probability=draw[1], verdict__in=_DECIDED)
    if not decided or (verdicts[""] and seen.filter(referral__blind=False).exists()):
        return ""
    return str(Fraction(draw[1]) * Fraction(decided, verdicts.total()))
