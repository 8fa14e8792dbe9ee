"""A referral: one content of one source, all its paths, what the scan found, and the state of its review."""

from enum import StrEnum

from django.conf import settings
from django.db import models

from review.models.queue import Queue
from review.models.scan import Scan

ID_CHARACTERS = 32


class Kind(StrEnum):
    REFERRED = "referred"
    NEGATIVE = "negative"  # drawn from the files that were not referred, to measure what was missed


class State(StrEnum):
    WAITING = "waiting"
    SECOND = "second"  # for a second reviewer
    DISPUTED = "disputed"  # for an adjudicator
    DECIDED = "decided"
    UNSAMPLED = "unsampled"  # not drawn for review
    SUPERSEDED = "superseded"  # its files have changed


class Awaiting(StrEnum):
    """Whose turn it is; the values of the column `wants`."""

    REVIEW = "review"
    ADJUDICATION = "adjudication"
    NOBODY = ""


class Referral(models.Model):
    """A narrow row, so that lists stay fast; the details of a referral are in its Finding.

    A referral is reviewed in rounds: a content that had gone, or that shows more under changed rules, starts a new one,
    and the votes of earlier rounds are its history.
    """

    id = models.CharField(primary_key=True, max_length=ID_CHARACTERS)
    kind = models.CharField(max_length=10)
    queue = models.ForeignKey(Queue, on_delete=models.PROTECT, related_name="referrals")
    first_scan = models.ForeignKey(Scan, on_delete=models.PROTECT, related_name="+")
    last_scan = models.ForeignKey(Scan, on_delete=models.PROTECT, related_name="+")
    # The scan that began the present round.
    asked_in = models.ForeignKey(Scan, on_delete=models.PROTECT, related_name="asked")
    source = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    rules_sha256 = models.CharField(max_length=64)
    risk = models.CharField(max_length=6)
    health_distance = models.FloatField(null=True)
    rank = models.BigIntegerField()  # from risk, access and health distance: smaller ranks come first
    round = models.PositiveIntegerField(default=1)
    double = models.BooleanField(default=True)  # whether two people review it
    blind = models.BooleanField(default=False)  # whether people judge it without seeing what the stages said
    state = models.CharField(max_length=10)
    wants = models.CharField(max_length=12, blank=True)
    decision = models.CharField(max_length=12, blank=True)
    decided_at = models.DateTimeField(null=True)
    first_reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    second_reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    leased_to = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="leases")
    leased_until = models.DateTimeField(null=True)
    stratum = models.CharField(max_length=150, blank=True)
    probability = models.CharField(max_length=40, blank=True)  # exact, such as 50/127; empty where nothing was drawn
    group = models.CharField(max_length=ID_CHARACTERS, null=True)  # the first of the files that are alike
    by_group = models.BooleanField(default=False)  # whether the decision rests on a vote for the group
    previous = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="later")
    created = models.DateTimeField()
    asked = models.DateTimeField()  # when the present round began

    class Meta:
        indexes = (
            models.Index(fields=("wants", "rank", "id"), name="referral_next"),
            models.Index(fields=("wants", "queue", "rank", "id"), name="referral_next_in_queue"),
            models.Index(fields=("queue", "state", "risk", "kind"), name="referral_counted"),
            models.Index(fields=("wants", "queue", "asked"), name="referral_waiting"),
            models.Index(fields=("state", "rank", "id"), name="referral_in_state"),
            models.Index(fields=("state", "asked", "id"), name="referral_by_age"),
            models.Index(
                fields=("state", "decided_at", "id"),
                condition=models.Q(decided_at__isnull=False),
                name="referral_by_decision",
            ),
            models.Index(
                fields=("leased_until",), condition=models.Q(leased_until__isnull=False), name="referral_leased"
            ),
            models.Index(fields=("group",), condition=models.Q(group__isnull=False), name="referral_group"),
        )

    @property
    def measured_decision(self) -> str:
        """What rates may be measured with: whoever judges a group did not look at each of its files."""
        return "" if self.by_group else str(self.decision)


class FiredRules(models.Model):
    """Rules that fired together: few such sets exist, so a search for a rule looks at them and not at findings."""

    id = models.AutoField(primary_key=True)
    rules = models.TextField(unique=True)  # their ids as a sorted JSON list


class Finding(models.Model):
    """What the scan found, masked; removed when its retention ends, while the decision stays."""

    referral = models.OneToOneField(Referral, primary_key=True, on_delete=models.CASCADE)
    media_type = models.CharField(max_length=200)
    status = models.CharField(max_length=20)
    reason = models.TextField(blank=True)
    owner = models.CharField(max_length=200, blank=True)
    access = models.CharField(max_length=500, blank=True, default="")  # who may read it, such as `everyone, inherited`
    size = models.BigIntegerField()
    chars = models.BigIntegerField()
    mtime = models.DateTimeField(null=True)
    counts = models.JSONField(default=dict)
    rules = models.JSONField(default=list)
    fired = models.ForeignKey(FiredRules, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    terms = models.JSONField(default=list)
    health_class = models.CharField(max_length=40, blank=True)
    health_threshold = models.FloatField(null=True)  # the largest health distance that counts as health text
    neighbours = models.JSONField(default=list)  # the nearest health prototypes, each with its distance
    strongest = models.CharField(max_length=100, blank=True)  # the passage that decided, such as `row 3,112`
    health_role = models.CharField(max_length=20, blank=True)  # what the person is in that passage
    passages = models.JSONField(default=dict)  # how many were judged, and how many of them are positive
    persons = models.PositiveIntegerField(default=0)  # with more details than a name
    people = models.PositiveIntegerField(null=True)  # whom the file concerns; null where an older scan did not count
    known = models.PositiveIntegerField(null=True)  # of the organisation's own list
    evidence = models.JSONField(default=list)
    likeness = models.BinaryField(null=True)  # keyed MinHash of layout and terms

    class Meta:
        # Each holds all that a search needs, because the rows themselves are wide.
        indexes = (
            models.Index(fields=("fired", "referral"), name="finding_by_rules"),
            models.Index(fields=("media_type", "referral"), name="finding_by_type"),
            models.Index(fields=("owner", "referral"), name="finding_by_owner"),
            models.Index(fields=("people", "referral"), name="finding_by_people"),
        )


class ReferralPath(models.Model):
    """A place where the content was seen: its printable name, and the bytes of the name where those differ."""

    id = models.CharField(primary_key=True, max_length=ID_CHARACTERS)
    referral = models.ForeignKey(Referral, on_delete=models.CASCADE, related_name="paths")
    # The id of source and uri: the next content at the same place supersedes this one.
    place = models.CharField(max_length=ID_CHARACTERS, db_index=True)
    uri = models.TextField()
    path = models.BinaryField(null=True)
    owner = models.CharField(max_length=200, blank=True)
    current = models.BooleanField(default=True)
    scan = models.ForeignKey(Scan, on_delete=models.PROTECT, related_name="+")
