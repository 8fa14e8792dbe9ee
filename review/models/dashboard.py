"""Tables of the dashboard: figures of scans, their referrals, folders, unexamined files, and pairs of verdicts."""

from django.conf import settings
from django.db import models

from review.models.referral import Referral
from review.models.scan import Scan


class ScanFigures(models.Model):
    """All counts of a scan, packed; a scan without figures has not been counted yet."""

    scan = models.OneToOneField(Scan, primary_key=True, on_delete=models.CASCADE, related_name="figures")
    made = models.DateTimeField()
    packed = models.BinaryField()


class Seen(models.Model):
    """A referral's content in one scan: its cell (source, vector and rules), its number of files, and the decision.

    The decision is copied here so that the rates of a scan need one index alone.
    """

    scan = models.ForeignKey(Scan, on_delete=models.CASCADE, related_name="+", db_index=False)
    referral = models.ForeignKey(Referral, on_delete=models.CASCADE, related_name="seen")
    cell = models.PositiveIntegerField()  # its index among the cells of the scan's figures
    files = models.PositiveIntegerField()
    stage = models.CharField(max_length=20, blank=True)  # how far the scan let it go; empty: referred
    verdict = models.CharField(max_length=12, blank=True)
    stratum = models.CharField(max_length=150, blank=True)
    probability = models.CharField(max_length=40, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("scan", "referral", "cell"), name="seen_once"),)
        indexes = (
            models.Index(
                fields=("scan", "verdict", "cell", "stage", "stratum", "probability", "files"), name="seen_verdicts"
            ),
        )


class Member(models.Model):
    """How many files of a referral's content are in one container of a scan, where that has several examined files."""

    scan = models.ForeignKey(Scan, on_delete=models.CASCADE, related_name="+")
    referral = models.ForeignKey(Referral, on_delete=models.CASCADE, related_name="+")
    cell = models.PositiveIntegerField()
    container = models.PositiveIntegerField()  # its number in the scan's figures
    files = models.PositiveIntegerField()


class Unexamined(models.Model):
    """A file that was not, or not wholly, examined."""

    scan = models.ForeignKey(Scan, on_delete=models.CASCADE, related_name="+", db_index=False)
    reason = models.PositiveIntegerField()  # its index among the statuses and reasons of the scan's figures
    uri = models.TextField()
    media_type = models.CharField(max_length=200)
    size = models.BigIntegerField()

    class Meta:
        indexes = (models.Index(fields=("scan", "reason", "id"), name="unexamined_by_reason"),)


class Folder(models.Model):
    """A folder of a scan with everything below it."""

    scan = models.ForeignKey(Scan, on_delete=models.CASCADE, related_name="+", db_index=False)
    number = models.PositiveIntegerField()
    parent = models.PositiveIntegerField(null=True)
    path = models.TextField()
    files = models.PositiveIntegerField()
    examined = models.PositiveIntegerField()
    referred = models.PositiveIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("scan", "number"), name="folder_number"),)
        indexes = (models.Index(fields=("scan", "parent", "files"), name="folder_children"),)


class PairedOpinion(models.Model):
    """The verdicts of two reviewers on one referral in one round, the reviewer with the smaller id first."""

    referral = models.ForeignKey(Referral, on_delete=models.CASCADE, related_name="+", db_index=False)
    round = models.PositiveIntegerField()
    week = models.CharField(max_length=8)
    first = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    second = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    first_said = models.CharField(max_length=12)
    second_said = models.CharField(max_length=12)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("referral", "round"), name="one_pair"),)
        indexes = (
            models.Index(fields=("week", "first", "second", "first_said", "second_said"), name="paired_by_week"),
        )
