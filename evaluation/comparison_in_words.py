"""A comparison of two rules -> sentences that one person can repeat to another."""

from evaluation.comparison import Comparison


def in_words(found: Comparison) -> str:
    """Which rule finds more, at which price, and whether that could be chance."""
    if found.rtpf.bounds is not None and found.rfpf.bounds is not None:
        return (
            f"Nobody knows yet: {_worst_cases(found)}. {found.unverified:,} files that one of them flagged are"
            " not verified, and no draw speaks for some of these; draw from all stages with leakscreen sample."
        )
    words = f"{_detections(found)}, {_false_referrals(found)}; {_significance(found)}."
    exchange = found.exchange
    if exchange.ratio is not None and exchange.extra_detections * exchange.extra_false_referrals > 0:
        better, _ = (found.first, found.second) if exchange.extra_detections > 0 else (found.second, found.first)
        limits = (
            "no finite interval"
            if exchange.interval is None
            else f"95 %: {exchange.interval[0]:.2f} to {exchange.interval[1]:.2f}{', roughly' * exchange.few}"
        )
        words += (
            f" Each further PHI file that {better} finds costs {exchange.ratio:.2f} further false referrals ({limits})."
        )
    return words


def _worst_cases(found: Comparison) -> str:
    named = (("PHI files", found.rtpf.bounds), ("false referrals", found.rfpf.bounds))
    known = [f"{limits} times as many {things}" for things, bounds in named if (limits := _between(bounds))]
    unknown = " or ".join(things for things, bounds in named if not _between(bounds))
    said = [f"{found.first} has {' and '.join(known)} as {found.second}"] if known else []
    return ", and ".join([*said, *([f"the labels do not tell which of them has more {unknown}"] if unknown else [])])


def _between(bounds: tuple[float, float | None] | None) -> str:
    """Empty where the labels say nothing."""
    low, high = bounds or (0.0, None)
    if high is None:
        return f"at least {low:.2f}" if low else ""
    return f"{low:.2f} to {high:.2f}"


def _detections(found: Comparison) -> str:
    if found.rtpf.ratio is None:
        if found.rtpf.first_only:
            return f"{found.first} finds PHI files and {found.second} finds none"
        return f"neither {found.first} nor {found.second} finds a PHI file"
    if not found.rtpf.ratio:
        return f"{found.first} finds no PHI file and {found.second} does"
    more = _more(found.rtpf.ratio, "PHI files")
    return f"{found.first} finds {more} {'as' if more.startswith('as many') else 'than'} {found.second}"


def _false_referrals(found: Comparison) -> str:
    if found.rfpf.ratio is None:
        where = f"with false referrals where {found.second} has none"
        return where if found.rfpf.first_only else "with no false referral of either"
    if not found.rfpf.ratio:
        return f"with no false referral where {found.second} has some"
    return f"with {_more(found.rfpf.ratio, 'false referrals')}"


def _more(ratio: float, things: str) -> str:
    percent = 100 * (ratio - 1)
    if abs(percent) < 0.05:
        return f"as many {things}"
    amount = f"{abs(percent):.0f}" if abs(percent) >= 0.5 else f"{abs(percent):.1f}"
    return f"{amount} % {'more' if percent > 0 else 'fewer'} {things}"


def _significance(comparison: Comparison) -> str:
    limit = 1 - comparison.level
    names = (("detections", comparison.rtpf), ("false referrals", comparison.rfpf))
    significant = [name for name, ratio in names if ratio.p_value is not None and ratio.p_value < limit]
    if not any(ratio.first_only or ratio.second_only for _, ratio in names):
        return "no verified file tells them apart"
    at = f"at the {100 * limit:.0f} % level"
    if not significant:
        return f"not significant {at}"
    if len(significant) == len(names):
        return f"both significant {at}"
    return f"only the difference in {significant[0]} is significant {at}"
