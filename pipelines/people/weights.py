"""Pairs of entries -> how much speaks for their being of one person, in log2 of the odds (Fellegi and Sunter)."""

import math
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipelines.people.entries import BIRTH, CONTACTS, NAMES, NUMBERS, Codes, Entries

Weights = NDArray[np.float32]
Flags = NDArray[np.bool_]
_NEVER = np.float32(-1_000.0)


class Thresholds(NamedTuple):
    sure: float
    same: float
    possible: float


@cache
def read_shares() -> dict[str, Any]:
    shares: dict[str, Any] = tomllib.loads(files("pipelines").joinpath("people", "linkage.toml").read_text("utf-8"))
    return shares


def read_thresholds() -> Thresholds:
    return Thresholds(**read_shares()["thresholds"])


class Weigher:
    """What was counted of all entries, for any number of pairs; `entries` may be some of a larger number of them."""

    def __init__(self, entries: Entries, of: int | None = None) -> None:
        self._entries = entries
        self._shares = read_shares()
        size = len(entries) if of is None else of
        self._log_size = math.log2(max(2, size))
        self._rarest = {
            name: math.log2(size + self._shares["background"][kind])
            for kind, names in (("names", NAMES), ("births", BIRTH), ("contacts", CONTACTS), ("numbers", NUMBERS))
            for name in names
        }

    def weights(self, left: Codes, right: Codes) -> Weights:
        """Twins share all but the first name, namesakes all but the birth: only a number outweighs either."""
        number, of_numbers = self._numbers(left, right)
        given, given_differs = self._given(left, right)
        birth, birth_differs = self._birth(left, right)
        weights = -self._log_size + given + self._surname(left, right) + birth + of_numbers
        weights += self._contacts(left, right)
        weights[(given_differs | birth_differs) & ~number] = _NEVER
        return weights.astype(np.float32)

    def weights_of_name(self, part: str, rows: Codes) -> Weights:
        """Of a link to any entry of the same last name and first name, or initial, of whom nothing else is known."""
        everywhere = np.ones(len(rows), bool)
        share = self._shares["given"]["equal" if part == "given" else "initial"]
        weights = np.full(len(rows), -self._log_size, np.float32)
        self._add(weights, everywhere, share, part, rows)
        self._add(weights, everywhere, self._shares["surname"]["equal"], "surname", rows)
        return weights

    def _given(self, left: Codes, right: Codes) -> tuple[Weights, Flags]:
        m = self._shares["given"]
        first, second = (self._entries.first("given")[side] for side in (left, right))
        initial, known = self._same("given_initial", left, right)
        equal = (first > 0) & (first == second)
        both = (first > 0) & (second > 0)
        sound = both & ~equal & self._same("given_sound", left, right)[0]
        weights = np.zeros(len(left), np.float32)
        self._add(weights, equal, m["equal"], "given", left)
        self._add(weights, sound, m["sound"], "given_sound", left)
        self._add(weights, initial & ~both, m["initial"], "given_initial", left)
        self._add(weights, initial & both & ~equal & ~sound, m["begins"], "given_initial", left)
        differs = known & ~initial & ~sound
        weights[differs] += math.log2(m["differs"])
        return weights, differs

    def _surname(self, left: Codes, right: Codes) -> Weights:
        m = self._shares["surname"]
        equal, known = self._same("surname", left, right)
        weights = np.zeros(len(left), np.float32)
        self._add(weights, equal, m["equal"], "surname", left)
        left_over = known & ~equal
        for name in ("surname_sound", "surname_head", "surname_tail"):
            alike = left_over & self._same(name, left, right)[0]
            self._add(weights, alike, m["close"], name, left)
            left_over &= ~alike
        weights[left_over] += math.log2(m["differs"])
        return weights

    def _birth(self, left: Codes, right: Codes) -> tuple[Weights, Flags]:
        m = self._shares["birth"]
        equal, known = self._same("birth", left, right)
        weights = np.zeros(len(left), np.float32)
        self._add(weights, equal, m["equal"], "birth", left)
        left_over = known & ~equal
        for name in ("birth_day", "birth_year"):
            alike = left_over & self._same(name, left, right)[0]
            self._add(weights, alike, m["close"], name, left)
            left_over &= ~alike
        weights[left_over] += math.log2(m["differs"])
        return weights, left_over

    def _numbers(self, left: Codes, right: Codes) -> tuple[Flags, Weights]:
        any_equal = np.zeros(len(left), bool)
        weights = np.zeros(len(left), np.float32)
        for name in NUMBERS:
            m, (equal, rarity, known) = self._shares[name], self._any_slot(name, left, right)
            weights[equal] += math.log2(m["equal"]) + rarity[equal]
            weights[known & ~equal] += math.log2(m["differs"])
            any_equal |= equal
        return any_equal, weights

    def _contacts(self, left: Codes, right: Codes) -> Weights:
        m = self._shares["contact"]
        best = np.zeros(len(left), np.float32)
        known_by_any = np.zeros(len(left), bool)
        for name in CONTACTS:
            equal, rarity, known = self._any_slot(name, left, right)
            best[equal] = np.maximum(best[equal], math.log2(m["equal"]) + rarity[equal])
            known_by_any |= known
        best[known_by_any & (best == 0)] = math.log2(m["differs"])
        return best

    def _any_slot(self, name: str, left: Codes, right: Codes) -> tuple[Flags, Weights, Flags]:
        """Whether any value of one is any value of the other, how rare it is, and whether both have one at all."""
        column = self._entries.columns[name]
        equal = np.zeros(len(left), bool)
        rarity = np.zeros(len(left), np.float32)
        for own in column.codes:
            for other in column.codes:
                here = (own[left] > 0) & (own[left] == other[right]) & ~equal
                rarity[here] = self._rarest[name] - np.log2(column.count[own[left[here]]])
                equal |= here
        return equal, rarity, (column.codes[0][left] > 0) & (column.codes[0][right] > 0)

    def _same(self, name: str, left: Codes, right: Codes) -> tuple[Flags, Flags]:
        first, second = (self._entries.first(name)[side] for side in (left, right))
        known = (first > 0) & (second > 0)
        return known & (first == second), known

    def _add(self, weights: Weights, where: Flags, share: float, name: str, left: Codes) -> None:
        codes = self._entries.first(name)[left[where]]
        weights[where] += math.log2(share) + self._rarest[name] - np.log2(self._entries.columns[name].count[codes])
