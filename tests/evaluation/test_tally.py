import random

from hypothesis import given
from hypothesis import strategies as st

from evaluation.contributions import Examined
from evaluation.rates import RuleCounts
from evaluation.tally import tally

RULES = ["email", "phone-number", "sin", "street-address"]
ROWS = st.lists(st.frozensets(st.sampled_from(RULES)), max_size=30).map(
    lambda fired: [Examined(f"/{number}", rules) for number, rules in enumerate(fired)]
)


def test_counts_per_rule() -> None:
    rows = [Examined("/a", ("email", "sin")), Examined("/b", ("email",)), Examined("/c", ("email",)), Examined("/d")]
    labels = {"/a": True, "/b": False, "/d": True, "/unknown": True}
    assert tally(rows, labels, ["email", "sin", "street-address"]) == [
        RuleCounts("email", 4, 3, 1, 1),
        RuleCounts("sin", 4, 1, 1, 0),
        RuleCounts("street-address", 4, 0, 0, 0),
    ]


def test_a_rule_that_fired_is_listed_even_if_nobody_named_it() -> None:
    assert tally([Examined("/a", ("sin",))], {}) == [RuleCounts("sin", 1, 1, 0, 0)]


def test_a_rule_named_twice_in_a_row_fired_once() -> None:
    assert tally([Examined("/a", ("sin", "sin"))], {"/a": True}) == [RuleCounts("sin", 1, 1, 1, 0)]


def test_no_files_leave_rules_with_zero_counts() -> None:
    assert tally([], {"/a": True}, ["sin"]) == [RuleCounts("sin", 0, 0, 0, 0)]


@given(ROWS, st.dictionaries(st.integers(0, 30).map(lambda number: f"/{number}"), st.booleans()), st.randoms())
def test_the_order_of_files_does_not_matter(
    rows: list[Examined], labels: dict[str, bool], chance: random.Random
) -> None:
    shuffled = list(rows)
    chance.shuffle(shuffled)
    assert tally(shuffled, labels, RULES) == tally(rows, labels, RULES)


@given(ROWS, st.booleans())
def test_with_everything_labelled_alike_all_positives_are_of_one_kind(rows: list[Examined], phi: bool) -> None:
    for counts in tally(rows, {row.uri: phi for row in rows}, RULES):
        assert counts.n == len(rows)
        assert (counts.phi, counts.not_phi) == ((counts.positive, 0) if phi else (0, counts.positive))
