"""A random source -> invented people, places and values for layouts, from many countries, with unusual names too."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from screening.entities.gazetteer import ANY_NAME, ANY_PLACE, FIRST, FOREIGN, LAST, commonness
from screening.training.census import FIRST_FILES, LAST_FILE, census_shares
from screening.training.distil_gazetteer import names_abroad

_PARTICLES = ("van der", "van", "de la", "von", "de", "del", "di", "al", "el", "bin", "dos", "le")
_ORGANIZATIONS = (
    "{n} Ltd", "{n} & Sons", "{n} Inc.", "{n} and {m} LLP", "{n} Insurance", "{c} University", "University of {c}",
    "{c} Savings Bank",
    "Bank of {c}", "{n} Logistics GmbH", "{c} High School", "{n} Foundation", "{n} Partners",
    "{c} Department of Health", "{n} Electric Co.",
    "{c} City Council", "{n} Consulting", "Royal Society of {c}", "{n} Group", "{c} Chamber of Commerce",
    "{i} Inc.", "{i} Systems", "{i} Software",
)  # fmt: skip
_ORGANIZATIONS_OF = {
    "es": (
        "{n} S.A.", "{n} e Hijos, S.L.", "Banco de {c}", "Universidad de {c}", "Ayuntamiento de {c}", "Grupo {n}",
        "Fundación {n}", "Caja {c}", "Seguros {n}", "Construcciones {n} y {m}", "Instituto {n}", "{i} S.L.",
        "Federación de {c}", "Club Deportivo {c}", "Asociación {i}", "Consejería de Sanidad de {c}", "{i}",
    ),
    "fr": (
        "la société {n}", "{n} et Fils", "Banque de {c}", "Université de {c}", "la Mairie de {c}", "Groupe {n}",
        "Fondation {n}", "SARL {n}", "Assurances {n}", "Établissements {n} & {m}", "Institut {n}", "{i} SA",
        "la Fédération de {c}", "l'association {i}", "Éditions {n}", "Conseil général de {c}", "Lycée {n}", "{i}",
    ),
}  # fmt: skip
_HOSPITALS_OF = {
    "es": ("Hospital General de {c}", "Hospital Universitario {n}", "Clínica {n}", "Centro de Salud {c}"),
    "fr": ("CHU de {c}", "Hôpital {n}", "Clinique {n}", "Centre hospitalier de {c}", "Hôpital Saint-{f}"),
}
_STREETS_OF = {
    "es": ("calle {n}, {h}", "C/ {n} {a}, {h}", "avenida de {c} n.º {a}", "plaza {f} {n}, {a}"),
    "fr": ("{h} rue {n}", "{a}, avenue {f} {n}", "{a} bis boulevard de {c}", "place {n}"),
}
_HOSPITALS = (
    "{c} General Hospital", "St. {f}'s Hospital", "{n} Medical Center", "{c} Regional Medical Centre", "{n} Clinic",
    "{c} Memorial Hospital",
    "{n} Family Practice", "{c} Children's Hospital", "{c} Health Centre", "Hôpital {n}",
)  # fmt: skip
_STREETS = (
    "{h} {n} Street",
    "{h} {n} Rd.",
    "{h} {n} Avenue, Apt. {a}",
    "{h} {c} Drive",
    "{h} Old {n} Lane",
    "{n}straat {h}",
    "{h} rue {n}",
    "P.O. Box {h}",
)
_PHONES = ("({}) {}-{}", "{}-{}-{}", "{}.{}.{}", "+1 {} {} {}", "{} {} {}")
_DATES_IN_WORDS = 0.7
_ENOUGH_FOR_A_CHAIN = 40
_LONGEST_INVENTED = 13
_MONTHS = ("January", "March", "May", "July", "August", "Oct", "Nov", "December", "February", "June")
_DATES_OF = {
    "es": (
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "{} de {} de {}",
    ),
    "fr": ("janvier février mars avril mai juin juillet août septembre octobre novembre décembre", "{} {} {}"),
}


@dataclass(frozen=True, slots=True)
class Person:
    first: str
    last: str
    middle: str
    female: bool


class Crowd:
    """Draws people, places and values; the same seed draws the same."""

    def __init__(
        self, seed: int, gazetteer: dict[str, int], cities: list[str], *, strange: float = 0.17, language: str = ""
    ) -> None:
        """`strange` is the share of people with names that sound foreign and that nobody has; with a `language` most
        people are of its countries.
        """
        self._language = language
        self._strange = strange
        self.random = random.Random(seed)  # noqa: S311 - training data, no secret
        self._first: list[str] = []
        first_weights: list[float] = []
        for file in FIRST_FILES:
            for name, share in census_shares(file).items():
                self._first.append(name.capitalize())
                first_weights.append(share)
        last = census_shares(LAST_FILE)
        self._last = [_spelled(name) for name in last]
        self._first_weights = _cumulated(first_weights)
        self._last_weights = _cumulated(list(last.values()))
        abroad_first, abroad_last = names_abroad()
        if language:
            self._first, self._last = (
                [name for locale, names in each.items() if locale.startswith(f"{language}_") for name in names]
                for each in (abroad_first, abroad_last)
            )
            self._first_weights, self._last_weights = (_cumulated([1.0] * len(n)) for n in (self._first, self._last))
        self._abroad = [
            (abroad_first[key], abroad_last[key])
            for key in abroad_first
            if abroad_first[key] and len(abroad_last[key]) > 5
        ]
        common = [word for word, code in gazetteer.items() if commonness(code) >= 3]
        self._ordinary_first = [word.capitalize() for word in common if gazetteer[word] & FIRST]
        self._ordinary_last = [word.capitalize() for word in common if gazetteer[word] & LAST]
        self._things = [
            word
            for word, code in gazetteer.items()
            if commonness(code) > 1 and not code & (ANY_NAME | ANY_PLACE | FOREIGN)
        ]
        self._chain = _letter_chain(list(last)[:20_000])
        self._chains = [
            (_letter_chain(_plain_names(abroad_first[key])), _letter_chain(_plain_names(abroad_last[key])))
            for key in abroad_first
            if min(len(abroad_first[key]), len(abroad_last[key])) >= _ENOUGH_FOR_A_CHAIN
        ]
        self._cities = cities

    def person(self) -> Person:
        draw = self.random.random() / (1 - self._strange)
        if draw < 0.5:
            first, last = self._pick(self._first, self._first_weights), self._pick(self._last, self._last_weights)
        elif draw < 0.63:
            first, last = self.random.choice(self._first), self.random.choice(self._last)
        elif draw < 0.84:
            firsts, lasts = self.random.choice(self._abroad)
            first, last = self.random.choice(firsts), self.random.choice(lasts)
        elif draw < 0.93:
            first, last = (
                self.random.choice(self._ordinary_first + self._first[:400]),
                self.random.choice(self._ordinary_last),
            )
        elif draw < 1:
            first, last = self.invented(), self.invented()
        else:
            first, last = self._invented_abroad()
        return Person(
            first, self._decorated(last), self.random.choice("ABCDEFGHJKLMNPRSTW"), self.random.random() < 0.5
        )

    def _pick(self, names: list[str], weights: list[float]) -> str:
        return self.random.choices(names, cum_weights=weights)[0]

    def _decorated(self, last: str) -> str:
        draw = self.random.random()
        if draw < 0.03:
            return f"{last}-{self._pick(self._last, self._last_weights)}"
        if draw < 0.06:
            return f"{self.random.choice(_PARTICLES)} {last}"
        if draw < 0.07:
            return f"O'{last}"
        return f"{last} Jr." if draw < 0.075 else last

    def _invented_abroad(self) -> tuple[str, str]:
        """As names of one country sound; one of the two may be a real one."""
        of_first, of_last = self.random.choice(self._chains)
        first, last = self.invented(of_first), self.invented(of_last)
        if self.random.random() < 0.25:
            first = self._pick(self._first, self._first_weights)
        return first, last

    def invented(self, chain: Mapping[str, Sequence[str]] | None = None) -> str:
        chain = chain or self._chain
        name = ""
        state = "^^"
        while len(name) < _LONGEST_INVENTED:
            letter = self.random.choice(chain[state])
            if letter == "$":
                if len(name) > 3:
                    break
                name, state = "", "^^"
                continue
            name += letter
            state = state[1] + letter
        return name.capitalize()

    def filled(self, patterns: tuple[str, ...]) -> str:
        return self.random.choice(patterns).format(
            n=self._pick(self._last, self._last_weights),
            m=self._pick(self._last, self._last_weights),
            f=self._pick(self._first, self._first_weights),
            c=self.city(),
            i=self.invented(),
            h=self.random.randint(1, 9999),
            a=self.random.randint(1, 99),
        )

    def city(self) -> str:
        return self.random.choice(self._cities)

    def thing(self) -> str:
        """Words that are no names, with capitals as headings have them."""
        return " ".join(self.random.choice(self._things).capitalize() for _ in range(self.random.randint(1, 3)))

    def word(self) -> str:
        """One word that is no name, in small letters."""
        return self.random.choice(self._things)

    def organization(self) -> str:
        return self.filled(_ORGANIZATIONS_OF.get(self._language, _ORGANIZATIONS))

    def hospital(self) -> str:
        return self.filled(_HOSPITALS_OF.get(self._language, _HOSPITALS))

    def address(self) -> str:
        return self.filled(_STREETS_OF.get(self._language, _STREETS))

    def phone(self) -> str:
        number = self.random.randint
        return self.random.choice(_PHONES).format(number(200, 989), number(200, 999), number(1000, 9999))

    def email(self) -> str:
        """With a part of a name, or without one, and hosts of several parts."""
        choice = self.random.choice
        user = choice((f"user{self.random.randint(1, 999)}", self.invented().lower(), self.word(), f"{self.word()}.x"))
        host = ".".join(choice((self.invented().lower(), self.word())) for _ in range(choice((1, 1, 2, 3))))
        return f"{user}@{choice(('example.org', host + choice(('.com', '.edu', '.org', '.de', '.co.uk', '.COM'))))}"

    def date(self) -> str:
        day, month, year = self.random.randint(1, 28), self.random.randint(1, 12), self.random.randint(1930, 2024)
        if self._language in _DATES_OF and self.random.random() < _DATES_IN_WORDS:
            months, form = _DATES_OF[self._language]
            return form.format(day, months.split()[month - 1], year)
        name = self.random.choice(_MONTHS)
        return self.random.choice(
            (
                f"{month}/{day}/{year}",
                f"{day:02}.{month:02}.{year}",
                f"{year}-{month:02}-{day:02}",
                f"{name} {day}, {year}",
                f"{day} {name} {year}",
            )
        )


def _cumulated(weights: list[float]) -> list[float]:
    total, sums = 0.0, []
    for weight in weights:
        total += max(weight, 0.001)
        sums.append(total)
    return sums


def _spelled(name: str) -> str:
    return "Mc" + name[2:].capitalize() if name.startswith("mc") and len(name) > 4 else name.capitalize()


def _plain_names(names: Sequence[str]) -> list[str]:
    return [part.lower() for name in names for part in name.replace("-", " ").split() if len(part) > 2]


def _letter_chain(names: list[str]) -> dict[str, list[str]]:
    """Pairs of letters -> the letters that follow them in names, as often as they do."""
    chain: dict[str, list[str]] = defaultdict(list)
    for name in names:
        state = "^^"
        for letter in f"{name}$":
            chain[state].append(letter)
            state = state[1] + letter
    return dict(chain)
