"""What the dashboard counts with; opinions of pairs are made from the votes that are there already."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def pair_opinions(apps: Any, schema_editor: Any) -> None:
    """As review.dashboard.upkeep keeps them: the last opinion of each reviewer, unless it was withdrawn; the first two."""
    vote_rows, pairs = apps.get_model("review", "Vote").objects, apps.get_model("review", "PairedOpinion").objects
    rounds: dict[tuple[str, int], dict[int, Any]] = {}
    for vote in vote_rows.filter(part="review").order_by("referral", "round", "number").iterator(chunk_size=2_000):
        said = rounds.setdefault((vote.referral_id, vote.round), {})
        if vote.verdict == "withdrawn":
            said.pop(vote.reviewer_id, None)
        else:
            said[vote.reviewer_id] = vote
    made = []
    for (referral, number), said in rounds.items():
        if len(said) < 2:
            continue
        first, second = sorted(list(said.values())[:2], key=lambda vote: vote.reviewer_id)
        year, week, _ = max(first.at, second.at).isocalendar()
        made.append(
            pairs.model(
                referral_id=referral,
                round=number,
                week=f"{year}-W{week:02}",
                first_id=first.reviewer_id,
                second_id=second.reviewer_id,
                first_said=first.verdict,
                second_said=second.verdict,
            )
        )
    pairs.bulk_create(made, batch_size=1_000)


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0005_outbox"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ScanFigures",
            fields=[
                (
                    "scan",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="figures",
                        serialize=False,
                        to="review.scan",
                    ),
                ),
                ("made", models.DateTimeField()),
                ("packed", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="Folder",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("parent", models.PositiveIntegerField(null=True)),
                ("path", models.TextField()),
                ("files", models.PositiveIntegerField()),
                ("examined", models.PositiveIntegerField()),
                ("referred", models.PositiveIntegerField()),
                (
                    "scan",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="review.scan"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["scan", "parent", "files"], name="folder_children")],
                "constraints": [models.UniqueConstraint(fields=("scan", "number"), name="folder_number")],
            },
        ),
        migrations.CreateModel(
            name="PairedOpinion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("round", models.PositiveIntegerField()),
                ("week", models.CharField(max_length=8)),
                ("first_said", models.CharField(max_length=12)),
                ("second_said", models.CharField(max_length=12)),
                (
                    "first",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "referral",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="review.referral",
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["week", "first", "second", "first_said", "second_said"], name="paired_by_week")
                ],
                "constraints": [models.UniqueConstraint(fields=("referral", "round"), name="one_pair")],
            },
        ),
        migrations.CreateModel(
            name="Seen",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("cell", models.PositiveIntegerField()),
                ("files", models.PositiveIntegerField()),
                ("verdict", models.CharField(blank=True, max_length=12)),
                ("stratum", models.CharField(blank=True, max_length=150)),
                ("probability", models.CharField(blank=True, max_length=40)),
                (
                    "referral",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seen", to="review.referral"
                    ),
                ),
                (
                    "scan",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="review.scan"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["scan", "verdict", "cell", "stratum", "probability", "files"], name="seen_verdicts"
                    )
                ],
                "constraints": [models.UniqueConstraint(fields=("scan", "referral", "cell"), name="seen_once")],
            },
        ),
        migrations.CreateModel(
            name="Unexamined",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.PositiveIntegerField()),
                ("uri", models.TextField()),
                ("media_type", models.CharField(max_length=200)),
                ("size", models.BigIntegerField()),
                (
                    "scan",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="review.scan"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["scan", "reason", "id"], name="unexamined_by_reason")],
            },
        ),
        migrations.RunPython(pair_opinions, migrations.RunPython.noop),
    ]
