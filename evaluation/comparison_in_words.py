"""A comparison of two rules -> sentences that one person can repeat to another."""

from evaluation.comparison import Comparison, Ratio


def in_words(found: Comparison) -> str:
    """Which rule finds more, at which price, and whether that could be chance."""
    if found.rtpf.bounds is not None and found.rfpf.bounds is not None:
        return (
            f"Nobody knows yet: {found.first} has {_between(found.rtpf.bounds)} PHI files as {found.second}, and"
            f" {_between(found.rfpf.bounds)} false referrals. {found.unverified:,} files that one of them flagged are"
            " not verified, and no draw speaks for some of these; draw from all stages with leakscreen sample."
        )
    more = _more(found.rtpf, "PHI files")
    words = f"{found.first} finds {more} {'as' if more.startswith('as many') else 'than'} {found.second}"
    words += f", with {_more(found.rfpf, 'false referrals')}; "
    words += f"{_significance(found)}."
    exchange = found.exchange
    if exchange.ratio is not None and exchange.extra_detections * exchange.extra_false_referrals > 0:
        better, _ = (found.first, found.second) if exchange.extra_detections > 0 else (found.second, found.first)
        limits = (
            "no finite interval"
            if exchange.interval is None
            else f"95 %: {exchange.interval[0]:.2f} to {exchange.interval[1]:.2f}"
        )
        words += (
            f" Each further PHI file that {better} finds costs {exchange.ratio:.2f} further false referrals ({limits})."
        )
    return words


def _between(bounds: tuple[float, float | None]) -> str:
    low, high = bounds
    if high is None:
        return f"at least {low:.2f} times as many" if low else "any number of times as many"
    return f"{low:.2f} to {high:.2f} times as many"


def _more(ratio: Ratio, things: str) -> str:
    if ratio.ratio is None:
        return f"{things} where {'the other finds none' if ratio.first_only else 'neither rule has any'}"
    percent = 100 * (ratio.ratio - 1)
    if abs(percent) < 0.05:
        return f"as many {things}"
    amount = f"{abs(percent):.0f}" if abs(percent) >= 0.5 else f"{abs(percent):.1f}"
    return f"{amount} % {'more' if percent > 0 else 'fewer'} {things}"


def _significance(comparison: Comparison) -> str:
    limit = 1 - comparison.level
    names = (("detections", comparison.rtpf), ("false referrals", comparison.rfpf))
    significant = [name for name, ratio in names if ratio.p_value is not None and ratio.p_value < limit]
    at = f"at {100 * comparison.level:.0f} %"
    if not significant:
        return f"not significant {at}"
    if len(significant) == len(names):
        return f"both significant {at}"
    return f"only the difference in {significant[0]} is significant {at}"
