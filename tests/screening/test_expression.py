import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from screening.ruleset.expression import ExpressionError, Term, terms_of

KNOWN = {name: bit for bit, name in enumerate("abcde")}
GROUPS = {"pair": "a and b", "any_of": "c or d", "nested": "pair or any_of", "loop": "loop or a"}


def holds(terms: tuple[Term, ...], true: frozenset[str]) -> bool:
    return any(all((name in true) == value for name, value in term) for term in terms)


def expressions() -> st.SearchStrategy[str]:
    names = st.sampled_from(list(KNOWN))
    return st.recursive(
        names,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(
                lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
            ),
            inner.map(lambda one: f"not {one}"),
        ),
        max_leaves=8,
    )


@given(expressions())
def test_terms_mean_the_same_as_the_expression(expression: str) -> None:
    terms = terms_of(expression, {}, KNOWN)
    for bits in itertools.product([False, True], repeat=len(KNOWN)):
        truth = dict(zip(KNOWN, bits, strict=True))
        expected = eval(expression, {"__builtins__": {}}, truth)  # the grammar is a subset of Python's
        assert holds(terms, frozenset(name for name, value in truth.items() if value)) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("a", ["a"]),
        ("a and b or c", ["ab", "c"]),
        ("a and (b or c)", ["ab", "ac"]),
        ("a or a and b", ["a"]),
        ("pair and any_of", ["abc", "abd"]),
        ("nested", ["ab", "c", "d"]),
        ("a and not a", []),
    ],
)
def test_terms(expression: str, expected: list[str]) -> None:
    assert ["".join(sorted(name for name, _ in term)) for term in terms_of(expression, GROUPS, KNOWN)] == expected


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("", "ends too early"),
        ("a and", "ends too early"),
        ("(a or b", "ends too early"),
        ("a b", "unexpected 'b'"),
        ("a )", "unexpected ')'"),
        ("and a", "unexpected 'and'"),
        ("a & b", "cannot read it"),
        ("zebra", "unknown name 'zebra'"),
        ("loop", "defined by itself"),
    ],
)
def test_what_cannot_be_read_is_named(expression: str, message: str) -> None:
    with pytest.raises(ExpressionError, match=message.replace("(", r"\(").replace(")", r"\)")):
        terms_of(expression, GROUPS, KNOWN)


def test_too_many_alternatives_are_refused() -> None:
    known = {f"x{i}": i for i in range(64)}
    wide = " and ".join(f"({' or '.join(f'x{8 * i + j}' for j in range(8))})" for i in range(6))
    with pytest.raises(ExpressionError, match="alternatives"):
        terms_of(wide, {}, known)
