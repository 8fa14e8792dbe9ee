"""A plot -> one sentence that says what it shows, and from how many files or votes where these are few."""

from collections.abc import Callable
from typing import Any

from core.access import CIRCLES, EVERYONE, GROUP, UNKNOWN
from evaluation.design import REFERRED
from review.dashboard.plots import WORST_CASES, Plot, written
from review.translation import gettext as _
from review.translation import gettext_noop, ngettext

FEW = 30  # verified files or votes, below which a share says little
Row = dict[str, Any]


def conclusion(plot: Plot) -> str:
    """Empty where there is nothing to say: no rows, or a page that says it in words of its own."""
    rows = plot.data["rows"]
    say = _SAYS.get(plot.name)
    return say(rows) if say and rows else ""


def _count(value: float) -> str:
    return written(value, "count")


def _percent(value: float) -> str:
    return written(value, "percent")


def _few(number: int) -> str:
    """What to add to a sentence that rests on so few."""
    if number >= FEW:
        return ""
    words = ngettext(
        "Only %(count)s file is verified: too few to say much.",
        "Only %(count)s files are verified: too few to say much.",
        number,
    )
    return " " + words % {"count": _count(number)}


def _rules(rows: list[Row]) -> str:
    tool = next((row for row in rows if row["rule"] == REFERRED), None)
    if tool is None or tool["tdp"] is None:
        return _("Nobody has judged enough to say how good the tool is.")
    shares = {
        "hits": _percent(tool["tdp"]),
        "false": _percent(tool["frp"]),
        "per_hundred": written(tool["per_hundred"], "count"),
    }
    words = (
        _(
            "At least %(hits)s of all files were detected rightly and at least %(false)s referred falsely;"
            " of 100 reviews, %(per_hundred)s find PHI."
        )
        if tool["bound"] == WORST_CASES
        else _(
            "%(hits)s of all files were detected rightly and %(false)s referred falsely; of 100 reviews,"
            " %(per_hundred)s find PHI."
        )
    )
    return words % shares + _few(int(tool["verified"]))


def _by_stage(rows: list[Row]) -> str:
    found = sum(row["phi"] for row in rows)
    elsewhere = [row for row in rows if row["label"] != REFERRED]
    seen, missed = sum(row["verified"] for row in elsewhere), sum(row["phi"] for row in elsewhere)
    if not seen:
        return _(
            "Known PHI files: %(found)s, all referred; nobody looked among the %(rest)s other files, so it is not known"
            " what was missed."
        ) % {"found": _count(found), "rest": _count(sum(row["files"] for row in elsewhere))}
    return _(
        "Known PHI files: %(found)s, of which %(missed)s among the %(seen)s verified files that were not referred."
    ) % {"found": _count(found), "missed": _count(missed), "seen": _count(seen)} + _few(int(seen))


def _characteristics(rows: list[Row]) -> str:
    worst = rows[0]
    words = _("Least precise is %(name)s: it was really there in %(ticked)s of %(there)s votes.")
    return words % {"name": worst["said"], "ticked": _count(worst["ticked"]), "there": _count(worst["there"])}


def _trend(rows: list[Row]) -> str:
    """Of the tool, or of the line that comes first: the first scan against the last."""
    series = REFERRED if any(row["series"] == REFERRED for row in rows) else rows[0]["series"]
    line = [row for row in rows if row["series"] == series and row["value"] is not None]
    if not line:
        return _("Nothing is measured yet.")
    if len(line) == 1:
        return _("Only one scan is measured: a trend needs two.") + _few(int(line[0]["verified"]))
    first, last = line[0], line[-1]
    apart = None not in (first["low"], last["low"]) and (first["low"] > last["high"] or last["low"] > first["high"])
    values = {"name": first["said"], "before": _value_or_bounds(first), "now": _value_or_bounds(last)}
    if apart:
        words = _("%(name)s went from %(before)s to %(now)s, more than chance explains.")
    elif WORST_CASES in (first["bound"], last["bound"]):
        words = _("%(name)s: %(before)s in the first scan, %(now)s in the last; worst cases tell no trend.")
    else:
        words = _("%(name)s went from %(before)s to %(now)s; the intervals overlap, so it may be chance.")
    return words % values + _few(int(min(row["verified"] for row in line)))


def _value_or_bounds(row: Row) -> str:
    if row["bound"] == WORST_CASES:
        return f"[{_percent(row['low'])}, {_percent(row['high'])}]"
    return _percent(row["value"])


def _affected(rows: list[Row]) -> str:
    last = rows[-1]
    words = ngettext(
        "The newest scan concerns %(count)s person (surely %(least)s, at most %(most)s).",
        "The newest scan concerns %(count)s people (surely %(least)s, at most %(most)s).",
        last["value"],
    )
    return words % {name: _count(last[key]) for name, key in (("count", "value"), ("least", "least"), ("most", "most"))}


def _largest(sentence: str) -> Callable[[list[Row]], str]:
    """Of the longest bar, its name and value."""

    def say(rows: list[Row]) -> str:
        most = max(rows, key=lambda row: row["value"] or 0)
        together = sum(row["value"] or 0 for row in rows)
        return _(sentence) % {
            "name": most["said"],
            "count": written(most["value"], "count"),
            "all": _count(together),
            "percent": _percent(most["value"] / together) if together else "–",
        }

    return say


def _status(rows: list[Row]) -> str:
    files = {row["label"]: row["value"] for row in rows}
    done = files.get("complete", 0) + files.get("container", 0)
    return _("%(done)s of %(all)s files (%(percent)s) were examined completely or opened.") % {
        "done": _count(done),
        "all": _count(sum(files.values())),
        "percent": _percent(done / sum(files.values())),
    }


def _prevalence(rows: list[Row]) -> str:
    known = [row for row in rows if row["value"] is not None]
    if not known:
        return _("Nothing is measured yet.")
    most = max(known, key=lambda row: row["value"])
    words = (
        _("Most PHI is in %(name)s: between %(low)s and %(high)s of its files, depending on what nobody has looked at.")
        if most["bound"] == WORST_CASES
        else _("Most PHI is in %(name)s: %(value)s of its files (%(low)s to %(high)s).")
    )
    values = {name: _percent(most[name]) for name in ("value", "low", "high") if most[name] is not None}
    return words % {"name": most["said"], "low": "–", "high": "–", **values} + _few(int(most["verified"]))


def _times(rows: list[Row]) -> str:
    most, together = max(rows, key=lambda row: row["value"]), sum(row["value"] for row in rows)
    return _("The stage %(name)s took most of it: %(time)s of %(all)s.") % {
        "name": most["said"],
        "time": written(most["value"], "seconds"),
        "all": written(together, "seconds"),
    }


def _folders(rows: list[Row]) -> str:
    most = max(rows, key=lambda row: row["referred"])
    if not most["referred"]:
        return _("Nothing was referred in these folders.")
    words = _("Most referred files are in %(name)s: %(referred)s of its %(files)s.")
    return words % {"name": most["said"], "referred": _count(most["referred"]), "files": _count(most["value"])}


def _waiting(rows: list[Row]) -> str:
    together = sum(row["value"] for row in rows)
    if not together:
        return _("Nothing is waiting.")
    oldest = max((row["oldest"] for row in rows if row["oldest"] is not None), default=None)
    words = ngettext(
        "%(count)s referral waits, for %(age)s.", "%(count)s referrals wait, the oldest for %(age)s.", together
    )
    return words % {"count": _count(together), "age": written(oldest, "seconds")}


def _people(rows: list[Row]) -> str:
    votes = sum(row["value"] for row in rows)
    phi = sum(row["value"] * row["phi"] for row in rows) / votes if votes else 0
    people = ngettext("%(count)s person", "%(count)s people", len(rows)) % {"count": _count(len(rows))}
    return _("%(people)s gave %(votes)s votes and called %(percent)s of them PHI.") % {
        "people": people,
        "votes": _count(votes),
        "percent": _percent(phi),
    }


def _agreement(rows: list[Row]) -> str:
    twice = sum(row["twice"] for row in rows)
    agreed = sum(row["twice"] * (row["observed"] or 0) for row in rows)
    if not twice:
        return _("Nothing was judged twice yet.")
    few = " " + _("That is too few to say much.") if twice < FEW else ""
    words = _("Two reviewers agreed on %(percent)s of %(count)s referrals that both judged.")
    return words % {"percent": _percent(agreed / twice), "count": _count(twice)} + few


def _contained(rows: list[Row]) -> str:
    last = rows[-1]
    return _("Of %(found)s files found so far, %(open)s are open, %(contained)s contained and %(closed)s closed.") % {
        "found": _count(last["found"]),
        "open": _count(last["value"]),
        "contained": _count(last["contained"]),
        "closed": _count(last["closed"]),
    }


def _radius(rows: list[Row]) -> str:
    least, most = rows[0], rows[-1]
    words = _(
        "From radius %(first)s to %(last)s the rule flags %(few)s to %(many)s files,"
        " of which %(verified)s are verified."
    )
    return words % {
        "first": least["radius"],
        "last": most["radius"],
        "few": _count(least["positive"]),
        "many": _count(most["positive"]),
        "verified": _count(most["verified"]),
    }


def _ratios(rows: list[Row]) -> str:
    phi = rows[0]
    flagged = phi["both"] + phi["first_only"] + phi["second_only"]
    if not flagged:
        return _("Too little is verified to compare them.")
    words = (
        _(
            "Of %(all)s known PHI files, both rules found %(both)s, only the first %(first)s,"
            " only the second %(second)s."
        )
        if float(flagged).is_integer()
        else _(
            "Of about %(all)s PHI files, estimated from a draw, both rules found %(both)s, only the first %(first)s,"
            " only the second %(second)s."
        )
    )
    return words % {
        "all": _count(flagged),
        "both": _count(phi["both"]),
        "first": _count(phi["first_only"]),
        "second": _count(phi["second_only"]),
    } + _few(int(flagged))


def _trial(rows: list[Row]) -> str:
    known = [row for row in rows if row["tdp"] is not None]
    if len(known) < len(rows) or len(known) < 2:
        return _("Too little is verified to compare them.")
    words = _("As tried, %(positive)s files are flagged instead of %(before)s; TDP is %(tdp)s instead of %(was)s.")
    now, then = known[0], known[-1]
    return words % {
        "positive": _count(then["positive"]),
        "before": _count(now["positive"]),
        "tdp": written(then["tdp"], "rate"),
        "was": written(now["tdp"], "rate"),
    } + _few(int(min(now["verified"], then["verified"])))


def _access(rows: list[Row]) -> str:
    files = {row["label"]: row["value"] for row in rows}
    everyone, groups, unknown = (files.get(CIRCLES[circle], 0) for circle in (EVERYONE, GROUP, UNKNOWN))
    counts = {"everyone": _count(everyone), "groups": _count(groups), "all": _count(sum(files.values()))}
    if unknown == sum(files.values()):
        return _("It is not known who may read them: their source does not say.")
    if everyone:
        words = _("Everyone may read %(everyone)s of %(all)s referred files: begin with these.")
    elif groups:
        words = _("No referred file is open to everyone; %(groups)s of %(all)s can be read by others than the owner.")
    else:
        words = _("No referred file can be read by anybody but its owner.")
    return words % counts + (" " + _("For %(count)s it is not known.") % {"count": _count(unknown)} if unknown else "")


_SAYS: dict[str, Callable[[list[Row]], str]] = {
    "rules": _rules,
    "by-stage": _by_stage,
    "characteristics": _characteristics,
    "tdp": _trend,
    "frp": _trend,
    "sources": _trend,
    "prevalence": _prevalence,
    "affected": _affected,
    "affected-sources": _largest(gettext_noop("Most people are in %(name)s: %(count)s.")),
    "containment": _contained,
    "containment-sources": _largest(gettext_noop("Most open files are in %(name)s: %(count)s of %(all)s.")),
    "status": _status,
    "reasons": _largest(gettext_noop("The most frequent reason is “%(name)s”: %(count)s of %(all)s files.")),
    "risks": _largest(gettext_noop("Most referred files have the risk %(name)s: %(count)s of %(all)s (%(percent)s).")),
    "access": _access,
    "readers": _largest(gettext_noop("Most of them can be read by %(name)s: %(count)s files.")),
    "types": _largest(gettext_noop("The most frequent type is %(name)s: %(count)s of %(all)s files (%(percent)s).")),
    "stages": _times,
    "folders": _folders,
    "queues": _waiting,
    "people": _people,
    "agreement": _agreement,
    "compare": _ratios,
    "trial": _trial,
    "radius": _radius,
}
