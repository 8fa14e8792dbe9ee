"""Prototypes learned from verified files find their like, and leave out what people called harmless."""

from hypothesis import given
from hypothesis import strategies as st

from screening.prototypes import pack
from screening.ruleset.files import shipped_sources
from screening.ruleset.learned import RULE, Verified, count_vectors, proposals, rule_file
from screening.ruleset.ruleset import load_rules, parse_rules

RULES = load_rules()
BIT = {each.id: each.value for each in RULES.characteristics}


def bits(*names: str) -> int:
    return sum(BIT[name] for name in names)


CARD = bits("first_name", "last_name", "health_card_number")
CARD_AND_PHONE = CARD | bits("phone_number")
LETTER = bits("first_name", "organization_name")


def test_exact_prototypes_find_exactly_what_was_verified() -> None:
    exact = proposals(
        {CARD: Verified(phi=2), CARD_AND_PHONE: Verified(phi=1), LETTER: Verified(not_phi=5)}, RULES.characteristics
    )[0]
    assert set(exact.prototypes) == {CARD, CARD_AND_PHONE}
    assert exact.fires(CARD) and not exact.fires(LETTER)
    assert exact.found_by_others == 1  # of the two files alike, one would be found by the other


def test_a_wider_radius_needs_fewer_prototypes() -> None:
    wider = proposals({CARD: Verified(phi=2), CARD_AND_PHONE: Verified(phi=1)}, RULES.characteristics)[1]
    assert len(wider.prototypes) == 1
    assert wider.found_by_others == 2


def test_what_refers_more_harmless_files_than_it_finds_is_no_prototype() -> None:
    assert proposals({CARD: Verified(phi=1, not_phi=3)}, RULES.characteristics)[0].prototypes == ()


def test_vectors_are_counted_by_verdict() -> None:
    assert count_vectors([(CARD, True), (CARD, True), (CARD, False), (LETTER, False)]) == {
        CARD: Verified(2, 1),
        LETTER: Verified(0, 1),
    }


vectors = st.dictionaries(
    st.integers(0, bits(*BIT)), st.builds(Verified, st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=20
)


@given(vectors)
def test_the_rule_file_fires_where_the_proposal_does(seen: dict[int, Verified]) -> None:
    for proposal in proposals(seen, RULES.characteristics):
        if not proposal.prototypes:
            continue
        rules = parse_rules(
            (*shipped_sources(), ("learned.toml", rule_file(proposal, RULES.characteristics, "a note").encode()))
        )
        table = pack([rule for rule in rules.rules if rule.id == RULE])
        for vector in seen:
            assert bool(table.hits(vector)) == proposal.fires(vector)
        break
