"""Keyed signatures of referred texts -> groups of files that are alike, each known by its first member.

A file joins the earlier file that it has most in common with, if that is enough; otherwise others may join it. So
groups do not grow together over chains of files whose ends have nothing in common, and repeating it changes nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice

from django.db import transaction

from review.models import Finding, Referral
from screening.likeness import share_in_common

ENOUGH = 0.4  # filled-in copies of a one-page form have 0.4 to 0.8 in common, other files less than 0.1
_PLACES_A_KEY, _BYTES_A_PLACE = 2, 4  # two files with ENOUGH in common share one of 32 keys, in 996 of 1,000 cases
_MOST_COMPARED = 64
_AT_ONCE = 500


def group_referrals() -> int:
    """Groups all referrals whose findings are kept; the number of those that are in a group."""
    leader_of: dict[str, str] = {}
    leaders_with: defaultdict[bytes, list[str]] = defaultdict(list)
    signatures: dict[str, bytes] = {}
    rows = Finding.objects.exclude(likeness=None).order_by("referral__created", "pk").values_list("pk", "likeness")
    for pk, kept in rows.iterator(chunk_size=2_000):
        signature = bytes(kept)
        keys = list(_keys(signature))
        near = Counter(leader for key in keys for leader in leaders_with.get(key, ()))
        leader = _nearest(signature, [name for name, _ in near.most_common(_MOST_COMPARED)], signatures)
        if leader is None:
            leader, signatures[pk] = pk, signature
            for key in keys:
                leaders_with[key].append(pk)
        leader_of[pk] = leader
    sizes = Counter(leader_of.values())
    grouped = {pk: leader for pk, leader in leader_of.items() if sizes[leader] > 1}
    _write(grouped)
    return len(grouped)


def _keys(signature: bytes) -> Iterator[bytes]:
    step = _PLACES_A_KEY * _BYTES_A_PLACE
    for at in range(0, len(signature), step):
        yield at.to_bytes(2, "big") + signature[at : at + step]


def _nearest(signature: bytes, names: list[str], signatures: dict[str, bytes]) -> str | None:
    if not names:
        return None
    shares = share_in_common(signature, (signatures[name] for name in names))
    best = int(shares.argmax())
    return names[best] if shares[best] >= ENOUGH else None


def _write(grouped: dict[str, str]) -> None:
    before = dict(Referral.objects.exclude(group=None).values_list("pk", "group"))
    changed = [pk for pk in {*before, *grouped} if before.get(pk) != grouped.get(pk)]
    names = iter(sorted(changed, key=lambda pk: grouped.get(pk) or ""))
    while some := list(islice(names, _AT_ONCE)):
        with transaction.atomic():
            rows = list(Referral.objects.select_for_update().filter(pk__in=some))
            for row in rows:
                row.group = grouped.get(row.pk)
            Referral.objects.bulk_update(rows, ["group"])
