"""The tables of the service."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("number", models.BigIntegerField(primary_key=True, serialize=False)),
                ("at", models.CharField(max_length=32)),
                ("actor", models.CharField(max_length=150)),
                ("action", models.CharField(db_index=True, max_length=40)),
                ("subject", models.CharField(db_index=True, max_length=200)),
                ("details", models.TextField(blank=True)),
                ("previous", models.CharField(max_length=64)),
                ("hash", models.CharField(max_length=64)),
            ],
            options={
                "ordering": ("number",),
            },
        ),
        migrations.CreateModel(
            name="AuditHead",
            fields=[
                ("id", models.PositiveSmallIntegerField(primary_key=True, serialize=False)),
                ("number", models.BigIntegerField()),
                ("hash", models.CharField(max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="Referral",
            fields=[
                ("id", models.CharField(max_length=32, primary_key=True, serialize=False)),
                ("kind", models.CharField(max_length=10)),
                ("source", models.TextField(blank=True)),
                ("sha256", models.CharField(blank=True, max_length=64)),
                ("rules_sha256", models.CharField(max_length=64)),
                ("risk", models.CharField(max_length=6)),
                ("health_distance", models.FloatField(null=True)),
                ("rank", models.BigIntegerField()),
                ("round", models.PositiveIntegerField(default=1)),
                ("double", models.BooleanField(default=True)),
                ("state", models.CharField(max_length=10)),
                ("wants", models.CharField(blank=True, max_length=12)),
                ("decision", models.CharField(blank=True, max_length=12)),
                ("decided_at", models.DateTimeField(null=True)),
                ("leased_until", models.DateTimeField(null=True)),
                ("stratum", models.CharField(blank=True, max_length=150)),
                ("probability", models.CharField(blank=True, max_length=40)),
                ("created", models.DateTimeField()),
                ("asked", models.DateTimeField()),
                (
                    "first_reviewer",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "leased_to",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="leases", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "previous",
                    models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="later", to="review.referral"),
                ),
                (
                    "second_reviewer",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Lockout",
            fields=[
                ("key", models.CharField(max_length=200, primary_key=True, serialize=False)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("until", models.DateTimeField(null=True)),
                ("last", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Vote",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("round", models.PositiveIntegerField()),
                ("part", models.CharField(max_length=12)),
                ("verdict", models.CharField(max_length=12)),
                ("characteristics", models.JSONField(default=list)),
                ("at", models.DateTimeField(db_index=True)),
                ("seconds", models.PositiveIntegerField(null=True)),
                ("token", models.CharField(max_length=32, unique=True)),
                ("referral", models.ForeignKey(on_delete=models.PROTECT, related_name="votes", to="review.referral")),
                (
                    "reviewer",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="votes", to=settings.AUTH_USER_MODEL),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Queue",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=100, unique=True)),
                ("reviewers", models.ManyToManyField(blank=True, related_name="queues", to=settings.AUTH_USER_MODEL)),
            ],
            options={
                "ordering": ("name",),
            },
        ),
        migrations.CreateModel(
            name="Scan",
            fields=[
                ("id", models.CharField(max_length=200, primary_key=True, serialize=False)),
                ("folder", models.TextField()),
                ("sources", models.JSONField(default=list)),
                ("started", models.DateTimeField()),
                ("rules_sha256", models.CharField(max_length=64)),
                ("model_sha256", models.CharField(blank=True, max_length=64)),
                ("taken_in", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Finding",
            fields=[
                (
                    "referral",
                    models.OneToOneField(
                        on_delete=models.CASCADE, primary_key=True, serialize=False, to="review.referral"
                    ),
                ),
                ("media_type", models.CharField(max_length=200)),
                ("status", models.CharField(max_length=20)),
                ("reason", models.TextField(blank=True)),
                ("owner", models.CharField(blank=True, max_length=200)),
                ("size", models.BigIntegerField()),
                ("chars", models.BigIntegerField()),
                ("mtime", models.DateTimeField(null=True)),
                ("counts", models.JSONField(default=dict)),
                ("rules", models.JSONField(default=list)),
                ("terms", models.JSONField(default=list)),
                ("evidence", models.JSONField(default=list)),
            ],
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                (
                    "vote",
                    models.OneToOneField(on_delete=models.PROTECT, primary_key=True, serialize=False, to="review.vote"),
                ),
                ("text", models.TextField()),
            ],
        ),
        migrations.CreateModel(
            name="Outbox",
            fields=[
                ("message_id", models.CharField(max_length=200, primary_key=True, serialize=False)),
                ("subject", models.CharField(max_length=200)),
                ("text", models.TextField()),
                ("html", models.TextField(blank=True)),
                ("created", models.DateTimeField()),
                ("not_before", models.DateTimeField(null=True)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("fault", models.CharField(blank=True, max_length=200)),
                ("sent", models.DateTimeField(db_index=True, null=True)),
                (
                    "recipient",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
            ],
        ),
        migrations.AddField(
            model_name="referral",
            name="queue",
            field=models.ForeignKey(on_delete=models.PROTECT, related_name="referrals", to="review.queue"),
        ),
        migrations.CreateModel(
            name="SamplePlan",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=10)),
                ("seed", models.BigIntegerField()),
                ("budget", models.PositiveIntegerField()),
                ("strata", models.JSONField()),
                ("made", models.DateTimeField()),
                ("queue", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="review.queue")),
                ("scan", models.ForeignKey(on_delete=models.PROTECT, related_name="plans", to="review.scan")),
            ],
        ),
        migrations.CreateModel(
            name="ReferralPath",
            fields=[
                ("id", models.CharField(max_length=32, primary_key=True, serialize=False)),
                ("place", models.CharField(db_index=True, max_length=32)),
                ("uri", models.TextField()),
                ("path", models.BinaryField(null=True)),
                ("owner", models.CharField(blank=True, max_length=200)),
                ("current", models.BooleanField(default=True)),
                ("referral", models.ForeignKey(on_delete=models.CASCADE, related_name="paths", to="review.referral")),
                ("scan", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="review.scan")),
            ],
        ),
        migrations.AddField(
            model_name="referral",
            name="asked_in",
            field=models.ForeignKey(on_delete=models.PROTECT, related_name="asked", to="review.scan"),
        ),
        migrations.AddField(
            model_name="referral",
            name="first_scan",
            field=models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="review.scan"),
        ),
        migrations.AddField(
            model_name="referral",
            name="last_scan",
            field=models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="review.scan"),
        ),
        migrations.AddConstraint(
            model_name="vote",
            constraint=models.UniqueConstraint(fields=("referral", "number"), name="vote_number"),
        ),
        migrations.AddConstraint(
            model_name="sampleplan",
            constraint=models.UniqueConstraint(fields=("scan", "queue", "kind"), name="one_plan"),
        ),
        migrations.AddIndex(
            model_name="referral",
            index=models.Index(fields=["wants", "rank", "id"], name="referral_next"),
        ),
        migrations.AddIndex(
            model_name="referral",
            index=models.Index(fields=["wants", "queue", "rank", "id"], name="referral_next_in_queue"),
        ),
        migrations.AddIndex(
            model_name="referral",
            index=models.Index(fields=["queue", "state", "risk"], name="referral_counts"),
        ),
        migrations.AddIndex(
            model_name="referral",
            index=models.Index(fields=["rank", "id"], name="referral_list"),
        ),
        migrations.AddIndex(
            model_name="referral",
            index=models.Index(fields=["state", "decided_at"], name="referral_age"),
        ),
    ]
