"""A boolean expression over characteristics -> its terms: the smallest sets of bits that make it true."""

import re
from collections.abc import Mapping

Literal = tuple[str, bool]
Term = frozenset[Literal]

MOST_TERMS = 1024
_TOKEN = re.compile(r"\s*(?:([A-Za-z_][A-Za-z0-9_]*)|([()]))")
_KEYWORDS = frozenset({"and", "or", "not"})


class ExpressionError(ValueError):
    """An expression that cannot be read; the message says where it broke."""


def terms_of(expression: str, groups: Mapping[str, str], known: Mapping[str, int]) -> tuple[Term, ...]:
    """Every way to satisfy `expression`, with the names in `groups` replaced by what they stand for."""
    return _Parser(expression, groups, known, ()).parse()


class _Parser:
    def __init__(
        self, expression: str, groups: Mapping[str, str], known: Mapping[str, int], open_groups: tuple[str, ...]
    ) -> None:
        self._tokens = _tokens(expression)
        self._at = 0
        self._groups = groups
        self._known = known
        self._open_groups = open_groups

    def parse(self) -> tuple[Term, ...]:
        terms = self._either()
        if self._next is not None:
            raise ExpressionError(f"unexpected {self._next!r}")
        return terms

    @property
    def _next(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self) -> str:
        token = self._next
        if token is None:
            raise ExpressionError("it ends too early")
        self._at += 1
        return token

    def _either(self) -> tuple[Term, ...]:
        terms = self._both()
        while self._next == "or":
            self._take()
            terms = _absorbed((*terms, *self._both()))
        return terms

    def _both(self) -> tuple[Term, ...]:
        terms = self._single()
        while self._next == "and":
            self._take()
            terms = _product(terms, self._single())
        return terms

    def _single(self) -> tuple[Term, ...]:
        word = self._take()
        if word == "not":
            return _negated(self._single())
        if word == "(":
            terms = self._either()
            if self._take() != ")":
                raise ExpressionError("a parenthesis is not closed")
            return terms
        if word == ")" or word in _KEYWORDS:
            raise ExpressionError(f"unexpected {word!r}")
        return self._named(word)

    def _named(self, name: str) -> tuple[Term, ...]:
        if name in self._known:
            return (frozenset({(name, True)}),)
        if name in self._open_groups:
            raise ExpressionError(f"group {name!r} is defined by itself")
        if name not in self._groups:
            raise ExpressionError(f"unknown name {name!r}")
        return _Parser(self._groups[name], self._groups, self._known, (*self._open_groups, name)).parse()


def _tokens(expression: str) -> list[str]:
    tokens, at = [], 0
    expression = expression.rstrip()
    while at < len(expression):
        match = _TOKEN.match(expression, at)
        if match is None:
            raise ExpressionError(f"cannot read it from {expression[at:].strip()[:20]!r} on")
        tokens.append(match.group(1) or match.group(2))
        at = match.end()
    return tokens


def _product(left: tuple[Term, ...], right: tuple[Term, ...]) -> tuple[Term, ...]:
    if len(left) * len(right) > MOST_TERMS:
        raise ExpressionError(f"it has more than {MOST_TERMS} alternatives; split the rule")
    return _absorbed(tuple(a | b for a in left for b in right if _consistent(a | b)))


def _negated(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    result: tuple[Term, ...] = (frozenset(),)
    for term in terms:
        result = _product(result, tuple(frozenset({(name, not value)}) for name, value in sorted(term)))
    return result


def _consistent(term: Term) -> bool:
    return not any((name, not value) in term for name, value in term)


def _absorbed(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Without the terms that a shorter one already covers; the order stays."""
    unique = tuple(dict.fromkeys(terms))
    return tuple(term for term in unique if not any(other < term for other in unique))
