import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nervaluate import Evaluator
from sklearn.metrics import precision_recall_fscore_support

from evaluation.ambiguity import Kind, hard_tokens
from evaluation.instances import InstanceCounts, instance_counts
from evaluation.joining import joined
from evaluation.spans import Marked, Record, categories, tokens
from evaluation.tokens import ANY, TokenCounts, add_up, token_counts

TEXT = "Ms Ann Lee of York saw Dr Ray York on 9/10"
GOLD = (Marked(3, 10, "patient"), Marked(14, 18, "location"), Marked(26, 34, "doctor"))
CATEGORIES = ("date", "doctor", "patient")


def test_tokens_and_their_categories() -> None:
    places = tokens(TEXT)
    assert [TEXT[start:end] for start, end in places] == re.findall(r"\w+", TEXT)
    assert categories(places, GOLD)[1:5] == ["patient", "patient", None, "location"]
    assert categories(tokens("abcdef gh"), [Marked(2, 4, "x")]) == ["x", None]


def test_parts_of_one_thing_are_joined() -> None:
    text = "Ann Lee, 5 Elm St, York\nBob Ray"
    parts = [
        Marked(0, 3, "person"),
        Marked(4, 7, "person"),
        Marked(9, 17, "location"),
        Marked(19, 23, "location"),
        Marked(24, 27, "person"),
    ]
    parts.append(Marked(28, 31, "person"))
    assert joined(text, reversed(parts)) == (
        Marked(0, 7, "person"),
        Marked(9, 23, "location"),
        Marked(24, 31, "person"),
    )
    assert joined("1 2", [Marked(0, 1, "date"), Marked(2, 3, "date")]) == (
        Marked(0, 1, "date"),
        Marked(2, 3, "date"),
    )


def test_counts_by_token() -> None:
    found = (Marked(0, 6, "patient"), Marked(14, 18, "patient"), Marked(26, 34, "doctor"))
    counts = token_counts(Record(TEXT, GOLD, found))
    assert counts[ANY] == TokenCounts(4, 1, 1)
    assert counts["patient"] == TokenCounts(1, 2, 1)
    assert counts["location"] == TokenCounts(0, 0, 1)
    assert counts["location"].scores.precision is None
    assert counts["location"].scores.recall == 0.0
    assert TokenCounts().scores.f is None
    assert add_up([counts, counts])[ANY] == TokenCounts(8, 2, 2)


@st.composite
def marked(draw: st.DrawFn) -> tuple[Marked, ...]:
    """Spans over whole one-letter words, none overlapping another."""
    spans, at = [], 0
    for _ in range(draw(st.integers(0, 6))):
        start = at + draw(st.integers(0, 3))
        end = start + draw(st.integers(1, 3))
        spans.append(Marked(2 * start, 2 * end - 1, draw(st.sampled_from(CATEGORIES))))
        at = end
    return tuple(spans)


@given(marked(), marked())
def test_scikit_learn_agrees_by_token(gold: tuple[Marked, ...], found: tuple[Marked, ...]) -> None:
    text = " ".join("x" * 40)
    counts = token_counts(Record(text, gold, found))
    places = tokens(text)
    sides = [[category or "" for category in categories(places, side)] for side in (gold, found)]
    wanted = precision_recall_fscore_support(*sides, labels=CATEGORIES, zero_division=float("nan"))
    for number, category in enumerate(CATEGORIES):
        scores = counts.get(category, TokenCounts()).scores
        for ours, theirs in zip((scores.precision, scores.recall, scores.f), wanted, strict=False):
            assert ours == pytest.approx(theirs[number]) if ours is not None else True


@given(marked(), marked())
def test_nervaluate_agrees_by_instance(gold: tuple[Marked, ...], found: tuple[Marked, ...]) -> None:
    """As in nervaluate's strict scheme; the totals on both sides are the same, however the rest is split."""
    counts = instance_counts(gold, found)
    assert counts.correct + counts.substituted + counts.deleted == len(gold)
    assert counts.correct + counts.substituted + counts.inserted == len(found)
    if gold and found:
        sides = [
            [[{"label": span.category, "start": span.start, "end": span.end} for span in side]]
            for side in (gold, found)
        ]
        strict = Evaluator(*sides, tags=list(CATEGORIES), loader="default").evaluate()["overall"]["strict"]
        assert counts.correct == strict.correct
        assert (counts.scores.precision or 0) == pytest.approx(strict.precision)
        assert (counts.scores.recall or 0) == pytest.approx(strict.recall)


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (GOLD, InstanceCounts(3, 0, 0, 0)),
        ((), InstanceCounts(0, 0, 0, 3)),
        ((Marked(3, 6, "patient"), *GOLD[1:]), InstanceCounts(2, 1, 0, 0)),
        ((Marked(3, 10, "doctor"), *GOLD[1:]), InstanceCounts(2, 1, 0, 0)),
        ((Marked(3, 6, "patient"), Marked(7, 10, "patient"), *GOLD[1:]), InstanceCounts(2, 1, 1, 0)),
        ((Marked(38, 42, "date"),), InstanceCounts(0, 0, 1, 3)),
        ((Marked(3, 18, "patient"),), InstanceCounts(0, 1, 0, 2)),
    ],
)
def test_correct_substituted_inserted_deleted(found: tuple[Marked, ...], wanted: InstanceCounts) -> None:
    counts = instance_counts(GOLD, found)
    assert counts == wanted
    c, s, i, d = counts.correct, counts.substituted, counts.inserted, counts.deleted
    assert counts.scores.precision == ((c / (c + s + i)) if c + s + i else None)
    assert counts.scores.recall == c / (c + s + d)


def test_ambiguous_and_unknown_tokens_are_told_apart() -> None:
    """York stands in the corpus as a place, as a doctor's name and as neither; Qux is in no word list.

    By hand, over the words of the three records (gold/found):
    ray d/d, york d/-, saw -/-, qux p/-; york -/d, is, old; york l/l, york -/-, 12 i/i
    """
    records = [
        Record("Ray York saw Qux", (Marked(0, 8, "doctor"), Marked(13, 16, "patient")), (Marked(0, 3, "doctor"),)),
        Record("York is old", (), (Marked(0, 4, "doctor"),)),
        Record(
            "York York 12",
            (Marked(0, 4, "location"), Marked(10, 12, "id")),
            (Marked(0, 4, "doctor"), Marked(10, 12, "id")),
        ),
    ]
    found = hard_tokens(records, lambda word: word != "qux")
    assert found == {
        Kind.AMBIGUOUS: TokenCounts(1, 1, 1),
        Kind.AMBIGUOUS_IN_RECORD: TokenCounts(1, 0, 0),
        Kind.UNAMBIGUOUS: TokenCounts(2, 0, 1),
        Kind.BETWEEN_CATEGORIES: TokenCounts(0, 2, 2),  # the place was found, but as a doctor
        Kind.BETWEEN_CATEGORIES_IN_RECORD: TokenCounts(),
        Kind.OUT_OF_VOCABULARY: TokenCounts(0, 0, 1),
        Kind.IN_VOCABULARY: TokenCounts(2, 1, 1),  # numbers are no words
    }
    assert found[Kind.AMBIGUOUS].scores.precision == found[Kind.AMBIGUOUS].scores.recall == 0.5
    nothing = hard_tokens([Record("old", (), ())], None)
    assert nothing[Kind.AMBIGUOUS].scores.recall is None
    assert Kind.OUT_OF_VOCABULARY not in nothing
