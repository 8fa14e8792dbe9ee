"""Spans that people and a system marked -> P, R and F by token, in all and per category (Uzuner et al., 2007)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from evaluation.ratios import Scores, scores
from evaluation.spans import Record, categories, tokens

ANY = "any"


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """Tokens of one category: rightly marked, wrongly marked, missed."""

    true_positive: int = 0
    false_positive: int = 0
    false_negative: int = 0

    def __add__(self, other: "TokenCounts") -> "TokenCounts":
        return TokenCounts(
            self.true_positive + other.true_positive,
            self.false_positive + other.false_positive,
            self.false_negative + other.false_negative,
        )

    @property
    def scores(self) -> Scores:
        return scores(self.true_positive, self.false_positive, self.false_negative)


def token_counts(record: Record) -> dict[str, TokenCounts]:
    """Counts per category, and under `any` whether a token is marked at all, whatever as."""
    counts: Counter[tuple[str, str]] = Counter()
    places = tokens(record.text)
    for gold, predicted in zip(categories(places, record.gold), categories(places, record.found), strict=True):
        if gold is not None or predicted is not None:
            counts[ANY, _outcome(gold is not None, predicted is not None)] += 1
        for category in {gold, predicted} - {None}:
            counts[str(category), _outcome(gold == category, predicted == category)] += 1
    return {
        category: TokenCounts(counts[category, "tp"], counts[category, "fp"], counts[category, "fn"])
        for category in sorted({category for category, _ in counts})
    }


def _outcome(gold: bool, found: bool) -> str:
    return "tp" if gold and found else "fn" if gold else "fp"


def add_up(counts: Iterable[dict[str, TokenCounts]]) -> dict[str, TokenCounts]:
    summed: dict[str, TokenCounts] = {}
    for one in counts:
        for category, count in one.items():
            summed[category] = summed.get(category, TokenCounts()) + count
    return dict(sorted(summed.items()))
