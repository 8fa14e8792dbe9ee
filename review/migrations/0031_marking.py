import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0030_api_tokens"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="MarkingSession",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=100, unique=True)),
                ("made", models.DateTimeField()),
                ("made_by", models.CharField(max_length=150)),
            ],
            options={"ordering": ("-pk",)},
        ),
        migrations.CreateModel(
            name="Marking",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("part", models.CharField(max_length=10)),
                ("text_hmac", models.CharField(max_length=64)),
                ("characters", models.PositiveIntegerField()),
                ("spans", models.JSONField(default=list)),
                ("at", models.DateTimeField()),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "referral",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="markings", to="review.referral"
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="markings", to="review.markingsession"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["session", "referral", "part"], name="markings_of_text")],
                "constraints": [models.UniqueConstraint(fields=("session", "referral", "person"), name="one_marking")],
            },
        ),
        migrations.CreateModel(
            name="MarkingAgreement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("both_exact", models.PositiveIntegerField()),
                ("both_partial", models.PositiveIntegerField()),
                ("either", models.PositiveIntegerField()),
                ("tokens", models.JSONField(default=list)),
                (
                    "referral",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="review.referral"
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="agreements",
                        to="review.markingsession",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("session", "referral"), name="one_marking_agreement")]
            },
        ),
    ]
