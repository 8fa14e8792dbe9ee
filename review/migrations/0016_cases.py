"""Cases of what was decided as PHI, also of decisions before this version whose findings are still kept."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

_AT_ONCE = 500


def open_cases(apps: Any, schema_editor: Any) -> None:
    referral, case, event = (apps.get_model("review", name) for name in ("Referral", "Case", "CaseEvent"))
    rows = referral.objects.filter(decision="phi", state="decided", finding__isnull=False).order_by("pk")
    values = list(rows.values_list("pk", "round", "decided_at", "asked"))
    for low in range(0, len(values), _AT_ONCE):
        some = [(pk, number, decided or asked) for pk, number, decided, asked in values[low : low + _AT_ONCE]]
        case.objects.bulk_create(
            case(referral_id=pk, state="open", round=number, opened=at, changed=at) for pk, number, at in some
        )
        event.objects.bulk_create(event(case_id=pk, at=at, actor="leakscreen", kind="opened") for pk, _, at in some)


class Migration(migrations.Migration):
    dependencies = [("review", "0015_searching"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="Case",
            fields=[
                (
                    "referral",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        serialize=False,
                        to="review.referral",
                    ),
                ),
                ("state", models.CharField(max_length=10)),
                ("due", models.DateField(null=True)),
                ("round", models.PositiveIntegerField()),
                ("opened", models.DateTimeField()),
                ("changed", models.DateTimeField()),
                ("closed", models.DateTimeField(null=True)),
                (
                    "assignee",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cases",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"indexes": [models.Index(fields=["state", "due", "opened"], name="case_in_order")]},
        ),
        migrations.CreateModel(
            name="CaseEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("actor", models.CharField(max_length=150)),
                ("kind", models.CharField(max_length=10)),
                ("before", models.CharField(blank=True, max_length=150)),
                ("after", models.CharField(blank=True, max_length=150)),
                ("note", models.TextField(blank=True)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="events", to="review.case"
                    ),
                ),
            ],
            options={"ordering": ("pk",)},
        ),
        migrations.RunPython(open_cases, migrations.RunPython.noop),
    ]
