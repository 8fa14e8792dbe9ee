"""Made scans, counted for the dashboard: rows with vectors, the rules that fire on them, and what people decided."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from evaluation.contributions import Examined, Judged, container_contributions, contents_contributions, contributions
from evaluation.keys import Key, Number
from evaluation.labels import Label
from evaluation.tally import Sums
from review.dashboard.aggregate import Aggregate, ScanNumbers
from review.dashboard.figures import RuleShape
from review.models import Referral, ReferralPath, State, Verdict
from review.referrals.intake import Intake
from review.referrals.sampling import draw_scan
from review.referrals.voting import Judgement, decide
from tests.review.made_rows import facts, row

STAGES = (("extract", 12.5, 1_000_000), ("screen", 30.0, 900_000))


def shapes(count: int) -> tuple[RuleShape, ...]:
    """A rule for each bit, and one that wants the first two of three and forgives a bit."""
    single = [RuleShape(f"rule-{bit}", 0, False, ((1 << bit, 1 << bit),)) for bit in range(count)]
    return (*single, RuleShape("screens", 1, True, ((0b011, 0b111),)))


def fires(shape: RuleShape, bits: int) -> bool:
    return any(((bits ^ one) & care).bit_count() <= shape.radius for one, care in shape.prototypes)


def rows(files: int, rules: int = 4, share: str = "/srv") -> list[dict[str, Any]]:
    made = []
    for number in range(files):
        bits = number * 2_654_435_761 % (1 << min(rules, 60))
        fired = [shape.id for shape in shapes(rules) if fires(shape, bits)]
        screened = "screens" in fired
        status = "encrypted" if number % 11 == 5 else "partial" if number % 11 == 7 else "complete"
        examined = status != "encrypted"
        one = row(
            f"{share}/{'abc'[number % 3]}/{number % 5}/file {number}.txt",
            risk=("high", "medium", "low")[number % 3],
            status=status,
            reason="" if status == "complete" else f"{status} for a reason",
            rules=[{"rule": each, "prototype": "p", "distance": 0} for each in fired] if examined else [],
            container_uri=None,
            pii_bits=bits if examined else 0,
            screened_positive=screened and examined,
            referred=screened and examined and number % 4 != 0,
            source=share,
        )
        made.append(one)
    return made


def boxed(made: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Two of three files in one of nine containers, and some contents more than once, inside or outside of these."""
    files: list[dict[str, Any]] = []
    for number, each in enumerate(made):
        for copy in range(1 + (number % 4 == 1) + 3 * (number % 10 == 3)):
            box = f"{each['source']}/box{(number + copy) // 2 % 9}.zip" if (number + copy) % 3 else None
            uri = f"{box}!{number}-{copy}.txt" if box else f"{each['uri']}-{copy}"
            files.append({**each, "uri": uri, "container_uri": box})
    return files


def count_scan(made: Sequence[dict[str, Any]], number: int = 1, rules: int = 4) -> str:
    scan = facts(number)
    Intake(scan).take([each for each in made if each["referred"]])
    draw_scan(scan.id)
    Aggregate(ScanNumbers(scan.id, shapes(rules), STAGES, 42.0)).take(made)
    return scan.id


def judge(user: Any, most: int | None = None, wrong_every: int = 3) -> None:
    """By one reviewer; every third is not PHI."""
    for number, referral in enumerate(Referral.objects.filter(state=State.WAITING).order_by("pk")[:most]):
        decide(
            referral.pk,
            user,
            Judgement(Verdict.NOT_PHI if number % wrong_every == 0 else Verdict.PHI, f"{user.pk}-{referral.pk}"[:32]),
        )


def file_by_file(made: Sequence[dict[str, Any]], source: str = "", pair: tuple[str, str] | None = None) -> Sums:
    """The evaluation library's own way: every row, joined to the labels that the service exports."""
    from review.referrals.labels import label_lines

    lines, _ = label_lines()
    from fractions import Fraction

    labels = {line[0]: Label(line[1] == "yes", Fraction(line[3]) if line[3] else None, line[2]) for line in lines}
    assert ReferralPath.objects.count() >= len(labels)
    counts: defaultdict[Key, Number] = defaultdict(int)
    contents, containers = defaultdict(list), defaultdict(list)
    for each in made:
        if each["status"] in ("complete", "partial") and source in ("", each["source"]):
            rules = tuple(hit["rule"] for hit in each["rules"])
            box = each["container_uri"] or ""
            seen = (each["screened_positive"], each["referred"], each["sha256"], box)
            judged = Judged(Examined(each["uri"], rules, *seen), labels.get(each["uri"]), each["sha256"])
            for key in contributions(judged.file, judged.label, pair):
                counts[key] += 1
            contents[each["source"], each["sha256"]].append(judged)
            if box:
                containers[box].append(judged)
    for add, groups in ((contents_contributions, contents), (container_contributions, containers)):
        for group in groups.values():
            for key, amount in add(group, pair):
                counts[key] += amount
    return Sums(counts)
