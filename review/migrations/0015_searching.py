"""What searches ask for in narrow indexes: rules that fired together as one number, owners, types, people, and age."""

import json
from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

_AT_ONCE = 2_000


def number_rules(apps: Any, schema_editor: Any) -> None:
    """For findings of earlier versions."""
    finding, fired = apps.get_model("review", "Finding"), apps.get_model("review", "FiredRules")
    numbers: dict[str, Any] = {}
    waiting = []
    rows = finding.objects.filter(fired=None).only("pk", "rules")
    for each in rows.iterator(chunk_size=_AT_ONCE):
        names = json.dumps(sorted({rule["rule"] for rule in each.rules}))
        if names not in numbers:
            numbers[names] = fired.objects.get_or_create(rules=names)[0]
        each.fired = numbers[names]
        waiting.append(each)
        if len(waiting) == _AT_ONCE:
            finding.objects.bulk_update(waiting, ["fired"], batch_size=200)
            waiting = []
    finding.objects.bulk_update(waiting, ["fired"], batch_size=200)


class Migration(migrations.Migration):
    dependencies = [("review", "0014_access"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="FiredRules",
            fields=[
                ("id", models.AutoField(primary_key=True, serialize=False)),
                ("rules", models.TextField(unique=True)),
            ],
        ),
        migrations.AddField(
            "finding",
            "fired",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="review.firedrules",
            ),
        ),
        migrations.RunPython(number_rules, migrations.RunPython.noop),
        migrations.AddIndex("finding", models.Index(fields=["fired", "referral"], name="finding_by_rules")),
        migrations.AddIndex("finding", models.Index(fields=["media_type", "referral"], name="finding_by_type")),
        migrations.AddIndex("finding", models.Index(fields=["owner", "referral"], name="finding_by_owner")),
        migrations.AddIndex("finding", models.Index(fields=["people", "referral"], name="finding_by_people")),
        migrations.AddIndex("referral", models.Index(fields=["state", "asked", "id"], name="referral_by_age")),
        migrations.AddIndex(
            "referral",
            models.Index(
                condition=models.Q(decided_at__isnull=False),
                fields=["state", "decided_at", "id"],
                name="referral_by_decision",
            ),
        ),
        migrations.AddIndex(
            "referral",
            models.Index(
                condition=models.Q(leased_until__isnull=False), fields=["leased_until"], name="referral_leased"
            ),
        ),
    ]
