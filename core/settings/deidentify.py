"""The settings of de-identified copies: [deidentify]."""

from dataclasses import dataclass

from core.settings.field import setting


@dataclass(frozen=True, slots=True)
class DeidentifySettings:
    way: str = setting(
        "tag",
        "how values are replaced: `tag` ([PATIENT 1]), `mask` (***), `generalise` (year, age band, part of a postal"
        " code), `surrogate` (another value of the same make)",
        choices=("tag", "mask", "generalise", "surrogate"),
    )
    ways_file: str = setting("", "TOML file with a table `[ways]`: other ways for single characteristics")
    key: str = setting(
        "fresh",
        "what decides surrogates and shifts of dates: `fresh`, a new random key for each run; `kept`, the HMAC key, so"
        " that later runs give the same person the same name",
        choices=("fresh", "kept"),
    )
    date_shift_days: int = setting(
        1_825,
        "surrogate dates of a person move by at most this many days, all alike; birth dates are drawn anew",
        low=1,
        high=36_500,
    )
