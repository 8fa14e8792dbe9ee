"""What rule files define: characteristics, detectors, prototypes, rules, and how scores and names are weighed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Characteristic:
    id: str
    label: str
    bit: int
    group: str  # name, location, other or none: what it adds to the risk
    mask: str  # how its values are masked
    hipaa: str = ""
    implies: tuple[str, ...] = ()
    reserved: bool = False  # a place in the vector that no detector fills yet

    @property
    def value(self) -> int:
        return 1 << self.bit


@dataclass(frozen=True, slots=True)
class Detector:
    file: str
    id: str
    characteristic: str
    description: str
    pattern: str
    trigger: str  # what Hyperscan looks for instead, where the pattern is too large for it: every match must contain it
    lead: int  # how many characters before its trigger a match may begin; -1: as many as the pattern is wide
    lead_words: int  # the same in words, for names that are written before their trigger; 0: not used
    lead_characters: str  # or the ranges of the characters, such as a-z0-9, that may be between
    ignore_case: bool
    standalone: bool  # refuse a piece of a longer number that points or hyphens join
    joined: bool  # its pattern says what may touch the value, but no figures each other: `le06.98`, `2012RAPPORT`
    score: float
    keywords: tuple[str, ...]  # one of them must come shortly before the match
    near: int
    raised_by: tuple[str, ...]
    lowered_by: tuple[str, ...]
    validator: str
    country: str
    match: tuple[str, ...]
    no_match: tuple[str, ...]
    language: str = ""  # the folder of its language; such a detector looks only into texts that have signs of it


@dataclass(frozen=True, slots=True)
class Prototype:
    id: str
    bits: int
    care: int


@dataclass(frozen=True, slots=True)
class Rule:
    file: str
    id: str
    description: str
    expression: str
    radius: int
    screens: bool
    prototypes: tuple[Prototype, ...]
    same_person: bool = False  # asked about what is tied to one person, or in one passage, not about the whole file


@dataclass(frozen=True, slots=True)
class Scoring:
    threshold: float
    raise_by: float
    lower_by: float
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Nearness:
    """How far, in characters, an identifier may be from a name and still be that person's."""

    after_a_name: int
    before_a_name: int
    section: int  # in a section that names one person alone
    looked_at: int  # names of a section that are compared, to see if they are one person's


@dataclass(frozen=True, slots=True)
class NameCues:
    particles: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
