"""Hamming distances by packed words against a slow count, and the logical definition of identifying information."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from screening.prototypes import pack
from screening.ruleset.definitions import Prototype, Rule
from screening.ruleset.files import shipped_sources
from screening.ruleset.ruleset import RuleSet, parse_rules

words = st.integers(min_value=0, max_value=2**64 - 1)
prototypes = st.lists(st.tuples(words, words), min_size=1, max_size=6)


def slow_distance(vector: int, bits: int, care: int) -> int:
    return sum((vector >> at & 1) != (bits >> at & 1) for at in range(64) if care >> at & 1)


def rule(name: str, pairs: list[tuple[int, int]], radius: int) -> Rule:
    made = tuple(Prototype(f"{name}/{index}", bits, care) for index, (bits, care) in enumerate(pairs))
    return Rule("test.toml", name, "", "", radius, True, made)


@given(st.lists(words, min_size=1, max_size=5), prototypes)
def test_distances_equal_a_slow_count(vectors: list[int], pairs: list[tuple[int, int]]) -> None:
    table = pack([rule("r", pairs, 0)])
    expected = [[slow_distance(vector, bits, care) for bits, care in pairs] for vector in vectors]
    assert table.distances(np.array(vectors, dtype=np.uint64)).tolist() == expected


@given(words, st.lists(st.tuples(prototypes, st.integers(0, 64)), min_size=1, max_size=4))
def test_a_rule_fires_with_its_nearest_prototype_within_its_radius(
    vector: int, specs: list[tuple[list[tuple[int, int]], int]]
) -> None:
    rules = [rule(f"r{index}", pairs, radius) for index, (pairs, radius) in enumerate(specs)]
    hits = {hit.rule: hit for hit in pack(rules).hits(vector)}
    for each, (pairs, radius) in zip(rules, specs, strict=True):
        distances = [slow_distance(vector, bits, care) for bits, care in pairs]
        if min(distances) <= radius:
            assert (hits[each.id].distance, hits[each.id].prototype) == (
                min(distances),
                f"{each.id}/{distances.index(min(distances))}",
            )
        else:
            assert each.id not in hits


def test_no_rules_never_fire() -> None:
    assert pack([]).hits(2**64 - 1) == ()


def test_identifying_information_fires_exactly_when_its_definition_holds(ruleset: RuleSet) -> None:
    """Every combination of all the characteristics that the definition speaks of."""
    numbers = ["sin", "health_card_number", "passport_number", "driver_licence_number"]
    more_numbers = ["ssn", "nhs_number", "medical_record_number", "health_plan_number"]
    venue = ["organization_name", "street_address", "health_professional_name", "phone_number", "email"]
    bit = {each.id: each.bit for each in ruleset.characteristics}
    free = ["first_name", "last_name", *numbers, *more_numbers, *venue]
    combination = np.arange(2 ** len(free), dtype=np.uint64)
    value = {name: (combination >> np.uint64(at)) & np.uint64(1) for at, name in enumerate(free)}
    vectors = np.zeros_like(combination)
    for name in free:
        vectors |= value[name] << np.uint64(bit[name])
    person_name = value["first_name"] & value["last_name"]
    identifier = np.bitwise_or.reduce([value[name] for name in (*numbers, *more_numbers)])
    place = np.bitwise_or.reduce([value[name] for name in venue])
    table = pack([each for each in ruleset.rules if each.id == "identifying-information"])
    fired = table.distances(vectors).min(axis=1) == 0
    assert (fired == (person_name & (identifier | place)).astype(bool)).all()
    noise = np.uint64(1 << bit["date"] | 1 << bit["url"])
    assert (table.distances(vectors | noise) == table.distances(vectors)).all()


def test_prototypes_have_readable_names(ruleset: RuleSet) -> None:
    names = {prototype.id for each in ruleset.rules for prototype in each.prototypes}
    assert {"identifying-information/first_name+last_name+email", "street-address/street_address"} <= names


def test_a_radius_lets_a_rule_fire_with_a_bit_missing() -> None:
    own = b"""
[[rule]]
id = "nearly"
description = "one bit may be missing"
expression = "first_name and last_name and email and not url"
radius = 1
[[rule]]
id = "learnt"
description = "by example"
[[prototype]]
rule = "learnt"
id = "one"
set = ["first_name", "sin"]
clear = ["email"]
"""
    rules = parse_rules((*shipped_sources(), ("own.toml", own)))
    bit = {each.id: each.value for each in rules.characteristics}
    table = pack([each for each in rules.rules if each.id in ("nearly", "learnt")])
    assert [(hit.rule, hit.distance) for hit in table.hits(bit["first_name"] | bit["email"])] == [("nearly", 1)]
    assert table.hits(bit["first_name"] | bit["email"] | bit["url"]) == ()
    hit = table.hits(bit["first_name"] | bit["sin"])
    assert [(each.rule, each.prototype, each.distance) for each in hit] == [("learnt", "learnt/one", 0)]
