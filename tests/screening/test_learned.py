"""Prototypes learned from verified files find their like, leave out what is harmless, and are judged on new files."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.labels import Label
from leakscreen.commands.train_prototypes import previewed
from screening.prototypes import pack
from screening.ruleset.files import shipped_sources
from screening.ruleset.learned import RULE, Example, best, proposals, rule_file
from screening.ruleset.ruleset import load_rules, parse_rules

RULES = load_rules()
BIT = {each.id: each.value for each in RULES.characteristics}
FREE = [each.value for each in RULES.characteristics if not each.reserved]


def bits(*names: str) -> int:
    return sum(BIT[name] for name in names)


CARD = bits("first_name", "last_name", "health_card_number")
CARD_AND_PHONE = CARD | bits("phone_number")
LETTER = bits("first_name", "organization_name")


def examples(*kinds: tuple[int, bool | None, int]) -> list[Example]:
    """So many files of each vector and verdict, no two of one content."""
    return [
        Example(vector, phi, f"{place}-{number}")
        for place, (vector, phi, count) in enumerate(kinds)
        for number in range(count)
    ]


def test_exact_prototypes_find_exactly_what_was_verified() -> None:
    seen = examples((CARD, True, 4), (CARD_AND_PHONE, True, 3), (LETTER, False, 5))
    exact = proposals(seen, RULES.characteristics)[0]
    assert set(exact.prototypes) == {CARD, CARD_AND_PHONE}
    assert exact.fires(CARD) and not exact.fires(LETTER)
    assert exact.tpf == 1 and exact.fpf == 0 and exact.unverified_share is None


def test_a_file_is_judged_by_what_others_taught() -> None:
    """Each vector once: nothing that was learned from the other files fits it exactly."""
    seen = examples(*((1 << place | CARD, True, 1) for place in range(20, 30)))
    assert len({one.bits for one in seen}) == 10
    exact = proposals(seen, RULES.characteristics)[0]
    assert all(exact.fires(one.bits) for one in seen)
    assert exact.tpf == 0


def test_copies_do_not_vouch_for_each_other() -> None:
    copies = [Example(CARD, True, "the same") for _ in range(5)]
    assert proposals([*copies, *examples((LETTER, True, 3))], RULES.characteristics)[0].held_out[:5] == (False,) * 5


def test_a_wider_radius_needs_fewer_prototypes() -> None:
    seen = examples((CARD, True, 2), (CARD_AND_PHONE, True, 1))
    assert len(proposals(seen, RULES.characteristics)[1].prototypes) == 1


def test_what_flags_more_of_the_harmless_than_it_finds_is_no_prototype() -> None:
    seen = examples((CARD, True, 1), (CARD, False, 3), (LETTER, True, 3))
    assert proposals(seen, RULES.characteristics)[0].prototypes == (LETTER,)


def test_unverified_files_cost_something() -> None:
    """A radius that screened all 123 files was proposed where nobody had verified the others."""
    near = [CARD ^ (1 << place) for place in range(6)]
    seen = examples((CARD, True, 69), *((vector, None, 9) for vector in near))
    found = proposals(seen, RULES.characteristics)
    assert len(seen) == 123
    assert best(found).radius == 0
    everything = proposals(seen, RULES.characteristics, one_class=True)[1]
    assert all(everything.held_out)
    assert everything.score == 0
    assert best(proposals(seen, RULES.characteristics, one_class=True)).radius == 0


def test_of_one_class_only_phi_files_teach() -> None:
    seen = examples((CARD, True, 3), (CARD, False, 4))
    assert proposals(seen, RULES.characteristics)[0].prototypes == ()
    assert proposals(seen, RULES.characteristics, one_class=True)[0].prototypes == (CARD,)


def test_the_previewed_false_referrals_are_those_of_new_files() -> None:
    """Resubstitution told an FRP of .036 where new files gave .091: files that taught a rule are no judges of it."""
    dice = random.Random(4)

    def draw(count: int) -> list[Example]:
        made = []
        for number in range(count):
            phi = dice.random() < 0.5
            vector = CARD if phi else LETTER
            for value in dice.sample(FREE[:10], 4):
                vector ^= value
            made.append(Example(vector, phi, str(number)))
        return made

    told, taught, real = [], [], []
    for _ in range(40):
        seen, new = draw(80), draw(300)
        rows = [{"uri": one.content, "sha256": None, "pii_bits": one.bits, "screened_positive": False} for one in seen]
        verified = {one.content: Label(bool(one.phi)) for one in seen}
        choice = previewed(rows, verified, RULES, 2, one_class=False).chosen
        told.append(choice.alone.frp or 0)
        taught.append(sum(choice.proposal.fires(one.bits) for one in seen if not one.phi) / len(seen))
        real.append(sum(choice.proposal.fires(one.bits) for one in new if not one.phi) / len(new))
    shown, resubstituted, fresh = (sum(shares) / len(shares) for shares in (told, taught, real))
    assert resubstituted == pytest.approx(0.036, abs=0.006)
    assert fresh == pytest.approx(0.091, abs=0.010)
    assert shown == pytest.approx(fresh, abs=0.015)


seen_files = st.lists(
    st.builds(
        Example, st.integers(0, bits(*BIT)), st.sampled_from([True, True, False, None]), st.text("abc", max_size=3)
    ),
    min_size=1,
    max_size=20,
)


@settings(max_examples=25)
@given(seen_files, st.booleans())
def test_the_rule_file_fires_where_the_proposal_does(seen: list[Example], one_class: bool) -> None:
    for proposal in proposals(seen, RULES.characteristics, one_class):
        if not proposal.prototypes:
            continue
        rules = parse_rules(
            (*shipped_sources(), ("learned.toml", rule_file(proposal, RULES.characteristics, "a note").encode()))
        )
        table = pack([rule for rule in rules.rules if rule.id == RULE])
        for one in seen:
            assert bool(table.hits(one.bits)) == proposal.fires(one.bits)
        break
