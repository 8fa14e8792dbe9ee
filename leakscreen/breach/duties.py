"""People by jurisdiction -> whom laws ask to be told, and by when; the laws are data (duties.toml), and no advice."""

import tomllib
from collections.abc import Mapping
from datetime import date, timedelta
from importlib.resources import files
from typing import Any

NOT_ADVICE = (
    "Not legal advice. The list shows where to begin, is not complete, and may be out of date: each entry says when "
    "and with what it was last compared. Whether a law applies is for a lawyer to say."
)


def read_laws() -> list[dict[str, Any]]:
    laws: list[dict[str, Any]] = tomllib.loads(
        files("leakscreen").joinpath("breach", "duties.toml").read_text("utf-8")
    )["law"]
    return laws


def duties_for(people: Mapping[str, int], discovered: date | None) -> list[dict[str, Any]]:
    """`people` by country or country-region, as `leakscreen people` counts them; a duty for each law and place."""
    duties = []
    for law in read_laws():
        for place, count in _places(law, people).items():
            for duty in law["duty"]:
                own = count if duty["people"] == _kind(place) else None
                if own is None or not duty["from"] <= own <= duty.get("up_to", own):
                    continue
                duties.append(_entry(law, duty, place, own, discovered))
    return duties


def _places(law: Mapping[str, Any], people: Mapping[str, int]) -> dict[str, int]:
    """The countries and regions of a law that anybody is of, with their numbers."""
    places: dict[str, int] = {}
    for name, count in people.items():
        country, _, region = name.partition("-")
        if country not in law["countries"]:
            continue
        if "regions" not in law:
            places[country] = places.get(country, 0) + count
        if region and region in law.get("regions", (region,)):
            places[name] = places.get(name, 0) + count
    return places


def _kind(place: str) -> str:
    return "region" if "-" in place else "country"


def _entry(
    law: Mapping[str, Any], duty: Mapping[str, Any], place: str, people: int, discovered: date | None
) -> dict[str, Any]:
    until = discovered + timedelta(days=duty["days"]) if discovered and "days" in duty else None
    return {
        "law": law["name"],
        "source": law["source"],
        "in_force": law["in_force"].isoformat(),
        "whom_it_binds": law["whom"],
        "place": place,
        "people": people,
        "threshold": duty["from"],
        "notify": duty["notify"],
        "by": duty["by"],
        "latest": until.isoformat() if until else None,
        "checked": law["checked"].isoformat(),
        "against": law["against"],
        "note": law["note"],
    }
